// Lines move to their new place instead of jumping there (first, last, invert, play), and new ones appear.

const easing = 'cubic-bezier(.2, .7, .3, 1)'

// Remembers where the lines of the lists are; call what it returns once the lists have changed. Only what is seen of a list moves.
export function flip(lists, duration) {
  const places = lists.map((list) => new Map(lines(list).map(([name, item]) => [name, item.offsetTop])))
  return () => {
    for (const [item, distance] of lists.flatMap((list, i) => moves(list, places[i]))) {
      const from = isNaN(distance) ? { transform: 'scale(.8)' } : { transform: `translateY(${distance}px)` }
      item.animate([from, {}], { duration, easing })
    }
  }
}

function moves(list, places) {
  const top = list.offsetTop + list.scrollTop
  const bottom = top + list.clientHeight
  return lines(list)
    .map(([name, item]) => [item, places.get(name) - item.offsetTop])
    .filter(([item, distance]) => distance !== 0 && item.offsetTop + item.offsetHeight > top && item.offsetTop < bottom)
}

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
