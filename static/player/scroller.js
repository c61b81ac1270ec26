// What scrolls inside the page while the page stays where it is.

const width = 360 // of the diagram, in its own units
const [high, low] = [0.2, 0.65] // between these parts of its window the present may move without it

// The diagram's window follows the present down the diagram.
export function follow(element, y) {
  const { clientWidth, clientHeight, scrollTop } = element
  const place = (y * clientWidth) / width
  const top = Math.min(Math.max(scrollTop, place - low * clientHeight), place - high * clientHeight)
  if (Math.abs(top - scrollTop) >= 1) element.scrollTop = top
}

// A list shows one of its items.
export function reveal(list, item) {
  const outer = list.getBoundingClientRect()
  const inner = item.getBoundingClientRect()
  list.scrollTop += Math.min(inner.top - outer.top, 0) || Math.max(inner.bottom - outer.bottom, 0)
}
