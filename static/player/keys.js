// Keys, while the focus is inside the stage (WCAG 2.1.4) and not on something that needs the key itself.

const moves = { ArrowLeft: 'back', ArrowRight: 'forward', Home: 'start', End: 'end' }
const sliderMoves = { ...moves, ArrowDown: 'back', ArrowUp: 'forward' }

// What a key asks for: the name of a move, 'toggle', or the number of a protocol.
export function meaning(event) {
  const { key, target } = event
  if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return
  if (!target.closest('#stage')) return
  const slider = target.id === 'slider'
  if (!slider && target.closest('input, select, textarea, [contenteditable]')) return
  if (key === ' ') return target.closest('button, summary') ? undefined : 'toggle'
  return (slider ? sliderMoves : moves)[key] ?? (/^[1-9]$/.test(key) ? Number(key) : undefined)
}
