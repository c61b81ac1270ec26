// The phones' screens and the server's rows. A column holds every variant of every line. Those that stand now come first, in their
// order; the rest is hidden and follows in the order of the variants. Each event changes a column by one splice, which can be undone.
import { flip } from './flip.js'

export class Screens {
  constructor(lab) {
    this.columns = [...lab.querySelectorAll('.screens ol')].map((list) => new Column(list))
  }

  // Takes in an event's changes, written column,at,remove,insert…;…, and the variants that came before it.
  add(changes, index) {
    for (const change of changes?.split(';') ?? []) {
      const [column, at, remove, ...inserted] = change.split(',').map(Number)
      this.columns[column].add(index, at, remove, inserted)
    }
  }

  read() {
    for (const column of this.columns) column.read()
  }

  // Shows the columns as they stand after the event of that index. If lines take time to move there, it returns what sets them off.
  show(index, time) {
    const changed = this.columns.filter((column) => column.goTo(index))
    const settle = time ? flip(changed.map(({ list }) => list), time) : undefined
    for (const column of changed) column.draw()
    return settle
  }
}

class Column {
  items = [] // by variant
  steps = [] // { index of the event, at, removed, inserted }
  last = [] // the variants that stand after the last step
  done = 0 // steps
  standing = [] // the variants that stand after them
  drawn // those that the list shows

  constructor(list) {
    this.list = list
    this.empty = list.previousElementSibling
  }

  // Takes in the variants that have come since the last time. They are the last of the list.
  read() {
    for (const item of [...this.list.children].slice(this.items.length)) this.items[item.dataset.i] = item
    this.drawn ??= [...this.list.children].filter((item) => !item.hidden).map((item) => Number(item.dataset.i))
  }

  add(index, at, remove, inserted) {
    this.steps.push({ index, at, removed: this.last.splice(at, remove, ...inserted), inserted })
  }

  // Says whether anything changed.
  goTo(index) {
    const { steps, standing } = this
    const before = this.done
    for (; steps[this.done]?.index <= index; this.done++) {
      const { at, removed, inserted } = steps[this.done]
      standing.splice(at, removed.length, ...inserted)
    }
    for (; steps[this.done - 1]?.index > index; this.done--) {
      const { at, removed, inserted } = steps[this.done - 1]
      standing.splice(at, inserted.length, ...removed)
    }
    return this.done !== before
  }

  // Touches only what lies between the lines that stay at the top and those that stay at the bottom.
  draw() {
    const { drawn, standing, items, list } = this
    let top = 0
    while (top < drawn.length && drawn[top] === standing[top]) top++
    let bottom = 0
    const room = Math.min(drawn.length, standing.length) - top
    while (bottom < room && drawn.at(-1 - bottom) === standing.at(-1 - bottom)) bottom++
    for (const variant of drawn.slice(top, drawn.length - bottom)) {
      items[variant].hidden = true
      list.insertBefore(items[variant], items.find((item, i) => i > variant && item.hidden) ?? null)
    }
    const come = standing.slice(top, standing.length - bottom).map((variant) => items[variant])
    for (const item of come) item.hidden = false
    const next = bottom ? items[standing.at(-bottom)] : items.find((item) => item.hidden)
    for (const item of come) list.insertBefore(item, next ?? null)
    this.drawn = [...standing]
    this.empty.hidden = standing.length > 0
  }
}
