// Addresses, as the server writes them: path?name=value&…#place. The moment is `at`; all else is the run and the view of it. They are
// taken apart as text, so that they stay in the server's spelling.

const split = (address) => address.match(/^([^?#]*)\??([^#]*)(.*)$/).slice(1)
const pairs = (query) => query.split('&').filter(Boolean)
const isMoment = (pair) => pair.startsWith('at=')

// The moment of an address; empty for the start.
export const momentOf = (address) => pairs(split(address)[1]).find(isMoment)?.slice(3) ?? ''

// The address at another moment. `order` is an address that has one and shows what comes after it.
export function withMoment(address, at, order = '') {
  const [path, query, place] = split(address)
  const rest = pairs(query).filter((pair) => !isMoment(pair))
  if (at) {
    const names = pairs(split(order)[1]).map((pair) => pair.split('=')[0])
    const later = names.slice(names.indexOf('at') + 1)
    const place = rest.findIndex((pair) => later.includes(pair.split('=')[0]))
    rest.splice(place < 0 ? rest.length : place, 0, 'at=' + at)
  }
  return path + (rest.length ? '?' + rest.join('&') : '') + place
}

// The address without its moment and its place on the page: what two moments of one run have in common.
export const runOf = (address) => withMoment(withoutPlace(address), '')

export const withoutPlace = (address) => address.split('#')[0]

// The address that a form leads to, without the fields that are left empty and without a moment.
export function addressOf(form) {
  const query = [...new FormData(form)]
    .filter(([name, value]) => value !== '' && name !== 'at')
    .map((pair) => pair.map((part) => encodeURIComponent(part).replaceAll('%20', '+')).join('='))
  return form.getAttribute('action') + (query.length ? '?' + query.join('&') : '')
}
