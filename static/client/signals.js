// The signals of the page: a tree of named values that expressions read as `$name` or `$name.nested`, and whose readers are told when
// they change. A plain object is a branch, so that `$a.b` can change without disturbing `$a.c`; whatever else is one value.
import { batch, effect, signal, untracked } from '@preact/signals-core'

export { batch, effect, untracked }

// Changes belong together, and whoever makes them does not come to depend on what he looks at meanwhile.
const change = (work) => untracked(() => batch(work))

const isBranch = (value) =>
  value !== null && typeof value === 'object' && [Object.prototype, null].includes(Object.getPrototypeOf(value))

// A branch looks like an object and keeps a cell for every name. A cell is never taken away, so that its readers stay with it: a name
// without a value has a cell that holds undefined.
function branch() {
  const cells = Object.create(null)
  const names = signal(0) // changes when a name comes or goes, for those who list them

  function put(name, value) {
    const cell = (cells[name] ??= signal())
    const before = cell.peek()
    change(() => {
      if (!isBranch(value)) {
        cell.value = value ?? undefined
      } else {
        const inside = isBranch(before) ? before : (cell.value = branch())
        for (const key in inside) if (!(key in value)) delete inside[key]
        Object.assign(inside, value)
      }
      if ((before === undefined) !== (cell.peek() === undefined)) names.value++
    })
  }

  return new Proxy(cells, {
    get(_, name) {
      // JSON.stringify asks every object for toJSON, and iteration asks for symbols: these are no signals.
      if (typeof name === 'symbol' || name === 'toJSON') return undefined
      // To read a name is to make it, empty: a page may read what a stream brings later.
      return (cells[name] ??= signal('')).value ?? ''
    },
    set: (_, name, value) => (put(name, value), true),
    deleteProperty: (_, name) => (put(name), true),
    has: (_, name) => cells[name]?.value !== undefined,
    ownKeys: () => (names.value, Object.keys(cells).filter((name) => cells[name].peek() !== undefined)),
  })
}

export const root = branch()

export const read = (path) => path.split('.').reduce((at, name) => at[name], root)

// What stands at a path, or undefined: unlike read it makes nothing and nobody comes to depend on it.
export const lookup = (path) =>
  untracked(() => path.split('.').reduce((at, name) => (isBranch(at) && name in at ? at[name] : undefined), root))

// A merge patch (RFC 7396): objects are merged, null takes away. `onlyIfMissing` leaves alone what has a value.
export function merge(patch, onlyIfMissing, at = root) {
  change(() => {
    for (const [name, value] of Object.entries(patch)) {
      if (isBranch(value)) {
        if (!(name in at && isBranch(at[name]))) at[name] = {}
        merge(value, onlyIfMissing, at[name])
      } else if (!(onlyIfMissing && name in at)) {
        at[name] = value
      }
    }
  })
}

export const write = (path, value, onlyIfMissing) =>
  merge(path.split('.').reduceRight((inner, name) => ({ [name]: inner }), value), onlyIfMissing)

// The signals that a request sends. A name that begins with _ stays on the page.
export function snapshot({ include = /.*/, exclude = /(^|\.)_/ } = {}, at = root, prefix = '') {
  const copy = {}
  for (const name of Object.keys(at)) {
    const path = prefix + name
    if (isBranch(at[name])) {
      const inside = snapshot({ include, exclude }, at[name], path + '.')
      if (Object.keys(inside).length) copy[name] = inside
    } else if (RegExp(include).test(path) && !RegExp(exclude).test(path)) {
      copy[name] = at[name]
    }
  }
  return copy
}
