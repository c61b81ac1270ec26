// The address bar and, behind it, the history. They follow once the picture is there: a browser that writes an address is for a while as
// busy as one that draws a picture, and the reader waits for the picture.
const atLast = 1000 // milliseconds, if no picture comes

export class History {
  #due // { how, address } that is yet to be written
  #timer

  // Is going to write the address, as a new step of the history or, with `replaceState`, in place of the last.
  write(how, address) {
    if (how === 'pushState') this.flush()
    this.#due = { how: this.#due?.how ?? how, address }
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.flush(), atLast)
  }

  // The picture comes with the next frame.
  drawn() {
    if (this.#due) requestAnimationFrame(() => setTimeout(() => this.flush()))
  }

  flush() {
    if (this.#due) history[this.#due.how](null, '', this.#due.address)
    this.forget()
  }

  // The reader has gone elsewhere in the history. Returns whether he has left a step that had not been written.
  forget() {
    const left = this.#due?.how === 'pushState'
    this.#due = undefined
    return left
  }
}
