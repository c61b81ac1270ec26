// The bar that moves through the run: its links, the clock, the button.
import { floor } from './clock.js'
import { part } from './part.js'

export class Transport {
  constructor(lab) {
    for (const id of ['play', 'clock', 'move-back', 'move-forward']) this[id] = part(lab, '#' + id)
    const { units, back, since } = this.clock.dataset
    this.units = units?.split('|') ?? []
    this.back = back && Number(back)
    this.since = since
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
    this.clock.textContent = moving ? this.time(floor(now / 10) * 10, 2) : (text ?? this.time(floor(now)))
  }

  // Writes a time. Where a phone is away, it tells for how long, and once it is back, for how long it has been back.
  time(now, digits) {
    const [seconds, minutes, hours, days] = this.units
    const write = (time) => (digits ? time.toFixed(digits) : floor(time)) + seconds
    const round = (time) => Number(time.toPrecision(3))
    if (!this.back) return write(now)
    if (now >= this.back) return this.since + write(now - this.back)
    if (now < 600) return write(now)
    if (now < 7200) return round(now / 60) + minutes
    return now < 172800 ? round(now / 3600) + hours : round(now / 86400) + days
  }

  // What the button does next: play, pause or again.
  offer(what) {
    const text = this.play.dataset[what]
    if (this.play.textContent !== text) this.play.textContent = text
  }
}
