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

func inline(l Lang, open byte, inside string) templ.Component {
	if open == '`' {
		return code(inside)
	}
	key, shown, ok := strings.Cut(inside, "|")
	if !ok {
		shown = l.In(glossary[key].en, glossary[key].zh)
	}
	return term(key, shown)
}

func writeString(w io.Writer, s string) error {
	_, err := io.WriteString(w, s)
	return err
}
