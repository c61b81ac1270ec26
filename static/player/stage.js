// All that the page shows of a moment of the run. It is made anew for each run that comes in.
import { part } from './part.js'
import { Animations } from './animations.js'
import { Breaks } from './breaks.js'
import { Cells } from './cells.js'
import { spell } from './clock.js'
import { Links } from './links.js'
import { Run } from './run.js'
import { Screens } from './screens.js'
import { heightSeen, reveal } from './scroller.js'
import { Slider } from './slider.js'
import { Transport } from './transport.js'
import { fitWaits } from './waits.js'

export const readParts = ['tellScreens', 'tellList']
const allParts = [...readParts, 'tellRest']

const reach = () => 1.5 * innerHeight // units of the diagram, each about a pixel

export class Stage {
  now = 0

  constructor(lab) {
    const find = (css) => part(lab, css)
    this.to = lab.dataset.to
    this.element = find('#stage')
    this.more = find('#more')
    this.sentence = find('#sentence')
    this.diagrams = [...lab.querySelectorAll('.diagram')]
    this.parts = find('#parts')
    this.waits = lab.querySelector('#blocks')
    this.lines = [...lab.querySelectorAll('.diagram .now')]
    this.run = new Run(find('#happened'))
    this.screens = new Screens(lab)
    this.readTable = () => (this.cells = new Cells(lab))
    this.readTable()
    this.heat = lab.querySelector('heat-map')
    this.heat?.begin()
    this.animations = new Animations(lab)
    this.links = new Links(lab)
    this.breaks = new Breaks(lab)
    this.transport = new Transport(lab)
    this.scroller = find('#scroller')
    this.slider = new Slider(lab)
    // What only works with script.
    find('#player').hidden = find('#print').hidden = false
    find('#copy-link').hidden = !navigator.clipboard
  }

  edited = (words, now) => this.links.edited(words, now ? spell(now / 1000) : '')

  // Whether more of the run is to come.
  get incomplete() {
    return this.more.dataset.more === 'run'
  }

  // Whether more of the page is to come.
  get unfinished() {
    return this.more.hasAttribute('data-more')
  }

  get ended() {
    return !this.incomplete && this.now >= this.end
  }

  // Where playing ends: at the end of the run, or before, where the page plays only a part of it.
  get end() {
    const { events, timeline } = this.run
    return this.to && events.length ? Math.min(this.run.find(this.to), timeline.end) : timeline.end
  }

  // Takes in what has come since the last time.
  read() {
    const { run } = this
    const known = run.events.length
    this.screens.read()
    run.read().forEach(({ item: { dataset } }, i) => {
      this.screens.add(dataset.do, known + i)
      this.heat?.add(dataset.heat, known + i)
    })
    this.cells.read()
    this.animations.read()
    if (run.events.length === known) return
    this.slider.read(run, known)
    fitWaits(this.waits)
    for (const diagram of this.diagrams) diagram.setAttribute('style', `--h:${run.events.at(-1).y + 22};`)
  }

  // Shows a moment. With `moving` the next one is about to follow: what nobody could read in between is left as it is. `tell` are the parts
  // beside the picture that are told. `time` is how long lines take to move to their places.
  show(now, { moving = false, tell = allParts, time = 0 } = {}) {
    const { run } = this
    const moment = run.at(now)
    this.now = now
    const settles = tell.map((part) => this[part](moment, moving, time)) // it measures the lines first, before anything is written
    // Styles are computed once a frame: what begins to move with this one is found with the next.
    if (moving) this.animations.find()
    this.animations.show(now, this.near(run.timeline.toY(now)))
    for (const line of this.lines) line.setAttribute('transform', `translate(0 ${Number(run.timeline.toY(now).toFixed(2))})`)
    this.slider.show(run.timeline.toEven(now))
    this.transport.tell(now, moment.clock, moving)
    // All has been written. What follows reads how things look and where they are.
    if (!moving) this.animations.find()
    this.animations.settle(now)
    if (this.lines[0]) reveal(this.scroller, this.lines[0], 0.2, 0.65)
    for (const settle of settles) settle?.()
  }

  // The times between which the diagram is drawn: what is seen of it with these heights in its midst, and as much above and below.
  near(...heights) {
    const { timeline } = this.run
    const [since, till] = [Math.min(...heights) - reach(), Math.max(...heights) + reach()].map(timeline.fromY)
    return [since - 0.001, till] // what comes at the very first is near, too
  }

  // Whoever scrolls away from the moment is to see what is there.
  look() {
    const { animations, diagrams, now, run, scroller } = this
    const [at, seen] = [run.timeline.toY(now), heightSeen(scroller, diagrams[0])]
    if (Math.abs(seen - at) > reach() / 2) animations.show(now, this.near(at, seen))
  }

  tellScreens({ index }, moving, time) {
    this.heat?.show(index)
    return this.screens.show(index, time)
  }

  tellList({ index, item, text }) {
    const { run } = this
    if (index === run.index) return
    run.show(index)
    this.sentence.textContent = text ?? ''
    this.parts.dataset.lit = item.dataset.parts ?? ''
    return () => reveal(run.list, item)
  }

  tellRest(moment, moving) {
    this.cells.show(this.now, this.ended && moment.clock ? Infinity : moment.time + 0.0009)
    if (moving && moment.index === this.told) return // nobody follows a link, or breaks anything, between two events
    this.told = moving ? moment.index : undefined
    this.links.keep(moment)
    this.breaks.show(moment.item.dataset.what, moment.time, this.edited)
    this.transport.move(this.run.events, moment.index)
    if (!moving) this.slider.tell(moment.text ?? moment.clock)
  }
}
