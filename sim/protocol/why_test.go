package protocol

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"imscope/sim"
	"imscope/sim/im"
)

const (
	// mostUndone bounds how many faults can hide behind one another.
	mostUndone = 200
	// mostTried bounds for how many symptoms of a run the faults are undone.
	mostTried = 3
	// mostChains bounds how many chains of a moment are looked at. A phone that was away can lack thousands of messages for the same reason.
	mostChains = 200
)

var symptomNames = [...]string{im.Missing: "missing", im.Inverted: "inverted", im.Doubled: "doubled", im.Moved: "moved"}

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
	long(t)
	found := ends{}
	var undone, atOnce int
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
				atOnce += 1 / n
			}
		}
		if t.Failed() {
			return
		}
	}
	for kind := im.Missing; kind <= im.Moved; kind++ {
		if found[kind] == nil {
			t.Fatalf("nothing was %s", symptomNames[kind])
		}
		t.Logf("%s: %d faults, %d crossings, %d rules", symptomNames[kind], found[kind][im.ByFault], found[kind][im.ByCrossing], found[kind][im.ByRule])
	}
	t.Logf("%d times faults were undone, %d times with the first one", undone, atOnce)
	if undone < 10 || 2*atOnce < undone {
		t.Errorf("faults were undone %d times, and only %d times with the first one", undone, atOnce)
	}
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
	for i := 0; i < len(symptoms); i += 1 + len(symptoms)/mostChains {
		sym := symptoms[i]
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

// TestWhyKnown checks the chains of runs that are told in the book.
func TestWhyKnown(t *testing.T) {
	for _, c := range []struct {
		chapter, scenario, protocol, settings string
		want                                  string
	}{
		{"ordering", "book", "arrival", "", "missing ben A2: lose push A2 ben, the setting"},
		{"ordering", "book", "arrival", "", "inverted ana A2 below A1: lose message A1, the setting"},
		{"ordering", "book", "arrival", "", "inverted ben A3 below B3: a crossing"},
		{"ordering", "book", "by-id", "", "moved ana A2: lose message A1, the setting"},
		{"ordering", "book", "by-seq", "", "moved ana A2: lose message A1, the setting"},
		{"polling", "hole", "poll-id", "", "lost ben A1: stall A1 3s, the setting"},
		{"polling", "retry", "poll-id", "", "doubled ben A1: lose ack A1, the setting"},
		{"offline", "group", "conversation-cursors", "", fmt.Sprintf("missing ben M3: rule %d", im.GroupUnknown)},
		{"offline", "race", "global-id", "head=after", fmt.Sprintf("lost ben M69: rule %d", im.HeadReadLast)},
		{"offline", "race", "inbox", "", fmt.Sprintf("missing ben M2: rule %d", im.LeftByList)},
		{"offline", "locks", "global-id", "", "lost ben M1: stall M1 800ms, the setting"},
		{"offline", "push", "conversation-cursors", "", "missing ben M2: lose push M2 ben, the setting"},
	} {
		s := setScenario(t, c.chapter, c.scenario, c.settings)
		chapter, _ := FindChapter(c.chapter)
		e, _ := chapter.Find(c.protocol)
		q := im.NewInquiry(&s, run(t, &s, e))
		var all []string
		for _, sym := range q.Symptoms() {
			all = append(all, tellChain(sym, q.Why(sym)))
		}
		if !slices.Contains(all, c.want) {
			t.Errorf("%s %s %s: no %q in %q", c.chapter, c.scenario, c.protocol, c.want, all)
		}
	}
}

// tellChain tells a symptom and what its chain ends in.
func tellChain(sym im.Symptom, c im.Chain) string {
	kind := symptomNames[sym.Kind]
	if sym.Lost {
		kind = "lost"
	}
	text := kind + " " + strings.ToLower(im.Name(sym.Phone)) + " " + sym.Msg.String()
	if sym.Kind == im.Inverted {
		text += " below " + sym.With.String()
	}
	switch c.End {
	case im.ByFault:
		return text + ": " + c.Fault.String() + [...]string{im.Luck: "", im.TheSetting: ", the setting", im.TheReader: ", the reader"}[c.By]
	case im.ByCrossing:
		return text + ": a crossing"
	default:
		return fmt.Sprintf("%s: rule %d", text, c.Links[len(c.Links)-1].Cause)
	}
}
