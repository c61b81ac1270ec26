package web

import (
	"context"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"imscope/sim"
	"imscope/sim/im"
	"imscope/templates"
)

// parseLink reads an address as the pages do; errs are the parameters that are wrong.
func parseLink(t testing.TB, address string) (l Link, errs []*im.ParamError) {
	t.Helper()
	path, query, _ := strings.Cut(address, "?")
	parts := strings.Split(strings.Trim(path, "/"), "/")
	lang, ok := templates.ParseLang(parts[0])
	if !ok || len(parts) < 2 {
		t.Fatalf("%s is no address of a chapter", address)
	}
	l, err := parsePath(lang, parts[1:])
	if err != nil {
		t.Fatalf("%s: %v", address, err)
	}
	values, _ := url.ParseQuery(query)
	return l, l.parseQuery(values)
}

// mustLink reads an address that is right.
func mustLink(t testing.TB, address string) Link {
	t.Helper()
	l, errs := parseLink(t, address)
	if len(errs) > 0 {
		t.Fatalf("%s: %v", address, errs[0])
	}
	return l
}

// taken is an event with the stage just after it.
type taken struct {
	*event
	fold *im.Fold
	next *sim.Moment
}

// play plays the run of a link into a stage, calls each (if not nil) after every event, and finishes the stage.
func play(t testing.TB, l Link, each func(*stage, taken)) *stage {
	t.Helper()
	s := newStage(l)
	err := playEvents(context.Background(), &l.Scenario, l.Protocol, func(e *event, f *im.Fold, next *sim.Moment) error {
		s.sides[0].fold = f
		s.add(f, next, part{s.sides[0], e})
		if each != nil {
			each(s, taken{e, f, next})
		}
		return nil
	})
	if err != nil {
		t.Fatalf("%v: %v", l, err)
	}
	s.finish()
	return s
}

// oddValues are values of the knobs that are often at an extreme, where the bookkeeping goes wrong first.
var oddValues = map[string]string{
	"phones": "2 2 3 4 5", "messages": "5 12 25 40", "gap": "50ms 200ms 700ms 2s", "interval": "300ms 2s 7s", "phase": "0s 50ms 1s", "off": "none none 2s-8s",
	"latency": "0s 1ms 100ms 100ms 400ms", "loss": "0 0.1 0.2 0.3 0.4 0.5", "rto": "150ms 300ms 1s 1s 3s", "attempts": "0 0 0 0 1 3", "gapwait": "0s 100ms 500ms 2s",
	"write": "0s 0s 0s 5ms 50ms 500ms", "slow": "0s 3s", "rollback": "0 0 0.3", "overlap": "0s 300ms 5s", "hold": "500ms 5s", "heartbeat": "400ms 5s", "page": "1 3 100",
	"reopen": "none none none ana ben", "away": "10m open 5400s 1d evening", "conversations": "10 30 200", "too-far": "page list", "opens": "0 0 1 7", "head": "before after", "locks": "ordered unordered",
}

// oddLink draws a link with such values. Its run is short.
func oddLink(seed uint64) Link {
	r := rand.New(rand.NewPCG(seed, 0))
	var l Link
	for l.Scenario.Name == "" || long(&l.Scenario) {
		l = Link{Lang: templates.Langs[r.IntN(2)], Chapter: chapters[r.IntN(len(chapters))]}
		l.Protocol = l.Chapter.Protocols[r.IntN(len(l.Chapter.Protocols))]
		scenarios := im.Scenarios(l.Chapter.Name)
		l.Scenario = scenarios[r.IntN(len(scenarios))]
		if len(l.Scenario.Script) == 0 && l.Chapter.Name != im.OfflineChapter {
			l.Scenario.Messages, l.Scenario.Length = 30, min(l.Scenario.Length, 20*im.Second)
		}
	}
	s := &l.Scenario
	for _, p := range im.Params {
		values := strings.Fields(oddValues[p.Name])
		switch {
		case !p.Applies(s) || p.Name == "length":
			continue
		case p.Name == "seed":
			values = []string{strconv.FormatUint(r.Uint64N(im.MaxSeed), 10)}
		case p.Kind == im.Switch:
			other := map[string]string{"on": "off", "off": "on"}[p.Value(s)]
			values = []string{p.Value(s), p.Value(s), p.Value(s), other}
		}
		if err := p.Set(s, values[r.IntN(len(values))]); err != nil {
			panic(err)
		}
	}
	if s.Chapter != im.OfflineChapter && r.IntN(4) == 0 {
		for n := range 1 + r.IntN(3) {
			at := im.Time(r.Int64N(int64(s.End()))).Truncate(im.Millisecond)
			s.Edits = append(s.Edits, im.Edit{Verb: im.Press, At: at, Msg: im.HandMessage(im.Actor(1+r.IntN(s.Phones)), uint32(n+1))})
		}
	}
	return l
}

// long reports whether a run has so many messages that few tests look at it.
func long(s *im.Scenario) bool { return len(s.Script) > 50 || s.Messages > 50 }

// everyLink calls f for every scenario under every protocol in every language, at the end.
func everyLink(f func(Link)) {
	for _, chapter := range chapters {
		for _, entry := range chapter.Protocols {
			for _, scenario := range im.Scenarios(chapter.Name) {
				if scenario.Uniform { // hundreds of messages would show no more
					scenario.Messages = 30
				}
				if scenario.Name == "random" {
					scenario.Length = min(scenario.Length, time.Minute)
				}
				for _, lang := range templates.Langs {
					f(Link{Lang: lang, Chapter: chapter, Scenario: scenario, Protocol: entry, At: At{End: true}})
				}
			}
		}
	}
}

// everyRun calls f for every scenario that is not long under every protocol, and for n odd ones.
func everyRun(n uint64, f func(Link)) {
	everyLink(func(l Link) {
		if l.Lang == templates.English && !long(&l.Scenario) {
			f(l)
		}
	})
	if raceOn {
		n /= 10
	}
	for seed := range n {
		f(oddLink(seed))
	}
}

// site is the whole site, without its log.
func site() http.Handler { return Handler(slog.New(slog.NewTextHandler(io.Discard, nil))) }

// get asks the site for an address; header is name, value, name, value …
func get(site http.Handler, address string, header ...string) *httptest.ResponseRecorder {
	return ask(site, http.MethodGet, address, header...)
}

func ask(site http.Handler, method, address string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, address, nil)
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	site.ServeHTTP(w, r)
	return w
}

// document parses a page.
func document(t testing.TB, page string) *html.Node {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// elements lists the elements below n for which is holds, in the order of the page.
func elements(n *html.Node, is func(*html.Node) bool) (out []*html.Node) {
	for d := range n.Descendants() {
		if d.Type == html.ElementNode && is(d) {
			out = append(out, d)
		}
	}
	return out
}

func isTag(a atom.Atom) func(*html.Node) bool {
	return func(n *html.Node) bool { return n.DataAtom == a }
}

// byID is the element of that id; the test ends if the page does not have exactly one.
func byID(t testing.TB, doc *html.Node, id string) *html.Node {
	t.Helper()
	found := elements(doc, func(n *html.Node) bool { return attr(n, "id") == id })
	if len(found) != 1 {
		t.Fatalf("%d elements with the id %s", len(found), id)
	}
	return found[0]
}

func attr(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func hasAttr(n *html.Node, name string) bool {
	return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == name })
}

// text is what is written in n, each run of blanks as one.
func text(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}
