// data-bind: a form field and a signal that hold the same, whichever of them changes.
import { effect, lookup, read, write } from './signals.js'

export function bindField({ el, signal, cleanups, guard, listen }) {
  const kind = el.localName === 'input' ? el.type : el.localName
  if (!/^(input|select|textarea)$/.test(el.localName) || /^(file|select-multiple)$/.test(el.type)) {
    throw Error(`cannot bind this <${kind}>`)
  }
  const { get, set } = fields[kind] ?? fields.text
  // The type of a signal stays what it is: a number remains one in a text field.
  const held = () => get(el, typeof lookup(signal))

  // A signal that is there decides; else it begins as the field does. (A radio that is not checked leaves it to the next of them.)
  if (kind === 'radio' && !el.name) el.name = signal
  write(signal, held(), true)
  // Not binding.follow: a script may set a field without telling, until the signal changes.
  cleanups.add(effect(guard(() => set(el, read(signal)))))

  const update = () => {
    const value = held()
    if (value !== undefined) write(signal, value)
  }
  listen(el, kind === 'select' ? 'change' : 'input', update)
  listen(el, 'datastar-prop-change', update) // a patch has changed the field
}

const fields = {
  text: {
    get: (el, type) => (type === 'string' || (type === 'undefined' && !/^(number|range)$/.test(el.type)) ? el.value : +el.value),
    set(el, value) {
      if (el.value !== `${value}`) el.value = value // to set it, even to the same, may move the cursor
    },
  },
  checkbox: {
    get(el, type) {
      // A box with a value of its own stands for that text or none, another one for true or false.
      const asText = el.value === 'on' ? type === 'string' : type !== 'boolean'
      return asText ? (el.checked ? el.value : '') : el.checked
    },
    set(el, value) {
      el.checked = typeof value === 'string' ? value === el.value : value
    },
  },
  radio: {
    get: (el, type) => (el.checked ? (type === 'number' ? +el.value : el.value) : undefined),
    set(el, value) {
      el.checked = value === (typeof value === 'number' ? +el.value : el.value)
    },
  },
}
