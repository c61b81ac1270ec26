// The run as the page holds it: the list "What happened", in the order of time. Of its events, those to come are hidden, and the last
// one before them is the current one.
import { floor, parse, spell, Timeline } from './clock.js'
import { momentOf } from './addresses.js'

const second = (moment) => (moment ? parse(moment) : 0)

export class Run {
  timeline = new Timeline()
  events = []
  index = -1 // of the current one

  constructor(list) {
    this.list = list
  }

  // Takes in the events that have come since the last time, and returns them.
  read() {
    const { events, timeline } = this
    const known = events.length
    for (const item of [...this.list.children].slice(known)) {
      const link = item.firstElementChild
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

  show(index) {
    this.list.querySelector('[aria-current]')?.removeAttribute('aria-current')
    this.events.forEach(({ item }, i) => {
      if (item.hidden !== i > index) item.hidden = i > index
    })
    this.events[index].item.setAttribute('aria-current', 'step')
    this.index = index
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

  // Where to rest at a run time, and what to say there: at the event that has just happened, or, after it, at whole milliseconds, which
  // have a time and a spelling of their own.
  at(now) {
    const index = this.timeline.index(now)
    const event = this.events[index]
    const time = floor(now)
    return { ...event, index, ...(time > event.at && { at: time, time, moment: spell(time), clock: undefined }) }
  }
}
