package web

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"imscope/sim/im"
	"imscope/templates"
)

func TestWhyInLinks(t *testing.T) {
	for given, want := range map[string]string{
		"/en/ordering?at=6s&why=ben.A2":        "/en/ordering?at=6s&why=ben.A2_6s",
		"/en/ordering?at=6s&why=ben.A2_end":    "/en/ordering?at=6s&why=ben.A2_end",
		"/en/ordering?why=step_6240ms~0":       "/en/ordering?why=step_6.24s~0",
		"/zh/ordering?why=moved&at=end":        "/zh/ordering?at=end&why=moved_end",
		"/en/ordering?guess=lines&why=erik.a1": "/en/ordering?why=erik.a1_&guess=lines",
	} {
		l := mustLink(t, given)
		if got := l.String(); got != want || mustLink(t, got).Why != l.Why {
			t.Errorf("%s is written %s, not %s", given, got, want)
		}
	}
	for _, text := range []string{"ben", "A2", "ben.2", "nobody.A2", "ben.A2_x", "Step", "_6s", "messages", "server.A2"} {
		if w := get(site(), "/en/ordering?why="+text); w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), "unnoticed") {
			t.Errorf("%s: status %d, or it does not say what can be asked", text, w.Code)
		}
	}
}

// TestWhyFigures checks that every figure which can be asked about is one of a table, and that it counts what the table does.
func TestWhyFigures(t *testing.T) {
	found := map[string]bool{}
	everyLink(func(l Link) {
		if l.Lang != templates.English || long(&l.Scenario) {
			return
		}
		page := chapterPage(t, l)
		for _, row := range page.Metrics.Rows {
			value := row.Values[l.column()]
			if row.Asks == "" || value == "0" && found[row.Asks] {
				continue
			}
			found[row.Asks] = true
			asked := chapterPage(t, l.with(func(l *Link) { l.Why = Why{row.Asks, l.At} })).Stage.Why
			got := "0"
			switch {
			case len(asked.Chains) == 1:
				got = "1"
			case asked.None == "":
				if got = value; asked.More == "" {
					got = narrator{Lang: l.Lang}.Int(int64(len(asked.List)))
				}
			}
			if got != value {
				t.Errorf("%v: %s is %s, and %s are told", l, row.Asks, value, got)
			}
		}
	})
	for _, f := range figures {
		if !found[f.id] {
			t.Errorf("no table has the figure %s", f.id)
		}
	}
}

// TestWhyIsTold checks that every reason has its words in both languages, its moment in the list of what happened, and its mark in the
// diagram.
func TestWhyIsTold(t *testing.T) {
	causes, runs := map[im.Cause]bool{}, 0
	everyRun(150, func(l Link) {
		l.Lang = templates.Langs[runs/2%2]
		l.At, l.Why = At{End: true}, Why{aboutStep, At{End: true}}
		s := play(t, l, nil)
		runs++
		steps := s.trace[:len(s.trace)/(1+runs%2)] // half of it, too
		r := &reasons{stage: s, steps: steps, inquiry: im.NewInquiry(s.scenario, steps)}
		symptoms := r.inquiry.Symptoms()
		for i := 0; i < len(symptoms); i += 1 + len(symptoms)/20 {
			c := r.inquiry.Why(symptoms[i])
			for _, link := range c.Links {
				causes[link.Cause] = true
			}
			r.chain(r.symptom(symptoms[i]), c)
		}
		r.ofStep()
		for _, c := range r.view.Chains {
			checkChain(t, l, s, c)
		}
	})
	if len(causes) < 26 && !raceOn { // it watches fewer runs
		t.Errorf("only %d causes were told", len(causes))
	}
}

func checkChain(t *testing.T, l Link, s *stage, c templates.WhyChain) {
	t.Helper()
	if c.Title == "" || len(c.Reasons) == 0 {
		t.Errorf("%v: an empty chain: %+v", l, c)
	}
	for _, parts := range c.Reasons {
		if len(parts) == 0 {
			t.Errorf("%v: a reason that is not told, in %+v", l, c)
		}
		for _, p := range parts {
			known := p.Href == "" || slices.ContainsFunc(s.view.Happenings, func(h templates.Happening) bool { return h.Href == p.Href && h.Time == p.Time })
			if strings.Contains(p.Text, "%!") || strings.Contains(p.Text, "S0") || !known || (p.Href == "") != (p.Number == 0) {
				t.Errorf("%v: %+v, in %+v", l, p, c)
			}
		}
	}
}

// TestWhyOnThePage asks why Ben lacks A2, and looks for the question and the answer in the page, which works without script.
func TestWhyOnThePage(t *testing.T) {
	page := document(t, get(site(), "/en/ordering?at=end").Body.String())
	asks := map[string]string{}
	for _, a := range elements(page, func(n *html.Node) bool { return attr(n, "data-why") != "" }) {
		asks[attr(a, "data-why")] = attr(a, "href")
	}
	for _, what := range []string{"step", "ben.A2", "ana.B1", "unnoticed", "inverted"} {
		if asks[what] != "/en/ordering?at=end&why="+what+"_end#why" {
			t.Errorf("%s leads to %q", what, asks[what])
		}
	}
	page = document(t, get(site(), "/en/ordering?at=end&why=ben.A2_end").Body.String())
	why := byID(t, page, "why")
	for _, want := range []string{"Ben lacks A2", "5.61 s", "The push of A2 to Ben is lost", "ids jump"} {
		if !strings.Contains(text(why), want) {
			t.Errorf("it does not say %q: %s", want, text(why))
		}
	}
	var leads []string
	for _, a := range elements(why, func(n *html.Node) bool { return attr(n, "href") != "" }) {
		leads = append(leads, attr(a, "href"))
	}
	for _, want := range []string{"/en/ordering?at=end#stage", "/en/ordering?at=5.61s&why=ben.A2_end#stage", "/en/ordering?edits=deliver-push-A2-ben&at=end&why=ben.A2_end#stage"} {
		if !slices.Contains(leads, want) {
			t.Errorf("no link to %s, but to %q", want, leads)
		}
	}
	if marks := elements(byID(t, page, "asked"), func(n *html.Node) bool { return n.Data == "g" && attr(n, "id") == "" }); len(marks) != 1 || text(marks[0]) != "1" {
		t.Errorf("the diagram marks %d", len(marks))
	}
}
