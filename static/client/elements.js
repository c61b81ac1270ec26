// Which elements have data-* attributes, now and later: an attribute is bound when it appears, anew when its text changes, and let go
// when it or its element goes.
import { concerns } from './attributes.js'
import { bind } from './binding.js'

const bindings = new WeakMap() // element → attribute name → binding

export function start() {
  const root = document.documentElement
  new MutationObserver(observe).observe(root, { subtree: true, childList: true, attributes: true, characterData: true })
  bindAll(root)
}

function observe(records) {
  const touched = new Set()
  for (const { type, target, attributeName, addedNodes, removedNodes } of records) {
    // An element that is in the document again was only moved, and keeps its bindings.
    for (const node of removedNodes) if (!node.isConnected) releaseAll(node)
    for (const node of addedNodes) if (node.isConnected) bindAll(node)
    if (attributeName?.startsWith('data-') && target.isConnected) update(target, attributeName)
    touched.add(type === 'characterData' ? target.parentElement : target)
  }
  // Somebody else, most often a morph, may have undone what a binding wrote.
  for (const el of touched) bindings.get(el)?.forEach((binding) => binding.restore?.())
}

// The element and all inside it, in the order of the document.
const within = (node) => (node.nodeType === Node.ELEMENT_NODE ? [node, ...node.querySelectorAll('*')] : [])

function bindAll(node) {
  for (const el of within(node)) {
    for (const name of el.getAttributeNames()) if (name.startsWith('data-')) update(el, name)
  }
}

function releaseAll(node) {
  for (const el of within(node)) {
    bindings.get(el)?.forEach((binding) => binding.release())
    bindings.delete(el)
  }
}

function update(el, name) {
  const value = el.getAttribute(name)
  if (!bindings.has(el)) {
    if (!concerns(name, value)) return // most are other scripts' data
    bindings.set(el, new Map())
  }
  const ofElement = bindings.get(el)
  if (ofElement.get(name)?.value === value) return
  ofElement.get(name)?.release()
  ofElement.delete(name)
  if (value !== null) ofElement.set(name, bind(el, name, value))
}
