// A small client of the Datastar v1 protocol: what the pages of imscope use of it, and no more. It speaks the attribute spelling of
// Datastar v1.0.x and the events that datastar-go v1.2.2 sends, so that the official file, put at static/vendor/datastar.js, can take
// its place. static/conformance holds the page on which both are held to the same behaviour.
//
// Read on in this order: signals.js (the values), expressions.js (`$name` and `@action()` in attributes), attributes.js and bind.js
// (what each attribute does), elements.js (which elements have them, now and later), actions.js and sse.js (requests and their
// streams), patch.js (what a stream changes).
//
// Supported
//   attributes  data-attr -bind -class -computed -effect -ignore-morph -indicator -init -on -ref -show -signals -style -text
//   modifiers   __ifmissing of data-signals; __debounce __throttle __window __prevent __stop __once of data-on
//   actions     @get and @post, with filterSignals, openWhenHidden, requestCancellation, retry, retryInterval, retryScaler,
//               retryMaxWait, retryMaxCount
//   events      datastar-patch-elements, datastar-patch-signals
// Whatever else of Datastar a page asks for is named in the console, with its element, and the rest of the page goes on.
//
// What differs from the official client (v1.0.2)
//   - It is not there: the other attributes, modifiers, actions and options, answers that are not event streams, view transitions,
//     scripts in patched elements (they do not run), patches of the whole <html>, <head> or <body>, the event datastar-signal-patch.
//   - An array is one value: assign a new one, do not change it in place. Bound files, `multiple` selects and lists of checkboxes too.
//   - A bad expression warns; the official client throws, and leaves the attributes after it alone.
//   - Taking a signal away (null) shows at once in the expressions that read it, as ''. The official client leaves them as they were.
//   - `retry: 'never'` also holds for a broken connection, as the documentation says.
//   - An element that is moved keeps its state. The official client starts it anew, data-init and data-signals included.
//   - data-style="{…}" leaves the name of a custom property as it is; the official client rewrites --a1 or --aB to --a-1 and --a-b.
// What does not differ and may surprise: `$n-1` is a signal named n-1 (write `$n - 1`); a new request cancels the running one of the
// same method and URL, whichever element sent it (before v1.0.2: of the same element), so write changing values as signals, not into
// the URL; removing an element stops its request only with `requestCancellation: 'cleanup'`; `datastar-fetch` is dispatched on the
// document, with the element as evt.detail.el.
import { start } from './elements.js'
import './patch.js'

start()
