// The diagram's own window, which follows the present down the diagram.

const width = 360 // of the diagram, in its own units
const [high, low] = [0.2, 0.65] // between these parts of the window the present may move without it

export class Scroller {
  constructor(element) {
    this.element = element
  }

  follow(y) {
    const { clientWidth, clientHeight, scrollHeight, scrollTop } = this.element
    if (scrollHeight <= clientHeight) return
    const place = (y * clientWidth) / width
    const top = Math.min(Math.max(scrollTop, place - low * clientHeight), place - high * clientHeight)
    if (Math.abs(top - scrollTop) >= 1) this.element.scrollTop = top
  }
}
