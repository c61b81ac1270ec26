package web

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"imscope/templates"
)

// TestPartings checks where the book's runs part, phone by phone.
func TestPartings(t *testing.T) {
	for address, want := range map[string][]string{
		"/en/ordering?with=by-id&at=end": {
			"At 5.71 s Ana’s screens part: By arrival has A1 above A2, By id below.",
			"At 6.98 s Ben’s screens part: By arrival has B3 above A3, By id below.",
		},
		"/en/ordering/book/by-seq?with=by-id&at=end":       {"At 6.94 s Ben’s screens part: By seq, fetch on a gap shows A2, By id does not."},
		"/en/ordering?edits=lose-ack-B1&with=plain&at=end": nil,
		"/en/ordering?edits=lose-push-B2-ana&with=plain&at=end": {
			"At 3.82 s Ana’s screens part: Without the changes shows B2, By arrival does not.",
		},
		"/en/polling/hole/poll-id?with=poll-token&at=end": {"At 4.2 s Ben’s screens part: Poll by id shows C1, By token does not."},
	} {
		s := mustPlay(t, mustLink(t, address))
		var got []string
		for _, p := range s.view.Partings {
			got = append(got, p.Text)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", address, got, want)
		}
	}
	page := get(site(), "/en/ordering?edits=lose-ack-B1&with=plain&at=end").Body.String()
	if !strings.Contains(page, "At no moment does a screen show anything else.") {
		t.Error("it is not said that nothing parts")
	}
}

// mustPlay plays all runs of a link.
func mustPlay(t *testing.T, l Link) *stage {
	t.Helper()
	s := newStage(l)
	if err := s.play(t.Context(), func(bool) error { return nil }); err != nil {
		t.Fatalf("%v: %v", l, err)
	}
	s.finish()
	return s
}

// TestSidesAreTheirOwnPages compares what stands beside a run, at a random moment, with the page that has it for itself at that time.
func TestSidesAreTheirOwnPages(t *testing.T) {
	seeds := uint64(60)
	if raceOn {
		seeds = 6
	}
	for seed := range seeds {
		r := rand.New(rand.NewPCG(seed, 5))
		l := oddLink(seed)
		for _, e := range l.Chapter.Protocols {
			if e.Name != l.Protocol.Name && len(l.Beside) < mostBeside {
				l.Beside = append(l.Beside, e.Name)
			}
		}
		s := mustPlay(t, l)
		all := s.view.Happenings
		for i := 1; i < len(all); i++ {
			if all[i].At < all[i-1].At-100*clockTie { // those of an instant are set apart by as much
				t.Fatalf("%v: %q comes at %v, after %v", l, all[i].Text, all[i].At, all[i-1].At)
			}
		}
		at := mustLink(t, strings.TrimSuffix(all[r.IntN(len(all))].Href, "#stage"))
		page := chapterPage(t, at)
		for k, name := range append([]string{l.Protocol.Name}, l.Beside...) {
			alone := at.with(func(a *Link) {
				a.Protocol, _ = a.Chapter.Find(name)
				a.Beside = nil
			})
			if at.At.HasTie {
				break // ordinals of several runs mean nothing in one
			}
			want := chapterPage(t, alone).Stage.Screens.Columns
			for c, col := range page.Stage.Sides[k].Screens.Columns {
				if got, want := standing(col), standing(want[c]); got != want {
					t.Fatalf("%v: beside, %s has in column %d %s; by itself %s", at, name, c, got, want)
				}
			}
		}
	}
}

// standing writes the lines of a column without what they are compared with.
func standing(c templates.Column) string {
	var all []string
	for _, v := range c.Shown {
		line := c.Variants[v]
		line.Notes = slices.DeleteFunc(slices.Clone(line.Notes), func(n templates.Note) bool { return n.Class == "apart" })
		text := line.Name + line.Number
		for _, n := range line.Notes {
			text += n.Icon
		}
		all = append(all, text)
	}
	return strings.Join(all, " ")
}

// TestApart checks the marks of lines that are not so beside: in both runs, and nowhere else.
func TestApart(t *testing.T) {
	s := mustPlay(t, mustLink(t, "/en/ordering?with=by-id&at=end"))
	marked := func(side, column int) (names []string) {
		col := s.view.Sides[side].Screens.Columns[column]
		for _, v := range col.Shown {
			if slices.ContainsFunc(col.Variants[v].Notes, func(n templates.Note) bool { return n.Class == "apart" }) {
				names = append(names, col.Variants[v].Name)
			}
		}
		return names
	}
	for column, want := range [][]string{{"A1", "A2"}, nil, {"B3", "A3"}} {
		for side := range 2 {
			got := marked(side, column)
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Errorf("run %d, column %d: %v are marked, not %v", side, column, got, want)
			}
		}
	}
	if n := len(s.view.Sides[0].Screens.Columns); s.view.Sides[1].Screens.Columns[0].Number != n || s.sides[1].first != n {
		t.Error("columns are not numbered through")
	}
}
