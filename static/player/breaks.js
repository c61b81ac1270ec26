// What can be broken by hand: the subjects of an event, each with the edits that the server's forms offer for it. They follow the
// moment; and, where the reader has pointed at a leg, a dot or a lifeline, they stand beside it.
import { spell } from './clock.js'
import { part } from './part.js'

const anySubject = 'server:' // what can be broken at any moment
const margin = 12 // pixels between the edges of the window and what floats in it

export class Breaks {
  constructor(lab) {
    const find = (css) => part(lab, css)
    this.box = find('#break')
    this.rows = find('#break-rows')
    this.forms = [...find('#break-forms').children]
    this.names = [...find('#break-names').children]
    this.acts = [...lab.querySelectorAll('.acts [data-edit]')].map((link) => ({ link, words: link.dataset.edit }))
    this.what = undefined
  }

  // Shows what can be broken at a moment. `what` are the subjects of its event; `to` gives the address with one more edit.
  show(what, time, to) {
    const now = Math.ceil(time * 1000 - 1e-6)
    for (const { link, words } of this.acts) link.setAttribute('href', to(fillTime(words, now), now))
    if (!this.forms.length || (this.what === what && this.now === now)) return
    this.what = what
    this.now = now
    const subjects = `${what ?? ''} ${anySubject}`.trim().split(' ')
    this.ids = subjects.map((subject) => subject.split(':')[1])
    const old = [...this.rows.children]
    const rows = subjects.map((subject) => this.row(subject, old, now, to))
    for (const row of old) row.remove()
    rows.forEach((row, i) => {
      const here = this.rows.children[i] ?? null
      if (here !== row) this.rows.insertBefore(row, here)
    })
  }

  // The row of a subject: one of the old ones, or another of its kind.
  row(subject, old, now, to) {
    const [kind, id] = subject.split(':')
    const form = this.forms.find(({ dataset }) => dataset.kind === kind)
    const known = old.findIndex(({ dataset }) => dataset.kind === kind)
    const row = known < 0 ? form.cloneNode(true) : old.splice(known, 1)[0]
    row.querySelector('b').textContent = form.querySelector('b').textContent.replace('{id}', id) || this.name(id)
    const links = row.querySelectorAll('[data-edit]')
    form.querySelectorAll('[data-edit]').forEach(({ dataset }, i) => {
      const words = fillTime(dataset.edit.replace('{id}', id), now)
      links[i].dataset.edit = words
      links[i].setAttribute('href', to(words, now))
    })
    return row
  }

  // How a leg is called. A word that is left over counts the attempts.
  name(id) {
    const [kind, ...words] = id.split('-')
    let name = this.names.find(({ dataset }) => dataset.kind === kind).textContent
    words.forEach((word, i) => {
      const place = `{${i}}`
      name = name.includes(place) ? name.replaceAll(place, word[0].toUpperCase() + word.slice(1)) : `${name} (${word})`
    })
    return name
  }

  // Puts the box beside a point of the window, with only the row of one subject if it has one.
  float(x, y, only) {
    this.sink()
    if (!this.forms.length) return
    if (this.ids.includes(only)) this.ids.forEach((id, i) => (this.rows.children[i].hidden = id !== only))
    const { box, rows } = this
    box.style.minHeight = `${box.offsetHeight}px` // so that nothing moves under the pointer
    rows.classList.add('floating')
    const { offsetWidth, offsetHeight } = rows
    rows.style.left = `${Math.max(margin, Math.min(x + margin, innerWidth - offsetWidth - margin))}px`
    rows.style.top = `${Math.max(margin, Math.min(y + margin, innerHeight - offsetHeight - margin))}px`
  }

  // Puts it back in its place.
  sink() {
    this.rows.classList.remove('floating')
    for (const element of [this.box, this.rows]) element.removeAttribute('style')
    for (const row of this.rows.children) row.hidden = false
  }
}

// Puts a moment, in milliseconds, into the places of an edit: {t}, {t-500ms}, {t+2s}.
function fillTime(words, now) {
  return words.replace(/\{t(?:([+-])([\d.]+)(ms|s))?\}/g, (_, sign, by, unit) => {
    const shift = by ? Number(sign + by) * (unit === 's' ? 1000 : 1) : 0
    return spell(Math.max(0, now + shift) / 1000)
  })
}
