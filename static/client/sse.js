// A stream of server-sent events, as an async generator of { name, args, id, retry }. Datastar sends its arguments as data lines of
// the form "name value"; lines of one name belong together. Comments, which keep a quiet connection open, are passed over.
export async function* readEvents(body) {
  const reader = body.getReader()
  const decoder = new TextDecoder() // not a TextDecoderStream, which loses what it holds when the connection breaks
  let rest = ''
  let event = { args: {} }
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return // an event that was cut off before its blank line does not count
    const lines = (rest + decoder.decode(value, { stream: true })).split(/\r\n|\n|\r(?!$)/) // a last \r may be half of a \r\n
    rest = lines.pop()
    for (const line of lines) {
      if (!line) {
        yield event
        event = { args: {} }
        continue
      }
      const [, field, text] = line.match(/^([^:]*):? ?(.*)$/s)
      if (field === 'event') event.name = text
      if (field === 'id') event.id = text
      if (field === 'retry') event.retry = Number(text)
      if (field === 'data') {
        const [, arg, part] = text.match(/^(\S*) ?(.*)$/s)
        event.args[arg] = arg in event.args ? event.args[arg] + '\n' + part : part
      }
    }
  }
}
