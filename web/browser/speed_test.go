package browser

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"
)

// How fast pages play and answer, for the log: how the figures come out depends on the machine, and on what else it does.

// smooth are figures of a stretch of frames, in milliseconds.
type smooth struct {
	Half, P95, Longest float64
	Frames             int
	Long               []int // tasks
}

func (s smooth) String() string {
	return fmt.Sprintf("%d frames, half within %.1f ms, 95%% within %.1f ms, longest %.1f ms; long tasks: %v", s.Frames, s.Half, s.P95, s.Longest, s.Long)
}

// smooth calls something of the page, a function of the time from 0 to 1, with
// each frame.
func (p *player) smooth(seconds float64, js string) smooth {
	p.t.Helper()
	return evaluate[smooth](p.tab, fmt.Sprintf(`new Promise((done) => {
		const step = %s, frames = [], long = []
		const watch = new PerformanceObserver((list) => long.push(...list.getEntries().map((task) => Math.round(task.duration))))
		let first, last
		const frame = (time) => {
			if (last) frames.push(time - last)
			first ??= time
			last = time
			const part = (time - first) / %g
			if (part < 1) {
				requestAnimationFrame(frame) // ahead of the player's, as an event of the reader's comes ahead of both
				return step(part)
			}
			frames.sort((a, b) => a - b)
			const within = (part) => frames[Math.floor((frames.length - 1) * part)]
			setTimeout(() => done({Half: within(.5), P95: within(.95), Longest: within(1), Frames: frames.length, Long: long}), 200)
		}
		watch.observe({type: 'longtask'})
		requestAnimationFrame(frame)
	})`, js, seconds*1000))
}

// How smoothly 1,000 animated elements are drawn past, and how soon a key is seen.
// The figures are for the log: how they come out depends on the machine, and on
// what else it does.
func TestPlayerScrubsAThousand(t *testing.T) {
	p := openPlayer(t, options{}, "/en/ordering/random/by-seq?messages=88")
	p.js("$('#stage').scrollIntoView({behavior: 'instant'})")
	time.Sleep(500 * time.Millisecond)
	t.Logf("%d animated elements, %d events; load of the machine %s", evaluate[int](p.tab, "document.querySelectorAll('#diagram :is(.on, .go, .bubble)').length"),
		evaluate[int](p.tab, "document.querySelectorAll('#happened > li').length"), load())
	for _, drag := range []struct {
		name    string
		seconds float64
		place   string
	}{
		{"dragged through the run in 10 s", 10, "t"},
		{"dragged to and fro in 10 s", 10, "Math.abs(1 - 2 * t)"},
		{"dragged by leaps over the whole run", 3, "t * 997 % 1"},
	} {
		t.Logf("%s: %v", drag.name, p.smooth(drag.seconds, `(t) => {
			$('#slider').value = $('#slider').max * (`+drag.place+`)
			$('#slider').dispatchEvent(new Event('input', {bubbles: true}))
		}`))
		p.js("$('#slider').dispatchEvent(new Event('change', {bubbles: true}))")
	}
	p.js("$('#happened').focus({preventScroll: true})")
	p.press(kb.Home + " ")
	t.Logf("played: %v", p.smooth(5, "() => 0"))
	p.press(" ")
	t.Logf("a key is seen: %s", p.keysSeen())
}

// keysSeen tells how long it takes from a key to after the frame that shows what it did.
func (p *player) keysSeen() string {
	p.t.Helper()
	p.js(`window.waits = []
	addEventListener('keydown', (event) => requestAnimationFrame(() => {
		const shown = new MessageChannel()
		shown.port1.onmessage = () => waits.push(performance.now() - event.timeStamp)
		shown.port2.postMessage(0)
	}))`)
	for i := range 40 {
		p.press([]string{kb.ArrowRight, kb.ArrowLeft}[i/10%2])
		time.Sleep(60 * time.Millisecond)
	}
	p.waitFor("waits.length == 40 && waits.sort((a, b) => a - b)")
	return fmt.Sprintf("half within %.1f ms, 95%% within %.1f ms", evaluate[float64](p.tab, "waits[20]"), evaluate[float64](p.tab, "waits[37]"))
}

// How soon the chapter's own run answers: a key, and a control that asks for another run. For the log, as above.
func TestPlayerAnswersSoon(t *testing.T) {
	p := openPlayer(t, options{}, "/en/ordering/book/by-seq?at=1.5s")
	p.js("$('#happened').focus({preventScroll: true})")
	t.Logf("a key is seen: %s", p.keysSeen())
	for range 3 {
		for _, tab := range []int{1, 2} {
			p.js(`window.first = 0
			const clicked = performance.now()
			new MutationObserver((_, watch) => {
				// Another run is here, and the player shows where it stands.
				if (!$('.tabs:first-of-type a:nth-of-type(` + fmt.Sprint(tab) + `)[aria-current]') || !$('#happened li:not([hidden])')) return
				watch.disconnect()
				requestAnimationFrame(() => {
					const shown = new MessageChannel()
					shown.port1.onmessage = () => (first = performance.now() - clicked)
					shown.port2.postMessage(0)
				})
			}).observe($('#lab'), {childList: true, subtree: true, attributes: true})
			$('.tabs a:nth-of-type(` + fmt.Sprint(tab) + `)').click()`)
			p.waitFor("first")
			t.Logf("the first picture of another protocol: %.1f ms", evaluate[float64](p.tab, "first"))
			p.waitFor("!$('#more').hasAttribute('data-more')")
		}
	}
}

// Of a long run only what is near the moment is drawn, and what a reader scrolls to; on paper, all of it.
func TestPlayerDrawsWhatIsNear(t *testing.T) {
	drawn := "[...document.querySelectorAll('#legs .leg')].filter((leg) => leg.checkVisibility()).length"
	p := openPlayer(t, options{}, "/en/ordering/random/by-seq?messages=88&at=end")
	all := evaluate[int](p.tab, "document.querySelectorAll('#legs .leg').length")
	p.is(drawn+" < "+fmt.Sprint(all/3), "true")
	p.is("$('#legs .leg').checkVisibility()", "false")
	p.js("$('#scroller').scrollTop = 0")
	p.is("$('#legs .leg').checkVisibility()", "true")
	paper := openPlayer(t, options{Print: true}, "/en/ordering/random/by-seq?messages=88&at=end")
	paper.is(drawn, fmt.Sprint(all))
}

// load tells how busy the machine is.
func load() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	return strings.Join(strings.Fields(string(text))[:3], " ")
}

// How soon the run without a leg is there, from the click that loses it, again and again. For the log, as above.
func TestEditAnswersSoon(t *testing.T) {
	p := openPlayer(t, options{}, "/en/ordering/book/by-seq?at=7.03s")
	var took []float64
	for range 8 {
		p.pointAt("[data-leg=push-A1-ben]")
		p.waitFor("$('.floating')")
		time.Sleep(300 * time.Millisecond) // he reads what there is
		p.timeEdit()
		p.pointAt(".floating [data-edit=lose-push-A1-ben]")
		p.waitFor("took")
		took = append(took, evaluate[float64](p.tab, "took"))
		p.waitFor("!$('#more').hasAttribute('data-more')")
		p.click("#edits .undo")
		p.waitFor("!streams && !$('#edits li') && !$('#more').hasAttribute('data-more')")
	}
	t.Logf("the run without a leg is on the screen after %.0f ms", took)
}
