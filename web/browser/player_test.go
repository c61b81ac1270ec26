package browser

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"imscope/web"
)

// A player is a page with a run on it, and the player on that.
type player struct {
	*tab
	url string
}

func openPlayer(t *testing.T, o options, path string) *player {
	t.Helper()
	return openPlayerAt(t, o, web.Handler(slog.New(slog.DiscardHandler)), path)
}

func openPlayerAt(t *testing.T, o options, handler http.Handler, path string) *player {
	t.Helper()
	if _, err := os.Stat("../../static/dist/player.js"); err != nil {
		lacking(t, "no player: run node static/build.mjs")
	}
	p := &player{url: startServer(t, handler)}
	p.tab = newTab(t, o)
	p.load(path)
	return p
}

// load opens a path and, where there are scripts, waits for the player.
func (p *player) load(path string) {
	p.t.Helper()
	p.open(p.url + path)
	p.js(tellMoment)
	if !p.options.NoScript {
		p.waitFor("!$('#player').hidden")
	}
}

// tellMoment defines moment(document): all that a page shows of a moment, as
// text. It reads what the server wrote as well as what the player changed.
const tellMoment = `
window.$ = (css) => document.querySelector(css)
window.moment = (doc) => {
	const all = (css) => [...doc.querySelectorAll(css)]
	const text = (el) => el.textContent.replace(/\s+/g, ' ').trim()
	return [
		...all('.column ol').map((ol) => ol.id + ': ' + [...ol.children].map((li) => (li.hidden ? '(' + li.dataset.i + ')' : text(li))).join(', ')),
		'empty: ' + all('.empty').map((p) => p.hidden),
		'table: ' + all('.metrics tbody tr').map((row) => [...row.cells].slice(1).map(text).join(' | ')).join(' / '),
		'heat: ' + all('#heat i').map((cell) => cell.className).join(),
		'parts: ' + all('#parts').map((ul) => ul.dataset.lit),
		'blocks: ' + all('#blocks').map((svg) => svg.getAttribute('viewBox') + ' ' + svg.children.length),
		'clock: ' + text(doc.querySelector('#clock')),
		'sentence: ' + text(doc.querySelector('#sentence')),
		'current: ' + all('#happened [aria-current=step]').map(text),
		'happened: ' + all('#happened > li').map((li) => (li.hidden ? '-' : '+')).join(''),
		'now: ' + doc.querySelector('#now-line').getAttribute('transform'),
		'moves: ' + all('.move').map((a) => ['id', 'href', 'role', 'aria-disabled'].map((name) => a.getAttribute(name)).join(' ')).join(', '),
		'links: ' + all('[data-moment], .acts a, #cut a').map((a) => a.getAttribute('href')).join(' '),
		'link: ' + doc.querySelector('#stage').dataset.link,
		'height: ' + doc.querySelector('#diagram').getAttribute('style'),
	].join('\n')
}
// What the server alone shows at an address.
window.served = async (address) => moment(new DOMParser().parseFromString(await (await fetch(address)).text(), 'text/html'))
// All that is in an element, without blanks between elements, and with attributes in the order of their names, for those of a client are
// its own.
window.sorted = (el) => {
	const copy = el.cloneNode(true)
	for (const inner of copy.querySelectorAll('*')) {
		const all = [...inner.attributes].sort((a, b) => (a.name < b.name ? -1 : 1))
		for (const {name} of all) inner.removeAttribute(name)
		for (const {name, value} of all) inner.setAttribute(name, value)
	}
	return copy.innerHTML.replace(/>\s+</g, '><')
}
// How many streams are open.
window.streams = 0
document.addEventListener('datastar-fetch', ({detail: {type}}) => (streams += (type === 'started') - (type === 'finished')))
// The address bar follows the picture.
window.written = async () => {
	await frames2()
	await new Promise((done) => setTimeout(done))
}
window.frames2 = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
`

// js runs statements in the page.
func (p *player) js(statements string) {
	p.t.Helper()
	evaluate[int](p.tab, "(async () => {"+statements+"; return 0})()")
}

func (p *player) text(css string) string {
	p.t.Helper()
	return evaluate[string](p.tab, fmt.Sprintf("$(%q).textContent", css))
}

func (p *player) address() string {
	p.t.Helper()
	p.js("await written()")
	return evaluate[string](p.tab, "location.pathname + location.search")
}

// is waits until a JavaScript expression, made a string, equals want.
func (p *player) is(js, want string) {
	p.t.Helper()
	var got string
	for deadline := time.Now().Add(5 * time.Second); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if got = evaluate[string](p.tab, "String("+js+")"); got == want {
			return
		}
	}
	p.t.Errorf("%s\n got %q\nwant %q", js, got, want)
}

func (p *player) click(css string) {
	p.t.Helper()
	p.js(fmt.Sprintf("$(%q).click()", css))
}

// rush makes playing very fast.
func (p *player) rush() { p.js("$('#speed').options[3].value = 40; $('#speed').selectedIndex = 3") }

// press presses keys.
func (p *player) press(keys string) {
	p.t.Helper()
	p.do(chromedp.KeyEvent(keys))
}

// sameAs fails the test where two texts differ, line by line.
func sameAs(t *testing.T, what, got, want string) {
	t.Helper()
	if got == want {
		return
	}
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i, told := 0, 0; i < max(len(g), len(w)) && told < 5; i++ {
		var a, b string
		if i < len(g) {
			a = g[i]
		}
		if i < len(w) {
			b = w[i]
		}
		if a != b {
			t.Errorf("%s\n got %s\nwant %s", what, a, b)
			told++
		}
	}
}

// The functions on times and addresses are pure, and tested where they run.
func TestPlayerCounts(t *testing.T) {
	mux := http.NewServeMux()
	mux.Handle("/player/", http.StripPrefix("/player/", http.FileServer(http.Dir("../../static/player"))))
	mux.Handle("/", document(""))
	page := newTab(t, options{})
	page.open(startServer(t, mux))
	for _, problem := range evaluate[[]string](page, `(async () => {
		const {Timeline, floor, lastIndex, parse, spell} = await import('/player/clock.js')
		const {momentOf, runOf, withMoment} = await import('/player/addresses.js')
		const problems = []
		const same = (what, got, want) => JSON.stringify(got) === JSON.stringify(want) || problems.push(what + ': ' + JSON.stringify(got) + ', not ' + JSON.stringify(want))
		const near = (what, got, want) => Math.abs(got - want) < 1e-9 || problems.push(what + ': ' + got + ', not ' + want)

		same('lastIndex', [-1, 0, 5, 10, 11, 20, 25].map((x) => lastIndex([0, 10, 10, 20], x)), [-1, 0, 0, 2, 2, 3, 3])
		const timeline = new Timeline()
		const events = [[0, 34], [1.4, 74], [1.5, 99], [1.6, 124], [1.60001, 124], [1.60002, 124], [3.62, 164], [60, 204]]
		for (const event of events) timeline.add(...event)
		events.slice(1).forEach(([at, y], i) => {
			const step = timeline.even[i + 1] - timeline.even[i]
			near('even step ' + i, step, Math.max(.6, (y - events[i][1]) / 28))
			// Halfway on the screen is halfway in the run and on the diagram.
			const half = timeline.toRun(timeline.even[i] + step / 2)
			near('half of step ' + i, half, (at + events[i][0]) / 2)
			near('half of the way ' + i, timeline.toY(half), (y + events[i][1]) / 2)
			same('index ' + i, [at, half].map(timeline.index), [i + 1, i])
		})
		for (let run = 0; run <= 60; run += .0137) near('there and back', timeline.toRun(timeline.toEven(run)), run)
		same('beyond', [timeline.toRun(-1), timeline.toRun(999), timeline.toEven(61), timeline.toY(61)], [0, 60, timeline.length, 204])
		same('nearest', [0, .01, timeline.length - .01, timeline.length].map((even) => timeline.toNearest(even)), [0, 0, 60, 60])
		near('between', timeline.toNearest(timeline.even[6] + .7), timeline.toRun(timeline.even[6] + .7))
		near('true time', timeline.after(1.45, 2, true), 3.45)
		near('even time', timeline.after(1.4, (25 + 12.5) / 28, false), 1.55)
		same('not beyond the end', [timeline.after(59.9, 1, true), timeline.after(3.62, 99, false)], [60, 60])

		const times = [[0, '0s'], [.001, '1ms'], [.3, '300ms'], [.999, '999ms'], [1, '1s'], [6.24, '6.24s'], [6.005, '6.005s'], [90, '90s']]
		same('spell', times.map(([time]) => spell(time)), times.map(([, text]) => text))
		same('parse', times.map(([, text]) => parse(text)), times.map(([time]) => time))
		same('parse', ['0.101883721s', '6.24s~1', '300ms~0'].map(parse), [.101883721, 6.24, .3])
		same('floor', [3.7199999999999998, 6.2409, 0, .0009, 1.60001].map(floor), [3.72, 6.24, 0, 0, 1.6])

		const end = '/en/ordering/trio?rto=2s&at=end&guess=same&rate=2#stage'
		same('momentOf', [end, '/en/ordering', '/en?what=1&at=6.24s~0'].map(momentOf), ['end', '', '6.24s~0'])
		same('runOf', runOf(end), '/en/ordering/trio?rto=2s&guess=same&rate=2')
		same('to', withMoment(end, '6.24s~0'), '/en/ordering/trio?rto=2s&guess=same&rate=2&at=6.24s~0#stage')
		same('to, in order', withMoment(runOf(end), '300ms', end), '/en/ordering/trio?rto=2s&at=300ms&guess=same&rate=2')
		same('to the start', withMoment('/en/ordering?at=2s', ''), '/en/ordering')
		return problems
	})()`) {
		t.Error(problem)
	}
}

func TestPlayerCopiesAndPrints(t *testing.T) {
	p := openPlayer(t, options{}, "/en/ordering/book/by-seq?at=6.24s~0")
	p.is("[$('#copy-link').hidden, $('#print').hidden]", "false,false")
	p.js("window.copied = []; navigator.clipboard.writeText = async (text) => copied.push(text); window.print = () => copied.push('printed')")
	p.click("#move-forward")
	p.click("#copy-link")
	p.is("$('#copy-link').textContent", "Copied")
	p.is("copied.join().replace(location.origin, '')", "/en/ordering/book/by-seq?at=6.24s")
	p.is("$('#copy-link').textContent", "Copy link")
	p.click("#print")
	p.is("copied[1]", "printed")
	// On paper the diagram is whole.
	p.is("$('#scroller').scrollHeight > $('#scroller').clientHeight", "true")
	o := p.options
	o.Print = true
	p.apply(o)
	p.is("$('#scroller').scrollHeight > $('#scroller').clientHeight", "false")
	p.is("getComputedStyle($('.transport')).display", "none")
}

var playerRuns = []string{
	"/en/ordering", "/en/ordering/book/by-id", "/zh/ordering/book/by-seq",
	"/en/ordering/trio", "/zh/ordering/trio/by-id", "/en/ordering/trio/by-seq",
	"/en/ordering/random/by-seq?loss=0.3&reopen=ana&guess=lines&rate=2",
	"/en/polling", "/zh/polling/hole/long-poll", "/en/polling/retry/push",
	"/en/offline/book/conversation-cursors", "/zh/offline/book/inbox?away=open&too-far=list&page=1",
}

func TestPlayerShowsWhatTheServerShows(t *testing.T) {
	for _, run := range playerRuns {
		t.Run(run, func(t *testing.T) {
			t.Parallel()
			p := openPlayer(t, options{}, run)
			// Every event, forwards, and then some in leaps.
			type difference struct{ Address, Got, Want string }
			count := evaluate[int](p.tab, "document.querySelectorAll('#happened a').length")
			for from := 0; from < count+24; from += 8 {
				for _, d := range evaluate[[]difference](p.tab, fmt.Sprintf(`(async () => {
					const out = []
					for (let i = %d; i < %[1]d + 8; i++) {
						const links = document.querySelectorAll('#happened a')
						const link = links[i < links.length ? i : i * 17 %% links.length]
						link.click()
						const address = $('#stage').dataset.link
						if (address + '#stage' !== link.getAttribute('href')) out.push({Address: address, Want: link.getAttribute('href')})
						const got = moment(document), want = await served(address)
						if (got !== want) out.push({Address: address, Got: got, Want: want})
					}
					await written()
					const address = location.pathname + location.search
					if (address !== $('#stage').dataset.link) out.push({Address: address, Got: address, Want: $('#stage').dataset.link})
					return out
				})()`, from)) {
					sameAs(t, d.Address, d.Got, d.Want)
				}
				if t.Failed() {
					return
				}
			}
			// Moments between two events, where the diagram's line stands on a
			// fraction that the server rounds.
			for _, part := range []float64{0.123, 0.391, 0.62, 0.877} {
				p.js(fmt.Sprintf(`const s = $('#slider'); s.value = s.max * %g; for (const e of ['input', 'change']) s.dispatchEvent(new Event(e, {bubbles: true}))`, part))
				sameAs(t, p.address(), withoutLine(evaluate[string](p.tab, "moment(document)")), withoutLine(evaluate[string](p.tab, "served(location.href)")))
			}
			at := p.address()
			got := evaluate[string](p.tab, "moment(document)")
			p.load(at)
			sameAs(t, "loaded anew: "+at, evaluate[string](p.tab, "moment(document)"), got)
		})
	}
}

// withoutLine leaves out where the diagram's line stands, which the server rounds
// between two events.
func withoutLine(moment string) string {
	before, after, _ := strings.Cut(moment, "\nnow: ")
	_, after, _ = strings.Cut(after, "\n")
	return before + "\n" + after
}

func TestPlayerShowsWhatIsSeenWithoutScript(t *testing.T) {
	for _, path := range []string{"/en/ordering/book/by-seq", "/en/ordering/trio/by-id?at=2.1s", "/zh/ordering/trio/by-seq?at=end", "/en/ordering/book?at=6.24s~0"} {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			seen := func(o options) string {
				p := openPlayer(t, o, path)
				// What is drawn and what is hidden, in the diagram too.
				return evaluate[string](p.tab, `moment(document) + '\n' + [...document.querySelectorAll('#diagram .on, #diagram .go, #diagram .bubble')]
					.map((el) => [...el.classList].filter((name) => !/past|flying/.test(name)) + ' ' + (getComputedStyle(el).display !== 'none' && getComputedStyle(el).visibility === 'visible' && getComputedStyle(el).opacity > .5 ? Math.round(parseFloat(getComputedStyle(el).strokeDashoffset) * 50) + ' ' + getComputedStyle(el).transform.split('.')[0] : 'hidden')).join('\n')`)
			}
			sameAs(t, path, withoutLine(seen(options{})), withoutLine(seen(options{NoScript: true})))
		})
	}
}

func TestPlayerPlaysToTheEnd(t *testing.T) {
	p := openPlayer(t, options{}, "/en/ordering/book/by-seq")
	p.is("$('#play').textContent", "Play")
	p.js(`window.calls = []; for (const name of ['pushState', 'replaceState']) {
		const original = history[name].bind(history)
		history[name] = (...args) => { calls.push(name + ' ' + args[2]); original(...args) }
	}
	window.clocks = []; new MutationObserver(() => clocks.push(parseFloat($('#clock').textContent))).observe($('#clock'), {childList: true})`)
	p.js("$('#speed').value = 4")
	p.click("#play")
	p.is("$('#play').textContent", "Pause")
	p.waitFor("$('#clock').textContent > '5.3'")
	p.is("$('#sentence').ariaLive", "off")
	p.is("[...document.querySelectorAll('#happened [aria-current]')].length", "1")
	p.waitFor("$('#play').textContent == 'Play again'")
	p.is("location.search", "?at=end")
	p.is("$('#clock').textContent", "9.57 s")
	p.is("$('#sentence').ariaLive", "null")
	sameAs(t, "at the end", evaluate[string](p.tab, "moment(document)"), evaluate[string](p.tab, "served('?at=end')"))
	calls := evaluate[[]string](p.tab, "calls")
	if len(calls) < 3 || len(calls) > 12 || strings.Contains(strings.Join(calls, " "), "push") {
		t.Errorf("the address was written so: %q", calls)
	}
	if !evaluate[bool](p.tab, "clocks.length > 60 && clocks.every((c, i) => !i || c >= clocks[i - 1])") {
		t.Errorf("the clock went %v", evaluate[[]float64](p.tab, "clocks"))
	}
	// It is at rest: nothing asks for another frame.
	p.js("window.asked = 0; const request = requestAnimationFrame.bind(window); window.requestAnimationFrame = (f) => { asked++; return request(f) }")
	time.Sleep(300 * time.Millisecond)
	p.is("asked", "0")
	p.click("#play")
	p.waitFor("$('#clock').textContent < '3'")
	p.click("#play")
	p.is("$('#play').textContent", "Play")
	p.is("parseFloat($('#clock').textContent) == parseFloat(location.search.slice(4)) / (/\\dms/.test(location.search) ? 1000 : 1)", "true")
}

func TestPlayerSteps(t *testing.T) {
	p := openPlayer(t, options{}, "/en/ordering/book/by-seq")
	p.js("window.flips = 0; const animate = Element.prototype.animate; Element.prototype.animate = function(...args) { flips++; return animate.apply(this, args) }")
	length := evaluate[int](p.tab, "history.length")
	texts := evaluate[[]string](p.tab, "[...document.querySelectorAll('#happened span')].map((el) => el.textContent)")
	for i, text := range texts {
		if i < 8 { // as somebody who reads; lines take their time only for him
			time.Sleep(300 * time.Millisecond)
		}
		if i > 0 {
			p.click("#move-forward")
		}
		p.is("$('#sentence').textContent", text)
		p.is("$('#slider').getAttribute('aria-valuetext')", text)
	}
	p.is("location.search", "?at=end")
	p.is("flips > 2", "true")
	if got := evaluate[int](p.tab, "history.length"); got != min(length+len(texts)-1, 50) {
		t.Errorf("the history grew from %d to %d by %d steps", length, got, len(texts)-1)
	}
	// A link that ends being one does not take the focus with it.
	p.js("$('#move-back').focus(); $('#move-back').click(); $('#move-forward').focus(); $('#move-forward').click()")
	p.is("document.activeElement.id", "play")
	p.js("flips = 0")
	for i := len(texts) - 2; i >= 0; i-- {
		p.click("#move-back")
		p.is("$('#sentence').textContent", texts[i])
	}
	p.is("location.search", "")
	p.is("flips", "0")
	p.is("$('#move-back').getAttribute('aria-disabled') + $('#move-back').hasAttribute('href')", "truefalse")
	// Clicks with a key are for the browser.
	for _, key := range []string{"ctrlKey", "metaKey", "shiftKey", "altKey"} {
		p.is("(() => { let stopped; addEventListener('click', (e) => { stopped = e.defaultPrevented; e.preventDefault() }, {once: true});"+
			"$('#move-forward').dispatchEvent(new MouseEvent('click', {bubbles: true, cancelable: true, "+key+": true})); return stopped })()", "false")
	}
	p.is("location.search", "")
	// Marks and the diagram's times lead to their moments.
	p.click("#marks .lost")
	p.is("$('#clock').textContent", "5.04 s")
	p.is("location.search", "?at=5.04s")
	p.js("[...document.querySelectorAll('#ticks a')].find((a) => a.textContent === '6.94').dispatchEvent(new MouseEvent('click', {bubbles: true, cancelable: true}))")
	p.is("$('#clock').textContent", "6.94 s")
}

// slider drags the slider with the mouse through parts of its length, and lets go
// of it at the last.
func (p *player) slide(parts ...float64) {
	p.t.Helper()
	p.js("$('#slider').scrollIntoView({block: 'center'})")
	box := evaluate[[]float64](p.tab, "(({left, top, width, height}) => [left, top + height / 2, width])($('#slider').getBoundingClientRect())")
	at := func(part float64) (x, y float64) { return box[0] + 8 + part*(box[2]-16), box[1] }
	x, y := at(evaluate[float64](p.tab, "$('#slider').value / $('#slider').max"))
	p.do(chromedp.MouseEvent(chromedp.MousePressed, x, y, chromedp.ButtonLeft, chromedp.ClickCount(1)))
	for _, part := range parts {
		x, y = at(part)
		p.do(chromedp.MouseEvent(chromedp.MouseMoved, x, y, chromedp.ButtonLeft))
		p.js("await frames2()")
	}
	p.do(chromedp.MouseEvent(chromedp.MouseReleased, x, y, chromedp.ButtonLeft, chromedp.ClickCount(1)))
}

func TestPlayerSlides(t *testing.T) {
	p := openPlayer(t, options{}, "/en/ordering/book/by-seq")
	p.js("window.flips = 0; Element.prototype.animate = () => flips++; window.length = history.length; window.seen = new Set(); new MutationObserver(() => seen.add($('#clock').textContent)).observe($('#clock'), {childList: true})")
	p.slide(.2, .3, .5, .4, .3777)
	p.is("flips", "0")
	p.is("seen.size > 4", "true")
	p.is("history.length - length", "1")
	p.is("Math.abs($('#slider').value / $('#slider').max - .3777) < .02", "true")
	p.is("/^[?]at=[0-9.]+s$/.test(location.search)", "true")
	at := p.address()
	sameAs(t, at, withoutLine(evaluate[string](p.tab, "moment(document)")), withoutLine(evaluate[string](p.tab, "served(location.href)")))
	// Let go of near an event, it is at the event.
	p.slide(.5, evaluate[float64](p.tab, "16.09 / $('#slider').max"))
	p.is("location.search", "?at=6.24s")
	// While playing, it goes on from there.
	p.click("#play")
	p.slide(.1)
	p.is("$('#play').textContent", "Pause")
	p.waitFor("parseFloat($('#clock').textContent) > 1.6 && parseFloat($('#clock').textContent) < 4")
	p.click("#play")
	// Its keys go by events.
	p.js("$('#slider').focus()")
	p.press(kb.Home)
	p.is("location.search", "")
	for _, step := range []struct{ key, want string }{
		{kb.ArrowRight, "1.4 s"}, {kb.ArrowUp, "1.5 s"}, {kb.ArrowRight, "1.6 s"}, {kb.ArrowRight, "1.6 s"}, {kb.ArrowLeft, "1.6 s"}, {kb.ArrowDown, "1.5 s"},
		{kb.End, "9.57 s"}, {kb.ArrowRight, "9.57 s"}, {kb.Home, "0 s"}, {kb.ArrowDown, "0 s"},
	} {
		p.press(step.key)
		p.is("$('#clock').textContent", step.want)
		p.is("$('#slider').getAttribute('aria-valuetext') === $('#sentence').textContent", "true")
	}
	p.press(kb.PageUp)
	p.is("parseFloat($('#clock').textContent) > 0", "true")
	// One tick an event, a strong one for what matters.
	p.is("[...document.querySelectorAll('#strip path')].map((path) => path.getAttribute('d').split('M').length - 1)",
		evaluate[string](p.tab, "['li:not(.marked)', '.marked'].map((css) => document.querySelectorAll('#happened > ' + css).length).join()"))
}

func TestPlayerKeepsHistory(t *testing.T) {
	p := openPlayer(t, options{}, "/en/ordering/book/by-seq?at=5.04s")
	p.click("#move-forward")
	p.click("#move-forward")
	p.is("location.search", "?at=5.61s")
	p.js("$('#play').click()")
	p.waitFor("$('#clock').textContent > '5.7'")
	p.click("#play")
	paused := p.address()
	p.do(chromedp.Reload())
	p.js(tellMoment)
	p.is("location.pathname + location.search", paused)
	p.is("$('#clock').textContent.slice(0, -2) + 's'", strings.Split(paused, "=")[1])
	p.is("$('#play').textContent", "Play")
	p.js("history.back()")
	p.is("$('#clock').textContent", "5.51 s")
	p.js("history.back()")
	p.is("$('#clock').textContent", "5.04 s")
	p.js("history.forward()")
	p.is("$('#clock').textContent", "5.51 s")
	sameAs(t, "after going back", evaluate[string](p.tab, "moment(document)"), evaluate[string](p.tab, "served(location.href)"))
	// To another run and back.
	p.click(".tabs a")
	p.is("location.pathname + location.search", "/en/ordering?at=5.51s")
	p.is("$('#more').hasAttribute('data-more') + $('.tabs [aria-current]').textContent", "falseBy arrival")
	p.is("$('#clock').textContent", "5.51 s")
	p.js("history.back()")
	p.is("$('#more').hasAttribute('data-more') + $('.tabs [aria-current]').textContent", "falseBy seq, fetch on a gap")
	p.is("$('#clock').textContent", "5.51 s")
	p.is("$('#play').textContent", "Play")
	p.is("moment(document) === window.want", "false")
	sameAs(t, "back in the run", evaluate[string](p.tab, "moment(document)"), evaluate[string](p.tab, "served(location.href)"))
}

func TestPlayerHearsKeys(t *testing.T) {
	p := openPlayer(t, options{}, "/en/ordering/book")
	clock := "$('#clock').textContent"
	p.press(kb.ArrowRight + " 3")
	p.js("document.querySelector('#guess input').focus({preventScroll: true})")
	p.press("3" + kb.End)
	p.is(clock, "0 s")
	p.is("location.pathname + location.search", "/en/ordering/book")
	p.js("$('#happened').focus({preventScroll: true})")
	p.press(kb.ArrowRight)
	p.is(clock, "1.4 s")
	p.press(kb.End)
	p.is(clock, "9.57 s")
	p.press(kb.ArrowLeft)
	p.is(clock, "9.57 s")
	p.press(kb.ArrowLeft)
	p.is(clock, "9.47 s")
	p.press(kb.Home)
	p.is(clock, "0 s")
	p.press(" ")
	p.is("$('#play').textContent", "Pause")
	p.press(" ")
	p.is("$('#play').textContent", "Play")
	p.press("2")
	p.is("$('#more').hasAttribute('data-more') + location.pathname", "false/en/ordering/book/by-id")
	p.press("9")
	p.is("location.pathname", "/en/ordering/book/by-id")
	p.do(chromedp.KeyEvent(kb.End, chromedp.KeyModifiers(chromedp.ModifierCtrl)))
	p.js("$('#speed').focus()")
	p.press(kb.End)
	p.is("$('#speed').value + ($('#play').textContent)", "4Play")
	// A button keeps its own keys and leaves the others.
	p.js("$('#play').focus()")
	p.press(" ")
	p.is("$('#play').textContent", "Pause")
	p.press(kb.End)
	p.is("$('#play').textContent + "+clock, "Play again9.57 s")
	p.js("$('summary').focus()")
	p.press(" ")
	p.is("$('details').open + $('#play').textContent", "truePlay again")
}

func TestPlayerHopsWithReducedMotion(t *testing.T) {
	p := openPlayer(t, options{ReducedMotion: true}, "/en/ordering/book/by-seq")
	p.js("Element.prototype.animate = () => { throw Error('this moves') }; window.lines = []; new MutationObserver(() => lines.push($('#now-line').getAttribute('transform'))).observe($('#now-line'), {attributes: true})")
	p.js("$('#speed').value = 4")
	p.click("#play")
	p.waitFor("$('#play').textContent == 'Play again'")
	if got := evaluate[int](p.tab, "new Set(lines).size"); got != evaluate[int](p.tab, "new Set([...document.querySelectorAll('#happened > li')].map((li) => li.dataset.y)).size - 1") {
		t.Errorf("the line was at %d places", got)
	}
	p.click("#move-back")
	p.click("#move-forward")
}

func TestPlayerPausesUnseen(t *testing.T) {
	p := openPlayer(t, options{}, "/en/ordering/book/by-seq?at=1.4s")
	stands := func(what string) {
		t.Helper()
		clock := p.text("#clock")
		time.Sleep(400 * time.Millisecond)
		if p.text("#clock") != clock || p.text("#play") != "Pause" {
			t.Errorf("%s: the clock went from %s to %s", what, clock, p.text("#clock"))
		}
		at := evaluate[string](p.tab, "new URLSearchParams(location.search).get('at')")
		if !strings.HasPrefix(at, strings.TrimRight(strings.TrimSuffix(clock, " s"), "0")) {
			t.Errorf("%s: the address says %s at %s", what, at, clock)
		}
	}
	goes := func() {
		t.Helper()
		p.js("window.before = $('#clock').textContent")
		p.waitFor("$('#clock').textContent !== before")
	}
	p.click("#play")
	goes()
	p.js("scrollTo({top: document.body.scrollHeight, behavior: 'instant'}); await frames2(); await frames2()")
	stands("off screen")
	p.js("scrollTo({top: 500, behavior: 'instant'})")
	goes()
	hide := func(hidden bool) {
		p.js(fmt.Sprintf("Object.defineProperty(document, 'hidden', {value: %t, configurable: true}); document.dispatchEvent(new Event('visibilitychange')); await frames2()", hidden))
	}
	hide(true)
	stands("hidden")
	hide(false)
	goes()
}

func TestPlayerSpeaks(t *testing.T) {
	p := openPlayer(t, options{}, "/en/ordering/book/by-seq?at=6.14s")
	p.is("$('#sentence').role + $('#sentence').ariaLive", "statusnull")
	p.is("$('#clock').ariaLive", "off")
	p.js("window.said = []; new MutationObserver(() => $('#sentence').ariaLive || said.push($('#sentence').textContent)).observe($('#sentence'), {childList: true})")
	p.click("#move-forward")
	p.is("said.length", "1")
	p.js("$('#speed').value = 4")
	p.click("#play")
	p.waitFor("$('#clock').textContent > '6.9'")
	p.is("said.length", "1")
	p.click("#play")
	p.is("said.length + said[1]", "2"+p.text("#sentence"))
	// The slider speaks for itself.
	p.js("$('#slider').focus()")
	p.press(kb.ArrowRight + kb.ArrowRight)
	p.is("$('#slider').getAttribute('aria-valuetext')", p.text("#sentence"))
	p.is("said.length", "2")
	p.js("$('#happened').focus()")
	p.press(kb.ArrowRight)
	p.is("said.length + said[2]", "3"+p.text("#sentence"))
	p.is("$('#sentence').ariaLive", "null")
	p.is("document.querySelectorAll('#happened [aria-current]').length + $('#happened [aria-current] span').textContent", "1"+p.text("#sentence"))
	// Readers meet the lines in the order in which they are seen, and no others.
	p.is(`[...document.querySelectorAll('.column ol')].every((ol) => {
		const tops = [...ol.children].filter((li) => li.checkVisibility()).map((li) => li.offsetTop)
		return tops.length && tops.every((top, i) => !i || top > tops[i - 1])
	})`, "true")
}

func TestPlayerMidPlayHasNoViolations(t *testing.T) {
	for _, o := range []options{{}, {Width: 360, Height: 740, Dark: true}} {
		p := openPlayer(t, o, "/en/ordering/trio/by-seq?at=1.9s")
		p.js("$('#speed').value = .5")
		p.click("#play")
		p.js("await frames2()")
		axe(t, p.tab)
		p.click("#play")
		p.shot(fmt.Sprintf("player-%d", o.Width))
	}
}

// rested is all below the player, once the run is here and stands still.
func (p *player) rested() string {
	p.t.Helper()
	p.waitFor("!streams && !$('#more').hasAttribute('data-more') && !['Pause', '暂停'].includes($('#play').textContent)")
	p.js("await frames2()")
	// Somewhere to break lines for a comparison.
	return strings.ReplaceAll(evaluate[string](p.tab, "sorted($('#lab'))"), "<", "\n<")
}

// A run that was streamed in leaves the page as a fresh load of its address does.
func TestPlayerStreamsWhatALoadShows(t *testing.T) {
	for _, test := range []struct{ from, then, address string }{
		{"/en/ordering/book/by-seq?at=6.24s~0", "$('.tabs a').click()", "/en/ordering?at=6.24s"},
		{"/en/ordering?at=end", "$('#metrics th:nth-child(4) a').click()", "/en/ordering/book/by-seq?at=end"},
		{"/en/ordering/trio/by-id?at=2s&rate=2", "$('.tabs a:nth-of-type(3)').click()", "/en/ordering/trio/by-seq?at=2s&rate=2"},
		{"/zh/ordering/book/by-seq?at=6.3s", "$('.acts a').click()", "/zh/ordering/book/by-seq?edits=send-a1-6.3s&at=6.3s"},
		{"/en/ordering/random/by-seq?loss=0.2&at=8s", "$('.tabs a').click()", "/en/ordering/random?loss=0.2&at=8s"},
		{"/en/ordering", "$('[value=lines]').checked = true; $('#guess button').click()", "/en/ordering?at=end&guess=lines"},
		{"/en/ordering?at=5s", "document.querySelectorAll('.tabs')[1].querySelectorAll('a')[1].click()", "/en/ordering/trio?at=end"},
		{"/en/ordering/book/by-seq?at=5s", "$('details').open = true; $('[name=loss]').value = '0.1'; $('.controls button').click()", "/en/ordering/book/by-seq?loss=0.1&at=end"},
	} {
		t.Run(test.address, func(t *testing.T) {
			t.Parallel()
			p := openPlayer(t, options{}, test.from)
			p.rush()
			p.js("window.fresh = false;" + test.then)
			streamed := p.rested()
			p.is("window.fresh + location.pathname + location.search", "false"+test.address)
			link := evaluate[string](p.tab, "$('#language').getAttribute('href')")
			p.load(test.address)
			sameAs(t, test.address, streamed, p.rested())
			p.is("$('#language').getAttribute('href')", link)
		})
	}
}

func TestPlayerJudgesAGuess(t *testing.T) {
	p := openPlayer(t, options{}, "/en/ordering/book/by-seq")
	p.rush()
	p.js("$('#speed').options[3].value = 8; $('[value=same]').checked = true; $('#guess button').click()")
	p.waitFor("$('.verdict') && parseFloat($('#clock').textContent) > 1")
	p.is("getComputedStyle($('.verdict')).visibility", "hidden")
	p.is("location.search.replace(/at=[^&]*&/, '')", "?guess=same")
	p.waitFor("$('#play').textContent == 'Play again'")
	p.is("getComputedStyle($('.verdict')).visibility", "visible")
	p.is("$('#lab + [role=status]').textContent.trim().replace(/\\s+/g, ' ')", evaluate[string](p.tab, "$('.verdict').textContent.trim().replace(/\\s+/g, ' ')"))
	p.is("location.search", "?at=end&guess=same")
	// It is hidden again before the end.
	p.click("#move-back")
	p.is("getComputedStyle($('.verdict')).visibility", "hidden")
}

func TestPlayerSendsByHand(t *testing.T) {
	p := openPlayer(t, options{}, "/en/ordering/book/by-seq?at=6.3s")
	p.click(".acts a")
	p.is("location.search", "?edits=send-a1-6.3s&at=6.3s")
	p.is("$('#sentence').textContent.includes('Ana sends a1') + $('#col-0 li:nth-child(5)')?.textContent.slice(0, 2) + $('#play').textContent", "truea1Play")
	p.click("#move-forward")
	p.click(".acts a")
	p.is("location.search.startsWith('?edits=send-a1-6.3s_send-a2-6.4s&at=6.4s')", "true")
	p.is("document.querySelectorAll('.edits .undo').length", "2")
	p.click(".edits .undo")
	p.is("location.search", "?edits=send-a2-6.4s&at=6.4s")
	// Playing goes on.
	p.click("#play")
	p.click(".acts a")
	p.waitFor("$('#clock').textContent > '7.1'")
	p.is("$('#play').textContent", "Pause")
}

// interruption breaks the first streams after some writes.
type interruption struct {
	http.Handler
	streams int // that are broken
	writes  int // before that
	clean   bool
	status  int // instead of a stream
}

func (i *interruption) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !strings.HasPrefix(r.URL.Path, "/stream/") || i.streams == 0 {
		i.Handler.ServeHTTP(w, r)
		return
	}
	i.streams--
	if i.status != 0 {
		http.Error(w, "", i.status)
		return
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	i.Handler.ServeHTTP(&interrupted{w, i, i.writes, cancel}, r.WithContext(ctx))
}

type interrupted struct {
	http.ResponseWriter
	*interruption
	left   int
	cancel func()
}

func (w *interrupted) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w *interrupted) Write(data []byte) (int, error) {
	if w.left--; w.left < 0 {
		if !w.clean {
			panic(http.ErrAbortHandler)
		}
		w.cancel()
		return 0, io.ErrClosedPipe
	}
	return w.ResponseWriter.Write(data)
}

// reloads waits until another page is there on which a JavaScript expression is
// true.
func (p *player) reloads(js string) {
	p.t.Helper()
	p.arrives("!window.moment && (" + js + ")")
}

func TestPlayerSurvivesCuts(t *testing.T) {
	pages := web.Handler(slog.New(slog.DiscardHandler))
	t.Run("heals", func(t *testing.T) {
		p := openPlayerAt(t, options{}, &interruption{Handler: pages, streams: 2, writes: 30}, "/en/ordering/trio?at=3s")
		p.expect("ERR_INCOMPLETE_CHUNKED_ENCODING")
		p.click(".tabs a:nth-of-type(3)")
		streamed := p.rested()
		p.load("/en/ordering/trio/by-seq?at=3s")
		sameAs(t, "healed", streamed, p.rested())
	})
	t.Run("tells", func(t *testing.T) {
		p := openPlayerAt(t, options{}, &interruption{Handler: pages, streams: 1, writes: 40, clean: true}, "/en/ordering/trio?at=3s")
		p.click(".tabs a:nth-of-type(3)")
		p.waitFor("!$('#cut').hidden")
		p.is("$('#cut a').getAttribute('href')", "/en/ordering/trio/by-seq?at=3s")
		axe(t, p.tab)
		p.click(".tabs a:nth-of-type(2)")
		p.waitFor("!$('#more').hasAttribute('data-more')")
		p.waitFor("!streams")
		p.is("$('#cut').hidden", "true")
		p.is("location.pathname", "/en/ordering/trio/by-id")
	})
	t.Run("refused", func(t *testing.T) {
		p := openPlayerAt(t, options{}, &interruption{Handler: pages, streams: 1, status: http.StatusServiceUnavailable}, "/en/ordering/trio?at=3s")
		p.expect("status of 503")
		p.click(".tabs a:nth-of-type(3)")
		p.reloads("location.pathname + location.search + document.querySelector('.tabs [aria-current]').textContent == '/en/ordering/trio/by-seq?at=3sBy seq, fetch on a gap'")
	})
	t.Run("wrong", func(t *testing.T) {
		p := openPlayer(t, options{}, "/en/ordering/book/by-seq")
		p.js("$('[name=loss]').value = 'much'; $('.controls button').click()")
		p.waitFor("$('.problem')")
		p.is("location.search.includes('loss=much')", "true")
		p.js("history.back()")
		p.reloads("document.querySelector('#player')")
	})
	t.Run("alone", func(t *testing.T) {
		alone := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, "/datastar.js") {
				w.Header().Set("Content-Type", "text/javascript")
				return
			}
			pages.ServeHTTP(w, r)
		})
		p := openPlayerAt(t, options{}, alone, "/en/ordering/trio?at=3s")
		p.click(".tabs a:nth-of-type(3)")
		p.reloads("location.pathname + location.search + document.querySelector('.tabs [aria-current]').textContent == '/en/ordering/trio/by-seq?at=3sBy seq, fetch on a gap'")
	})
}

// A newer run puts an end to the stream of the one before.
func TestPlayerChangesItsMind(t *testing.T) {
	p := openPlayer(t, options{}, "/en/ordering/trio?at=3s")
	p.js("for (const i of [2, 3, 1, 3, 2]) { document.querySelector(`.tabs a:nth-of-type(${i})`).click(); if (i > 1) await frames2() }")
	streamed := p.rested()
	p.is("location.pathname", "/en/ordering/trio/by-id")
	p.load("/en/ordering/trio/by-id?at=3s")
	sameAs(t, "the last run", streamed, p.rested())
}
