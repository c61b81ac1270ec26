// Times. Run time is the run's own, in seconds. Screen time is how long the player takes to show it: in even time it goes down the
// diagram at a constant pace, so that every event gets time to be seen and quiet stretches are short. All here is pure.

const pace = 28 // units of the diagram a second
const least = 0.6 // seconds for each event, also for those that happen at once and stand beside each other
const near = 0.004 // of the whole: to come so near to an event is to mean the event

// The index of the last of the rising xs that is not beyond x; -1 if there is none.
export function lastIndex(xs, x) {
  let low = 0
  let high = xs.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (xs[middle] <= x) low = middle + 1
    else high = middle
  }
  return low - 1
}

// The value at x of the line through the points (xs, ys). It is level before the first and after the last.
function along(xs, ys, x) {
  const i = lastIndex(xs, x)
  if (i < 0 || i === xs.length - 1) return ys[Math.max(i, 0)]
  return ys[i] + ((ys[i + 1] - ys[i]) * (x - xs[i])) / (xs[i + 1] - xs[i])
}

// The events of a run: when each happens, how far down the diagram, and when even time comes to it.
export class Timeline {
  at = []
  y = []
  even = []

  add(at, y) {
    const last = this.at.length - 1
    this.even.push(last < 0 ? 0 : this.even[last] + Math.max((y - this.y[last]) / pace, least))
    this.at.push(last < 0 ? at : Math.max(at, this.at[last] + 1e-9))
    this.y.push(y)
  }

  get end() {
    return this.at.at(-1)
  }

  get length() {
    return this.even.at(-1)
  }

  index = (run) => lastIndex(this.at, run)
  toEven = (run) => along(this.at, this.even, run)
  toRun = (even) => along(this.even, this.at, even)
  fromY = (y) => along(this.y, this.at, y)
  toY = (run) => along(this.at, this.y, run)

  // The run time that an even time means.
  toNearest(even) {
    const before = lastIndex(this.even, even)
    const nearest = this.even[before + 1] - even < even - this.even[before] ? before + 1 : before
    return Math.abs(this.even[nearest] - even) < near * this.length ? this.at[nearest] : this.toRun(even)
  }

  // Where the player comes to from a moment, in so many seconds on the screen.
  after(run, seconds, trueTime) {
    return Math.min(trueTime ? run + seconds : this.toRun(this.toEven(run) + seconds), this.end)
  }
}

// Down to whole milliseconds, which is as exactly as addresses tell a moment between two events. (A nanosecond is for the rounding of
// fractions.)
export const floor = (seconds) => Math.floor(seconds * 1000 + 1e-6) / 1000

// A time as links spell it: 300ms, 6.3s.
export function spell(seconds) {
  const ms = Math.round(seconds * 1000)
  return ms > 0 && ms < 1000 ? `${ms}ms` : `${ms / 1000}s`
}

// What links spell, in seconds, whatever ordinal follows it.
export const parse = (text) => parseFloat(text) / (/\dms/.test(text) ? 1000 : 1)
