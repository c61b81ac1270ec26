// The table that compares the protocols: what each column says at any moment, from the changes that the page lists.

export class Cells {
  constructor(table, list) {
    this.list = list
    const rows = [...(table?.tBodies[0]?.rows ?? [])].map((row) => [...row.cells].slice(1))
    this.columns = (rows[0] ?? []).map((_, i) => new Column(rows.map((row) => row[i])))
  }

  // Takes in the changes that have come since the last time.
  read(from = this.known ?? 0) {
    const items = [...(this.list?.children ?? [])].slice(from)
    this.known = from + items.length
    for (const { dataset } of items) {
      const rows = dataset.set.split('|').map((pair) => [parseInt(pair), pair.slice(pair.indexOf('=') + 1)])
      this.columns[dataset.col].add(Number(dataset.at), rows)
    }
  }

  // Shows the protocol of the run as it stands at `now`, the others as they stand at `others`.
  show(now, others) {
    for (const column of this.columns) column.show(column.own ? now : others)
  }
}

class Column {
  changes = [] // { at, rows: [row, text, text before] }
  done = 0
  last = [] // the texts after the last change

  constructor(cells) {
    this.cells = cells
    this.own = cells[0].classList.contains('current')
    this.now = cells.map(() => '') // the texts after the changes done
    this.drawn = cells.map((cell) => cell.textContent)
  }

  add(at, rows) {
    this.changes.push({ at, rows: rows.map(([row, text]) => [row, text, this.last[row] ?? '']) })
    for (const [row, text] of rows) this.last[row] = text
  }

  show(until) {
    const { changes, now, drawn } = this
    for (; changes[this.done]?.at <= until; this.done++) for (const [row, text] of changes[this.done].rows) now[row] = text
    for (; changes[this.done - 1]?.at > until; this.done--) for (const [row, , before] of changes[this.done - 1].rows) now[row] = before
    this.cells.forEach((cell, row) => {
      if (drawn[row] !== now[row]) cell.textContent = drawn[row] = now[row]
    })
  }
}
