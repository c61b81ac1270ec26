// "Put this run into your page" opens over the run: the middle of the page of that name, in a dialog. It follows what is chosen there. On
// that page itself it does the same without a dialog.
let latest = 0

const load = async (address) => new DOMParser().parseFromString(await (await fetch(address)).text(), 'text/html')

// Takes over the form of the page and the buttons that copy.
function enliven(section) {
  const form = section.querySelector('form')
  form.querySelector('.again').hidden = true
  offerCopies(section)
  form.addEventListener('submit', (event) => event.preventDefault())
  form.addEventListener('change', () => choose(section, form))
}

// Shows what the form says: how it looks, and what is to be copied. If something cannot be, it says so beside the field.
async function choose(section, form) {
  const fields = [...new FormData(form)].filter(([, value]) => value)
  const number = ++latest
  const page = await load(`${form.getAttribute('action')}?${new URLSearchParams(fields)}`)
  if (number !== latest) return
  const wrong = page.querySelector('.problem')
  for (const input of form.elements) {
    const item = wrong && [...wrong.querySelectorAll('li')].find((li) => li.firstElementChild.textContent === input.name)
    input.setCustomValidity?.(item?.textContent ?? '')
  }
  if (wrong) return form.reportValidity()
  for (const css of ['#preview', '#codes']) section.querySelector(css).replaceWith(page.querySelector(css))
  offerCopies(section)
}

function offerCopies(section) {
  for (const button of section.querySelectorAll('.copy')) {
    button.hidden = !navigator.clipboard
    button.onclick = async () => {
      const text = button.textContent
      await navigator.clipboard.writeText(section.querySelector('#' + button.dataset.of).value)
      button.textContent = button.dataset.done
      setTimeout(() => (button.textContent = text), 2000)
    }
  }
}

async function open(link) {
  const section = (await load(link.href)).querySelector('#embedding')
  if (!section) return location.assign(link.href)
  const dialog = document.createElement('dialog')
  const close = Object.assign(document.createElement('button'), { className: 'close', type: 'button', textContent: '✕', ariaLabel: 'Close' })
  close.onclick = () => dialog.close()
  dialog.addEventListener('close', () => dialog.remove())
  dialog.setAttribute('aria-labelledby', 'embedding-h')
  dialog.append(close, section)
  document.body.append(dialog)
  enliven(section)
  dialog.showModal()
}

const here = document.querySelector('#embedding')
if (here) enliven(here)
else {
  open(document.querySelector('[data-dialog]'))
  document.addEventListener('click', (event) => event.defaultPrevented && event.target.closest('[data-dialog]') && open(event.target.closest('a')))
}
