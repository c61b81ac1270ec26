// What appears, travels and grows in the diagram. Without script each of these elements is a CSS animation, paused at the page's moment.
// With the player only what is under way is one: then the player sets its time. The rest is past or to come, by its class. (To have a
// thousand animations is no trouble, but to ask for them takes the square of their number: 0.3 s for 3,000.)

const states = ['flying', 'past'] // else it is to come

export class Animations {
  all = [] // { element, from, until, state, animations }, times in seconds of the run

  constructor(lab) {
    this.groups = [...lab.querySelectorAll('#guess, #blocks, .plays')].map(({ children }) => ({ children, known: 0 }))
  }

  // Takes in the elements that have come since the last time.
  read() {
    for (const group of this.groups) {
      for (const element of [...group.children].slice(group.known)) {
        group.known++
        const [from, time] = ['--at', '--for'].map((name) => Number(element.style.getPropertyValue(name)))
        // The style sheet is told how long it takes to a tenth of a millisecond.
        const state = states.find((name) => element.classList.contains(name)) ?? ''
        if (element.matches('.on, .go, .bubble')) this.all.push({ element, from, until: from + time - 1e-4, state })
      }
    }
  }

  // Shows a moment. What is under way is set to it by `settle`, which is for later: to ask for animations is to have all styles computed.
  show(now) {
    const flying = []
    for (const one of this.all) {
      const state = now < one.from ? '' : now < one.until ? 'flying' : 'past'
      if (state === 'flying') flying.push(one)
      if (state === one.state) continue
      one.state = state
      one.animations = undefined
      one.element.classList.remove(...states)
      if (state) one.element.classList.add(state)
    }
    this.flying = flying
  }

  settle(now) {
    const { flying } = this
    for (const one of flying) one.animations ??= one.element.getAnimations()
    for (const { animations, from } of flying) for (const animation of animations) animation.currentTime = (now - from) * 1000
  }
}
