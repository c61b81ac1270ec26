package web

import (
	"testing"

	"imscope/sim/im"
)

// TestHeatShowsTheFold checks after every event that the changes, which the player follows too, lead to what the run has come to.
func TestHeatShowsTheFold(t *testing.T) {
	seen := 0
	check := func(l Link) {
		if l.Chapter.Name != im.OfflineChapter {
			return
		}
		seen++
		l.At = At{End: true}
		play(t, l, func(s *stage, e taken) {
			for i, cell := range s.heat.view.Cells {
				c := e.fold.Conversation(i + 1)
				if cell.New != c.New || cell.Got != c.Got || cell.Looked != (c.Looked > 0) || cell.Listed != c.Listed || cell.Vain && c.Nothing == 0 {
					t.Fatalf("%v at %v: conversation %d is %+v, the run says %+v", l, e.Moment, i+1, cell, *c)
				}
			}
		})
	}
	everyRun(90, check)
	for _, address := range []string{"/en/offline/book/inbox?away=1w", "/zh/offline/book/conversation-cursors?away=evening", "/en/offline?away=1d&conversations=2000"} {
		check(mustLink(t, address))
	}
	if seen < 20 {
		t.Errorf("%d runs were looked at", seen)
	}
}

// TestAbsenceIsGathered checks that a long absence has few events, which miss nothing that came, and a short one has them all.
func TestAbsenceIsGathered(t *testing.T) {
	for address, want := range map[string]int{"/en/offline/book/inbox?away=1w": absenceSlices + 2, "/en/offline/book/inbox": 4} {
		events, stored := 0, 0
		var m im.Metrics
		l := mustLink(t, address)
		play(t, l, func(_ *stage, e taken) {
			if e.At <= l.Scenario.Off.To {
				events++
			}
			for _, step := range e.steps {
				if step.Data.Kind == im.Stored {
					stored++
				}
			}
			m = e.fold.Metrics()
		})
		if events != want || int64(stored) != m.NewMessages {
			t.Errorf("%s: %d events of the absence, with %d of %d messages", address, events, stored, m.NewMessages)
		}
	}
}

// TestWriteHeat checks how changes are gathered and written for the player.
func TestWriteHeat(t *testing.T) {
	var changes []heatChange
	for _, c := range []struct {
		sign byte
		all  []int
	}{{heatCame, []int{3, 3, 7}}, {heatLooked, []int{1, 2, 3, 5}}, {heatGot, []int{3, 7, 7}}, {heatListed, []int{9}}} {
		for _, conv := range c.all {
			changes = extend(changes, c.sign, conv)
		}
	}
	if got, want := writeHeat(changes), "+3*2 +7 ?1-3 ?5 =3 =7*2 #9"; got != want {
		t.Errorf("written %q, not %q", got, want)
	}
}
