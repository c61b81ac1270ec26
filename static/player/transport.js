// The bar that moves through the run: its links, the clock, the button.
import { floor } from './clock.js'

export class Transport {
  constructor(lab) {
    for (const id of ['play', 'clock', 'move-back', 'move-forward']) this[id] = lab.querySelector('#' + id)
    this.unit = document.documentElement.lang.startsWith('zh') ? ' 秒' : ' s'
    // An <output> is announced whenever it changes, which is all the time.
    this.clock.setAttribute('aria-live', 'off')
  }

  move(events, index) {
    this.link(this['move-back'], events[index - 1]?.href)
    this.link(this['move-forward'], events[index + 1]?.href)
  }

  // A move that is not possible is no link. Whoever was on it is led to the button, so as not to be lost.
  link(link, href = null) {
    if (href === link.getAttribute('href')) return
    if (href === null && link === document.activeElement) this.play.focus({ preventScroll: true })
    const attributes = { href, role: href === null ? 'link' : null, 'aria-disabled': href === null ? 'true' : null }
    for (const [name, value] of Object.entries(attributes)) {
      if (value === null) link.removeAttribute(name)
      else link.setAttribute(name, value)
    }
  }

  // Tells the time: as the event does that is just then, if there is one; while it runs, with digits that stand still.
  tell(now, event, moving) {
    const text = moving ? (floor(now / 10) * 10).toFixed(2) + this.unit : (event?.clock ?? floor(now) + this.unit)
    if (this.clock.textContent !== text) this.clock.textContent = text
  }

  // What the button does next: play, pause or again.
  offer(what) {
    this.play.textContent = this.play.dataset[what]
  }
}
