package browser

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// pointAt clicks, with the mouse, in the middle of the first element that a CSS selector finds.
func (p *player) pointAt(css string) {
	p.t.Helper()
	p.js("document.querySelector('" + css + "').scrollIntoView({block: 'center', behavior: 'instant'}); await frames2()")
	box := evaluate[[]float64](p.tab, "(({x, y, width, height}) => [x + width / 2, y + height / 2])(document.querySelector('"+css+"').getBoundingClientRect())")
	p.do(chromedp.MouseClickXY(box[0], box[1]))
}

const floating = "[...document.querySelectorAll('.floating li:not([hidden])')].map((e) => e.textContent.replace(/\\s+/g, ' ').trim()).join()"

// timeEdit takes the time from the next click, which makes an edit, to the picture of the run that it leads to, in window.took. That run is
// here when the edit is listed, and the player shows where it stands.
func (p *player) timeEdit() {
	p.t.Helper()
	p.js(`window.took = 0
	let clicked
	addEventListener('click', () => (clicked = performance.now()), {capture: true, once: true})
	new MutationObserver((_, watch) => {
		if (!$('#edits li') || !$('#happened li:not([hidden])')) return
		watch.disconnect()
		requestAnimationFrame(() => {
			const shown = new MessageChannel()
			shown.port1.onmessage = () => (took = performance.now() - clicked)
			shown.port2.postMessage(0)
		})
	}).observe($('#lab'), {childList: true, subtree: true, attributes: true})`)
}

// A leg is lost by pointing at it and choosing to lose it; the run goes on from where it stood.
func TestLegIsLostInTwoActions(t *testing.T) {
	for _, o := range []options{{}, {Width: 360, Height: 740, Dark: true}} {
		p := openPlayer(t, o, "/en/ordering/book/by-seq?at=7.03s")
		p.pointAt("[data-leg=push-A1-ben]")
		p.is(floating, "the push of A1 to Ben lose it0.2 s late1 s late")
		p.is("location.search", "?at=6.14s") // where it leaves
		axe(t, p.tab)
		p.shot("break-floating")
		p.timeEdit()
		p.js("window.same = [...document.querySelectorAll('#legs > *, #dots > *, #happened > *, .column li')]")
		p.pointAt(".floating [data-edit=lose-push-A1-ben]")
		p.waitFor("window.took")
		p.is("same.filter((element) => element.isConnected).length > 40", "true") // the run is the same up to there, and so is what shows it
		t.Logf("the run without the leg is on the screen after %.1f ms", evaluate[float64](p.tab, "took"))
		p.waitFor("!$('#more').hasAttribute('data-more')")
		p.is("location.search", "?edits=lose-push-A1-ben&at=6.14s")
		p.is("$('.floating') + $('#play').textContent", "nullPlay")
		p.is("[...document.querySelectorAll('#col-2 .hole:not([hidden]) b')].map((e) => e.textContent).join()", "A2,A1")
		p.is("$('#edits').textContent.includes('the push of A1 to Ben is lost')", "true")
		p.click("#edits .undo")
		p.waitFor("!$('#more').hasAttribute('data-more')")
		p.is("location.search + document.querySelectorAll('#edits li').length", "?at=6.14s0")
	}
}

// By keyboard alone: b leads to what can be broken at the moment, Enter does it.
func TestBreaksByKeyboard(t *testing.T) {
	p := openPlayer(t, options{}, "/zh/polling/hole?at=1.6s")
	p.js("$('#happened').focus({preventScroll: true})")
	p.press("b")
	p.is("document.activeElement.closest('li')?.textContent.replace(/\\s+/g, ' ').trim()", "A1 的写入 要 1 秒回滚")
	p.press(kb.Enter)
	p.waitFor("!streams && !$('#more').hasAttribute('data-more')")
	p.is("location.search", "?edits=stall-A1-1s&at=1.6s")
	p.is("$('#edits').textContent.includes('写入 A1 要 1 秒')", "true")
	// A lifeline offers what there is at that time.
	p.click("#move-end")
	p.pointAt("#dots .dot.b circle")
	p.is("document.querySelectorAll('.floating').length", "1")
	p.press(kb.Escape)
	p.is("document.querySelectorAll('.floating').length", "0")
}

// Runs beside one another play on one clock.
func TestComparesOnOneClock(t *testing.T) {
	p := openPlayer(t, options{Width: 1280, Height: 1000}, "/en/ordering/book/by-seq?at=5s")
	p.click(".tabs:nth-of-type(3) a")
	p.waitFor("!streams && $('#diagram-1') && !$('#more').hasAttribute('data-more')")
	p.is("location.search", "?with=arrival&at=5s")
	p.js("$('#speed').selectedIndex = 3")
	p.click("#play")
	p.waitFor("$('#play').textContent == 'Play again'")
	p.is("[...document.querySelectorAll('.diagram .now')].map((e) => e.getAttribute('transform')).filter((e, i, all) => e != all[0]).length", "0")
	p.is("document.querySelectorAll('.diagram').length + ' ' + document.querySelectorAll('.side-screens .column').length", "2 6")
	p.is("[...document.querySelectorAll('#col-5 li:not([hidden])')].filter((e) => e.querySelector('.apart')).map((e) => e.querySelector('b').textContent).join()", "B3,A3")
	p.is("$('#partings').textContent.includes('At 5.71 s Ana’s screens part: By seq, fetch on a gap has A2 above A1, By arrival below.')", "true")
	axe(t, p.tab)
	p.shot("compare")
	p.click("#partings a")
	p.is("location.search", "?with=arrival&at=5.71s")
	streamed := p.rested()
	p.load("/en/ordering/book/by-seq?with=arrival&at=5.71s")
	sameAs(t, "beside", streamed, p.rested())
	p.click(".tabs:nth-of-type(3) [aria-current]")
	p.waitFor("!streams && !$('#more').hasAttribute('data-more')")
	p.is("location.search + $('#diagram-1')", "?at=5.71snull")
}

// Why a line is as it is, is asked at the line and answered in sentences that lead to their moments.
func TestWhyIsAnswered(t *testing.T) {
	p := openPlayer(t, options{}, "/en/ordering/book/by-id?at=end")
	p.js("[...document.querySelectorAll('#col-2 .hole:not([hidden]) a')][0].focus()")
	p.press(kb.Enter)
	p.waitFor("!streams && $('#why h3')")
	p.is("location.search", "?at=end&why=ben.A2_end")
	p.is("$('#why').textContent.includes('The push of A2 to Ben is lost') && $('#why').contains(document.activeElement)", "true")
	p.is("document.querySelectorAll('#asked .asked').length", "1")
	axe(t, p.tab)
	streamed := p.rested()
	p.load("/en/ordering/book/by-id?at=end&why=ben.A2_end")
	sameAs(t, "why", streamed, p.rested())
	p.click("#why li a")
	p.is("location.search", "?at=5.61s&why=ben.A2_end")
	p.js("[...document.querySelectorAll('#why a')].at(-1).click()") // without it
	p.waitFor("!streams && $('#edits li')")
	p.is("$('#edits').textContent.includes('the push of A2 to Ben arrives') && $('#col-2 .hole:not([hidden])') === null", "true")
}

// A text is checked as it is typed, and run.
func TestTextIsCheckedAsTyped(t *testing.T) {
	for _, o := range []options{{}, {Width: 360, Height: 740, Dark: true}} {
		p := openPlayer(t, o, "/en/ordering/book/by-seq")
		p.js("document.querySelector('.take a[href^=\"/text/\"]').click()")
		p.reloads("document.querySelector('#text-check strong')?.textContent.startsWith('✓')")
		p.js("const text = document.querySelector('#text'); text.focus(); text.setSelectionRange(text.value.length, text.value.length)")
		p.press("lose push A3")
		p.waitFor("document.querySelector('#text-check').textContent.includes('a phone should be named: ana, ben')")
		axe(t, p.tab)
		p.shot("text")
		p.press(" ben")
		p.waitFor("document.querySelector('#text-check').textContent.includes('with 1 change')")
		p.js("document.querySelector('#text-check a').click()")
		p.reloads("location.search == '?edits=lose-push-A3-ben' && document.querySelector('#lab')")
	}
}

// A challenge that was solved stays marked in this browser.
func TestChallengesAreRemembered(t *testing.T) {
	p := openPlayer(t, options{}, "/en/ordering/book/by-seq")
	p.is("document.querySelectorAll('#challenges .once').length", "0")
	p.js("$('#challenges details:nth-of-type(2)').open = true; $('#challenges details:nth-of-type(2) a').click()")
	p.waitFor("!streams && $('#challenges .solved')")
	p.is("$('#lab + [role=status]').textContent.trim().replace(/\\s+/g, ' ').endsWith('✓ Solved')", "true")
	p.load("/zh/ordering")
	p.is("document.querySelectorAll('#challenges .once').length + ' ' + document.querySelectorAll('#challenges .solved').length", "1 0")
	p.js("localStorage['imscope-solved'] = 'nonsense'")
	p.load("/zh/ordering")
	p.is("document.querySelectorAll('#challenges .once').length", "0")
}
