package web

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"imscope/sim"
	"imscope/sim/im"
	"imscope/templates"
)

// splicer follows the columns of a page and its protocol's figures by the changes that the events carry, as the player does.
type splicer struct {
	shown [][]int
	cells []string
	taken int // changes of cells
}

// follow applies what the last event of s changes.
func (p *splicer) follow(s *stage) {
	if p.shown == nil {
		p.shown, p.cells = make([][]int, len(s.columns.list)), make([]string, len(s.cells.rows))
	}
	for _, c := range s.view.Happenings[len(s.view.Happenings)-1].Splices {
		p.shown[c.Column] = slices.Replace(slices.Clone(p.shown[c.Column]), c.At, c.At+c.Remove, c.Insert...)
	}
	p.cells = slices.Clone(p.cells)
	for _, change := range s.changes[p.taken:] {
		for _, r := range change.Rows {
			p.cells[r.Row] = r.Text
		}
	}
	p.taken = len(s.changes)
}

// lines writes what stands in a column.
func lines(variants []templates.ScreenLine, shown []int) string {
	var all []templates.ScreenLine
	for _, v := range shown {
		line := variants[v]
		line.Asks, line.Why, line.Title = "", "", "" // the player's lines are links too
		all = append(all, line)
	}
	return fmt.Sprintf("%+v", all)
}

// TestChangesLeadToEveryMoment checks that the changes which the events carry bring columns and table to just what a page made for
// that moment shows. So the player, which only applies changes, shows at each moment what the server would.
func TestChangesLeadToEveryMoment(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	everyRun(15, func(l Link) {
		type moment struct {
			at    At
			shown [][]int
			cells []string
		}
		var p splicer
		var moments []moment
		s := play(t, l, func(s *stage, e taken) {
			p.follow(s)
			moments = append(moments, moment{linkTo(e.event, e.next), slices.Clone(p.shown), p.cells})
			if m := e.fold.Metrics(); len(moments)%5 == 0 {
				for row, text := range p.cells {
					of := &l.lesson().metrics[row]
					if want := of.text(s.narrator, of.of(&m)); text != want {
						t.Fatalf("%v at %v: the changes lead to %s = %s, the run has come to %s", l, e.Moment, of.en, text, want)
					}
				}
			}
		})
		for range 2 {
			m := moments[r.IntN(len(moments))]
			at := l.at(m.at)
			page := chapterPage(t, at)
			for i, c := range page.Stage.Screens.Columns {
				if got, want := lines(c.Variants, c.Shown), lines(s.columns.list[i].view.Variants, m.shown[i]); got != want {
					t.Fatalf("%v: the page's column %d is\n%s, the changes lead to\n%s", at, i, got, want)
				}
			}
			for row, want := range m.cells {
				if got := page.Metrics.Rows[row].Values[at.column()]; got != want {
					t.Fatalf("%v: %s is %q on the page, the changes lead to %q", at, page.Metrics.Rows[row].Name, got, want)
				}
			}
			// The other columns of the table stand at the same time of other runs.
			column := r.IntN(len(l.Chapter.Protocols))
			if column == at.column() {
				continue
			}
			same := at.with(func(to *Link) { to.Protocol, to.At.HasTie, to.At.Tie = l.Chapter.Protocols[column], false, 0 })
			for row, of := range chapterPage(t, same).Metrics.Rows {
				if got, want := page.Metrics.Rows[row].Values[column], of.Values[column]; got != want {
					t.Fatalf("%v: %s is %q in column %d, on the page of that %q", at, of.Name, got, column, want)
				}
			}
		}
	})
}

func chapterPage(t *testing.T, l Link) templates.Chapter {
	t.Helper()
	page, err := pages{}.chapterPage(t.Context(), l)
	if err != nil {
		t.Fatalf("%v: %v", l, err)
	}
	return page
}

// TestColumnsShowTheFold checks after every event that the columns show the screens and rows that the run has come to, no column left
// behind, none with a line in it twice.
func TestColumnsShowTheFold(t *testing.T) {
	everyRun(60, func(l Link) {
		if l.Chapter.Name == im.OfflineChapter {
			return
		}
		play(t, l, func(s *stage, e taken) {
			for i := range s.columns.list {
				c := &s.columns.list[i]
				var names, want []string
				seen := map[int]bool{}
				for _, v := range c.shown {
					if line := c.view.Variants[v]; !line.Hole && line.Class != "asks" {
						names = append(names, line.Name+" "+line.Number)
					}
					if seen[v] {
						t.Fatalf("%v at %v: %s has %s twice", l, e.Moment, c.view.Name, c.view.Variants[v].Name)
					}
					seen[v] = true
				}
				if c.actor == im.Server {
					rows := slices.Clone(e.fold.Rows) // in the order of commits; the column is in that of ids
					slices.SortFunc(rows, func(a, b im.Row) int { return int(a.ID - b.ID) })
					for _, row := range rows {
						want = append(want, row.Msg.String()+" "+rowNumber(row.ID, row.Seq))
					}
				} else {
					for _, line := range e.fold.Screens[c.actor].Lines {
						want = append(want, line.Msg.String()+" "+rowNumber(line.ID, line.Seq))
					}
				}
				if !slices.Equal(names, want) {
					t.Fatalf("%v at %v: %s shows %v, not %v", l, e.Moment, c.view.Name, names, want)
				}
				// A column that the event does not concern must not have changed by it either.
				if _, changed := c.become(s.narrator, s.columns.lines(c.actor, e.fold)); changed {
					t.Fatalf("%v at %v: %s was left behind", l, e.Moment, c.view.Name)
				}
			}
		})
	})
}

// TestHoles checks after every event that the columns have a hole for what is missing: for every message that the phone knows of, and
// for every one that was lost on its way to it.
func TestHoles(t *testing.T) {
	everyRun(60, func(l Link) {
		if l.Chapter.Name == im.OfflineChapter {
			return
		}
		lost := map[im.Actor]map[im.MessageID]bool{}
		open := map[im.MessageID]string{} // the numbers of rows that are written and not committed
		play(t, l, func(s *stage, e taken) {
			for _, step := range e.steps {
				switch d := &step.Data; d.Kind {
				case im.Began:
					open[d.Msg] = rowNumber(d.ID, d.Seq)
				case im.Stored, im.RolledBack:
					delete(open, d.Msg)
				}
				if d := &step.Data; d.Kind == im.Left && d.Leg == im.PushLeg && d.Lost || d.Kind == im.ReadPast {
					if lost[d.To] == nil {
						lost[d.To] = map[im.MessageID]bool{}
					}
					lost[d.To][d.Msg] = true
				}
			}
			m := e.fold.Metrics()
			var known int64
			for _, c := range s.columns.list {
				holes := map[im.MessageID]bool{}
				for _, v := range c.shown {
					line := c.view.Variants[v]
					if !line.Hole {
						continue
					}
					id, _ := im.ParseMessage(line.Name)
					if c.actor == im.Server {
						if class := line.Notes[0].Class; (class == "open") != (open[id] == line.Number) {
							t.Fatalf("%v at %v: the server's row of %s is %s", l, e.Moment, line.Name, class)
						}
						continue
					}
					holes[id] = true
					if lastIndex(e.fold.Screens[c.actor].Lines, id) >= 0 {
						t.Fatalf("%v at %v: %s has a hole for %s, which stands there", l, e.Moment, c.view.Name, line.Name)
					}
					if line.Notes[0].Class == "known" {
						known++
					} else if !lost[c.actor][id] {
						t.Fatalf("%v at %v: %s has a hole for %s, which was not lost", l, e.Moment, c.view.Name, line.Name)
					}
				}
				for id := range lost[c.actor] {
					if lastIndex(e.fold.Screens[c.actor].Lines, id) < 0 && !holes[id] {
						t.Fatalf("%v at %v: %s lacks %v and has no hole for it", l, e.Moment, c.view.Name, id)
					}
				}
			}
			if known != m.MissingKnown {
				t.Fatalf("%v at %v: %d holes are known, the table says %d", l, e.Moment, known, m.MissingKnown)
			}
		})
	})
}

// TestMomentsOfLinks checks that the link of every event opens at just that event: it is the current one, the next is to come, and the
// page's clock lies between the two, so that the drawing agrees with the list.
func TestMomentsOfLinks(t *testing.T) {
	everyRun(40, func(l Link) {
		var events []taken
		play(t, l, func(_ *stage, e taken) { events = append(events, taken{event: &event{Moment: e.Moment}, next: e.next}) })
		for i := 0; i < len(events); i += 1 + len(events)/4 {
			at := l.at(linkTo(events[i].event, events[i].next))
			s := play(t, at, nil)
			if s.current != i {
				t.Fatalf("%v, the link of event %d, opens at event %d", at, i, s.current)
			}
			happened := s.view.Happenings
			if now := s.view.Now; now < happened[i].At || i+1 < len(happened) && happened[i].At < happened[i+1].At && now >= happened[i+1].At {
				t.Fatalf("%v: the clock stands at %v, the event is at %v, the next at %v", at, now, happened[i].At, happened[i+1].At)
			}
			if back, forward := s.view.Transport.Back, s.view.Transport.Forward; (back == "") != (i == 0) || (forward == "") != (i == len(happened)-1) ||
				i > 0 && back != happened[i-1].Href || forward != "" && forward != happened[i+1].Href {
				t.Fatalf("%v: back is %q, forward %q", at, back, forward)
			}
		}
	})
}

// TestEventsAreInOrder checks that the page's clock never falls, and that all steps are told, each in one event.
func TestEventsAreInOrder(t *testing.T) {
	everyRun(60, func(l Link) {
		var told im.Trace
		var last sim.Moment
		play(t, l, func(_ *stage, e taken) {
			if len(told) > 0 && !last.Before(e.Moment) {
				t.Fatalf("%v: %v comes after %v", l, e.Moment, last)
			}
			last, told = e.Moment, append(told, e.steps...)
		})
		var trace im.Trace
		if err := im.Run(t.Context(), &l.Scenario, l.Protocol.New(), &trace); err != nil {
			t.Fatal(err)
		}
		if len(told) != len(trace) {
			t.Fatalf("%v has %d steps, of which %d are told", l, len(trace), len(told))
		}
		for i := range trace {
			trace[i].Cause, told[i].Cause = 0, 0 // ids differ between sinks
			if told[i] != trace[i] {
				t.Fatalf("%v: step %d is told as %+v, not %+v", l, i, told[i], trace[i])
			}
		}
	})
}

// TestBookScreens checks the screens against the chapter's table, and at the moments that it tells. A question mark is a hole.
func TestBookScreens(t *testing.T) {
	for _, c := range []struct{ link, ana, server, ben string }{
		{"arrival?at=end", "B1 B2 A1 A2 A3 B3 A4", "B1 B2 A2 A1 A3 B3 A4", "B1 B2 A2? A1 B3 A3 A4"},
		{"by-id?at=end", "B1 B2 A2 A1 A3 B3 A4", "B1 B2 A2 A1 A3 B3 A4", "B1 B2 A2? A1 A3 B3 A4"},
		{"by-seq?at=end", "B1 B2 A2 A1 A3 B3 A4", "B1 B2 A2 A1 A3 B3 A4", "B1 B2 A2 A1 A3 B3 A4"},
		{"by-seq?at=6.23s", "B1 B2 A2 A1", "B1 B2 A2 A1", "B1 B2 A2?"},
		{"by-seq?at=6.24s", "B1 B2 A2 A1", "B1 B2 A2 A1", "B1 B2 A2? A1"},
		{"by-seq?at=6.94s", "B1 B2 A2 A1 A3", "B1 B2 A2 A1 A3 B3", "B1 B2 A2 A1 B3"},
		{"by-seq?at=6.98s", "B1 B2 A2 A1 A3", "B1 B2 A2 A1 A3 B3", "B1 B2 A2 A1 A3 B3"},
		{"arrival?reopen=ana&at=end", "B1 B2 A2 A1 A3 B3 A4", "B1 B2 A2 A1 A3 B3 A4", "B1 B2 A2? A1 B3 A3 A4"},
	} {
		columns := play(t, mustLink(t, "/en/ordering/book/"+c.link), nil).view.Screens.Columns
		for i, want := range []string{c.ana, c.server, c.ben} {
			var got []string
			for _, v := range columns[i].Shown {
				name := columns[i].Variants[v].Name
				if columns[i].Variants[v].Hole {
					name += "?"
				}
				got = append(got, name)
			}
			if strings.Join(got, " ") != want {
				t.Errorf("%s: %s shows %s, not %s", c.link, columns[i].Name, strings.Join(got, " "), want)
			}
		}
	}
}
