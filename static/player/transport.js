// The bar that moves through the run: its links, the clock, the button.
import { floor } from './clock.js'

export class Transport {
  constructor(lab) {
    for (const id of ['play', 'clock', 'move-back', 'move-forward']) this[id] = lab.querySelector('#' + id)
    this.unit = document.documentElement.lang.startsWith('zh') ? ' 秒' : ' s'
    // An <output> is announced whenever it changes, which is all the time.
    this.clock.ariaLive = 'off'
  }

  move(events, index) {
    this.link(this['move-back'], events[index - 1]?.href)
    this.link(this['move-forward'], events[index + 1]?.href)
  }

  // A move that is not possible is no link. Whoever was on it is led to the button, so as not to be lost.
  link(link, href) {
    if (!href && link === document.activeElement) this.play.focus({ preventScroll: true })
    if (href) link.setAttribute('href', href)
    else link.removeAttribute('href')
    link.role = href ? null : 'link'
    link.ariaDisabled = href ? null : 'true'
  }

  // Tells the time: as the event does that is just then, if there is one; while it runs, with digits that stand still.
  tell(now, text, moving) {
    this.clock.textContent = moving ? (floor(now / 10) * 10).toFixed(2) + this.unit : (text ?? floor(now) + this.unit)
  }

  // What the button does next: play, pause or again.
  offer(what) {
    this.play.textContent = this.play.dataset[what]
  }
}
