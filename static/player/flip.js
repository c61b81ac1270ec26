// Lines move to their new place instead of jumping there (first, last, invert, play), and new ones appear.

const most = 30 // lines of a list that move at once; more would only be slow
const easing = 'cubic-bezier(.2, .7, .3, 1)'

// Remembers where the lines of the lists are; call what it returns once the lists have changed.
export function flip(lists, duration) {
  const places = lists.map((list) => new Map(lines(list).map(([name, item]) => [name, top(item)])))
  return () =>
    lists
      .map((list, i) => lines(list).map(([name, item]) => [item, places[i].get(name) - top(item)]))
      .forEach((moves) => {
        for (const [item, distance] of moves.filter(([, distance]) => distance !== 0).slice(-most)) {
          const from = isNaN(distance) ? { transform: 'scale(.8)' } : { transform: `translateY(${distance}px)` }
          item.animate([from, {}], { duration, easing })
        }
      })
}

const top = (item) => item.getBoundingClientRect().top

// Variants of one line have one name. A message that is shown twice has two lines.
function lines(list) {
  const times = {}
  return [...list.children]
    .filter((item) => !item.hidden)
    .map((item) => {
      const name = item.firstElementChild.textContent
      times[name] = (times[name] ?? 0) + 1
      return [name + times[name], item]
    })
}
