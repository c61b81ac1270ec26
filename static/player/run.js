// The run as the page holds it: the events of the list "What happened", in the order of time.
import { floor, parse, spell, Timeline } from './clock.js'
import { momentOf } from './addresses.js'

const second = (moment) => (moment ? parse(moment) : 0)

export class Run {
  timeline = new Timeline()
  events = []

  constructor(list) {
    this.list = list
  }

  // Takes in the events that have come since the last time, and returns them.
  read() {
    const { events, timeline } = this
    const known = events.length
    for (const item of [...this.list.children].slice(known)) {
      const link = item.querySelector('a')
      const href = link.getAttribute('href')
      const moment = momentOf(href)
      const at = Number(item.dataset.at)
      const y = Number(item.dataset.y)
      timeline.add(at, y)
      // The events of an instant stand at one height, and are set apart by a little time. `time` is the instant.
      const before = events.at(-1)
      const time = before?.y === y ? before.time : moment === 'end' ? at : second(moment)
      const [clock, text] = [...link.children].map((child) => child.textContent)
      events.push({ item, at: timeline.end, y, time, moment, href, clock, text })
    }
    return events.slice(known)
  }

  // The run time that an address means by its moment.
  find(moment) {
    const { events } = this
    const event = events.findLast((event) => event.moment === moment)
    if (event || moment === 'end') return (event ?? events.at(-1)).at
    const time = second(moment)
    const before = events.findLast((event) => event.time <= time + 1e-9) ?? events[0]
    return time > before.time + 1e-9 ? time : before.at
  }

  // Whether the events known so far say what stands at that moment, whatever is to come.
  covers = (moment) => moment !== 'end' && this.events.at(-1).time > second(moment)

  // What has just happened at a run time; `exactly` says that it is the moment of it, not one between two events.
  event(now) {
    const event = this.events[this.timeline.index(now)]
    return { event, exactly: now === event.at }
  }

  // The run time without what sets the events of an instant apart.
  instant(now) {
    const { event, exactly } = this.event(now)
    return exactly ? event.time : now
  }

  // The moment of a run time, as addresses spell it.
  spell(now) {
    const { event, exactly } = this.event(now)
    return exactly ? event.moment : spell(now)
  }

  // Where to rest: at an event, or at whole milliseconds.
  rest = (now) => Math.max(this.event(now).event.at, floor(now))
}
