// Expressions are JavaScript with two words more: `$name` is a signal and `@name(…)` an action. They become functions, once for each
// text, however many elements share it.
import { root } from './signals.js'

// Strings are matched first, so that nothing inside them is taken for a signal. A name may contain dots, which go into branches, and
// hyphens: `$n-1` is one name, as in the official client.
const word = /'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|`(?:\\.|[^`\\])*`|\$([a-z_\d]\w*(?:[.-]\w+)*)|@(\w+)\(/gis

const translate = (source) =>
  source.replace(word, (text, signal, action) => {
    if (signal) return '$' + signal.split('.').map((name) => `['${name}']`).join('')
    if (action) return `act('${action}',`
    if (text[0] === '`') return text.replace(/\$\{([^}]*)\}/g, (_, inner) => '${' + translate(inner) + '}')
    return text
  })

const build = (body) => Function('$', 'act', 'el', 'evt', body)

// The value of several statements is that of the last one. Where it begins is found by trying: cut at a semicolon, from the right, and
// see whether both sides are whole; a semicolon inside a string or a function never leaves them so.
function buildWithValue(code) {
  code = code.replace(/[;\s]+$/, '')
  for (let cut = code.length; cut >= 0; ) {
    const [head, last] = cut === code.length ? ['', code] : [code.slice(0, cut + 1), code.slice(cut + 1)]
    try {
      return build(`${head}\nreturn (${last}\n)`)
    } catch {
      cut = code.lastIndexOf(';', cut - 1)
    }
  }
  return build(/\breturn\b/.test(code) ? code : `return (${code})`)
}

const built = new Map()

// The function of an expression: (act, el, evt) → value. Throws what is wrong with the source.
export function compile(source, wantsValue) {
  const key = wantsValue + source
  if (!built.has(key)) built.set(key, (wantsValue ? buildWithValue : build)(translate(source)))
  const run = built.get(key)
  return (act, el, evt) => run(root, act, el, evt)
}
