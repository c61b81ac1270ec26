// <heat-map>, the map of conversations, which only one chapter has: what each of them has come to, from the changes that the events list, and what is said of the one that the
// reader points at, touches, or walks to with the arrow keys. One of them takes the focus, not all.

const sweep = 500 // milliseconds from the first mark to the last of those that are set at once

const fresh = () => ({ fresh: 0, got: 0, looked: false, vain: false, listed: false, joined: false })

class HeatMap extends HTMLElement {
  connectedCallback() {
    for (const kind of ['pointerover', 'click']) this.addEventListener(kind, ({ target }) => this.choose(this.cells?.indexOf(target)))
    this.addEventListener('keydown', (event) => this.walk(event))
  }

  // The page holds a run that nothing is known of yet.
  begin() {
    this.steps = [] // { index of the event, changes }
    this.chosen = 0
    this.named = false
    this.told = this.parentElement.querySelector('#heat-told')
    this.cells = [...this.children]
    this.levels = this.dataset.levels.split(' ').map(Number)
    this.forget()
    // The server looks at one after another, in no time; the eye follows in a little.
    if (!this.matches('.many')) this.cells.forEach((cell, i) => (cell.style.transitionDelay = `${Math.round((i * sweep) / this.cells.length)}ms`))
    this.role = 'group'
    this.tabIndex = 0
  }

  forget() {
    this.states = this.cells.map(fresh)
    this.done = 0
  }

  // Takes in an event's changes: +c*n new, ?a-b looked at, =c*n brought, #a-b listed, !a-b joined.
  add(changes, index) {
    if (changes) this.steps.push({ index, changes: changes.split(' ').map((c) => [c[0], ...c.slice(1).split(/[*-]/).map(Number)]) })
  }

  // Shows the conversations after the event of that index. The way back is to begin anew, which is quick enough.
  show(index) {
    const { steps, done } = this
    if (steps[done - 1]?.index > index) this.forget()
    for (; steps[this.done]?.index <= index; this.done++) for (const change of steps[this.done].changes) this.apply(...change)
    this.states.forEach((state, i) => {
      const name = this.look(state)
      if (this.cells[i].className !== name) this.cells[i].className = name
    })
    this.tell()
  }

  apply(sign, from, more) {
    const state = this.states[from - 1]
    if (sign === '+') state.fresh += more ?? 1
    else if (sign === '=') state.got += more ?? 1
    else {
      for (const state of this.states.slice(from - 1, more ?? from)) {
        if (sign === '#') state.listed = true
        else if (sign === '!') state.joined = true
        else Object.assign(state, { looked: true, vain: state.fresh === state.got })
      }
    }
  }

  look({ fresh, got, looked, vain, listed, joined }) {
    const level = this.levels.filter((least) => fresh >= least).length
    const brought = fresh > 0 && got >= fresh ? ' got' : listed && got > 0 ? ' part' : ''
    const unknown = joined && !got && !listed ? ' unknown' : ''
    return `h${level}${looked ? ' looked' : ''}${vain ? ' vain' : ''}${brought}${unknown}`
  }

  choose(i) {
    if (!(i in (this.cells ?? []))) return
    this.cells[this.chosen].removeAttribute('aria-current')
    this.chosen = i
    this.cells[i].setAttribute('aria-current', 'true')
    this.named = true
    this.tell()
  }

  walk(event) {
    const across = this.cells.findIndex((cell) => cell.offsetTop > this.cells[0].offsetTop)
    const by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -across, ArrowDown: across, Home: -this.chosen, End: this.cells.length - 1 - this.chosen }[event.key]
    if (by === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    event.stopPropagation()
    this.choose(this.named ? this.chosen + by : 0)
  }

  tell() {
    if (!this.named) return
    const { dataset } = this
    const { fresh, got, looked, vain, listed, joined } = this.states[this.chosen]
    const fill = (text, n) => text.replace('{n}', n)
    const parts = [fill(dataset.number, this.chosen + 1), fresh ? fill(fresh > 1 ? dataset.many : dataset.one, fresh) : dataset.none]
    if (looked) parts.push(vain ? dataset.vain : dataset.looked)
    if (fresh && got >= fresh) parts.push(dataset.got)
    else if (got) parts.push(fill(dataset.part, got))
    else if (joined && !listed) parts.push(dataset.unknown)
    const text = parts.join(' · ')
    if (this.told.textContent !== text) this.told.textContent = text
  }
}

customElements.define('heat-map', HeatMap)
