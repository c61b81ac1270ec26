// Links that follow the clock, and what a click on a link means.
import { momentOf, runOf, withEdit, withMoment, withoutPlace, withWhy } from './addresses.js'

export class Links {
  constructor(lab) {
    this.stage = lab.querySelector('#stage')
    this.example = lab.querySelector('#move-end')?.getAttribute('href')
    this.kept = [...document.querySelectorAll('[data-moment]'), lab.querySelector('#cut a')]
    this.run = runOf(this.stage.dataset.link)
  }

  // The address of a moment of this run.
  to = (moment) => withMoment(this.run, moment, this.example)

  // The address of the run with one more edit, at a time as addresses spell it.
  edited = (words, at) => withMoment(withEdit(this.run, words, this.example), at, this.example) + '#stage'

  // Makes the links that keep the moment lead to it. An ordinal means something in this run only.
  keep({ moment }) {
    this.stage.dataset.link = this.to(moment)
    for (const link of [...this.kept, ...this.stage.querySelectorAll('#why [data-moment]')]) {
      this.set(link, link.matches('[data-run]') ? moment.replace(/~.*/, '') : moment)
      if (link.dataset.why) link.setAttribute('href', link.getAttribute('href').replace(/(why=[^_&]*_)[^&#]*/, '$1' + moment)) // asked of it
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
    const { why } = link.dataset
    if (why) return { address: withWhy(this.stage.dataset.link, why), keep: true, why } // of the moment that is shown
    const address = withoutPlace(link.getAttribute('href'))
    const keep = link.matches('[data-moment], [data-edit]')
    if (link.matches('[data-run], [data-edit]')) return { address: keep ? address : runOf(address), keep }
    if (runOf(address) === this.run) return { moment: momentOf(address) }
  }
}
