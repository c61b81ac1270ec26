package browser

import (
	"strings"
	"testing"
)

// TestEmbedding checks the dialog that tells how to embed a run: it opens over the run at its moment, follows what is chosen, and what it
// offers to copy is what it shows.
func TestEmbedding(t *testing.T) {
	p := openPlayer(t, options{}, "/en/ordering/book/by-seq")
	p.click("#move-forward")
	p.click("[data-dialog]")
	p.waitFor("$('dialog[open] #preview')")
	p.is("$('#preview').getAttribute('src')", "/embed/en/ordering/book/by-seq?at=1.4s")
	p.is("location.pathname", "/en/ordering/book/by-seq")
	p.js("$('dialog [value=table]').click(); $('dialog [name=theme]').value = 'dark'; $('dialog [name=height]').value = '500'; $('dialog [name=height]').dispatchEvent(new Event('change', {bubbles: true}))")
	p.is("$('#preview').getAttribute('src')", "/embed/en/ordering/book/by-seq?show=diagram_screens_sentences_controls_table&theme=dark&at=1.4s")
	p.is("$('#preview').getAttribute('height')", "500")
	for css, parts := range map[string][]string{
		"#code-frame":    {`<iframe src="` + p.url + "/embed/en/ordering/book/by-seq?show=diagram_screens_sentences_controls_table&amp;theme=dark&amp;at=1.4s", `height="500"`},
		"#code-element":  {p.url + "/embed.js", `chapter="ordering" scenario="book" protocol="by-seq" show="diagram_screens_sentences_controls_table" theme="dark" at="1.4s" height="500"`},
		"#code-markdown": {"](" + p.url + "/figure/en/ordering/book/by-seq.svg?at=1.4s)](" + p.url + "/en/ordering/book/by-seq?at=1.4s)"},
	} {
		for _, part := range parts {
			if got := evaluate[string](p.tab, "$('"+css+"').value"); !strings.Contains(got, part) {
				t.Errorf("%s is %s, without %s", css, got, part)
			}
		}
	}
	p.shot("embedding")
	axe(t, p.tab)
	p.expect("status of 400")
	p.js("$('dialog [name=to]').value = 'later'; $('dialog [name=to]').dispatchEvent(new Event('change', {bubbles: true}))")
	p.is("$('dialog [name=to]').validity.valid", "false")
	p.click("dialog .close")
	p.is("!!$('dialog')", "false")
	p.click("[data-dialog]")
	p.waitFor("$('dialog[open] #preview')")
}

// TestEmbeddingWithoutScript checks that the same is a page.
func TestEmbeddingWithoutScript(t *testing.T) {
	p := openPlayer(t, options{NoScript: true, ReducedMotion: true}, "/zh/polling?at=4.1s")
	p.follow("[data-dialog]")
	p.js(tellMoment)
	p.js("$('[value=screens]').checked = false")
	p.follow(".again")
	if got := evaluate[string](p.tab, "document.querySelector('#preview').getAttribute('src')"); got != "/embed/zh/polling?show=diagram_sentences_controls&at=4.1s" {
		t.Errorf("it shows %s", got)
	}
	p.shot("embedding-zh")
	p.apply(options{NoScript: true, Width: 360, Height: 740, Dark: true})
	sideways(t, p.tab, "the page at 360 px")
	p.shot("embedding-zh-360")
}
