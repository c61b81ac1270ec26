package templates

import (
	"context"
	"io"
	"strings"

	"github.com/a-h/templ"
)

// Prose writes a text in which [key] or [key|shown words] explains a glossary term in place and `…` is code.
func Prose(l Lang, text string) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		for text != "" {
			i := strings.IndexAny(text, "[`")
			if i < 0 {
				break
			}
			closing := "]"
			if text[i] == '`' {
				closing = "`"
			}
			j := i + 1 + strings.Index(text[i+1:], closing)
			if err := writeString(w, templ.EscapeString(text[:i])); err != nil {
				return err
			}
			if err := inline(l, text[i], text[i+1:j]).Render(ctx, w); err != nil {
				return err
			}
			text = text[j+1:]
		}
		return writeString(w, templ.EscapeString(text))
	})
}

// Plain is a text of Prose without what only a page can do; code stays marked.
func Plain(l Lang, text string) string {
	var b strings.Builder
	for {
		before, after, found := strings.Cut(text, "[")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		inside, rest, _ := strings.Cut(after, "]")
		b.WriteString(shownTerm(l, inside))
		text = rest
	}
}

// shownTerm is the word that stands for a term.
func shownTerm(l Lang, inside string) string {
	key, shown, ok := strings.Cut(inside, "|")
	if !ok {
		shown = l.In(glossary[key].en, glossary[key].zh)
	}
	return shown
}

func inline(l Lang, open byte, inside string) templ.Component {
	if open == '`' {
		return code(inside)
	}
	key, _, _ := strings.Cut(inside, "|")
	return term(key, shownTerm(l, inside))
}

func writeString(w io.Writer, s string) error {
	_, err := io.WriteString(w, s)
	return err
}
