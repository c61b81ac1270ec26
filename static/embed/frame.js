// A run alone talks to the page around it, if that answers: it says how tall it is, takes over colours and language, and goes where a link
// of that page leads. Without an answer it scrolls by itself.
import { momentOf, runOf, withMoment } from '../player/addresses.js'

const ofEmbeds = /(?<=[?&])(show|theme|autoplay|loop|from|to)=[^&#]*/g
const root = document.documentElement
const lab = document.querySelector('run-player')
let page // the origin of the page around it, once that has answered
let height

function measure() {
  const now = Math.ceil(document.body.getBoundingClientRect().height)
  if (now === height) return
  height = now
  parent.postMessage({ imscope: 'height', height }, page)
}

const watcher = new ResizeObserver(measure)

// How the page around it looks.
function follow({ theme, lang, fit }) {
  if (/^(light|dark)$/.test(theme)) root.dataset.theme = theme
  root.classList.toggle('fitted', fit === true)
  if (fit === true) {
    height = 0 // to be told anew
    watcher.observe(document.body)
  } else watcher.disconnect()
  const other = document.querySelector('#language')
  if (lang && other?.lang.startsWith(lang)) location.replace(other.href)
}

// Goes to what a link of the page around it leads to, as if it stood here: a moment of this run, or another run.
function go(to) {
  const { link } = document.querySelector('#stage').dataset
  const full = document.querySelector('#full').getAttribute('href')
  const here = full.match(/^\/?\w+/)[0] + to.replace(/^\/\w+/, '') // in this language
  const moment = momentOf(here)
  const a = document.createElement('a')
  let address = link
  if (runOf(here) !== runOf(full)) {
    const [path, query] = runOf(here).split('?')
    address = link.match(/^\/?embed\//)[0] + path.replace(/^\//, '') + '?' + [query, ...(link.match(ofEmbeds) ?? [])].filter(Boolean).join('&')
    a.dataset.run = a.dataset.moment = ''
  }
  a.setAttribute('href', withMoment(address, moment))
  a.hidden = true
  lab.append(a)
  a.click()
  a.remove()
}

if (parent !== window) {
  addEventListener('message', ({ source, origin, data }) => {
    if (source !== parent || origin !== (page ?? origin) || typeof data?.imscope !== 'string') return
    page = origin
    if (data.imscope === 'page') follow(data)
    if (data.imscope === 'go' && lab && typeof data.to === 'string' && /^\/\w+\/\w+/.test(data.to)) go(data.to)
  })
  parent.postMessage({ imscope: 'ready' }, '*') // to whomever; it says nothing else
}
