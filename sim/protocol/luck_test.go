package protocol

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"testing"

	"imscope/sim/im"
)

// TestSameLuck checks that a change to a run leaves the luck of everything else alone: under another protocol, or with one more
// phone, what happens in both runs happens with the same luck. (For edits see edits_test.go.)
func TestSameLuck(t *testing.T) {
	for seed := range uint64(40) {
		s := oddScenario(seed)
		s.Phones = min(s.Phones, im.MaxPhones-1)
		s.Edits = slices.DeleteFunc(s.Edits, func(e im.Edit) bool { return int(e.Msg.Sender) > s.Phones })
		s.Reopen = im.Server
		arrival := luckOf(&s, run(t, &s, entry(t, "arrival")))
		bySeq := luckOf(&s, run(t, &s, entry(t, "by-seq")))
		compareLuck(t, command(&s, "by-seq"), arrival, bySeq)

		more := s
		more.Phones++
		compareLuck(t, command(&more, "by-seq"), bySeq, luckOf(&more, run(t, &more, entry(t, "by-seq"))))

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
	gaps  map[im.MessageID]int64 // the ids that went elsewhere before a message's first copy, if that was not rolled back
}

func luckOf(s *im.Scenario, trace im.Trace) luck {
	l := luck{make(map[leg]verdict), make(map[im.MessageID]im.Time), make(map[im.MessageID]int64)}
	var taken []im.Data
	for i := range trace {
		switch step, d := &trace[i], trace[i].Data; d.Kind {
		case im.Pressed:
			l.times[d.Msg] = step.At
		case im.Left:
			l.legs[leg{d.Leg, step.Actor, d.To, d.Msg, d.Lo, d.Attempt}] = verdict{d.Lost, d.Lands - step.At}
		case im.Stored, im.RolledBack:
			taken = append(taken, d)
		}
	}
	slices.SortFunc(taken, func(a, b im.Data) int { return int(a.ID - b.ID) })
	before := s.FirstID
	for _, d := range taken {
		if d.Copy == 0 && d.Kind == im.Stored {
			l.gaps[d.Msg] = d.ID - before - 1
		}
		before = d.ID
	}
	return l
}

func compareLuck(t *testing.T, what string, a, b luck) {
	t.Helper()
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
