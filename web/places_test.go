package web

import (
	"strings"
	"testing"

	"golang.org/x/net/html"

	"imscope/sim/im"
)

// TestPlaces checks that the grid shows a row lost under just those protocols and fixes under which one can be, that the run of the
// page is in it, and that each square leads to a run that is as it says.
func TestPlaces(t *testing.T) {
	for address, loses := range map[string]bool{
		"/en/polling/hole":                         true,
		"/zh/polling/hole?onewriter=on":            false,
		"/en/polling/hole?rowlock=on":              false,
		"/en/polling/hole?rowlock=on&apart=on":     true,
		"/en/polling/hole/poll-time":               false,
		"/en/polling/hole/poll-time?overlap=100ms": true,
		"/en/polling/hole/poll-token":              false,
		"/zh/polling/hole/long-poll":               true,
		"/en/polling/hole/push":                    false,
	} {
		p, err := places(t.Context(), mustLink(t, address))
		if err != nil {
			t.Fatal(err)
		}
		if (p.Lost > 0) != loses || p.Lost == p.Of || len(p.Places) != p.Of {
			t.Errorf("%s: lost in %d of %d, wanted: %t", address, p.Lost, p.Of, loses)
		}
		here := 0
		for _, at := range p.Places {
			if at.Current {
				here++
			}
			if at.Row%4 != at.Column%3 { // a sample
				continue
			}
			var m im.Metrics
			play(t, mustLink(t, strings.TrimSuffix(at.Href, "#stage")), func(_ *stage, e taken) { m = e.fold.Metrics() })
			if (m.Lost > 0) != at.Lost {
				t.Errorf("%s is said to lose: %t", at.Href, at.Lost)
			}
		}
		if here != 1 {
			t.Errorf("%s: the run is in the grid %d times", address, here)
		}
	}
	if p, err := places(t.Context(), mustLink(t, "/en/polling")); p != nil || err != nil {
		t.Errorf("the book's run has a grid: %v", err)
	}
}

// TestRemedies plays the run of every remedy that the page tells of: it loses the row or not, as the page says.
func TestRemedies(t *testing.T) {
	section := elements(document(t, get(site(), "/en/polling").Body.String()), func(n *html.Node) bool { return attr(n, "class") == "remedies" })[0]
	items := elements(section, func(n *html.Node) bool { return n.Data == "li" })
	if len(items) < 6 {
		t.Fatalf("%d remedies", len(items))
	}
	for _, item := range items {
		address, _, _ := strings.Cut(links(item)[0], "#")
		var m im.Metrics
		play(t, mustLink(t, address), func(_ *stage, e taken) { m = e.fold.Metrics() })
		if works := strings.Contains(text(item), "It works"); works != (m.Lost == 0) {
			t.Errorf("%s loses %d, and the page says %q", address, m.Lost, text(item))
		}
	}
}
