package protocol

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"testing"

	"imscope/sim/im"
)

// TestSameLuck checks that a change to a run leaves the luck of everything else alone: under another protocol, with one more
// phone, or with one leg lost by hand, what happens in both runs happens with the same luck.
func TestSameLuck(t *testing.T) {
	for seed := range uint64(40) {
		s := oddScenario(seed)
		s.Phones = min(s.Phones, im.MaxPhones-1)
		s.Hand = slices.DeleteFunc(s.Hand, func(h im.Send) bool { return int(h.Msg.Sender) > s.Phones })
		s.Reopen = im.Server
		arrival := luckOf(run(t, &s, entry(t, "arrival")))
		bySeq := luckOf(run(t, &s, entry(t, "by-seq")))
		compareLuck(t, command(&s, "by-seq"), arrival, bySeq, nil)

		more := s
		more.Phones++
		compareLuck(t, command(&more, "by-seq"), bySeq, luckOf(run(t, &more, entry(t, "by-seq"))), nil)

		lost := s
		lost.Faults = []im.Fault{{Leg: im.PushLeg, Msg: message("A1"), Attempt: 1, To: im.Ben, Lost: true}}
		compareLuck(t, command(&lost, "by-seq")+" and A1's push to Ben lost", bySeq, luckOf(run(t, &lost, entry(t, "by-seq"))), &lost.Faults[0])
	}
}

// leg is what a leg is, whatever its luck.
type leg struct {
	kind     im.Leg
	from, to im.Actor
	msg      im.MessageID
	lo       int64
	attempt  uint32
}

type verdict struct {
	lost  bool
	delay im.Time
}

// luck is what chance decided in a run.
type luck struct {
	legs  map[leg]verdict
	times map[im.MessageID]im.Time
	gaps  map[im.MessageID]int64 // the ids that went elsewhere before a message's first copy
}

func luckOf(trace im.Trace) luck {
	l := luck{make(map[leg]verdict), make(map[im.MessageID]im.Time), make(map[im.MessageID]int64)}
	var stored []im.Data
	for i := range trace {
		switch s, d := &trace[i], trace[i].Data; d.Kind {
		case im.Pressed:
			l.times[d.Msg] = s.At
		case im.Left:
			l.legs[leg{d.Leg, s.Actor, d.To, d.Msg, d.Lo, d.Attempt}] = verdict{d.Lost, d.Lands - s.At}
		case im.Stored:
			stored = append(stored, d)
		}
	}
	slices.SortFunc(stored, func(a, b im.Data) int { return int(a.ID - b.ID) })
	before := int64(1007)
	for _, d := range stored {
		if d.Copy == 0 {
			l.gaps[d.Msg] = d.ID - before - 1
		}
		before = d.ID
	}
	return l
}

func compareLuck(t *testing.T, what string, a, b luck, except *im.Fault) {
	t.Helper()
	if except != nil {
		delete(a.legs, leg{kind: except.Leg, from: im.Server, to: except.To, msg: except.Msg, attempt: except.Attempt})
	}
	if n := common(t, what, a.legs, b.legs); n < 5 {
		t.Errorf("only %d common legs: nothing compared\n%s", n, what)
	}
	if n := common(t, what, a.times, b.times); n != len(a.times) {
		t.Errorf("of %d messages, %d were sent in the other run\n%s", len(a.times), n, what)
	}
	common(t, what, a.gaps, b.gaps)
}

// common compares what both maps hold, and returns how much that is.
func common[K, V comparable](t *testing.T, what string, a, b map[K]V) (n int) {
	t.Helper()
	for key, v := range a {
		other, ok := b[key]
		if !ok {
			continue
		}
		n++
		if other != v {
			t.Fatalf("%+v: %+v and %+v\n%s", key, v, other, what)
		}
	}
	return n
}

// TestSameBytesEverywhere plays a run of every kind of step, twice, and compares it with what it gave when this test was written,
// to the nanosecond. Run it with GOARCH=386 too: a float or an int that slips in shows there.
func TestSameBytesEverywhere(t *testing.T) {
	want := map[string]string{"arrival": "7821a80bb8f3c219", "by-id": "3bf61c379e6a0779", "by-seq": "3bd4ccb320fa4290"}
	for _, e := range catalog(t) {
		s := scenario(t, "random", "messages=400,gap=300ms,phones=4,loss=0.2,reorder=on,fetchloss=on,dedupe=off,write=20ms,attempts=3,reopen=carl")
		first, second := digest(t, &s, e), digest(t, &s, e)
		if first != second {
			t.Errorf("%s: two runs of the same input differ", e.Name)
		}
		if first != want[e.Name] {
			t.Errorf("%s: got %s, want %s\n%s", e.Name, first, want[e.Name], command(&s, e.Name))
		}
	}
}

// digest is a hash of a run: its steps in full, and its transcript with screens and figures.
func digest(t *testing.T, s *im.Scenario, e Entry) string {
	hash := sha256.New()
	trace := run(t, s, e)
	for i := range trace {
		step := &trace[i]
		d := &step.Data
		fmt.Fprintln(hash, int64(step.At), step.Tie, step.Cause, step.Actor, d.Msg, d.Copy, d.Attempt, d.Lost, d.ID, d.Seq, d.Key, d.Gap,
			d.Lo, d.Hi, int64(d.Lands))
	}
	if err := im.WriteTranscript(hash, s, trace); err != nil {
		t.Fatal(err)
	}
	return hex.EncodeToString(hash.Sum(nil)[:8])
}
