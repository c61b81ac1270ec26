// Challenges that were solved are remembered, in this browser only.
const key = 'imscope-solved'

const recall = () => {
  try {
    return new Set(JSON.parse(localStorage[key] ?? '[]'))
  } catch {
    return new Set() // there is no storage, or somebody else's text in it
  }
}

// Marks what was solved, now or before. Returns what is told of a challenge that is solved for the first time.
export function remember(list) {
  const solved = recall()
  let news = ''
  for (const item of list.querySelectorAll('[data-task]')) {
    const { task } = item.dataset
    if (item.matches('.solved') && !solved.has(task)) {
      solved.add(task)
      news = item.firstElementChild.textContent
    }
    item.classList.toggle('once', solved.has(task))
  }
  try {
    if (news) localStorage[key] = JSON.stringify([...solved])
  } catch {
    // It is not remembered.
  }
  return news
}
