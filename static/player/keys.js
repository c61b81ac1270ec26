// Keys press the links and buttons of the stage, while the focus is inside it (WCAG 2.1.4) and not on what needs the key itself.

const moves = { ArrowLeft: '#move-back', ArrowRight: '#move-forward', Home: '#move-start', End: '#move-end' }
const sliderMoves = { ...moves, ArrowDown: '#move-back', ArrowUp: '#move-forward' }

// What a key presses; b leads to what can be broken.
export function pressed({ key, target, ctrlKey, altKey, metaKey, shiftKey }, lab) {
  const within = (css) => target.closest(css)
  const slider = target.id === 'slider'
  if (ctrlKey || altKey || metaKey || shiftKey || !within('#stage') || (!slider && within('input, select'))) return
  if (key === ' ') return within('button, summary') ? null : lab.querySelector('#play')
  if (key === 'b') return lab.querySelector('#break [href]')
  if (key > 0) return lab.querySelectorAll('.tabs [data-moment]')[key - 1]
  const move = (slider ? sliderMoves : moves)[key]
  return move && lab.querySelector(move)
}
