package browser

import (
	"fmt"
	"log/slog"
	"testing"

	"imscope/web"
)

// TestEmbedsHaveNoViolations runs axe over runs that stand alone, in every look.
func TestEmbedsHaveNoViolations(t *testing.T) {
	url := startServer(t, web.Handler(slog.New(slog.DiscardHandler)))
	tb := newTab(t, options{})
	for _, page := range []string{"/embed/en/ordering/book/by-seq?at=6.24s", "/embed/zh/offline?at=end", "/embed/zh/polling?show=diagram_legend_screens_sentences_controls_protocols_story_table_why_changes_knobs_guess_tasks"} {
		tb.open(url + page)
		for i, look := range looks {
			tb.apply(look)
			name := fmt.Sprintf("%s at %d px, dark %v", page, look.Width, look.Dark)
			for _, v := range violations(t, tb) {
				t.Errorf("%s: %v", name, v)
			}
			sideways(t, tb, name)
			if i%3 == 0 {
				tb.shot(fmt.Sprintf("embed-%s-%d", page[7:9], look.Width))
			}
		}
	}
}
