// Pages of an export have no server behind them. Another run is taken from its page, in the folder that its address names; the moment, and
// what an embed shows and plays, are read from the address here. What needs the engine says so, or leads to where there is one.
import { momentOf, withMoment } from '../player/addresses.js'

const lab = document.querySelector('run-player')
const query = new URLSearchParams(location.search)
const framed = lab && 'framed' in lab.dataset

const partsOf = {
  diagram: 'figure:has(#scroller)',
  legend: '.legend',
  screens: '.screens, .side-screens, #partings, .heat, .parts, .waits',
  sentences: '#sentence, .happenings > h3',
  controls: '.transport',
  protocols: '.switches',
  story: '.story',
  table: '#metrics',
}
const shown = (query.get('show') ?? 'diagram_screens_sentences_controls').split(/[_,]/)

// Takes out of an embed what is not asked for. The events stay, for the player.
function trim(page) {
  if (!framed) return
  for (const [name, css] of Object.entries(partsOf)) if (!shown.includes(name)) for (const element of page.querySelectorAll(css)) element.remove()
  if (!shown.includes('sentences')) page.querySelector('#happened').hidden = true
}

// --- another run

const parts = ['guess', 'stage', 'metrics', 'challenges', 'often', 'find', 'language', 'full', 'engine']
let latest = 0

async function load(address) {
  const number = ++latest
  const tell = (type, argsRaw) => document.dispatchEvent(new CustomEvent('datastar-fetch', { detail: { type, el: lab, argsRaw } }))
  tell('started')
  try {
    const answer = await fetch(withMoment(address, '').replace(/[?#].*/, ''))
    if (!answer.ok) throw new Error(answer.status)
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
    if (number === latest) {
      trim(page)
      lab.dataset.served = page.querySelector('run-player').dataset.served
      // The client puts it into the page, as if a server had sent it.
      for (const id of parts) {
        const [there, here] = [page, document].map((where) => where.getElementById(id))
        if (there && here) tell('datastar-patch-elements', { selector: '#' + id, mode: 'outer', elements: there.outerHTML })
      }
    }
  } catch {
    tell('error')
  }
  tell('finished')
}

// --- what needs the engine

// What an address asks for besides a run of the export and a moment of it.
const asks = (address) => address.split('#')[0].split('?')[1]?.split('&').filter((pair) => pair && !/^(at|guess)=/.test(pair)) ?? []

function tellEngine() {
  const dialog = document.createElement('dialog')
  const text = document.querySelector('#engine')?.cloneNode(true) ?? document.createElement('p')
  text.removeAttribute('id')
  const close = Object.assign(document.createElement('button'), { type: 'button', textContent: 'OK', autofocus: true, onclick: () => dialog.close() })
  dialog.append(text, close)
  dialog.addEventListener('close', () => dialog.remove())
  document.body.append(dialog)
  dialog.showModal()
}

// Where there is an engine, in the spelling of a server.
function goLive(more, moment) {
  const { live, served } = lab.dataset
  if (!live) return tellEngine()
  const all = [...more, ...(moment ? ['at=' + moment] : [])].join('&')
  const address = live + served + (all ? (served.includes('?') ? '&' : '?') + all : '')
  if (framed) open(address)
  else location.assign(address)
}

// --- the guess

function judge(guess) {
  const verdict = document.querySelector('#guess .verdict')
  if (!verdict) return
  const right = verdict.dataset.right === guess
  verdict.classList.toggle('right', right)
  verdict.querySelector('.yes').hidden = !right
  verdict.querySelector('.no').hidden = right
  verdict.hidden = false
  const chosen = document.querySelector(`#guess input[value="${CSS.escape(guess)}"]`)
  if (chosen) chosen.checked = true
}

function beforeRun(event) {
  const address = event.detail
  const guess = new URLSearchParams(address.split('?')[1]).get('guess')
  const more = asks(address)
  if (more.length) {
    event.preventDefault()
    goLive(more, momentOf(address))
  } else if (guess) {
    event.preventDefault()
    judge(guess)
    lab.querySelector('#move-start').click()
    lab.querySelector('#play').click()
  }
}

// A link or a form that needs the engine and does not lead to one.
function needsEngine(event) {
  const element = event.target.closest?.('[data-engine]')
  if (!element || (event.type === 'click' && element.localName === 'form')) return
  if (/^https?:/.test(element.getAttribute('href') ?? element.getAttribute('action'))) return
  event.preventDefault()
  event.stopPropagation()
  tellEngine()
}

if (lab) {
  trim(document)
  const stage = document.querySelector('#stage')
  const moment = query.get('at') || query.get('from')
  if (moment) stage.dataset.link = withMoment(stage.dataset.link, moment)
  if (framed) {
    if (/^(light|dark)$/.test(query.get('theme'))) document.documentElement.dataset.theme = query.get('theme')
    if (query.get('autoplay') === 'on') lab.dataset.auto = ''
    if (query.get('loop') === 'on') lab.dataset.loop = ''
    for (const name of ['from', 'to']) if (query.get(name)) lab.dataset[name] = query.get(name)
  }
  lab.addEventListener('before-run', beforeRun)
  lab.addEventListener('run', ({ detail }) => load(detail))
  if (query.get('guess')) judge(query.get('guess'))
  // The sliders are kept by the address.
  for (const [name, value] of query) {
    const sums = document.querySelector('#sums')
    if (sums && Number.isFinite(Number(value))) sums.dataset.signals = sums.dataset.signals.replace(new RegExp(`([{,]${CSS.escape(name)}:)[^,}]*`), `$1${Number(value)}`)
  }
}
for (const type of ['click', 'submit']) document.addEventListener(type, needsEngine, true)
