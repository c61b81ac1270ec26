package web

import (
	"testing"

	"imscope/sim/im"
)

// TestWaits checks the stacks against the run: a block for each message that came to the reader, in the place of its wait, no level of a
// stack twice or left out; what the phone was off for stands among the longest.
func TestWaits(t *testing.T) {
	for _, address := range []string{"/en/polling?at=end", "/zh/polling/off?at=end", "/en/polling/random/push?at=end", "/en/polling/week?at=end", "/en/polling/random/long-poll?interval=700ms&at=end"} {
		l := mustLink(t, address)
		sent, places := map[im.MessageID]im.Time{}, map[int]int{}
		var m im.Metrics
		s := play(t, l, func(_ *stage, e taken) {
			for _, step := range e.steps {
				switch d := &step.Data; {
				case d.Kind == im.Pressed:
					sent[d.Msg] = step.At
				case d.Kind == im.Shown && d.Copy == 0 && step.Actor == im.Ben:
					place := 0 // by tenths of the interval, the last for all that is longer
					for place < 12 && step.At-sent[d.Msg] >= l.Scenario.Interval/10*im.Time(place+1) {
						place++
					}
					places[place]++
				}
			}
			m = e.fold.Metrics()
		})
		levels := map[int]int{}
		for _, b := range s.view.Waits.Blocks {
			if levels[b.Place]++; b.Level != levels[b.Place] {
				t.Errorf("%s: a block of level %d stands on %d others", address, b.Level, levels[b.Place]-1)
			}
		}
		if int64(len(s.view.Waits.Blocks)) != m.Wait.N || m.Wait.N == 0 {
			t.Errorf("%s: %d blocks for %d waits", address, len(s.view.Waits.Blocks), m.Wait.N)
		}
		for place, n := range places {
			if levels[place] != n {
				t.Errorf("%s: %d blocks at %d, not %d", address, levels[place], place, n)
			}
		}
	}
}

// TestPartsAtWork checks that whatever the server does is some part's work, and that what only a phone does is none's.
func TestPartsAtWork(t *testing.T) {
	for _, address := range []string{"/en/polling", "/en/polling/hole", "/en/polling/gaps/poll-token", "/en/polling/book/long-poll", "/en/polling/off/push", "/en/polling/retry"} {
		play(t, mustLink(t, address), func(_ *stage, e taken) {
			server := false
			for _, step := range e.steps {
				server = server || step.Actor == im.Server && step.Data.Kind != im.ReadPast
			}
			if lit := partsAtWork(e.event); (lit != "") != server {
				t.Errorf("%s at %v: %q is lit", address, e.Moment, lit)
			}
		})
	}
}
