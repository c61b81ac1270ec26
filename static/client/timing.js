// Handlers that run less often than their events come: debounced, when the events have paused for a while; throttled, once in a while.
// `details` are those of the modifier, as in __debounce.200ms.leading.
export function limit(handle, details, { leading, trailing, restarts }) {
  if (details.includes('leading')) leading = true
  if (details.includes('noleading')) leading = false
  if (details.includes('trailing')) trailing = true
  if (details.includes('notrailing')) trailing = false

  const time = details.join(' ').match(/([\d.]+)(ms|s)?/)
  if (!time) throw Error('needs a time, as in __debounce.200ms')
  const wait = time[1] * (time[2] === 's' ? 1000 : 1)

  let timer
  let latest
  return (evt) => {
    if (leading && !timer) handle(evt)
    else latest = evt
    if (timer && !restarts) return
    clearTimeout(timer)
    timer = setTimeout(() => {
      timer = undefined
      const last = latest
      latest = undefined
      if (trailing && last) handle(last)
    }, wait)
  }
}
