// <run-player> plays the run that the page holds. The page is right without it, at the moment of its address; the player changes the
// moment, and shows any of them as the server would.
//
// Read on in this order: clock.js (times), run.js (the events), stage.js (all that changes with the moment, each part in a file of its
// own), addresses.js and links.js, keys.js.
import { abroad, addressOf, here, momentOf, runOf } from './addresses.js'
import { remember } from './challenges.js'
import { History } from './history.js'
import { keep, letGo } from './keep.js'
import { pressed } from './keys.js'
import { part } from './part.js'
import { pick } from './pick.js'
import { readParts, Stage } from './stage.js'

const still = matchMedia('(prefers-reduced-motion: reduce)')
const moveTime = 260 // milliseconds that a line takes to its place
const addressEvery = 1000 // milliseconds between two addresses while playing
const tellEvery = 30 // frames between two looks at what is read, while the slider is dragged
const longestFrame = 0.25 // seconds; whoever looked away longer has missed nothing
const apart = 0.7 // seconds on the screen that a follower may be away from the class

const isStage = ({ type, argsRaw }) => type === 'datastar-patch-elements' && argsRaw.selector === '#stage'

class RunPlayer extends HTMLElement {
  #stage // what the page shows, and the run
  #address // of the page
  #history = new History()
  #voice // says what the page shows elsewhere
  #playing = false // as the reader wants it
  #seen = true // the stage is on the screen
  #held = false // the reader has the slider in his hand
  #wanted // the run time that he has drawn it to, until the next frame
  #ahead // the run time that playing has come to; the one that is shown, unless that hops from event to event
  #goal // the moment to go to, as an address spells it, until the run has come in so far
  #arrived // when it was last gone to a moment
  #awaited = false // another run was asked for, and nothing of it has come in
  #streams = 0 // open ones
  #failed // the server has refused one
  #led = false // what is done now is the class's doing
  #asks // the reader has asked why, and is to be taken to the answer
  #anew // a run comes in from its beginning
  #news // something has come in, which is taken in with the next frame
  #frame // the next one, if one was asked for
  #drawn // when the last one was, if time went on then
  #skimmed = 0 // frames of dragging the slider
  #left // of them, until all that is read has followed
  #written // when the address was last written while playing

  connectedCallback() {
    this.classList.add('live')
    this.#address = here()
    this.#voice = Object.assign(document.createElement('p'), { className: 'unseen', role: 'status' })
    this.after(this.#voice)
    this.#begin()
    this.#goal = momentOf(this.#stage.element.dataset.link)
    this.#take()
    this.#listen()
    if ('auto' in this.dataset && !still.matches) this.#play()
  }

  #listen() {
    const on = (target, type, listener) => target.addEventListener(type, listener)
    on(this, 'click', (event) => this.#click(event))
    on(this, 'submit', (event) => this.#submit(event))
    on(this, 'keydown', (event) => this.#press(event))
    on(this, 'input', ({ target }) => target.id === 'slider' && this.#drag(target.valueAsNumber))
    on(this, 'change', ({ target }) => (target.id === 'slider' ? this.#drop(target.valueAsNumber) : this.#tell()))
    // It does not bubble; and while the moment changes, the diagram follows that.
    this.addEventListener('scroll', ({ target }) => target.id === 'scroller' && !this.#frame && this.#stage.look(), true)
    on(window, 'popstate', () => this.#traverse())
    on(document, 'visibilitychange', () => this.#suspend())
    on(document, 'datastar-fetch', ({ detail }) => this.#hear(detail))
    // Ahead of the client, which is about to put another run here.
    document.addEventListener('datastar-fetch', ({ detail }) => isStage(detail) && keep(detail.argsRaw), true)
    const watcher = new IntersectionObserver((entries) => {
      this.#seen = entries.at(-1).isIntersecting
      this.#suspend()
    })
    watcher.observe(this.#stage.element)
  }

  // --- what comes in

  // The page holds a run that nothing is known of yet.
  #begin() {
    letGo(this)
    this.#stage = new Stage(this)
    this.#offer()
  }

  // From its own streams, or from that of a class around it.
  #hear({ el, type, argsRaw }) {
    const own = el === this
    if (own && type === 'started') this.#streams++
    if (own && type === 'error') this.#failed = true
    if (own && type === 'finished' && !--this.#streams) this.#streamed()
    if (type === 'datastar-patch-elements' && (own || isStage({ type, argsRaw }))) {
      // It comes from its beginning, which may be the same run as before, after the connection was lost.
      this.#anew ||= argsRaw.selector === '#stage'
      if (argsRaw.selector === '#metrics') this.#stage.readTable()
      this.#news = true
      if (this.#anew) this.#take() // with the moment that is to be shown
      else this.#request()
    }
  }

  // The last stream has ended.
  #streamed() {
    if (this.#news) this.#take()
    if (this.#asks) this.querySelector('#why a')?.focus()
    this.#asks = false
    if (this.#awaited && this.#failed) {
      this.#history.flush()
      location.reload() // the page says what is wrong
    } else if (this.#awaited || this.#stage.unfinished) {
      this.#pause()
      this.#cut(true)
    }
  }

  #cut(yes) {
    const element = this.querySelector('#cut')
    element.hidden = !yes
    if (yes) element.querySelector('a').setAttribute('href', this.#address)
  }

  #take() {
    const stage = this.#stage
    if (this.#anew) {
      if (this.#follows) this.#goal = momentOf(this.querySelector('#stage').dataset.link)
      else if (stage.run.events.length) this.#goal ??= stage.run.at(stage.now).moment
      this.#begin()
      this.#anew = this.#awaited = false
      this.#write('replaceState') // as the server spells it
      this.#history.drawn()
    }
    this.#news = false
    if (this.#awaited) return
    this.#stage.read()
    const news = remember(part(this, '#challenges'))
    if (news) this.#voice.textContent = news
    this.#approach()
    if (!this.#moving) this.#rest()
  }

  // Goes to the goal, as far as the run has come in. Lines take their time if it is but one step, and the reader is in no hurry.
  #approach() {
    const { run, incomplete } = this.#stage
    if (this.#goal === undefined || !run.events.length) return
    const now = run.find(this.#goal)
    if (!incomplete || run.covers(this.#goal)) this.#goal = undefined
    const slow = !(performance.now() - this.#arrived < moveTime)
    this.#rest(now, { time: slow && run.timeline.index(now) === run.index + 1 ? moveTime : 0 })
    this.#arrived = performance.now()
  }

  // --- what is shown

  #show(now, how) {
    this.#ahead = now
    this.#hush()
    this.#stage.show(now, { ...how, ...(still.matches && { time: 0 }) })
  }

  // Shows a moment to stay at.
  #rest(now = this.#stage.now, how) {
    const { run } = this.#stage
    if (run.events.length) this.#show(run.at(now).at, how)
    this.#offer()
  }

  #offer() {
    this.#stage.transport.offer(this.#playing ? 'pause' : this.#stage.ended ? 'again' : 'play')
  }

  // The sentence is announced when it changes at the reader's pace, not at the player's or a stream's; and the slider speaks for itself.
  #hush() {
    const hushed = this.#playing || this.#held || this.#goal !== undefined || document.activeElement?.id === 'slider'
    this.#stage.sentence.ariaLive = hushed ? 'off' : null
  }

  // --- playing

  // Whether time goes on. It waits for what the reader cannot see, for his hand, and for the rest of the run.
  get #moving() {
    const { incomplete, now, run } = this.#stage
    const waits = incomplete && !(now < run.timeline.end)
    return this.#playing && this.#seen && !document.hidden && !this.#held && this.#goal === undefined && !waits
  }

  #request() {
    this.#frame ||= requestAnimationFrame((time) => this.#draw(time))
  }

  #draw(time) {
    this.#frame = 0
    if (this.#news) this.#take()
    if (this.#wanted !== undefined) this.#skim()
    if (this.#moving) this.#advance(Math.min((time - (this.#drawn ?? time)) / 1000, longestFrame), time)
    this.#drawn = this.#moving ? time : undefined
    if (this.#moving) this.#request()
  }

  // Whoever drags the slider sees the picture follow his hand. What is for reading takes longer than a frame, and follows now and then;
  // what is for clicking, when he lets go.
  #skim() {
    this.#show(this.#wanted, { moving: true, tell: this.#skimmed++ % tellEvery ? [] : readParts })
    this.#tell()
    if (this.#left--) this.#request()
    else this.#wanted = undefined
  }

  #advance(seconds, time) {
    const stage = this.#stage
    const { timeline } = stage.run
    const speed = this.#speed
    const ahead = Math.min(timeline.after(this.#ahead, seconds * speed, this.#trueTime), stage.end)
    // A hop is to the next event, however late the frame comes.
    const next = Math.min(timeline.index(ahead), stage.run.index + 1)
    const now = still.matches ? timeline.at[next] : ahead
    if (now !== stage.now) this.#show(now, { moving: true, time: moveTime / speed })
    this.#ahead = still.matches && next < timeline.index(ahead) ? now : ahead
    if (stage.ended && 'loop' in this.dataset) this.#show(stage.run.find(this.#start))
    else if (stage.ended) {
      this.#pause()
      this.#voice.textContent = this.querySelector('.verdict:not([hidden])')?.textContent
    } else if (!(time - this.#written < addressEvery)) {
      this.#written = time
      this.#write('replaceState')
    }
  }

  // Where playing begins, as an address spells it.
  get #start() {
    return this.dataset.from ?? ''
  }

  get #speed() {
    return Number(part(this, '#speed').value || this.dataset.speed || 1)
  }

  get #trueTime() {
    return part(this, '#true-time').checked || 'trueTime' in this.dataset
  }

  #play() {
    if (this.#stage.ended) this.#show(this.#stage.run.find(this.#start))
    this.#voice.textContent = ''
    this.#playing = true
    this.#hush()
    this.#offer()
    this.#request()
    this.#tell()
  }

  #pause() {
    if (!this.#playing) return
    this.#playing = false
    this.#rest()
    this.#write('replaceState')
    // It is heard when it is put there again.
    const { sentence } = this.#stage
    requestAnimationFrame(() => (sentence.textContent += ''))
  }

  // Nobody sees it, or somebody does again.
  #suspend() {
    if (this.#playing && !this.#moving) this.#write('replaceState')
    this.#request()
  }

  // --- moving

  // Goes to a moment, as an address spells it, and stays there. It may have to come in first.
  #goTo(moment, push = true) {
    this.#pause()
    this.#goal = moment
    this.#approach()
    if (push) this.#write('pushState')
  }

  // The slider is moved: shown with the next frame.
  #drag(even) {
    this.#held = true
    this.#goal = undefined
    this.#wanted = this.#stage.run.timeline.toRun(even)
    this.#left = tellEvery
    this.#request()
  }

  #drop(even) {
    this.#held = false
    this.#wanted = undefined
    this.#rest(this.#stage.run.timeline.toNearest(even))
    this.#write('pushState')
    this.#request()
  }

  // --- in a class

  // Whether the page shows what a class is shown, and nothing else.
  get #follows() {
    return 'follows' in this.dataset
  }

  // Shows what the class is shown: `at` is where the run stood `ago` seconds before.
  follow({ at, playing, speed, trueTime, ago }) {
    const { run, end } = this.#stage
    if (!run.events.length) return
    this.#led = true
    this.dataset.speed = part(this, '#speed').value = speed
    this.toggleAttribute('data-true-time', (part(this, '#true-time').checked = trueTime))
    if (!playing) this.#goTo(at, false)
    else {
      const there = Math.min(run.timeline.after(run.find(at), ago * speed, trueTime), end)
      const even = (time) => run.timeline.toEven(time)
      this.#goal = undefined
      if (!this.#playing || Math.abs(even(there) - even(this.#ahead)) > apart * speed) this.#show(there)
      if (!this.#playing && there < end) this.#play()
    }
    this.#led = false
  }

  // Tells the class what is shown.
  #tell(address) {
    if (this.#led || !('leads' in this.dataset) || !this.#stage.run.events.length) return
    const link = address ?? (this.#awaited ? this.#address : this.#here)
    const detail = { link, playing: this.#playing, speed: this.#speed, trueTime: this.#trueTime }
    this.dispatchEvent(new CustomEvent('moved', { bubbles: true, detail }))
  }

  // --- what the reader does

  #click(event) {
    if (this.#follows) return // links lead away from the class
    const button = event.target.closest('button')
    if (button?.id === 'play') this.#playing ? this.#pause() : this.#play()
    if (button?.id === 'print') print()
    if (button?.id === 'copy-link') this.#copy(button)
    const { dialog } = event.target.closest('a')?.dataset ?? {}
    if (dialog && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault()
      document.head.append(Object.assign(document.createElement('script'), { type: 'module', src: dialog })) // once it is there, it stays
    }
    const asked = this.#stage.links.meaning(event)
    if (!asked) return this.#point(event)
    event.preventDefault()
    this.#asks = asked.why
    if (asked.address) this.#load(asked.address, asked.keep)
    else this.#goTo(asked.moment)
  }

  // Goes to what the reader points at in the diagram, and offers to break it there.
  #point(event) {
    const { breaks, run } = this.#stage
    if (!event.target.closest('#break')) breaks.sink()
    const diagram = event.target.closest('.diagram')
    const found = diagram && pick(diagram, event)
    if (!found || !run.events.length) return
    const { moment } = run.at(found.from ?? Math.min(run.timeline.fromY(found.y), run.timeline.end))
    this.#goTo(moment)
    breaks.float(event.clientX, event.clientY, found.leg)
  }

  async #copy(button) {
    const text = button.textContent
    await navigator.clipboard.writeText(abroad(this.#here))
    button.textContent = button.dataset.done
    setTimeout(() => (button.textContent = text), 2000)
  }

  #submit(event) {
    if (!event.target.matches('[data-run]') || this.#follows) return
    event.preventDefault()
    this.#load(addressOf(event.target), false)
    this.#stage.element.scrollIntoView({ behavior: still.matches ? 'auto' : 'smooth' })
  }

  #press(event) {
    if (this.#follows) return
    if (event.key === 'Escape') this.#stage.breaks.sink()
    const element = pressed(event, this)
    if (!element) return
    event.preventDefault()
    if (event.key === 'b') element.focus()
    else element.click()
  }

  // --- other runs, and the history

  // Asks for another run: from its start, played; or, with `keep`, at the moment of the address.
  #load(address, keep, push = true) {
    if (!this.dispatchEvent(new CustomEvent('before-run', { detail: address, cancelable: true }))) return
    this.#playing ||= !keep
    this.#goal = momentOf(address) || this.#start
    this.#awaited = true
    this.#failed = false
    this.#voice.textContent = ''
    this.#cut(false)
    if (push) this.#write('pushState', address)
    this.#offer()
    const streams = this.#streams
    this.dispatchEvent(new CustomEvent('run', { detail: address }))
    // Nobody has heard it: there is no client.
    if (this.#streams === streams) location.assign(address)
  }

  get #here() {
    const { links, run, now } = this.#stage
    return links.to(this.#goal ?? run.at(now).moment)
  }

  #write(how, address = this.#awaited ? this.#address : this.#here) {
    this.#tell(address)
    if (address === this.#address || this.#follows) return
    this.#history.write('framed' in this.dataset ? 'replaceState' : how, address)
    this.#address = address
    if (!this.#awaited) this.#history.drawn()
  }

  // Back and forward through the history.
  #traverse() {
    const address = here()
    if (address === this.#address) return // only the place on the page is another
    if (this.#history.forget()) return history.forward() // to what was before that
    this.#address = address
    this.#playing = false
    if (!this.#awaited && runOf(address) === this.#stage.links.run) this.#goTo(momentOf(address), false)
    else this.#load(address, true, false)
    this.#tell(address)
  }
}

customElements.define('run-player', RunPlayer)
