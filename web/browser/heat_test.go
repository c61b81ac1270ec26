package browser

import (
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// TestHeatTells walks the map of conversations by keys and by the pointer: one tab stop, arrows that move in the map and not in the run,
// and for each conversation what the server's page would say of it.
func TestHeatTells(t *testing.T) {
	p := openPlayer(t, options{}, "/en/offline/book/conversation-cursors?away=1d&at=end")
	const told = "$('#heat-told').textContent"
	p.is("document.querySelectorAll('#heat-figure [tabindex=\"0\"]').length", "1")
	p.js("$('#heat').focus()")
	p.press(kb.ArrowRight)
	p.is(told+".startsWith('Conversation 1 · ')", "true")
	p.is(told+".endsWith(' · the server has looked at it · all of it is on the phone')", "true")
	p.press(kb.ArrowDown + kb.ArrowLeft + kb.ArrowUp)
	p.is(told+".split(' · ')[0]", "Conversation 20") // down to 21, back to 20, and above that is nothing
	p.press(kb.ArrowDown)
	p.is(told+".split(' · ')[0]", "Conversation 40")
	p.press(kb.End)
	p.is(told+".split(' · ')[0]", "Conversation 200")
	p.is("$('#heat [aria-current]') === $('#heat').lastElementChild", "true")
	p.is("location.search", "?away=1d&at=end") // the run has not moved
	// All that is told adds up to the table.
	p.is(`[...$('#heat').children].reduce((sum, cell) => (cell.click(), sum + (parseInt(`+told+`.split(' · ')[1]) || 0)), 0)`, "267")
	p.is(`[...$('#heat').children].filter((cell) => (cell.click(), `+told+`.includes('for nothing'))).length`,
		evaluate[string](p.tab, "[...document.querySelectorAll('#metrics tbody tr')].find((row) => row.textContent.includes('for nothing')).cells[2].textContent"))
	p.js("$('#heat').children[0].click()")
	p.click("#move-start")
	p.is(told, "Conversation 1 · nothing new")
}

// How smoothly 2,000 conversations play, for the log.
func TestHeatOfTwoThousand(t *testing.T) {
	p := openPlayer(t, options{}, "/en/offline/book/global-id?away=1w&conversations=2000")
	p.js("$('#stage').scrollIntoView({behavior: 'instant'})")
	p.js("$('#happened').focus({preventScroll: true})")
	p.press(" ")
	t.Logf("played: %v; load of the machine %s", p.smooth(6, "() => 0"), load())
	p.press(" ")
	t.Logf("dragged through in 6 s: %v", p.smooth(6, `(t) => {
		$('#slider').value = $('#slider').max * t
		$('#slider').dispatchEvent(new Event('input', {bubbles: true}))
	}`))
}
