// Another run often begins as the one before it did. What its lists have in common stays as it is, styled and laid out, and the new rest
// takes the place of the old. To morph them, which is to look at line after line, or to put all anew, would keep the reader waiting.
const lists = '.plays, #ticks, #breaks, #blocks, #marks, #happened, .column ol'
const mark = 'data-ignore-morph'

// Puts what is new of a run into the lists of the page, and has the morph that a stream is about to do leave those alone.
export function keep(patch) {
  const next = document.createElement('template')
  next.innerHTML = patch.elements
  for (const list of next.content.querySelectorAll(lists)) {
    const here = document.getElementById(list.id)
    if (!here) continue
    const [old, all] = [here, list].map(inOrder)
    const differs = all.findIndex((item, i) => !old[i] || looks(old[i]) !== looks(item))
    const common = differs < 0 ? all.length : differs
    for (let i = 0; i < common; i++) if (old[i].outerHTML) lead(old[i], all[i])
    for (const item of old.slice(common)) item.remove()
    here.append(...all.slice(common))
    for (const one of [here, list]) one.setAttribute(mark, '')
  }
  patch.elements = next.content // which is not parsed again
}

// Lets the lists be morphed again.
export function letGo(stage) {
  for (const list of stage.querySelectorAll(`[${mark}]`)) list.removeAttribute(mark)
}

// The player has moved the lines of screens about; they are numbered.
const inOrder = ({ childNodes }) => [...childNodes].sort((a, b) => a.dataset?.i - b.dataset?.i)

// A node without what changes with the moment, with the address of the run, and by the player's hand.
const looks = ({ outerHTML, data }) => (outerHTML ?? data).replace(passing, '')
const passing = / (?:hidden|aria-current|href)="[^"]*"| (?:past|far|flying)(?=[ "])|<a [^>]*data-why=[^>]*>|<\/a>/g

// Makes the links of an element lead to where those of another do that looks the same.
function lead(item, other) {
  const to = links(other)
  links(item).forEach((link, i) => link.setAttribute('href', to[i].getAttribute('href')))
}

const links = (item) => [item, ...item.querySelectorAll('a')].filter((one) => one.matches('[href]:not([data-why])'))
