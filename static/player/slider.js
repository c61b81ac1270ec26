// The slider goes along even time, with a tick above it for each event and a strong one for what matters. (Along the diagram it would
// be the same, but that events of one instant stand apart.)

import { part } from './part.js'

export class Slider {
  ticks = ['', ''] // thin and strong

  constructor(lab) {
    this.input = part(lab, '#slider')
    this.strip = part(lab, '#strip')
    this.strip.innerHTML = '<svg preserveAspectRatio="none"><path></path><path class="strong"></path></svg>'
  }

  // Takes in events, from the given place on.
  read(run, from) {
    const { even, length } = run.timeline
    for (let i = from; i < run.events.length; i++) {
      const strong = run.events[i].item.dataset.mark ? 1 : 0
      this.ticks[strong] += `M${even[i].toFixed(2)} ${strong ? 0 : 4}V8`
    }
    const [svg] = this.strip.children
    svg.setAttribute('viewBox', `0 0 ${length.toFixed(2)} 8`)
    this.ticks.forEach((ticks, i) => svg.children[i].setAttribute('d', ticks))
    this.input.max = length
  }

  show(even) {
    this.input.value = even
  }

  // What a screen reader says of the moment.
  tell(sentence) {
    this.input.setAttribute('aria-valuetext', sentence)
  }
}
