// @get and @post: requests that send the signals and are answered by a stream of events, which may last.
import { snapshot, untracked } from './signals.js'
import { readEvents } from './sse.js'

// Untracked: an expression does not depend on the signals that its request sends.
export const actions = {
  get: (binding, url, options) => untracked(() => request('GET', binding, url, options)),
  post: (binding, url, options) => untracked(() => request('POST', binding, url, options)),
}

const turn = 8 // milliseconds of events in a row, after which the browser may draw what they have changed

const latest = new Map() // method and URL → controller of the latest request

async function request(method, { el, cleanups, complain }, url, options = {}) {
  const {
    filterSignals,
    openWhenHidden = method === 'POST', // a GET can be asked again, a POST has done something
    requestCancellation = 'auto',
    retry = 'auto',
    retryInterval = 1000,
    retryScaler = 2,
    retryMaxWait = 30_000,
    retryMaxCount = 10,
    ...unknown
  } = options
  for (const name in unknown) complain(`unknown option ${name}`)

  const what = `${method} ${url}`
  const tell = (type, argsRaw = {}) =>
    document.dispatchEvent(new CustomEvent('datastar-fetch', { detail: { type, el, argsRaw } }))

  // A request ends by itself or is aborted: by the next one that asks for the same; with 'cleanup' also when its element goes; or by a
  // controller of the page's, and then only by that.
  const controller = new AbortController()
  const { signal } = controller
  const abort = () => controller.abort()
  if (/auto|cleanup/.test(requestCancellation)) {
    latest.get(what)?.abort()
    latest.set(what, controller)
  }
  if (requestCancellation === 'cleanup') cleanups.add(abort)
  requestCancellation.signal?.addEventListener('abort', abort, { signal })

  // It may need several attempts.
  let attempt
  let interval = retryInterval
  let wait = interval
  let retries = 0
  let lastId
  signal.addEventListener('abort', () => attempt?.abort())
  // A tab that nobody sees closes its stream, and asks anew when it is seen.
  const hide = () => document.hidden && attempt.abort()
  if (!openWhenHidden) document.addEventListener('visibilitychange', hide, { signal })

  // Attempts it once, and tells whether to attempt it again: when the connection is lost (retry: 'auto'), also when the server answers
  // with an error ('error'), also when the stream ends ('always').
  async function ask() {
    attempt = new AbortController()
    const [address, init] = prepare(method, url, filterSignals, lastId)
    let response
    try {
      response = await fetch(address, { ...init, cache: 'no-store', signal: attempt.signal })
      const { status } = response
      if (status >= 400) tell('error', { status: `${status}` })
      if (status === 200) {
        if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return complain(`${what} is no event stream`)
        retries = 0
        wait = interval
        let since = performance.now()
        for await (const event of readEvents(response.body)) {
          if (performance.now() - since > turn) {
            await otherTasks()
            since = performance.now()
          }
          if (signal.aborted) return // by what the event before this one did
          lastId = event.id ?? lastId
          if (event.retry) wait = interval = event.retry
          if (event.name?.startsWith('datastar-')) tell(event.name, event.args)
          else if (event.name) complain(`unknown event ${event.name}`)
        }
      }
      return retry === 'always' ? status !== 204 && (status < 300 || status >= 400) : retry === 'error' && status >= 400
    } catch {
      return retry !== 'never'
    }
  }

  tell('started')
  try {
    while (!signal.aborted) {
      const again = await ask()
      if (!attempt.signal.aborted) {
        if (!again) break
        if (retries++ >= retryMaxCount) {
          tell('retries-failed')
          complain(`${what} gave up`)
          break
        }
        tell('retrying')
        await until(signal, (done) => setTimeout(done, wait))
        wait = Math.min(wait * retryScaler, retryMaxWait)
      }
      if (attempt.signal.aborted && document.hidden) {
        await until(signal, (done) => document.addEventListener('visibilitychange', done, { signal, once: true }))
      }
    }
  } catch (error) {
    complain(`${what}: ${error.message}`)
  } finally {
    abort() // lets go of all that waits for it
    cleanups.delete(abort)
    if (latest.get(what) === controller) latest.delete(what)
    tell('finished')
  }
}

// The signals as they are now: in the address of a GET, in the body of a POST.
function prepare(method, url, filterSignals, lastId) {
  const signals = JSON.stringify(snapshot(filterSignals))
  const address = new URL(url, document.baseURI)
  const headers = { Accept: 'text/event-stream', 'Datastar-Request': 'true' }
  if (lastId) headers['Last-Event-ID'] = lastId
  if (method === 'GET') {
    address.searchParams.set('datastar', signals)
    return [address, { headers }]
  }
  return [address, { method, headers: { ...headers, 'Content-Type': 'application/json' }, body: signals }]
}

// Lets others have a turn. (A timer would wait too long, and a frame does not come in a hidden tab.)
const otherTasks = () =>
  new Promise((done) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => done(port1.close())
    port2.postMessage(0)
  })

// Waits for what calls done, or for the end of the request.
const until = (signal, start) =>
  new Promise((done) => {
    signal.addEventListener('abort', done)
    start(done)
  })
