package browser

import (
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"imscope/web"
)

// looks are the ways in which a page is looked at.
var looks = []options{{Width: 360, Height: 700}, {Width: 360, Height: 700, Dark: true}, {Width: 1280, Height: 900}, {Width: 1280, Height: 900, Dark: true}}

// TestPagesHaveNoViolations runs axe over the pages, in every look, and checks that none scrolls sideways.
func TestPagesHaveNoViolations(t *testing.T) {
	url := startServer(t, web.Handler(slog.New(slog.DiscardHandler)))
	tb := newTab(t, options{})
	tb.expect("status of 400")
	tb.expect("status of 404")
	for _, page := range []string{"/en", "/zh", "/en/ordering/book/by-seq", "/zh/ordering/book/by-seq?at=6.24s", "/en/ordering?at=6.98s&guess=same",
		"/en/ordering/trio/by-seq?at=end&guess=lines", "/zh/ordering?at=end", "/zh/polling?at=4.1s", "/en/offline?away=1d&at=end", "/zh/offline/book/inbox?away=1w&too-far=list&at=end", "/en/polling/hole?at=end", "/zh/ordering?loss=2", "/en/nothing"} {
		tb.open(url + page)
		for _, look := range looks {
			tb.apply(look)
			name := fmt.Sprintf("%s at %d px, dark %v", page, look.Width, look.Dark)
			for _, v := range violations(t, tb) {
				t.Errorf("%s: %v", name, v)
			}
			sideways(t, tb, name)
		}
		if got := evaluate[string](tb, "document.title && document.documentElement.lang && String(document.querySelectorAll('h1').length)"); got != "1" {
			t.Errorf("%s: title, language or heading is wrong: %s", page, got)
		}
	}
}

func sideways(t *testing.T, tb *tab, name string) {
	t.Helper()
	if over := evaluate[float64](tb, "document.documentElement.scrollWidth - document.documentElement.clientWidth"); over > 0 {
		t.Errorf("%s: the page is %v px too wide", name, over)
	}
}

// TestWidePagesFit checks the widest runs at every width that matters.
func TestWidePagesFit(t *testing.T) {
	url := startServer(t, web.Handler(slog.New(slog.DiscardHandler)))
	tb := newTab(t, options{})
	for _, page := range []string{"/en/ordering/random/by-seq?phones=5&messages=40&at=end", "/zh/ordering/trio?at=end", "/en/polling/week?at=end", "/en/offline?away=1w&conversations=2000&at=end"} {
		tb.open(url + page)
		for _, width := range []int{360, 768, 1280, 1920} {
			tb.apply(options{Width: width, Height: 900})
			sideways(t, tb, fmt.Sprintf("%s at %d px", page, width))
		}
	}
}

// TestWithoutScript walks through a run as a reader does whose browser runs no script.
func TestWithoutScript(t *testing.T) {
	url := startServer(t, web.Handler(slog.New(slog.DiscardHandler)))
	tb := newTab(t, options{NoScript: true, ReducedMotion: true}) // a page that fades in takes no clicks yet
	tb.open(url + "/en/ordering/book/by-seq")
	is := func(what, js, want string) {
		t.Helper()
		if got := evaluate[string](tb, js); got != want {
			t.Fatalf("%s is %q, not %q", what, got, want)
		}
	}
	sentence := `document.querySelector('#sentence').textContent`
	visible := func(selector string) string {
		return `[...document.querySelectorAll('` + selector + `')].map(e => getComputedStyle(e).visibility[0]).join('')`
	}

	is("the play button", `String(document.querySelector('#player').checkVisibility())`, "false")
	tb.follow("#move-forward")
	is("the first step", sentence, "Ben sends B1; the phone shows it at once, as sending.")
	tb.follow("#move-back")
	is("the start", sentence, "The run begins: both phones hold a connection to the server.")
	tb.follow("#marks a.gap")
	is("the gap", sentence, "A1 reaches Ben with number 4. So Ben knows that number 3 is missing, and waits 0.5 s for it.")
	is("Ben’s screen", screen("col-2"), "B1 B2 A2? A1")
	shown := evaluate[string](tb, visible(".leg"))
	if n := strings.Count(shown, "v"); n == 0 || !strings.Contains(shown, "h") {
		t.Fatalf("of the legs are visible: %s", shown)
	}
	tb.follow("#move-end")
	is("Ana’s screen", screen("col-0"), "B1 B2 A2 A1 A3 B3 A4")
	is("Ben’s screen", screen("col-2"), "B1 B2 A2 A1 A3 B3 A4")
	tb.follow(".tabs a") // by arrival, at the end
	is("Ben’s screen by arrival", screen("col-2"), "B1 B2 A2? A1 B3 A3 A4")

	evaluate[bool](tb, `document.querySelector('[name=guess][value=lines]').checked = true`)
	tb.follow("#guess button")
	is("the verdict", `document.querySelector('.verdict strong').textContent.trim()`, "✓ Right.")
	evaluate[bool](tb, `(document.querySelector('.controls').open = true, document.querySelector('[name=loss]').value = '0.5', true)`)
	tb.follow(".controls button")
	if at := evaluate[string](tb, "location.search"); !strings.Contains(at, "loss=0.5") {
		t.Fatalf("the form leads to %s", at)
	}
	evaluate[bool](tb, `(document.querySelector('.term').click(), true)`)
	is("the glossary", `document.querySelector('[popover]:popover-open strong').textContent`, "id")
	tb.apply(options{Print: true, NoScript: true})
	is("in print, the controls", `String(document.querySelector('.controls').checkVisibility())`, "false")
}

// screen lists the lines of a column; a hole has a question mark.
func screen(id string) string {
	return `[...document.querySelectorAll('#` + id + ` > li:not([hidden])')].map(l => l.querySelector('b').textContent + (l.matches('.hole') ? '?' : '')).join(' ')`
}

// TestMidFlight checks that a moment between two events shows legs on their way, without script too.
func TestMidFlight(t *testing.T) {
	url := startServer(t, web.Handler(slog.New(slog.DiscardHandler)))
	tb := newTab(t, options{NoScript: true})
	tb.open(url + "/en/ordering/book/by-seq?at=6.19s")
	halves := evaluate[float64](tb, `[...document.querySelectorAll('.leg')].filter(e => { const o = parseFloat(getComputedStyle(e).strokeDashoffset); return o > 0.3 && o < 0.7 }).length`)
	if halves != 2 {
		t.Errorf("%v legs are half drawn, not the ACK and the push of A1", halves)
	}
}

// TestDrawingAtMoments checks, without script, that just what has happened by the moment is drawn: a leg that has left, and as much of
// it as it has come; its bubble only while it travels; dots and crosses from their time on.
func TestDrawingAtMoments(t *testing.T) {
	url := startServer(t, web.Handler(slog.New(slog.DiscardHandler)))
	tb := newTab(t, options{NoScript: true, ReducedMotion: true})
	for at, want := range map[string]string{
		"0s":      "0 legs, 0 under way, 0 crosses, 0 dots",
		"5.08s":   "7 legs, 1 under way, 0 crosses, 9 dots", // A1, before it is lost
		"5.12s":   "7 legs, 0 under way, 1 crosses, 9 dots",
		"6.19s":   "13 legs, 2 under way, 2 crosses, 14 dots", // the ACK and the push of A1
		"6.24s":   "13 legs, 0 under way, 2 crosses, 16 dots",
		"6.24s~0": "13 legs, 0 under way, 2 crosses, 15 dots",
		"end":     "24 legs, 0 under way, 2 crosses, 31 dots",
	} {
		tb.open(url + "/en/ordering/book/by-seq?at=" + at)
		got := evaluate[string](tb, `(() => {
			const style = (e) => getComputedStyle(e)
			const seen = (css) => [...document.querySelectorAll('#diagram ' + css)].filter((e) => style(e).visibility === 'visible')
			const legs = seen('.leg'), offset = (e) => parseFloat(style(e).strokeDashoffset)
			const flying = [...document.querySelectorAll('.bubble')].filter((e) => parseFloat(style(e).opacity) > 0)
			const under = legs.filter((e) => offset(e) > 0.01)
			if (flying.length !== under.length) return flying.length + ' bubbles fly, and ' + under.length + ' legs are under way'
			return [legs.length + ' legs', under.length + ' under way', seen('.cross').length + ' crosses', seen('.dot').length + ' dots'].join(', ')
		})()`)
		if got != want {
			t.Errorf("at %s: %s; want %s", at, got, want)
		}
		if evaluate[bool](tb, `document.getAnimations().some((a) => a.playState === 'running')`) {
			t.Errorf("at %s: something moves by itself", at)
		}
	}
}

// TestLabelsInTheDrawing measures what diagram_test.go of the pages only reckons: no label leaves the drawing or lies upon another of its
// lifeline, at the font size of wide and of narrow screens.
func TestLabelsInTheDrawing(t *testing.T) {
	url := startServer(t, web.Handler(slog.New(slog.DiscardHandler)))
	tb := newTab(t, options{NoScript: true, ReducedMotion: true})
	for _, link := range []string{"/en/ordering/book/by-seq?at=end", "/en/ordering/random/by-seq?phones=5&messages=12&gap=500ms&loss=0.4&at=end", "/en/ordering/random/by-seq?messages=60&gap=500ms&loss=0.4&at=end", "/en/polling/hole?at=end"} {
		tb.open(url + link)
		for _, width := range []int{360, 1280} {
			tb.apply(options{NoScript: true, Width: width})
			wrong := evaluate[string](tb, `(() => {
				const labels = [...document.querySelectorAll('.dot text')].map((e) => ({text: e.textContent, lane: e.getAttribute('x'), box: e.getBBox()}))
				const wrong = labels.filter(({box}) => box.x < 0 || box.x + box.width > 360).map(({text}) => text + ' leaves')
				labels.forEach((a, i) => labels.slice(Math.max(0, i - 20), i).forEach((b) => {
					const middle = ({box}) => box.y + box.height / 2
					if (a.lane === b.lane && Math.abs(middle(a) - middle(b)) < 11) wrong.push(a.text + ' lies upon ' + b.text)
				}))
				return wrong.join(', ')
			})()`)
			if wrong != "" {
				t.Errorf("%s at %d px: %.300s", link, width, wrong)
			}
		}
	}
}

// TestGlossary opens an explanation by a click and by the keyboard, without script.
func TestGlossary(t *testing.T) {
	url := startServer(t, web.Handler(slog.New(slog.DiscardHandler)))
	tb := newTab(t, options{NoScript: true, ReducedMotion: true})
	tb.open(url + "/en/ordering")
	open := func() string {
		return evaluate[string](tb, `[...document.querySelectorAll(':popover-open strong')].map((e) => e.textContent).join()`)
	}
	tb.do(chromedp.Click(chromedp.CSS(".lead .term")))
	if got := open(); got != "id" {
		t.Errorf("a click opens %q", got)
	}
	tb.do(chromedp.KeyEvent(kb.Escape))
	if got := open(); got != "" {
		t.Errorf("Escape leaves %q open", got)
	}
	tb.do(chromedp.Focus(chromedp.CSS(".story .term")), chromedp.KeyEvent(kb.Enter))
	if got := open(); got != "push" {
		t.Errorf("Enter opens %q", got)
	}
}

// TestPrint checks that a page on paper has no controls, and all that a reader could otherwise only open.
func TestPrint(t *testing.T) {
	url := startServer(t, web.Handler(slog.New(slog.DiscardHandler)))
	tb := newTab(t, options{NoScript: true, Print: true})
	tb.open(url + "/en/ordering/book/by-seq?at=6.24s&guess=lines")
	shown := func(css string) string {
		return evaluate[string](tb, `[...document.querySelectorAll('`+css+`')].filter((e) => e.checkVisibility()).map((e) => e.className || e.id || e.tagName).join()`)
	}
	if got := shown("button:not(.term), input[type=range], .controls, .transport, .switch, .take, .send, header nav"); got != "" {
		t.Errorf("on paper there are %s", got)
	}
	for css, want := range map[string]int{"[popover]": evaluate[int](tb, `document.querySelectorAll('[popover]').length`), "#happened > li": 17, ".verdict": 1, "#diagram": 1, ".metrics tbody tr": 16} {
		if got := strings.Count(shown(css), ",") + 1; got != want {
			t.Errorf("on paper there are %d of %s, not %d", got, css, want)
		}
	}
	if evaluate[bool](tb, `(({clientHeight, scrollHeight}) => scrollHeight > clientHeight + 1)(document.querySelector('#happened'))`) {
		t.Error("on paper the list of events is cut off")
	}
}

// TestSlidersComputeInTheBrowser moves sliders and compares what the browser makes of the formulas with the server's page of the same
// figures: numbers, results, curves.
func TestSlidersComputeInTheBrowser(t *testing.T) {
	url := startServer(t, web.Handler(slog.New(slog.DiscardHandler)))
	tb := newTab(t, options{})
	const read = `[...document.querySelectorAll('#sums [data-text], #sums [data-attr\\:points], #sums circle')].map((e) =>
		(e.textContent + (e.getAttribute('points') ?? '') + (e.getAttribute('cx') ?? '') + ' ' + (e.getAttribute('cy') ?? '')).trim()).join('|')`
	for _, c := range []struct{ page, query string }{
		{"/en/polling", "users=100000&every=0.5&leg=1&open=0.5&devices=20"},
		{"/zh/polling", "users=37000&every=7.5&leg=0.17&open=0.01&devices=1"},
		{"/en/offline", "users=20000&syncs=3&chats=2000&sent=7&members=1&bytes=80&days=30&took=50"},
		{"/en/ordering", "rate=2&trip=0.05&took=500&users=100000"},
	} {
		tb.open(url + c.page)
		before := evaluate[string](tb, read)
		moved := evaluate[string](tb, `(async () => {
			for (const [name, value] of new URLSearchParams('`+c.query+`')) {
				const slider = document.querySelector('#sums [name=' + name + ']')
				slider.value = value
				slider.dispatchEvent(new Event('input', {bubbles: true}))
			}
			await new Promise((done) => setTimeout(done, 100))
			return `+read+`
		})()`)
		tb.open(url + c.page + "?" + c.query)
		if want := evaluate[string](tb, read); moved != want || moved == before {
			t.Errorf("%s with %s:\n%s\nnot as the server says:\n%s", c.page, c.query, moved, want)
		}
	}
}
