package protocol

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"imscope/sim"
	"imscope/sim/im"
)

// underRace says that the race detector watches, which makes a run some twenty times slower. A run has but one goroutine.
var underRace bool

// long skips a test of many messages where it would take minutes and find nothing.
func long(t *testing.T) {
	t.Helper()
	if underRace || testing.Short() {
		t.Skip("plays long runs in one goroutine")
	}
}

// oddScenario draws a run with knobs that are often at an extreme, where bookkeeping goes wrong first.
func oddScenario(seed uint64) im.Scenario {
	r := rand.New(rand.NewPCG(seed, 0))
	ms := func(choices ...int) im.Time { return im.Time(choices[r.IntN(len(choices))]) * time.Millisecond }
	sometimes := func() bool { return r.IntN(4) == 0 }
	s, _ := im.FindScenario(im.OrderingChapter, "random")
	s.Seed = seed
	s.Phones = 2 + r.IntN(im.MaxPhones-1)
	s.Messages = int64(5 + r.IntN(40))
	s.Gap = ms(50, 200, 700, 2000)
	s.Latency = ms(0, 1, 100, 100, 400)
	s.Loss = sim.Chance(r.IntN(6)) * sim.Certain / 10
	s.RTO = ms(150, 300, 1000, 1000, 3000)
	s.GapWait = ms(0, 100, 500, 2000)
	s.Write = ms(0, 0, 0, 5, 50, 500)
	s.Reorder, s.FetchLoss = sometimes(), sometimes()
	s.NoIDs, s.NoDedupe, s.NoACK = sometimes(), sometimes(), sometimes()
	if sometimes() {
		s.Attempts = int64(1 + r.IntN(3))
	}
	if sometimes() {
		s.Reopen = im.Actor(1 + r.IntN(s.Phones))
	}
	for n := range uint32(r.IntN(3)) {
		at := im.Time(r.Int64N(int64(s.End())))
		s.Edits = append(s.Edits, im.Edit{Verb: im.Press, At: at, Msg: im.HandMessage(im.Actor(1+r.IntN(s.Phones)), n+1)})
	}
	return s
}

// scenario returns a scenario of the chapter on ordering with some knobs set: name=value, separated by commas.
func scenario(t testing.TB, name, settings string) im.Scenario {
	t.Helper()
	return setScenario(t, im.OrderingChapter, name, settings)
}

// setScenario returns a scenario of a chapter with some knobs set.
func setScenario(t testing.TB, chapter, name, settings string) im.Scenario {
	t.Helper()
	s, ok := im.FindScenario(chapter, name)
	if !ok {
		t.Fatalf("no scenario %q", name)
	}
	for setting := range strings.SplitSeq(settings, ",") {
		knob, value, _ := strings.Cut(setting, "=")
		if knob == "" {
			continue
		}
		p, ok := im.FindParam(knob)
		if !ok {
			t.Fatalf("no knob %q", knob)
		}
		if err := p.Set(&s, value); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// command is what reproduces a run by hand.
func command(s *im.Scenario, protocol string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "imscope run %s --protocol %s --scenario %s", s.Chapter, protocol, s.Name)
	for _, p := range im.Params {
		if p.Applies(s) && (p.Name != "length" || s.Messages == 0 || s.Uniform) {
			fmt.Fprintf(&b, " --%s %s", p.Name, p.Value(s))
		}
	}
	if len(s.Edits) > 0 {
		fmt.Fprintf(&b, " --edits %s", im.FormatEdits(s.Edits))
	}
	return b.String()
}

// run plays s and returns its trace.
func run(t testing.TB, s *im.Scenario, e Entry) im.Trace {
	t.Helper()
	var trace im.Trace
	play(t, s, e, &trace)
	return trace
}

// catalog is the protocols of the chapter on ordering.
func catalog(t testing.TB) []Entry { return protocols(t, im.OrderingChapter) }

// protocols are those of a chapter.
func protocols(t testing.TB, chapter string) []Entry {
	c, ok := FindChapter(chapter)
	if !ok {
		t.Fatalf("the catalogue has no chapter %s", chapter)
	}
	return c.Protocols
}
