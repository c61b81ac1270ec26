// One data-* attribute of one element at work: its parts, its expression, and what has to be undone when it goes.
import { actions } from './actions.js'
import { attributes, isMeant } from './attributes.js'
import { compile } from './expressions.js'
import { batch, effect } from './signals.js'
import { warn } from './warn.js'

export function bind(el, name, value) {
  // data-on:click__debounce.200ms → on, click, { debounce: ['200ms'] }
  const [head, ...tags] = name.slice('data-'.length).split('__')
  const [, kind, key] = head.match(/^([^:]*):?(.*)$/)
  const modifiers = Object.fromEntries(tags.map((tag) => tag.split('.')).map(([tag, ...details]) => [tag, details]))

  const cleanups = new Set()
  const complain = (problem) => warn(problem, el, name, value)

  // Whatever fails, in an expression or in an attribute, is told and stays here.
  const guard = (work) => (...args) => {
    try {
      return work(...args)
    } catch (error) {
      complain(error.message)
    }
  }

  let expression
  const act = (action, ...args) => {
    if (!actions[action]) throw Error(`unknown action @${action}`)
    return actions[action](binding, ...args)
  }

  // What attributes and actions work with.
  const binding = {
    el,
    value,
    key,
    modifiers,
    cleanups,
    complain,
    guard,
    // The name of a signal: in a value as it is; in a key, which HTML keeps in lower case, with hyphens for capitals.
    signal: key ? key.replace(/-([a-z])/g, (_, letter) => letter.toUpperCase()) : value,
    evaluate: (evt) => expression(act, el, evt),
    perform: guard((evt) => batch(() => expression(act, el, evt))),
    // Writes what it reads: now, when a signal changes, and when somebody else has changed the element.
    follow(read, write) {
      let again
      const update = () => {
        const latest = read()
        again = () => write(latest)
        again()
      }
      cleanups.add(effect(guard(update)))
      binding.restore = () => again?.()
    },
    listen(target, type, listener, options) {
      target.addEventListener(type, listener, options)
      cleanups.add(() => target.removeEventListener(type, listener))
    },
    release: () => cleanups.forEach((cleanup) => cleanup()),
  }

  guard(() => {
    const attribute = attributes[kind]
    if (!attribute) {
      if (isMeant(kind, name, value)) complain('unknown attribute')
      return
    }
    for (const tag in modifiers) if (!attribute.modifiers?.includes(tag)) complain(`unknown modifier __${tag}`)
    if (!{ never: !key && value, always: key && value, maybe: value, signal: !key !== !value }[attribute.key])
      throw Error(`wrong use of data-${kind}`)
    if (attribute.key !== 'signal') expression = compile(value, attribute.wantsValue)
    attribute.begin(binding)
  })()
  return binding
}
