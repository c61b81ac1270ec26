// What the reader points at in the diagram: a leg, or else the lifeline of an actor, at a time.
const nearLeg = 7 // units of the diagram between a leg and what is still meant to be on it
const nearLane = 14

// Returns { from } of a leg, a time of the run, or { y } on a lifeline; nothing if neither is near.
export function pick(diagram, { clientX, clientY }) {
  const point = new DOMPoint(clientX, clientY).matrixTransform(diagram.getScreenCTM().inverse())
  const legs = [...diagram.querySelectorAll('.leg.past, .leg.flying')].map((leg) => ({ leg, far: distance(point, leg) }))
  const nearest = legs.reduce((a, b) => (b.far < a.far ? b : a), { far: nearLeg })
  if (nearest.leg) return { from: Number(nearest.leg.style.getPropertyValue('--at')), leg: nearest.leg.dataset.leg }
  const lanes = [...diagram.querySelectorAll('path.lane')].map((lane) => Math.abs(point.x - parseFloat(lane.getAttribute('d').slice(1))))
  if (Math.min(...lanes) < nearLane) return { y: point.y }
}

// From a point to a leg, which its path writes as M x y L x y.
function distance({ x, y }, leg) {
  const [x1, y1, x2, y2] = leg.getAttribute('d').match(/-?[\d.]+/g).map(Number)
  const [dx, dy] = [x2 - x1, y2 - y1]
  const along = Math.max(0, Math.min(1, ((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy || 1)))
  return Math.hypot(x - x1 - along * dx, y - y1 - along * dy)
}
