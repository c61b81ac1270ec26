// A handler that is called once its events have paused for a while. `details` are those of the modifier, as in __debounce.200ms.
export function debounced(handle, [time]) {
  const [, wait, unit] = time?.match(/^([\d.]+)(ms|s)$/) ?? []
  if (!wait) throw Error('needs a time, as in __debounce.200ms')
  let timer
  return (evt) => {
    clearTimeout(timer)
    timer = setTimeout(() => handle(evt), wait * (unit === 's' ? 1000 : 1))
  }
}
