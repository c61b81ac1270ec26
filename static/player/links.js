// Links that follow the clock, and what a click on a link means.
import { momentOf, runOf, withMoment, withoutPlace } from './addresses.js'
import { spell } from './clock.js'

export class Links {
  constructor(lab) {
    this.stage = lab.querySelector('#stage')
    this.example = lab.querySelector('#move-end').getAttribute('href')
    this.kept = [...document.querySelectorAll('[data-moment]'), lab.querySelector('#cut a')]
    this.sends = [...lab.querySelectorAll('[data-send]')]
    this.run = runOf(this.stage.dataset.link)
  }

  // The address of a moment of this run.
  to = (moment) => withMoment(this.run, moment, this.example)

  // Makes the links that keep the moment lead to it. An ordinal means something in this run only. A message is sent by hand at the
  // moment's time, to the next whole millisecond.
  keep({ moment, time }) {
    this.stage.dataset.link = this.to(moment)
    for (const link of this.kept) {
      this.set(link, link.matches('[data-run]') ? moment.replace(/~.*/, '') : moment)
    }
    const now = spell(Math.ceil(time * 1000 - 1e-6) / 1000)
    for (const link of this.sends) {
      link.setAttribute('href', link.getAttribute('href').replace(/(send=[^&#]*-)[^&#]*/, '$1' + now))
      this.set(link, now === '0s' ? '' : now)
    }
  }

  set(link, moment) {
    link.setAttribute('href', withMoment(link.getAttribute('href'), moment, this.example))
  }

  // What a plain click on a link asks the player for: a `moment` of this run, or the `address` of another. `keep` says that the moment
  // is kept; otherwise the run is played from its start. Nothing, if the click is for the browser.
  meaning({ target, button, ctrlKey, metaKey, shiftKey, altKey }) {
    const link = target.closest('a[href]')
    if (!link || button || ctrlKey || metaKey || shiftKey || altKey) return
    const address = withoutPlace(link.getAttribute('href'))
    const keep = link.matches('[data-moment], [data-send]')
    if (link.matches('[data-run], [data-send]')) return { address: keep ? address : runOf(address), keep }
    if (runOf(address) === this.run) return { moment: momentOf(address) }
  }
}
