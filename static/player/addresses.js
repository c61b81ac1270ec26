// Addresses, as the server writes them: path?name=value&…#place. The moment is `at`; all else is the run and the view of it. They are
// taken apart as text, so that they stay in the server's spelling.

// Where the site is: an export can lie anywhere, and says where.
const site = document.querySelector('base') ? document.baseURI : location.origin

// The address of the page.
export const here = () => withoutPlace(location.href).slice(site.length)

// What it is called in the world.
export const abroad = (address) => new URL(address, document.baseURI).href

const split = (address = '') => address.match(/^([^?#]*)\??([^#]*)(.*)$/).slice(1)
const pairs = (query) => query.split('&').filter(Boolean)
const nameOf = (pair) => pair.split('=')[0]

// The moment of an address; empty for the start.
export const momentOf = (address) => pairs(split(address)[1]).find((pair) => nameOf(pair) === 'at')?.slice(3) ?? ''

// The address at another moment. `example` is an address with a moment, which shows what comes after it.
export function withMoment(address, at, example = '') {
  const [path, query, place] = split(address)
  const rest = pairs(query).filter((pair) => nameOf(pair) !== 'at')
  if (at) {
    const later = ['why', ...namesAfterMoment(example)]
    const before = rest.findIndex((pair) => later.includes(nameOf(pair)))
    rest.splice(before < 0 ? rest.length : before, 0, 'at=' + at)
  }
  return path + (rest.length ? '?' + rest.join('&') : '') + place
}

// The address without its moment and its place on the page: what all moments of one run have in common.
export const runOf = (address) => withMoment(withoutPlace(address), '')

export const withoutPlace = (address) => address.split('#')[0]

// The address of a run with one more edit; the server finds out whether it takes the place of another. It writes edits before what stands
// beside the run, and that before the moment.
export function withEdit(run, words, example) {
  const [path, query] = split(run)
  const rest = pairs(query)
  const edits = rest.findIndex((pair) => nameOf(pair) === 'edits')
  const later = ['with', 'why', ...namesAfterMoment(example)]
  const before = rest.findIndex((pair) => later.includes(nameOf(pair)))
  if (edits >= 0) rest[edits] += '_' + words
  else rest.splice(before < 0 ? rest.length : before, 0, 'edits=' + words)
  return path + '?' + rest.join('&')
}

function namesAfterMoment(example) {
  const names = pairs(split(example)[1]).map(nameOf)
  return names.slice(names.indexOf('at') + 1)
}

// The address of a moment that asks why something is as it is.
export function withWhy(address, why) {
  const [path, query] = split(address)
  return path + '?' + [...pairs(query).filter((pair) => nameOf(pair) !== 'why'), 'why=' + why].join('&')
}

// The address that a form leads to, without fields that are left empty and without a moment.
export function addressOf(form) {
  const fields = [...new FormData(form)].filter(([name, value]) => value && name !== 'at')
  return withoutPlace(form.getAttribute('action')) + (fields.length ? '?' + new URLSearchParams(fields) : '')
}
