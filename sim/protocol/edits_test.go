package protocol

import (
	"math/rand/v2"
	"slices"
	"testing"

	"imscope/sim/im"
)

// editedPairs is how many random pairs of a scenario and an edit are played.
const editedPairs = 1000

// oddRun draws a scenario of any chapter, a protocol of it, and the run they give.
func oddRun(t *testing.T, seed uint64) (im.Scenario, Entry, im.Trace) {
	s := [...]func() im.Scenario{
		func() im.Scenario { return oddScenario(seed) }, func() im.Scenario { return oddPolling(seed) }, func() im.Scenario { return oddAbsence(t, seed) },
	}[seed%3]()
	s.Edits = nil
	entries := protocols(t, s.Chapter)
	e := entries[int(seed/3)%len(entries)]
	return s, e, run(t, &s, e)
}

// randomEdit draws an edit of something that a run has.
func randomEdit(r *rand.Rand, s *im.Scenario, trace im.Trace) im.Edit {
	var legs []im.LegID
	var msgs []im.MessageID
	last := trace[len(trace)-1].At
	for i := range trace {
		switch d := &trace[i].Data; d.Kind {
		case im.Left:
			legs = append(legs, im.LegOf(&trace[i]))
		case im.Stored:
			msgs = append(msgs, d.Msg)
		}
	}
	when := func() im.Time { return im.Time(r.Int64N(int64(min(last, s.End())) + 1)) }
	e := im.Edit{Verb: im.Verb(1 + r.IntN(int(im.Skip))), At: when(), Phone: im.Actor(1 + r.IntN(s.Phones))}
	if len(msgs) > 0 {
		e.Msg = msgs[r.IntN(len(msgs))]
	}
	if len(legs) > 0 {
		e.Leg = legs[r.IntN(len(legs))]
	}
	e.Until = e.At + 1 + im.Time(r.Int64N(int64(4*im.Second)))
	e.N = r.Int64N(9)
	if e.Verb == im.Delay || e.Verb == im.Stall || e.Verb == im.Press && r.IntN(2) == 0 {
		e.At = im.Time(r.Int64N(int64(3 * im.Second)))
	}
	if e.Verb == im.Press && s.Chapter != im.OfflineChapter && r.IntN(2) == 0 {
		e.Msg = im.HandMessage(im.Actor(1+r.IntN(s.Phones)), uint32(1+r.IntN(9)))
	}
	// What it is not about is left out, as its text does.
	edits, _ := im.ParseEdits(s, im.FormatEdits([]im.Edit{e}))
	if len(edits) == 0 {
		return im.Edit{Verb: im.Restart, At: e.At}
	}
	return edits[0]
}

// TestEdits checks over random pairs of a scenario and an edit that what the edit is not about keeps its luck: every leg that both runs
// have its verdict, every message its name, its time and the ids before it.
func TestEdits(t *testing.T) {
	long(t)
	applied := map[im.Verb]int{}
	for seed := range uint64(editedPairs) {
		s, e, before := oddRun(t, seed)
		r := rand.New(rand.NewPCG(seed, 1))
		edit := randomEdit(r, &s, before)
		s.Edits = []im.Edit{edit}
		after := run(t, &s, e)
		effects := im.NewEffects(&s)
		for i := range after {
			effects.Follow(&after[i])
		}
		if effects.Applied(0) {
			applied[edit.Verb]++
		}
		compareEdited(t, command(&s, e.Name), edit, editLuck(&s, before), editLuck(&s, after))
		if t.Failed() {
			return
		}
	}
	for verb := im.Press; verb <= im.Skip; verb++ {
		if applied[verb] < 10 {
			t.Errorf("%q was applied %d times only", im.Forms[verb].Name, applied[verb])
		}
	}
}

// fate is what became of a leg.
type fate struct {
	lost  bool
	delay im.Time
	lands im.Time
	to    im.Actor
}

type edited struct {
	legs  map[im.LegID]fate
	times map[im.MessageID]im.Time
	gaps  map[im.MessageID]int64
}

func editLuck(s *im.Scenario, trace im.Trace) edited {
	l := edited{make(map[im.LegID]fate), make(map[im.MessageID]im.Time), make(map[im.MessageID]int64)}
	for i := range trace {
		switch step, d := &trace[i], trace[i].Data; d.Kind {
		case im.Pressed:
			l.times[d.Msg] = step.At
		case im.Left:
			l.legs[im.LegOf(step)] = fate{d.Lost, d.Lands - step.At, d.Lands, d.To}
		}
	}
	l.gaps = luckOf(s, trace).gaps
	return l
}

func compareEdited(t *testing.T, what string, e im.Edit, a, b edited) {
	t.Helper()
	for leg, was := range a.legs {
		is, ok := b.legs[leg]
		off := e.Verb == im.Off && (is.to == e.Phone && (im.Span{From: e.At, To: e.Until}).Has(is.lands))
		if !ok || off || leg == e.Leg {
			continue
		}
		moved := was.lands != is.lands // a phone may be off at one of the two times
		if is.delay != was.delay || is.lost != was.lost && !moved {
			t.Errorf("%s: %+v, and then %+v\n%s", leg, was, is, what)
		}
	}
	for m, at := range a.times {
		dropped := e.Verb == im.Drop || e.Verb == im.Off
		if now, ok := b.times[m]; m != e.Msg && (ok && now != at || !ok && !dropped) {
			t.Errorf("%s was sent at %s, and then at %s\n%s", m, at, now, what)
		}
	}
	for m, gap := range a.gaps {
		if now, ok := b.gaps[m]; ok && now != gap && !(e.Verb == im.Skip && m == e.Msg) {
			t.Errorf("%d ids went before %s, and then %d\n%s", gap, m, now, what)
		}
	}
}

// TestManyEdits plays runs with many edits at once, delays, absences and restarts among them: nothing is counted below zero, what is
// shown is stored, and in the end nobody waits for ever.
func TestManyEdits(t *testing.T) {
	long(t)
	for seed := range uint64(editedPairs / 2) {
		s, e, trace := oddRun(t, seed)
		r := rand.New(rand.NewPCG(seed, 2))
		for range 1 + r.IntN(20) {
			s.Edits = im.WithEdit(s.Edits, randomEdit(r, &s, trace))
		}
		trace = run(t, &s, e)
		stored := map[im.MessageID]bool{}
		for i := range trace {
			switch d := &trace[i].Data; d.Kind {
			case im.Stored:
				stored[d.Msg] = true
			case im.Shown, im.Acked:
				if !stored[d.Msg] {
					t.Fatalf("%s is shown and not stored\n%s", d.Msg, command(&s, e.Name))
				}
			}
		}
		m := im.FoldTrace(&s, trace).Metrics()
		if lowest := slices.Min([]int64{m.InvertedPairs, m.MissingUnnoticed(), m.MissingKnown, m.Missing, m.Lost, m.Duplicates}); lowest < 0 {
			t.Fatalf("%+v\n%s", m, command(&s, e.Name))
		}
	}
}
