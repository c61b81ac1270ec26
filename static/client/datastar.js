// A small client of the Datastar v1 protocol: what the pages of imscope use of it, and no more. It knows the attribute spelling of
// Datastar v1.0.x and the events that datastar-go v1.2.2 sends, so that the official file (v1.0.2 or later), put at
// static/vendor/datastar.js, can take its place. The page in static/conformance holds both to the same behaviour.
//
// Read on in this order: signals.js (values), expressions.js (`$name` and `@action()`), elements.js and binding.js (attributes of
// elements, now and later), attributes.js, bind.js and timing.js (what each attribute does), actions.js and sse.js (requests and the
// streams that answer them), patch.js (what streams change), warn.js.
//
// Supported
//   attributes  data-attr -bind -class -effect -ignore-morph -init -on -show -signals -text
//   modifiers   __ifmissing of data-signals; __debounce __window __prevent __stop __once of data-on
//   actions     @get and @post, with filterSignals, openWhenHidden, requestCancellation, retry, retryInterval, retryScaler,
//               retryMaxWait, retryMaxCount
//   events      datastar-patch-elements in the modes outer, inner and append, for HTML and SVG; datastar-patch-signals
// Whatever else of Datastar a page asks for is named in the console, with its element, and the rest of the page goes on.
//
// What differs from the official client (v1.0.2)
//   - Not there: other attributes, modifiers, actions and options; answers that are no event streams; view transitions; scripts in
//     patched elements, which do not run; patches of <html>, <head> and <body> as a whole; the event datastar-signal-patch.
//   - An array is one value: assign a new one instead of changing it. No binding of files, multiple selects and lists of checkboxes.
//   - A bad expression warns. The official client throws, and ignores the attributes that come after it.
//   - A signal that is taken away (null) is '' at once where it is read. The official client leaves there what it was.
//   - retry: 'never' also holds for a broken connection, as the documentation says it does.
//   - A request that was cancelled changes nothing any more, and requests pass the browser's cache by.
//   - An element that is moved keeps its state. The official client begins it anew, with data-init and data-signals.
//   -="{…}" takes a custom property as it is written. The official client makes --a1 and --aB into --a-1 and --a-b.
//   - A request that is tried again sends the signals of that moment, as in the official client after v1.0.2.
//
// What does not differ and may surprise
//   - `$n-1` is a signal named n-1. Write `$n - 1`.
//   - A new request cancels the running one of the same method and URL, whichever element sends it (before v1.0.2: the one of the same
//     element, whatever its URL). So changing values belong into signals, not into the URL. Or the page keeps a controller:
//     el.run?.abort(); el.run = new AbortController(); @get(url, {requestCancellation: el.run})
//   - An element that goes takes its request with it only with requestCancellation: 'cleanup'.
//   - datastar-fetch is dispatched on the document, with the element as evt.detail.el.
import { start } from './elements.js'
import './patch.js'

start()
