// What each attribute does. `key` says whether it has one, as in data-on:click: 'never', 'always', or 'maybe', when a value without
// key is an object of many; 'signal' attributes take the name of a signal, as key or as value, and no expression. `wantsValue`: the
// expression is not only run, but has a value.
import { bindField } from './bind.js'
import { merge, write } from './signals.js'
import { debounced } from './timing.js'

export const attributes = {
  signals: {
    key: 'maybe',
    wantsValue: true,
    modifiers: ['ifmissing'],
    begin: ({ key, signal, evaluate, modifiers: { ifmissing } }) =>
      key ? write(signal, evaluate(), ifmissing) : merge(evaluate(), ifmissing),
  },

  bind: { key: 'signal', begin: bindField },

  text: {
    key: 'never',
    wantsValue: true,
    begin: ({ el, evaluate, follow }) =>
      follow(evaluate, (value) => {
        if (el.textContent !== `${value}`) el.textContent = value
      }),
  },

  show: {
    key: 'never',
    wantsValue: true,
    begin: ({ el: { style }, evaluate, follow }) =>
      follow(evaluate, (value) => {
        if (!value) style.setProperty('display', 'none')
        else if (style.display === 'none') style.removeProperty('display')
      }),
  },

  attr: {
    key: 'maybe',
    wantsValue: true,
    begin: ({ el, key, evaluate, follow }) =>
      follow(pairs(key, evaluate), (values) => {
        for (const [name, value] of values) setAttribute(el, name, value)
      }),
  },

  class: {
    key: 'maybe',
    wantsValue: true,
    begin({ el, key, evaluate, follow, cleanups }) {
      const names = new Set()
      follow(pairs(key, evaluate), (values) => {
        for (const [list, on] of values) {
          for (const name of list.split(/\s+/).filter(Boolean)) {
            el.classList.toggle(name, !!on)
            names.add(name)
          }
        }
      })
      cleanups.add(() => el.classList.remove(...names))
    },
  },

  effect: { key: 'never', begin: ({ evaluate, follow }) => follow(evaluate, () => {}) },

  init: { key: 'never', begin: ({ perform }) => perform() },

  on: {
    key: 'always',
    modifiers: ['debounce', 'window', 'prevent', 'stop', 'once'],
    begin({ el, key, modifiers: { debounce, window: onWindow, prevent, stop, once }, perform, listen }) {
      const handle = debounce ? debounced(perform, debounce) : perform
      const target = key === 'datastar-fetch' ? document : onWindow ? window : el
      const listener = (evt) => {
        // At once, for after a delay it would be too late.
        if (prevent || (key === 'submit' && el.localName === 'form')) evt.preventDefault()
        if (stop) evt.stopPropagation()
        handle(evt)
      }
      listen(target, key, listener, { once: !!once })
    },
  },
}

// With a key, one name and its value; else an object of them.
const pairs = (key, evaluate) => () => Object.entries(key ? { [key]: evaluate() } : evaluate())

function setAttribute(el, name, value) {
  if (value === false || value == null) return el.removeAttribute(name)
  const text = value === true ? '' : typeof value === 'string' ? value : JSON.stringify(value)
  if (el.getAttribute(name) !== text) el.setAttribute(name, text)
}

// Whether an attribute is in the list, or seems to be meant for it.
export function concerns(name, value) {
  const [kind] = name.slice('data-'.length).split(/:|__/, 1)
  return kind in attributes || isMeant(kind, name, value)
}

// Whether an attribute that is not in the list was meant to be: other scripts have data-* attributes too. (data-ignore-morph is not in
// the list because only patch.js looks for it.)
const elsewhere = /^(ignore|json-signals|on-.+|persist|preserve-attr|query-string|replace-url|scroll-into-view|computed|style)$/
export const isMeant = (kind, name, value) =>
  /:|__/.test(name) || elsewhere.test(kind) || /^[!(]*\$[a-z_]|@(get|post)\(/i.test(value)
