// <run-player> plays the run that the page holds. The page is right without it, at the moment of its address; the player changes the
// moment, and shows any of them as the server would.
//
// Read on in this order: clock.js (times), run.js (the events), stage.js (all that changes with the moment, each part in a file of its
// own), addresses.js and links.js, keys.js, stream.js (another run comes in).
import { addressOf, momentOf, runOf, withMoment } from './addresses.js'
import * as keys from './keys.js'
import { Stage } from './stage.js'
import { Changes, watchStreams } from './stream.js'

const still = matchMedia('(prefers-reduced-motion: reduce)')
const moveTime = 260 // milliseconds that a line takes to its place
const addressEvery = 1000 // milliseconds between two addresses while playing
const longestFrame = 0.25 // seconds; whoever looked away longer has missed nothing
const near = 0.004 // of the slider's length: to let go of it so near to an event is to mean the event

class RunPlayer extends HTMLElement {
  playing = false // as the reader wants it
  seen = true // the stage is on the screen
  ahead = 0 // the run time that playing has come to; the one that is shown, unless that hops from event to event
  goal // the moment to go to, as an address spells it, until the run has come in so far
  awaited = false // another run was asked for, and nothing of it has come in

  connectedCallback() {
    this.classList.add('live')
    this.address = location.pathname + location.search
    this.voice = Object.assign(document.createElement('p'), { className: 'unseen', role: 'status' })
    this.after(this.voice)
    this.watcher = new IntersectionObserver((entries) => {
      this.seen = entries.at(-1).isIntersecting
      this.suspend()
    })
    this.changes = new Changes(this, (anew) => this.arrived(anew))
    this.listen()
    this.changes.quietly(() => this.begin())
    this.goal = momentOf(this.stage.element.dataset.link)
    this.changes.quietly(() => this.take())
  }

  disconnectedCallback() {
    this.leave.abort()
    this.changes.stop()
    this.watcher.disconnect()
    cancelAnimationFrame(this.frame)
    // A stream has put something else in the place of the run. From there, the way back is to load a page.
    addEventListener('popstate', () => location.reload())
  }

  listen() {
    this.leave = new AbortController()
    const { signal } = this.leave
    const on = (target, types, listener, capture = false) => {
      const quiet = (event) => this.changes.quietly(() => listener(event))
      for (const type of types.split(' ')) target.addEventListener(type, quiet, { signal, capture })
    }
    on(document, 'visibilitychange', () => this.suspend())
    on(window, 'popstate', () => this.traverse())
    on(this, 'click', (event) => this.clicked(event))
    on(this, 'submit', (event) => this.submit(event))
    on(this, 'keydown', (event) => this.key(event))
    on(this, 'input', ({ target }) => target.id === 'slider' && this.drag(target.valueAsNumber))
    on(this, 'change', ({ target }) => target.id === 'slider' && this.drop(target.valueAsNumber))
    // While playing, links are behind by what nobody could click on.
    on(document, 'click auxclick', () => this.moving && this.stage.show(this.stage.now), true)
    watchStreams(this, signal, {
      started: () => this.changes.quietly(() => this.cut(false)),
      ended: (failed) => this.changes.quietly(() => this.ended(failed)),
    })
  }

  // The page holds a run that nothing is known of yet.
  begin() {
    this.stage = new Stage(this)
    this.mute(this.playing)
    this.offer()
    this.watcher.disconnect()
    this.watcher.observe(this.stage.element)
  }

  // Something came in, which is taken in with the next frame; `anew` if it is a run from its beginning. That may be the same run as
  // before, after the connection was lost.
  arrived(anew) {
    if (anew) {
      const { run, now } = this.stage
      if (!this.awaited && run.events.length) this.goal ??= run.spell(now)
      this.changes.quietly(() => this.begin())
      if (this.awaited) this.write('replaceState', this.stage.links.to(this.goal)) // as the server spells it
      this.awaited = false
    }
    this.news = true
    this.request()
  }

  take() {
    this.news = false
    const { stage } = this
    stage.read()
    if (this.awaited || !stage.run.events.length) return
    this.approach()
    if (!this.moving) this.settle()
  }

  // Goes to the goal, as far as the run has come in.
  approach() {
    if (this.goal === undefined) return
    const { run, incomplete } = this.stage
    const now = run.find(this.goal)
    if (!incomplete || run.covers(this.goal)) this.goal = undefined
    this.show(now)
  }

  show(now, how) {
    this.ahead = now
    this.stage.show(now, how)
  }

  // Rests where it is.
  settle() {
    this.show(this.stage.run.rest(this.stage.now))
    this.offer()
  }

  // --- playing

  // Whether time goes on. It waits for what the reader cannot see, for his hand, and for the rest of the run.
  get moving() {
    const { incomplete, now, run } = this.stage
    const waits = incomplete && !(now < run.timeline.end)
    return this.playing && this.seen && !document.hidden && !this.held && this.goal === undefined && !waits
  }

  request() {
    this.frame ||= requestAnimationFrame((time) => this.changes.quietly(() => this.draw(time)))
  }

  draw(time) {
    this.frame = 0
    if (this.news) this.take()
    if (this.wanted !== undefined) this.show(this.wanted, { moving: true })
    this.wanted = undefined
    if (this.moving) this.advance(Math.min((time - (this.drawn ?? time)) / 1000, longestFrame), time)
    this.drawn = this.moving ? time : undefined
    if (this.moving) this.request()
  }

  advance(seconds, time) {
    const { stage } = this
    const { timeline } = stage.run
    const speed = this.querySelector('#speed').value
    const ahead = timeline.after(this.ahead, seconds * speed, this.querySelector('#true-time').checked)
    const now = still.matches ? timeline.at[timeline.index(ahead)] : ahead
    if (now !== stage.now) this.show(now, { moving: true, time: still.matches ? 0 : moveTime / speed })
    this.ahead = ahead
    if (stage.ended) this.finished()
    else if (time - (this.written ?? 0) > addressEvery) {
      this.written = time
      this.write('replaceState')
    }
  }

  play() {
    if (this.stage.ended) this.show(this.stage.run.find(''))
    this.voice.textContent = ''
    this.playing = true
    this.mute(true)
    this.offer()
    this.request()
  }

  pause() {
    if (!this.playing) return
    this.playing = false
    this.settle()
    this.write('replaceState')
    this.announce()
  }

  finished() {
    this.pause()
    this.voice.textContent = this.querySelector('.verdict')?.textContent ?? ''
  }

  // Nobody sees it, or somebody does again.
  suspend() {
    if (this.playing && !this.moving && this.goal === undefined) this.write('replaceState')
    this.request()
  }

  offer() {
    this.stage.transport.offer(this.playing ? 'pause' : this.stage.run.events.length && this.stage.ended ? 'again' : 'play')
  }

  // --- what is said

  // The sentence is a live region. It is silent while it changes at the player's pace instead of the reader's.
  mute(yes) {
    clearTimeout(this.unmute)
    if (yes) this.stage.sentence.setAttribute('aria-live', 'off')
    else this.stage.sentence.removeAttribute('aria-live')
  }

  announce() {
    this.mute(false)
    const { sentence } = this.stage
    requestAnimationFrame(() => this.changes.quietly(() => (sentence.textContent = sentence.textContent)))
  }

  // --- moving

  // Goes to a run time and stays there.
  seek(now, push = true) {
    this.pause()
    this.goal = undefined
    const { index, run } = this.stage
    const step = run.timeline.index(now) === index + 1
    this.show(now, { time: step && !still.matches ? moveTime : 0 })
    this.settle()
    if (push) this.write('pushState')
  }

  // Goes to a moment as an address spells it, which may have to come in first.
  goTo(moment, push) {
    const { run, incomplete } = this.stage
    if (!run.events.length) return
    this.seek(run.find(moment), push)
    if (!incomplete || run.covers(moment)) return
    this.goal = moment
  }

  toggle = () => (this.playing ? this.pause() : this.play())
  start = () => this.goTo('')
  end = () => this.goTo('end')
  back = () => this.step(-1)
  forward = () => this.step(1)

  step(by) {
    const event = this.stage.run.events[this.stage.index + by]
    if (event) this.seek(event.at)
  }

  // The slider is moved: shown with the next frame.
  drag(even) {
    this.held = true
    this.goal = undefined
    this.mute(true) // the slider speaks for itself
    this.wanted = this.stage.run.timeline.toRun(even)
    this.request()
  }

  drop(even) {
    const { timeline, events } = this.stage.run
    this.held = false
    this.wanted = undefined
    const i = timeline.index(timeline.toRun(even))
    const event = [i, i + 1].find((i) => Math.abs(timeline.even[i] - even) < near * timeline.length)
    this.show(events[event]?.at ?? timeline.toRun(even))
    this.settle()
    this.write('pushState')
    if (!this.playing) this.unmute = setTimeout(() => this.mute(false), 200)
    this.request()
  }

  // --- what the reader does

  clicked(event) {
    const id = event.target.closest('button')?.id
    if (id === 'play') this.toggle()
    if (id === 'print') print()
    if (id === 'copy-link') this.copy(event.target)
    const asked = this.stage.links.meaning(event)
    if (!asked) return
    event.preventDefault()
    if (asked.address) this.load(asked.address, asked.keep)
    else this.goTo(asked.moment)
  }

  async copy(button) {
    const text = button.textContent
    const { links, run, now } = this.stage
    await navigator.clipboard.writeText(location.origin + links.to(run.spell(now)))
    button.textContent = button.dataset.done
    setTimeout(() => (button.textContent = text), 2000)
  }

  submit(event) {
    if (!event.target.matches('[data-run]')) return
    event.preventDefault()
    this.load(addressOf(event.target), false)
  }

  key(event) {
    const asked = keys.meaning(event)
    if (asked === undefined) return
    event.preventDefault()
    if (typeof asked === 'number') this.querySelectorAll('.tabs [data-moment]')[asked - 1]?.click()
    else this[asked]()
    if (event.target.id === 'slider') {
      this.mute(true) // the slider speaks for itself
      this.unmute = setTimeout(() => this.mute(this.playing), 200)
    }
  }

  // --- other runs, and the history

  // Asks for another run: from its start, played; or, with `keep`, at the moment of the address.
  load(address, keep, push = true) {
    if (!keep) this.playing = true
    this.goal = momentOf(address)
    this.awaited = true
    this.asked = false
    if (push) this.write('pushState', address)
    this.offer()
    this.dispatchEvent(new CustomEvent('run', { detail: address }))
    // Without the client nobody has heard it.
    setTimeout(() => this.asked || location.assign(address), 100)
  }

  cut(yes) {
    const element = this.querySelector('#cut')
    element.hidden = !yes
    if (yes) element.querySelector('a').setAttribute('href', this.address)
    this.asked = true
  }

  // The stream has ended, and no other is coming.
  ended(failed) {
    if (this.awaited && failed) location.reload() // the page says what is wrong
    else if (this.awaited || this.stage.incomplete) this.cut(true)
  }

  write(how, address = this.stage.links.to(this.stage.run.spell(this.stage.now))) {
    if (address === this.address) return
    history[how](null, '', address)
    this.address = address
  }

  // Back and forward through the history.
  traverse() {
    const address = location.pathname + location.search
    if (address === this.address) return // only the place on the page is another
    this.address = address
    this.playing = false
    if (!this.awaited && runOf(address) === this.stage.links.run) this.goTo(momentOf(address), false)
    else this.load(address, true, false)
  }
}

customElements.define('run-player', RunPlayer)
