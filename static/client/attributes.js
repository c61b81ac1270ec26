// What each attribute does. `key` says whether it has one, as in data-on:click: 'never', 'always', or 'maybe', when a value without
// key is an object of many; 'signal' attributes take the name of a signal, as key or as value, and no expression. `wantsValue`: the
// expression is not only run, but has a value.
import { bindField } from './bind.js'
import { computed, merge, write } from './signals.js'
import { limit } from './timing.js'

export const attributes = {
  signals: {
    key: 'maybe',
    wantsValue: true,
    modifiers: ['ifmissing'],
    begin: ({ key, signal, evaluate, modifiers: { ifmissing } }) =>
      key ? write(signal, evaluate(), ifmissing) : merge(evaluate(), ifmissing),
  },

  computed: {
    key: 'maybe',
    wantsValue: true,
    begin({ key, signal, evaluate, guard }) {
      // The functions of an object, at any depth, become computed signals.
      const derive = (value) =>
        typeof value === 'function'
          ? computed(guard(value))
          : Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, derive(inner)]))
      if (key) write(signal, derive(evaluate))
      else merge(derive(evaluate()))
    },
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

  style: {
    key: 'maybe',
    wantsValue: true,
    begin({ el: { style }, key, evaluate, follow, cleanups }) {
      const initial = new Map() // what was there before, which stands again when there is no value
      const set = (name, value) => style.setProperty(name, value || value === 0 ? value : initial.get(name))
      follow(pairs(key, evaluate), (values) => {
        const left = new Set(initial.keys())
        for (let [name, value] of values) {
          if (!name.startsWith('--')) name = name.replace(/[A-Z]/g, (letter) => '-' + letter.toLowerCase())
          if (!initial.has(name)) initial.set(name, style.getPropertyValue(name))
          set(name, value)
          left.delete(name)
        }
        for (const name of left) set(name)
      })
      cleanups.add(() => initial.forEach((_, name) => set(name)))
    },
  },

  effect: { key: 'never', begin: ({ evaluate, follow }) => follow(evaluate, () => {}) },

  init: { key: 'never', begin: ({ perform }) => perform() },

  on: {
    key: 'always',
    modifiers: ['debounce', 'throttle', 'window', 'prevent', 'stop', 'once'],
    begin({ el, key, modifiers: { debounce, throttle, window: onWindow, prevent, stop, once }, perform, listen }) {
      let handle = perform
      if (debounce) handle = limit(handle, debounce, { leading: false, trailing: true, restarts: true })
      if (throttle) handle = limit(handle, throttle, { leading: true, trailing: false, restarts: false })
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
const elsewhere = /^(ignore|json-signals|on-.+|persist|preserve-attr|query-string|replace-url|scroll-into-view)$/
export const isMeant = (kind, name, value) =>
  /:|__/.test(name) || elsewhere.test(kind) || /^[!(]*\$[a-z_]|@(get|post)\(/i.test(value)
