// What appears, travels and grows in the diagram. Without script each of these elements is a CSS animation, paused at the page's moment.
// With the player only what is under way is one: then the player sets its time. The rest is past or to come, by its class. (To have a
// thousand animations is no trouble, but to ask for them takes the square of their number: 0.3 s for 3,000.)

const classes = { '': [], flying: ['flying'], past: ['past'], far: ['past', 'far'] } // far from what is seen of the diagram

export class Animations {
  flying = [] // of all
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
        const state = ['far', 'past', 'flying', ''].find((name) => !name || element.classList.contains(name))
        if (element.matches('.on, .go, .bubble')) this.all.push({ element, from, until: from + time - 1e-4, state })
      }
    }
  }

  // Shows a moment; of what is past, what went on between two times. What is under way is set to the moment by `settle`, once `find` has
  // found its animations: to ask for them is to have all styles computed.
  show(now, [since, till]) {
    const flying = []
    for (const one of this.all) {
      const past = one.until < since || one.from > till ? 'far' : 'past'
      const state = now < one.from ? '' : now < one.until ? 'flying' : past
      if (state === 'flying') flying.push(one)
      if (state === one.state) continue
      one.state = state
      one.animations = undefined
      const { classList } = one.element
      classList.remove('flying', 'past', 'far')
      classList.add(...classes[state])
    }
    this.flying = flying
  }

  settle(now) {
    for (const { animations = [], from } of this.flying) for (const animation of animations) animation.currentTime = (now - from) * 1000
  }

  // Finds the animations of what is under way. Until then they stand at their beginning.
  find() {
    for (const one of this.flying) one.animations ??= one.element.getAnimations()
  }
}
