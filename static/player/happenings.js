// The list of what has happened: what is to come is hidden, and the last event is the current one.

export class Happenings {
  index = -1

  constructor(list) {
    this.list = list
    for (const item of list.querySelectorAll('[aria-current]')) item.removeAttribute('aria-current')
  }

  // Takes in events, from the given place on.
  read(events, from, index) {
    for (let i = from; i < events.length; i++) events[i].item.hidden = i > index
  }

  show(events, index) {
    events[this.index]?.item.removeAttribute('aria-current')
    for (let i = this.index + 1; i <= index; i++) events[i].item.hidden = false
    for (let i = this.index; i > index; i--) events[i].item.hidden = true
    events[index].item.setAttribute('aria-current', 'step')
    this.index = index
  }

  // Brings the current one into view by scrolling the list, never the page.
  reveal(events) {
    const box = this.list.getBoundingClientRect()
    const item = events[this.index].item.getBoundingClientRect()
    if (item.top < box.top) this.list.scrollTop += item.top - box.top
    else if (item.bottom > box.bottom) this.list.scrollTop += item.bottom - box.bottom
  }
}
