// The phones' screens and the server's rows. A column holds every variant of every line. Those that stand now come first, in their
// order; the rest is hidden and follows in the order of the variants. Each event changes a column by splices.
import { flip } from './flip.js'
import { reveal } from './scroller.js'

const few = 6 // lines fit in any screen; to scroll through more, the keyboard has to get there

export class Screens {
  constructor(lab) {
    this.columns = [...lab.querySelectorAll('.screens ol')].map((list) => new Column(list))
  }

  // Takes in an event's changes, written column,at,remove,insert…;…
  add(changes, index) {
    for (const change of changes?.split(';') ?? []) {
      const [column, ...splice] = change.split(',').map(Number)
      this.columns[column]?.steps.push({ index, splice })
    }
  }

  // Takes in the variants that have come since the last time.
  read() {
    for (const column of this.columns) column.read()
  }

  // Shows the columns as they stand after the event of that index. It returns what is to be done once all is written: to scroll to what
  // changed and, if lines take time to move to their places, to set them off.
  show(index, time) {
    const changed = this.columns.filter((column) => column.goTo(index))
    if (!changed.length) return
    const settle = time ? flip(changed.map(({ list }) => list), time) : undefined
    for (const column of changed) column.draw()
    return () => {
      for (const column of changed) column.scroll()
      settle?.()
    }
  }
}

class Column {
  items = [] // by variant
  steps = [] // { index of the event, splice }
  done = 0 // steps
  standing = [] // the variants that stand after them
  drawn // how many steps were done when it was last drawn

  constructor(list) {
    this.list = list
    this.why = document.querySelector('#ask')?.textContent
    const column = list.closest('.column')
    this.phone = !column.matches('.server') && column.querySelector('h3').textContent.match(/^\w+/)?.[0].toLowerCase()
  }

  read() {
    // New ones are the last of the list.
    for (const item of [...this.list.children].slice(this.items.length)) {
      this.items[item.dataset.i] = item
      if (this.phone && this.why) this.ask(item.querySelector('b'))
    }
  }

  // Makes the name of a line a link that asks why it is as it is.
  ask(name) {
    const message = name.textContent.trim()
    if (!/^[a-z]\d+$/i.test(message) || name.querySelector('[href=""]')) return
    const link = Object.assign(document.createElement('a'), { href: '', title: this.why, textContent: message })
    link.dataset.why = this.phone + '.' + message
    name.replaceChildren(link)
  }

  // Says whether anything changed. The way back is to begin anew, which is quick enough.
  goTo(index) {
    const { steps, done, drawn } = this
    if (steps[done - 1]?.index > index) {
      this.done = 0
      this.standing = []
    }
    for (; steps[this.done]?.index <= index; this.done++) this.standing.splice(...steps[this.done].splice)
    this.drawn = this.done
    return this.drawn !== drawn
  }

  // Moves only what is not in its place.
  draw() {
    const { list, items, standing } = this
    const stands = new Set(standing)
    items.forEach((item, variant) => {
      if (item.hidden !== stands.has(variant)) return
      item.hidden = !item.hidden
      if (item.hidden) list.append(item)
    })
    let place = list.firstChild
    for (const item of [...standing.map((variant) => items[variant]), ...items.filter((item) => item.hidden)]) {
      if (item === place) place = place.nextSibling
      else list.insertBefore(item, place)
    }
    list.previousElementSibling.hidden = standing.length > 0
    list.tabIndex = standing.length > few ? 0 : -1
  }

  // Shows the line that came last.
  scroll() {
    const [place, , ...lines] = this.steps[this.done - 1]?.splice ?? []
    let item = lines.length ? this.items[lines.at(-1)] : this.list.children[place - 1]
    if (item?.matches('.asks')) item = this.items[this.standing.at(-1)] // it stays in sight by itself
    if (item) reveal(this.list, item)
  }
}
