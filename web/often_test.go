package web

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-chi/chi/v5"
	"golang.org/x/sync/semaphore"

	"imscope/sim/im"
	"imscope/templates"
)

// oftenSite serves figures and searches, for which it has so much time; what it works at goes through gate.
func oftenSite(t *testing.T, limit time.Duration, messages int64) (server *httptest.Server, gate *semaphore.Weighted) {
	t.Helper()
	beforePage, beforeStream, beforeMessages := pageTime, streamTime, manyMessages
	if raceOn {
		messages /= 10
	}
	pageTime, streamTime, manyMessages = limit, limit, messages
	p := pages{log: slog.New(slog.DiscardHandler), style: assetPath("app.css"), gate: newGate()}
	router := chi.NewRouter()
	const whole = "/{lang}/{chapter}/{scenario}/{protocol}"
	router.Get(whole+"/often", p.often)
	router.Get("/stream"+whole+"/often", p.oftenStream)
	router.Get(whole+"/find", p.find)
	router.Get("/stream"+whole+"/find", p.findStream)
	server = httptest.NewServer(router)
	t.Cleanup(func() {
		server.Close() // once all are answered
		pageTime, streamTime, manyMessages = beforePage, beforeStream, beforeMessages
	})
	return server, p.gate
}

// open asks for an address.
func open(t *testing.T, ctx context.Context, address string) *http.Response {
	t.Helper()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { answer.Body.Close() })
	return answer
}

func body(t *testing.T, answer *http.Response) string {
	t.Helper()
	all, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(all)
}

// TestOften checks that the page without script and the end of the stream have the same figures, and that these are all.
func TestOften(t *testing.T) {
	site, _ := oftenSite(t, time.Minute, 20_000)
	for _, link := range []string{
		"/en/ordering/book/by-id/often", "/zh/ordering/random/by-seq/often?loss=0.2&phones=3",
		"/zh/offline/book/inbox/often?away=1d",
	} {
		page := open(t, t.Context(), site.URL+link)
		all := patches(t, open(t, t.Context(), site.URL+"/stream"+link).Body)
		last := all[len(all)-1]
		if page.StatusCode != 200 || last.selector != "#often" || last.mode != "outer" {
			t.Fatalf("%s: status %d, last patch %s of %s", link, page.StatusCode, last.mode, last.selector)
		}
		if html := body(t, page); !strings.Contains(oneLine(html), oneLine(last.elements)) || strings.Contains(html, "data-stopped") {
			t.Errorf("%s: the stream ends with other figures than the page has, or the page can be stopped", link)
		}
		if !strings.Contains(last.elements, "All ") && !strings.Contains(last.elements, "跑完了") {
			t.Errorf("%s: not all was played", link)
		}
		if len(all) > 1 && !strings.Contains(all[0].elements, "data-stopped") {
			t.Errorf("%s: what goes on cannot be stopped", link)
		}
	}
}

// oneLine is text without the line ends that a stream leaves out.
func oneLine(html string) string { return strings.ReplaceAll(html, "\n", "") }

// TestOftenFormula checks that a formula stands beside its estimate where there is one, and that the estimate agrees.
func TestOftenFormula(t *testing.T) {
	for address, want := range map[string]string{
		"/en/ordering/random?loss=0":                 "by formula 10.00",
		"/en/ordering/random?loss=0&latency=50ms":    "by formula 5.00",
		"/en/ordering/random?phones=3":               "by formula 20.00", // missing
		"/en/polling/book?interval=4s":               "by formula 2.200",
		"/en/offline/book?away=1d&conversations=200": "by formula 91.17",
	} {
		m := newMany(mustLink(t, address))
		var html strings.Builder
		if err := templates.OftenView(m.view(true)).Render(t.Context(), &html); err != nil || !strings.Contains(html.String(), want) {
			t.Errorf("%s: %v, no %q", address, err, want)
		}
	}
	for _, address := range []string{"/en/ordering/random?loss=0&reorder=on", "/en/polling/book?loss=0.1", "/en/offline/book?away=evening"} {
		var html strings.Builder
		if err := templates.OftenView(newMany(mustLink(t, address)).view(true)).Render(t.Context(), &html); err != nil || strings.Contains(html.String(), "formula") && !strings.Contains(html.String(), "by formula 0.00") {
			t.Errorf("%s: a formula that does not hold", address)
		}
	}
}

// TestOftenLeft checks that the work ends when its reader leaves.
func TestOftenLeft(t *testing.T) {
	site, gate := oftenSite(t, time.Hour, 100_000_000)
	ctx, leave := context.WithCancel(t.Context())
	link := mustLink(t, "/en/ordering/random?loss=0.9&rto=50ms")
	answer := open(t, ctx, site.URL+"/stream"+link.often())
	for gate.TryAcquire(gateSlots()) { // until it works
		gate.Release(gateSlots())
	}
	leave()
	if _, err := io.ReadAll(answer.Body); err == nil {
		t.Error("the stream ended by itself")
	}
	site.Close() // which waits for what is at work, that would take hours
	if !gate.TryAcquire(gateSlots()) {
		t.Error("somebody is still at work")
	}
}

// TestOftenCapped checks that figures that take too long come as far as they are.
func TestOftenCapped(t *testing.T) {
	site, _ := oftenSite(t, time.Nanosecond, 20_000)
	for _, path := range []string{"", "/stream"} {
		if got := body(t, open(t, t.Context(), site.URL+path+"/en/ordering/book/by-id/often")); !strings.Contains(got, "Ended early") {
			t.Errorf("%s: got %s", path, got)
		}
	}
}

// TestOftenAddress checks the canonical address of an estimate.
func TestOftenAddress(t *testing.T) {
	for address, want := range map[string]string{
		"/en/ordering": "/en/ordering/book/arrival/often",
		"/zh/ordering/random/by-id?loss=0.2&at=end":     "/zh/ordering/random/by-id/often?loss=0.2",
		"/en/polling/book?guess=half&users=2000&loss=0": "/en/polling/book/poll-id/often",
	} {
		if got := mustLink(t, address).often(); got != want {
			t.Errorf("%s: got %s, want %s", address, got, want)
		}
	}
	answer := httptest.NewRecorder()
	site().ServeHTTP(answer, httptest.NewRequestWithContext(t.Context(), "GET", "/en/ordering/random/by-id/often?loss=0.10&rto=3s", nil))
	if got := answer.Header().Get("Location"); answer.Code != http.StatusSeeOther || got != "/en/ordering/random/by-id/often?rto=3s" {
		t.Errorf("status %d, to %s", answer.Code, got)
	}
}

// TestAmong checks that the run on the page is placed by the figure that its own table shows, and that the examples lead to runs that
// have what they say.
func TestAmong(t *testing.T) {
	for _, address := range []string{"/en/ordering/random?loss=0.2", "/en/ordering/random/by-id", "/en/ordering/random/by-seq?loss=0.3", "/en/polling/random?messages=20", "/en/offline?away=1d"} {
		m := newMany(mustLink(t, address))
		if m.among.view() != nil {
			t.Errorf("%s: a run is placed before any was played", address)
		}
		m.estimators, m.sweeps = nil, nil
		m.run(t.Context(), newGate())
		view := m.among.view()
		if view == nil || view.Spread == nil || len(view.Links) != 3 {
			t.Fatalf("%s: got %+v", address, view)
		}
		if own := writtenFigure(t, m.link, m.among.row); !strings.Contains(view.Text, " is "+own+" in this run. Of 199 runs") {
			t.Errorf("%s: its figure is %s, but: %s", address, own, view.Text)
		}
		for _, link := range view.Links {
			href, _, _ := strings.Cut(link.Href, "#")
			if own := writtenFigure(t, mustLink(t, href), m.among.row); !strings.HasSuffix(link.Text, ": "+own) {
				t.Errorf("%s: %s leads to a run with %s", address, link.Text, own)
			}
		}
		if n := len(slices.DeleteFunc(view.Spread.Bars, func(b templates.SpreadBar) bool { return !b.Here })); n != 1 {
			t.Errorf("%s: it lies in %d bars", address, n)
		}
	}
	m := newMany(mustLink(t, "/en/ordering/book"))
	m.estimators, m.sweeps = nil, nil
	m.run(t.Context(), newGate())
	if view := m.among.view(); view.Spread != nil || !strings.Contains(view.Text, "all of 199 runs") {
		t.Errorf("without luck: %+v", view)
	}
}

// writtenFigure is what the run of a link comes to at its end.
func writtenFigure(t *testing.T, l Link, row metric) string {
	t.Helper()
	fold := im.NewFold(&l.Scenario, false)
	if err := im.Run(t.Context(), &l.Scenario, l.Protocol.New(), fold); err != nil {
		t.Fatal(err)
	}
	metrics := fold.Metrics()
	return row.text(narrator{l.Lang, &l.Scenario}, row.of(&metrics))
}
