// The stacks of waits grow as the run comes in: the drawing has room for the highest of them.
const least = 6 // blocks, so that few are not drawn huge

export function fitWaits(svg) {
  if (!svg) return
  const most = Math.max(least, ...[...svg.children].map((block) => -block.getAttribute('y')))
  svg.setAttribute('viewBox', `0 ${-most} 13 ${most}`)
}
