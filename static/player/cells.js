// The table that compares the protocols: what each column says at any moment, from the changes that the page lists.

import { part } from './part.js'

export class Cells {
  known = 0

  constructor(lab) {
    this.list = part(lab, '#cells')
    const rows = [...lab.querySelectorAll('#metrics tbody tr')].map((row) => [...row.cells].slice(1))
    this.columns = (rows[0] ?? []).map((_, i) => new Column(rows.map((row) => row[i])))
  }

  // Takes in the changes that have come since the last time.
  read() {
    const items = [...this.list.children].slice(this.known)
    this.known += items.length
    for (const { textContent } of items) {
      const [, at, column, rows] = textContent.match(/^(.*?),(.*?),(.*)$/)
      const texts = rows.split('|').map((pair) => pair.match(/^(\d+)=(.*)$/).slice(1))
      this.columns[column].changes.push({ at: Number(at), texts })
    }
  }

  // Shows the protocol of the run as it stands at `now`, the others as they stand at `others`.
  show(now, others) {
    for (const column of this.columns) column.show(column.own ? now : others)
  }
}

class Column {
  changes = [] // { at, texts: [row, text] }
  done = 0
  texts = [] // after the changes done

  constructor(cells) {
    this.cells = cells
    this.own = cells[0].classList.contains('current')
    this.drawn = cells.map((cell) => cell.textContent)
  }

  // The way back is to begin anew, which is quick enough.
  show(until) {
    const { changes, drawn } = this
    if (changes[this.done - 1]?.at > until) {
      this.done = 0
      this.texts = []
    }
    for (; changes[this.done]?.at <= until; this.done++) for (const [row, text] of changes[this.done].texts) this.texts[row] = text
    this.cells.forEach((cell, row) => {
      const text = this.texts[row] ?? ''
      if (drawn[row] !== text) cell.textContent = drawn[row] = text
    })
  }
}
