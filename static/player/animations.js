// What appears, travels and grows in the diagram are CSS animations, paused; the player sets their time. When each begins and ends is
// read once, and only those near the clock are touched: before its beginning and after its end nothing of an animation changes.
import { lastIndex } from './clock.js'

export class Animations {
  known = [] // { animation, from, until } by their beginnings, in milliseconds of the run
  begins = []
  longest = 0
  time = 0

  constructor(lab) {
    // The style sheet counts delays from --now, and an animation knows nothing before time 0. So run time is counted from 0.
    lab.style.setProperty('--now', '0')
    this.groups = ['#guess', '#waits', '#legs', '#dots'].map((id) => ({ children: lab.querySelector(id).children, known: 0 }))
  }

  // Takes in the animations that have come since the last time.
  read(now) {
    const come = this.groups.flatMap((group) => {
      const elements = [...group.children].slice(group.known)
      group.known += elements.length
      return elements
    })
    for (const animation of come.flatMap((element) => element.getAnimations())) {
      const { delay, endTime } = animation.effect.getComputedTiming()
      this.known.push({ animation, from: delay, until: endTime })
      this.longest = Math.max(this.longest, endTime - delay)
      animation.currentTime = now * 1000
    }
    this.known.sort((a, b) => a.from - b.from)
    this.begins = this.known.map(({ from }) => from)
  }

  show(now) {
    const time = now * 1000
    const [low, high] = time < this.time ? [time, this.time] : [this.time, time]
    for (let i = lastIndex(this.begins, high); i >= 0 && this.begins[i] >= low - this.longest; i--) {
      if (this.known[i].until >= low) this.known[i].animation.currentTime = time
    }
    this.time = time
  }
}
