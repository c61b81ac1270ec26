// What the server changes: elements of the page, and signals. actions.js hands it over as `datastar-fetch` events on the document,
// which other scripts may follow too.
import { Idiomorph } from 'idiomorph'
import { batch, merge } from './signals.js'
import { warn } from './warn.js'

document.addEventListener('datastar-fetch', ({ detail: { type, el, argsRaw } }) => {
  try {
    if (type === 'datastar-patch-elements') patchElements(argsRaw)
    else if (type === 'datastar-patch-signals') merge(JSON.parse(argsRaw.signals), argsRaw.onlyIfMissing === 'true')
    else if (type.startsWith('datastar-')) warn(`unknown event ${type}`, el)
  } catch (error) {
    warn(`${type}: ${error.message}`, el)
  }
})

function patchElements({ elements = '', selector, mode = 'outer', namespace = 'html', useViewTransition }) {
  if (!modes[mode] || !(namespace in wrappers)) throw Error(`unknown mode ${mode} or namespace ${namespace}`)
  if (useViewTransition === 'true') warn('no view transitions')
  const content = parse(elements, namespace)
  if (content.querySelector('script')) warn('patched scripts do not run')

  if (selector) {
    const targets = document.querySelectorAll(selector)
    if (!targets.length) throw Error(`no element matches ${selector}`)
    for (const target of targets) modes[mode](target, targets.length > 1 ? content.cloneNode(true) : content)
  } else {
    if (mode !== 'outer') throw Error('no selector')
    for (const element of [...content.children]) {
      const target = document.getElementById(element.id)
      const alone = document.createDocumentFragment()
      alone.append(element)
      if (target) modes[mode](target, alone)
      else warn(`${element.id ? `no element #${element.id}` : 'an element without id'} to patch`, element)
    }
  }
}

const modes = {
  outer: (target, content) => morph(target, content.children, 'outerHTML'), // not the blank text around them
  inner: (target, content) => morph(target, content.childNodes, 'innerHTML'),
  append: (target, content) => target.append(content),
}

// SVG is only parsed as such inside its own root.
const wrappers = { html: '', svg: 'svg' }

// What is no text any more has been parsed by another script on the way here.
function parse(html, namespace) {
  if (html instanceof Node) return html
  const template = document.createElement('template')
  const wrapper = wrappers[namespace]
  template.innerHTML = wrapper ? `<${wrapper}>${html}</${wrapper}>` : html
  if (wrapper) template.content.firstChild.replaceWith(...template.content.firstChild.childNodes)
  return template.content
}

// What a reader typed or chose stays until the server changes its mind, that is, until the markup of the field says something else
// than before. Idiomorph would go by what the field holds, so these attributes are kept from it and done here.
const fields = { input: ['value', 'checked'], option: ['selected'], textarea: ['value'] }

const ignored = (node) => node.hasAttribute?.('data-ignore-morph')

function morph(target, nodes, morphStyle) {
  if (target.parentElement?.closest('[data-ignore-morph]')) return
  const changed = new Set()
  // In a batch, so that effects run when the page has its new shape, not in the midst of it.
  batch(() => {
    Idiomorph.morph(target, nodes, {
      morphStyle,
      callbacks: {
        beforeNodeMorphed(old, next) {
          if ((ignored(old) && ignored(next)) || old.isEqualNode(next)) return false
          if (old.localName === 'textarea' && old.defaultValue !== next.defaultValue) {
            old.value = next.defaultValue
            changed.add(old)
          }
        },
        beforeAttributeUpdated: (name, old) => !fields[old.localName]?.includes(name),
        afterNodeMorphed(old, next) {
          for (const name of fields[old.localName] ?? []) {
            const markup = next.getAttribute(name)
            if (markup === old.getAttribute(name)) continue
            if (markup === null) old.removeAttribute(name)
            else old.setAttribute(name, markup)
            old[name] = name === 'value' ? (markup ?? '') : markup !== null
            changed.add(old.closest('select') ?? old)
          }
        },
      },
    })
    for (const field of changed) field.dispatchEvent(new Event('datastar-prop-change', { bubbles: true }))
  })
}
