// <class-desk> is a presenter's window. While it drives, it tells the class whatever its player shows; while another window drives, its
// player shows what the class is shown. Its keys are those of a clicker and of whoever stands in front of a class.

const between = 200 // milliseconds between two tellings at least
const again = 2000 // milliseconds until something is told again that could not be

const speeds = ['0.5', '1', '2', '4']

class ClassDesk extends HTMLElement {
  #window = windowName()
  #room = { v: 0 } // as it was heard last
  #led // what the player would show if another window drove
  #version = 0 // of the room, that this window knows
  #news // what is to be told: the newest, and no more
  #telling = false
  #last = Promise.resolve() // the command that was sent last
  #own // the version that this window asked for by a command, and has to show itself

  connectedCallback() {
    this.player = this.querySelector('run-player')
    this.addEventListener('moved', ({ detail }) => this.#moved(detail))
    this.addEventListener('click', ({ target }) => this.#do(target.closest('[data-do]')))
    addEventListener('keydown', (event) => this.#press(event), true)
    // Once the client listens, which the official one does in its first task.
    setTimeout(() => this.dispatchEvent(new CustomEvent('join', { detail: this.#window })))
  }

  // The room says something: `room` itself, and what it shows.
  hear(room, led) {
    const news = room.v !== this.#room.v
    this.#room = room
    this.#led = led
    if (!room.v) return
    this.#version = Math.max(this.#version, room.v)
    this.classList.toggle('follows', this.#follows)
    if (this.#follows || (news && room.v === this.#own)) this.player.follow(led)
    // What was done before the room was heard counts, unless another window drives.
    if (this.#follows) this.#news = undefined
    this.#tell()
  }

  // Whether another window drives.
  get #follows() {
    return !!this.#room.driver && this.#room.driver !== this.#window
  }

  // --- what the class is told

  #moved(shown) {
    if (this.#follows) return
    this.#news = { do: 'show', ...shown }
    if (this.#room.v) this.#tell()
  }

  // Tells what is new, one thing after another: what comes meanwhile waits, and the newest is enough.
  async #tell() {
    if (this.#telling) return
    this.#telling = true
    while (this.#news) {
      const news = this.#news
      this.#news = undefined
      const said = await this.#command(news)
      if (said === undefined) this.#news ??= news
      await new Promise((done) => setTimeout(done, said === undefined ? again : between))
    }
    this.#telling = false
  }

  // Sends a command, once those before it have been answered. It returns what the room answers; nothing if it was not reached.
  #command(command) {
    return (this.#last = this.#last.then(() => this.#send(command)))
  }

  async #send(command, late = false) {
    let answer
    try {
      const body = JSON.stringify({ ...command, window: this.#window, version: this.#version })
      const response = await fetch(this.dataset.drive, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })
      answer = { status: response.status, ...(await response.json()) }
    } catch {
      answer = { status: 0 }
    }
    this.toggleAttribute('data-cut', answer.status === 0 || answer.status === 503)
    if (this.hasAttribute('data-cut')) return
    if (answer.version) this.#version = answer.version
    // Something else was done meanwhile, by this window's own doing: it counts as seen now.
    if (answer.status === 409 && answer.driver === this.#window && !late) return this.#send(command, true)
    return answer
  }

  // --- what the presenter does

  async #do(button) {
    const { do: what, sure } = button?.dataset ?? {}
    if (!what || (sure && !confirm(sure))) return
    if (what === 'invite' || what === 'keys') return this.#toggle(what)
    const answer = await this.#command({ do: what === 'question' ? this.#nextOfQuestion : what })
    if (what === 'take' || answer?.status !== 200) return
    this.#own = answer.version
    if (this.#room.v === this.#own) this.player.follow(this.#led)
  }

  // A question is asked, revealed, and put away.
  get #nextOfQuestion() {
    const { classList } = this.querySelector('#question')
    return classList.contains('none') ? 'ask' : classList.contains('revealed') ? 'dismiss' : 'reveal'
  }

  #toggle(id) {
    const dialog = this.querySelector('#' + id)
    if (dialog.open) dialog.close()
    else dialog.showModal()
  }

  #press(event) {
    const { key, target, ctrlKey, altKey, metaKey } = event
    if (ctrlKey || altKey || metaKey || target.closest('textarea, select, input:not([type=range])')) return
    const deed = this.#deed(key, target)
    if (!deed) return
    event.preventDefault()
    event.stopPropagation()
    deed()
  }

  // What a key does.
  #deed(key, target) {
    const press = (css) => () => this.querySelector(css)?.click()
    const command = (what) => () => this.#do({ dataset: { do: what } })
    const clicker = (step, move) => ('lesson' in this.dataset ? command(step) : press(move))
    switch (key) {
      case 'PageDown':
        return clicker('next', '#move-forward')
      case 'PageUp':
        return clicker('previous', '#move-back')
      case 'b':
      case '.':
        return command('blank')
      case 'q':
        return command('invite')
      case '?':
        return command('keys')
      case 'n':
        return command('question')
      case 'p':
        return () => this.#nextProtocol()
      case '+':
      case '=':
        return () => this.#pace(1)
      case '-':
        return () => this.#pace(-1)
    }
    // The player has these keys while the focus is on the run; here they hold everywhere.
    if (target.closest('#stage, dialog, button, a')) return
    const moves = { ' ': '#play', ArrowRight: '#move-forward', ArrowLeft: '#move-back', Home: '#move-start', End: '#move-end' }
    return moves[key] && press(moves[key])
  }

  #nextProtocol() {
    const tabs = [...this.querySelectorAll('.tabs:first-of-type a')]
    tabs[(tabs.findIndex((tab) => tab.ariaCurrent) + 1) % tabs.length]?.click()
  }

  #pace(by) {
    const select = this.querySelector('#speed')
    const at = speeds.indexOf(select.value) + by
    if (!speeds[at]) return
    select.value = speeds[at]
    select.dispatchEvent(new Event('change', { bubbles: true }))
  }
}

// A name for the window, which it keeps when the page is loaded anew. A copy of the window is another one.
function windowName() {
  const [{ type } = {}] = performance.getEntriesByType('navigation')
  const kept = type === 'navigate' ? null : sessionStorage.getItem('desk')
  const name = kept ?? Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, '0')).join('')
  sessionStorage.setItem('desk', name)
  return name
}

customElements.define('class-desk', ClassDesk)
