package protocol

import (
	"math/rand/v2"
	"testing"

	"imscope/sim/im"
)

// oddAbsence draws a run of some scenario of the chapter, with knobs that are often at an extreme.
func oddAbsence(t *testing.T, seed uint64) im.Scenario {
	r := rand.New(rand.NewPCG(seed, 0))
	all := im.Scenarios(im.OfflineChapter)
	s := all[r.IntN(len(all))]
	values := map[string][]string{
		"away": {"10m", "open", "evening", "60s", "12h", "170h"}, "conversations": {"10", "11", "50", "200", "2000"}, "too-far": {"page", "list"},
		"page": {"1", "2", "7", "50", "1000"}, "latency": {"0s", "1ms", "100ms", "400ms", "3s"}, "loss": {"0", "0.1", "0.5"},
		"rto": {"50ms", "300ms", "1s", "10s"}, "opens": {"0", "0", "1", "10"}, "gapwait": {"0s", "100ms", "2s"}, "reorder": {"on", "off"},
		"version": {"on", "off"}, "head": {"before", "after"}, "locks": {"ordered", "unordered"}, "write": {"0s", "1ns", "100ms", "3s"},
		"slow": {"0s", "800ms", "5s"},
	}
	for _, p := range im.Params {
		choices := values[p.Name]
		if !p.Applies(&s) || len(choices) == 0 || r.IntN(3) == 0 {
			continue
		}
		if p.Name == "away" && s.Name != "book" && s.Name != "group" && s.Name != "person" {
			continue // what happens is timed by the length of these
		}
		if err := p.Set(&s, choices[r.IntN(len(choices))]); err != nil {
			t.Fatal(err)
		}
	}
	s.Seed = seed
	return s
}

// TestOddAbsences plays many odd runs and checks what must hold in all: the figures agree with a count made from nothing, nothing is both
// lost and shown, no number is given twice, and what a phone lacks and does not know of is never a message that it was given.
func TestOddAbsences(t *testing.T) {
	for seed := range uint64(10 * *oddRuns) {
		s := oddAbsence(t, seed)
		for _, e := range protocols(t, im.OfflineChapter) {
			trace := run(t, &s, e)
			m := im.FoldTrace(&s, trace).Metrics()
			stored, shown, past := make(map[im.MessageID]bool), make(map[im.MessageID]bool), make(map[im.MessageID]bool)
			for i := range trace {
				d := &trace[i].Data
				if trace[i].Actor == im.Tablet {
					continue // it is given all of it once more
				}
				switch d.Kind {
				case im.Stored:
					if stored[d.Msg] {
						t.Fatalf("%s is stored twice\n%s", d.Msg, command(&s, e.Name))
					}
					stored[d.Msg] = true
				case im.Shown, im.Listed:
					if d.Msg.N != 0 && (shown[d.Msg] || !stored[d.Msg]) {
						t.Fatalf("%s is shown twice, or before it is stored\n%s", d.Msg, command(&s, e.Name))
					}
					shown[d.Msg] = d.Msg.N != 0
				case im.ReadPast:
					past[d.Msg] = true
				}
			}
			given := int64(0)
			for msg := range stored {
				if shown[msg] {
					given++
				}
				if shown[msg] && past[msg] {
					t.Errorf("%s is shown and lost\n%s", msg, command(&s, e.Name))
				}
			}
			if m.Stored != int64(len(stored)) || m.Missing != m.Stored-given || m.Lost != int64(len(past)) || m.EventsUnknown < 0 ||
				m.MissingKnown < 0 || m.MissingUnnoticed() < 0 {
				t.Errorf("%d stored, %d given, %d missing, %d of them known, %d lost\n%s", m.Stored, given, m.Missing, m.MissingKnown, m.Lost,
					command(&s, e.Name))
			}
			if e.Name == "inbox" && !s.HeadLast && m.Lost > 0 {
				t.Errorf("%d are lost\n%s", m.Lost, command(&s, e.Name))
			}
		}
	}
}
