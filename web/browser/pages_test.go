package browser

import (
	"fmt"
	"log/slog"
	"strings"
	"testing"

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
		"/en/ordering/trio/by-seq?at=end&guess=lines", "/zh/ordering?at=end", "/zh/polling?at=4.1s", "/en/polling/hole?at=end", "/zh/ordering?loss=2", "/en/nothing"} {
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
	for _, page := range []string{"/en/ordering/random/by-seq?phones=5&messages=40&at=end", "/zh/ordering/trio?at=end", "/en/polling/week?at=end"} {
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
