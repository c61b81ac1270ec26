package protocol

import (
	"math/rand/v2"
	"testing"

	"imscope/sim"
	"imscope/sim/im"
)

const (
	// mostUndone bounds how many faults can hide behind one another.
	mostUndone = 200
	// mostTried bounds for how many symptoms of a run the faults are undone.
	mostTried = 3
)

// ends counts in what chains end.
type ends map[im.SymptomKind]*[im.ByNature]int

func (e ends) count(s im.Symptom, end im.End) {
	if e[s.Kind] == nil {
		e[s.Kind] = new([im.ByNature]int)
	}
	e[s.Kind][end]++
}

// TestWhy checks over many random runs, half of them edited, that every line that is missing, inverted, doubled or moved, in the end and at
// a moment in between, has a chain that ends in a fault, a crossing or a rule; and that undoing the fault that a chain ends in, and those
// that come to light then, leaves a run without the symptom, or one in which nothing went wrong.
func TestWhy(t *testing.T) {
	found := ends{}
	undone, more := 0, 0
	for seed := range uint64(25 * *oddRuns) {
		s, e, trace := oddRun(t, seed)
		r := rand.New(rand.NewPCG(seed, 3))
		for range int(seed) / 3 % 2 * (1 + r.IntN(4)) {
			s.Edits = im.WithEdit(s.Edits, randomEdit(r, &s, trace))
		}
		trace = run(t, &s, e)
		at := trace[r.IntN(len(trace))].At
		checkChains(t, &s, e, trace.Upto(end(at)), nil)
		tried := r.Perm(len(checkChains(t, &s, e, trace, found)))
		symptoms := im.NewInquiry(&s, trace).Symptoms()
		for _, i := range tried[:min(mostTried, len(tried))] {
			if n := undoAll(t, s, e, symptoms[i]); n > 0 {
				undone++
				more += min(1, n-1)
			}
		}
		if t.Failed() {
			return
		}
	}
	for kind := im.Missing; kind <= im.Moved; kind++ {
		if found[kind] == nil {
			t.Fatalf("no symptom of kind %d", kind)
		}
		t.Logf("kind %d: faults %d, crossings %d, rules %d", kind, found[kind][im.ByFault], found[kind][im.ByCrossing], found[kind][im.ByRule])
	}
	t.Logf("%d symptoms undone, %d of them with more than one fault", undone, more)
}

// end is the moment after all that happens at a time.
func end(at im.Time) sim.Moment { return sim.Moment{At: at, Tie: 1<<32 - 1} }

// checkChains checks the chain of every symptom of a moment, and returns the symptoms.
func checkChains(t *testing.T, s *im.Scenario, e Entry, steps im.Trace, found ends) []im.Symptom {
	t.Helper()
	q := im.NewInquiry(s, steps)
	symptoms := q.Symptoms()
	if m := im.FoldTrace(s, steps).Metrics(); int(m.Missing) != len(ofKind(symptoms, im.Missing)) || int(m.Duplicates) != len(ofKind(symptoms, im.Doubled)) {
		t.Errorf("%d missing, %d doubled, and %d and %d symptoms\n%s", m.Missing, m.Duplicates, len(ofKind(symptoms, im.Missing)), len(ofKind(symptoms, im.Doubled)), command(s, e.Name))
	}
	for _, sym := range symptoms {
		c := q.Why(sym)
		if found != nil {
			found.count(sym, c.End)
		}
		if len(c.Links) == 0 || c.End < im.ByFault || c.End > im.ByRule {
			t.Fatalf("%+v has the chain %+v\n%s", sym, c, command(s, e.Name))
		}
		for _, l := range c.Links {
			if len(l.Further) > 2 || int(l.Step) > len(steps) || l.Cause == 0 || l.Step == 0 && !l.Cause.Rule() && l.Cause != im.WasOff {
				t.Fatalf("%+v has the link %+v\n%s", sym, l, command(s, e.Name))
			}
		}
	}
	return symptoms
}

func ofKind(all []im.Symptom, kind im.SymptomKind) (some []im.Symptom) {
	for _, s := range all {
		if s.Kind == kind {
			some = append(some, s)
		}
	}
	return some
}

// undoAll undoes the fault that the chain of a symptom ends in, and plays again, until the symptom is gone or ends in something else. It
// returns how many it were.
func undoAll(t *testing.T, s im.Scenario, e Entry, sym im.Symptom) int {
	t.Helper()
	given := s
	for n := range mostUndone {
		q := im.NewInquiry(&s, run(t, &s, e))
		still, ok := same(q.Symptoms(), sym)
		if !ok {
			return n
		}
		c := q.Why(still)
		if c.End != im.ByFault {
			return n
		}
		s = s.Without(c.Fault)
	}
	t.Errorf("%+v: %d faults were undone, and another is found\n%s", sym, mostUndone, command(&given, e.Name))
	return mostUndone
}

// same finds a symptom of the same kind of the same line.
func same(all []im.Symptom, as im.Symptom) (im.Symptom, bool) {
	for _, s := range all {
		if s.Kind == as.Kind && s.Phone == as.Phone && s.Msg == as.Msg && s.With == as.With {
			return s, true
		}
	}
	return im.Symptom{}, false
}
