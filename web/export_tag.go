package web

import (
	"bytes"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// tag is a tag of a page, as far as an export reads it. Pages are all written by templ: values are escaped and in double quotes. So there
// is little to it, and a page of thousands of tags is read in a tenth of the time that a tokenizer takes, which knows all of HTML.
type tag struct {
	name    string
	attrs   []attribute
	changed bool
}

// attribute has its value as it is written, escaped. A bare one has none.
type attribute struct {
	name, value string
	bare        bool
}

// tagEnd is where the tag ends that begins a text, with its bracket; one in quotes ends nothing.
func tagEnd(text string) int {
	quoted := false
	for i := range len(text) {
		switch {
		case text[i] == '"':
			quoted = !quoted
		case text[i] == '>' && !quoted:
			return i + 1
		}
	}
	return len(text)
}

// read takes a tag in, of which all is given but the bracket that it begins with.
func (t *tag) read(raw string) {
	var rest string
	t.name, rest, _ = strings.Cut(strings.TrimRight(raw, "/>"), " ")
	t.attrs, t.changed = t.attrs[:0], false
	for rest = strings.TrimLeft(rest, " "); rest != ""; rest = strings.TrimLeft(rest, " ") {
		end := strings.IndexAny(rest, " =")
		if end < 0 {
			end = len(rest)
		}
		a := attribute{name: rest[:end], bare: true}
		rest = rest[end:]
		if value, has := strings.CutPrefix(rest, `="`); has {
			a.value, rest, _ = strings.Cut(value, `"`)
			a.bare = false
		}
		t.attrs = append(t.attrs, a)
	}
}

func (t *tag) index(name string) int {
	return slices.IndexFunc(t.attrs, func(a attribute) bool { return a.name == name })
}

// value is the value of an attribute, empty if there is none.
func (t *tag) value(name string) string {
	if i := t.index(name); i >= 0 {
		return html.UnescapeString(t.attrs[i].value)
	}
	return ""
}

// set gives an attribute a value; an empty one makes it bare.
func (t *tag) set(name, value string) {
	a := attribute{name, html.EscapeString(value), value == ""}
	i := t.index(name)
	switch {
	case i < 0:
		t.attrs = append(t.attrs, a)
	case t.attrs[i] == a:
		return
	default:
		t.attrs[i] = a
	}
	t.changed = true
}

// drop takes out the attributes that are told of.
func (t *tag) drop(out func(name, value string) bool) {
	n := len(t.attrs)
	t.attrs = slices.DeleteFunc(t.attrs, func(a attribute) bool { return out(a.name, a.value) })
	t.changed = t.changed || len(t.attrs) < n
}

// write writes the tag; raw is what was read.
func (t *tag) write(b *bytes.Buffer, raw string) {
	b.WriteByte('<')
	if !t.changed {
		b.WriteString(raw)
		return
	}
	b.WriteString(t.name)
	for _, a := range t.attrs {
		b.WriteByte(' ')
		b.WriteString(a.name)
		if !a.bare {
			b.WriteString(`="`)
			b.WriteString(a.value)
			b.WriteByte('"')
		}
	}
	b.WriteByte('>')
}
