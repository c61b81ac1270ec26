// The address bar and, behind it, the history. They follow a little later: a browser that writes an address is for a while as busy as
// one that draws a picture, and the reader waits for the picture.
const later = 250 // milliseconds

export class History {
  #due // { how, address } that is yet to be written

  // Writes the address, as a new step of the history or, with `replaceState`, in place of the last.
  write(how, address) {
    if (this.#due && how === 'pushState') this.flush()
    if (!this.#due) setTimeout(() => this.flush(), later)
    this.#due = { how: this.#due?.how ?? how, address }
  }

  flush() {
    if (this.#due) history[this.#due.how](null, '', this.#due.address)
    this.forget()
  }

  // The reader has gone elsewhere in the history.
  forget() {
    this.#due = undefined
  }
}
