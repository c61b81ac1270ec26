package web

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// TestFinds checks that the page and the end of the stream find the same, and that the link leads to a run.
func TestFinds(t *testing.T) {
	server, _ := oftenSite(t, time.Minute, 0)
	for _, link := range []string{"/en/ordering/book/by-id", "/zh/ordering/random/arrival?phones=3", "/en/offline/book/inbox"} {
		l := mustLink(t, link)
		address := l.finds(map[string]string{"ordering": "missing_unnoticed >= 1", "offline": "active_conversations == 1"}[l.Chapter.Name])
		all := patches(t, open(t, t.Context(), server.URL+"/stream"+address).Body)
		last := all[len(all)-1]
		page := open(t, t.Context(), server.URL+address)
		if got := body(t, page); page.StatusCode != http.StatusOK || last.selector != "#find" || !strings.Contains(oneLine(got), oneLine(last.elements)) {
			t.Fatalf("%s: status %d, last patch of %s; or the page has found something else", address, page.StatusCode, last.selector)
		}
		section := document(t, last.elements)
		open := elements(section, func(n *html.Node) bool { return n.DataAtom == atom.A && strings.Contains(attr(n, "class"), "button") })
		if len(open) != 1 {
			t.Fatalf("%s: %d links to what was found", address, len(open))
		}
		if run := get(site(), strings.TrimSuffix(attr(open[0], "href"), "#stage")); run.Code != http.StatusOK {
			t.Errorf("%s: what was found has status %d", attr(open[0], "href"), run.Code)
		}
	}
}

// TestFindsTells checks what is said when nothing is found, and why.
func TestFindsTells(t *testing.T) {
	for _, c := range []struct {
		limit       time.Duration
		where, want string
	}{
		{time.Minute, "inverted_pairs > 0", "None of 10,000 runs is like that."},
		{time.Minute, "missing >= 1", "Line 1, column 1: unknown name missing"},
		{time.Nanosecond, "inverted_pairs > 0", "Ended early"},
		{time.Minute, "", "What a condition can ask for"},
	} {
		if raceOn && strings.HasPrefix(c.want, "None of") {
			continue
		}
		server, _ := oftenSite(t, c.limit, 0)
		for _, path := range []string{"", "/stream"} {
			got := body(t, open(t, t.Context(), server.URL+path+mustLink(t, "/en/ordering/random/by-id").finds(c.where)))
			if !strings.Contains(html.UnescapeString(got), c.want) || strings.Contains(got, "Open it") {
				t.Errorf("%s%q: no %q", path, c.where, c.want)
			}
		}
	}
}

// TestFindsAddress checks that the form without script comes to the canonical address.
func TestFindsAddress(t *testing.T) {
	answer := get(site(), "/en/ordering/random/by-id/find?where=fetches+%3E+0&loss=0.1&rto=3s")
	where := url.Values{"rto": {"3s"}, "where": {"fetches > 0"}}
	if got, want := answer.Header().Get("Location"), "/en/ordering/random/by-id/find?"+where.Encode(); answer.Code != http.StatusSeeOther || got != want {
		t.Errorf("status %d, to %s, want %s", answer.Code, got, want)
	}
	if answer := get(site(), "/en/ordering/random/by-id/find?where=fetches+%3E+0&los=1"); answer.Code != http.StatusBadRequest {
		t.Errorf("a knob that there is not: status %d", answer.Code)
	}
}
