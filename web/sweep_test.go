package web

import (
	"strings"
	"testing"
	"time"

	"imscope/templates"
	"imscope/web/estimate"
)

// TestSweeps checks that every sweep is drawn, that its knob takes its values, and that its marks lead to runs with them.
func TestSweeps(t *testing.T) {
	oftenSite(t, time.Minute, 2000)
	for _, address := range []string{"/en/ordering/book/by-seq", "/zh/polling/random", "/en/offline"} {
		l := mustLink(t, address)
		all := newSweeps(l)
		if len(all) != len(sweeps[l.Chapter.Name]) || len(all) < 3 {
			t.Errorf("%s: %d sweeps", address, len(all))
		}
		for _, s := range all {
			if s.view(narrator{l.Lang, &l.Scenario}) != nil {
				t.Errorf("%s: %s is drawn before anything was played", address, s.knob)
			}
			if err := estimate.Run(t.Context(), nil, s.estimators()...); err != nil {
				t.Fatal(err)
			}
			view := s.view(narrator{l.Lang, &l.Scenario})
			if view == nil || len(view.Curves) != len(l.Chapter.Protocols) || len(view.XTicks) != len(s.values) {
				t.Fatalf("%s: %s: got %+v", address, s.knob, view)
			}
			for i, curve := range view.Curves {
				for j, p := range curve.Points {
					href, _, _ := strings.Cut(p.Href, "#")
					to, errs := parseLink(t, href)
					want := to.Scenario
					if err := s.param.Set(&want, s.values[j]); err != nil || len(errs) > 0 || s.param.Number(&want) != s.param.Number(&to.Scenario) || to.Protocol.Name != l.Chapter.Protocols[i].Name {
						t.Errorf("%s: %s at %s leads to %s", address, s.knob, s.values[j], href)
					}
				}
			}
		}
	}
}

// TestSweepGrows checks a sweep that is known: what is missing by id is what was lost.
func TestSweepGrows(t *testing.T) {
	l := mustLink(t, "/en/ordering/random/by-id")
	s := newSweeps(l)[0]
	if err := estimate.Run(t.Context(), nil, s.estimators()...); err != nil {
		t.Fatal(err)
	}
	for i, loss := range []float64{0, 5, 10, 20, 30} {
		if got := s.value(s.points[1][i]); got < 0.85*loss || got > 1.15*loss {
			t.Errorf("at a loss of %v%% %v are missing", loss, got)
		}
	}
	var html strings.Builder
	if err := templates.SweepView(l.Lang, *s.view(narrator{l.Lang, &l.Scenario})).Render(t.Context(), &html); err != nil || strings.Count(html.String(), "<a ") != 15 {
		t.Errorf("%v, %d marks are links, want 15", err, strings.Count(html.String(), "<a "))
	}
}

func TestNiceStep(t *testing.T) {
	for v, want := range map[float64]float64{0: 1, 0.3: 0.5, 1: 1, 1.1: 2, 3: 5, 7: 10, 120: 200} {
		if got := niceStep(v); got != want {
			t.Errorf("%v: got %v, want %v", v, got, want)
		}
	}
}
