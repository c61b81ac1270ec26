// What a stream does to the page: where something comes, and when no more will.

// Lists to which a stream appends; the player takes in what is new in them. Any other change means that the run is another one.
const grows = /^(happened|cells|marks|breaks|ticks|waits|legs|dots|col-\d+)$/

// Watches what others change below `lab`. arrived(anew) is called after each change; anew if all must be read again.
export class Changes {
  constructor(lab, arrived) {
    this.lab = lab
    this.arrived = arrived
    this.observer = new MutationObserver((records) => this.take(records))
    this.observer.observe(lab, { subtree: true, childList: true, attributeFilter: ['data-more'] })
  }

  take(records) {
    if (!records.length) return
    const guess = this.lab.querySelector('#guess')
    this.arrived(
      records.some(
        ({ type, target, removedNodes }) =>
          type === 'childList' && !guess?.contains(target) && (removedNodes.length > 0 || !grows.test(target.id)),
      ),
    )
  }

  // Does what the player itself does to the page, which is no news.
  quietly(work) {
    if (this.quiet) return work()
    this.take(this.observer.takeRecords())
    this.quiet = true
    try {
      work()
    } finally {
      this.quiet = false
      this.observer.takeRecords()
    }
  }

  stop() {
    this.observer.disconnect()
  }
}

// Calls started for each stream that `lab` opens, and ended(failed) when none is left; failed says that the server refused.
export function watchStreams(lab, signal, { started, ended }) {
  let open = 0
  let failed
  const hear = ({ detail: { el, type } }) => {
    if (el !== lab) return
    if (type === 'error') failed = true
    if (type === 'started') {
      open++
      failed = false
      started()
    }
    if (type === 'finished' && !--open) ended(failed)
  }
  document.addEventListener('datastar-fetch', hear, { signal })
}
