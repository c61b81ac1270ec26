// A box scrolls until something in it is seen, while the page stays where it is. `low` and `high` are the parts of the box's height
// between which it may be.
export function reveal(box, inner, low = 0, high = 1) {
  const outer = box.getBoundingClientRect()
  const { top, bottom } = inner.getBoundingClientRect()
  box.scrollTop += Math.min(top - outer.top - low * outer.height, 0) || Math.max(bottom - outer.top - high * outer.height, 0)
}

// How far down a diagram the midst of what is seen of it is.
export const heightSeen = (box, { clientWidth }) => ((box.scrollTop + box.clientHeight / 2) * 360) / clientWidth
