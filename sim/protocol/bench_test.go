package protocol

import (
	"context"
	"testing"
	"time"

	"imscope/sim"
	"imscope/sim/im"
)

// longRun is a random run of about n messages with 10% loss.
func longRun(n int64) im.Scenario {
	s, _ := im.FindScenario(im.OrderingChapter, "random")
	s.Messages = n
	s.Loss = sim.Certain / 10
	return s
}

func play(t testing.TB, s *im.Scenario, e Entry, sink im.Sink) {
	t.Helper()
	if err := im.Run(context.Background(), s, e.New(), sink); err != nil {
		t.Fatal(err)
	}
}

// BenchmarkSinks compares the two ends of a run: every step kept in a buffer that is used again, which is what engine and protocol
// cost, and steps folded into figures, which is what an estimate costs.
func BenchmarkSinks(b *testing.B) {
	s := longRun(100_000)
	folded := func() im.Sink { return im.NewFold(&s, false) }
	for _, e := range catalog(b) {
		b.Run(e.Name+"/fold", func(b *testing.B) { perMessage(b, &s, e, folded) })

		trace := new(im.Trace)
		kept := func() im.Sink { *trace = (*trace)[:0]; return trace }
		b.Run(e.Name+"/trace", func(b *testing.B) {
			play(b, &s, e, kept()) // the buffer has its size before the clock starts
			perMessage(b, &s, e, kept)
		})
		b.Run(e.Name+"/ratio", func(b *testing.B) {
			play(b, &s, e, kept())
			var keeping, folding time.Duration
			for b.Loop() {
				start := time.Now()
				play(b, &s, e, kept())
				middle := time.Now()
				play(b, &s, e, folded())
				keeping += middle.Sub(start)
				folding += time.Since(middle)
			}
			b.ReportMetric(float64(folding)/float64(keeping), "fold/trace")
		})
	}
}

func perMessage(b *testing.B, s *im.Scenario, e Entry, sink func() im.Sink) {
	b.ReportAllocs()
	for b.Loop() {
		play(b, s, e, sink())
	}
	n := float64(s.Messages) * float64(b.N)
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/n, "ns/message")
	b.ReportMetric(n/b.Elapsed().Seconds(), "messages/s")
}

// TestNoAllocationAMessage checks that a run folded into figures allocates no more for twice as many messages, but for a few
// buffers that grow with the longest wait and the deepest backlog.
func TestNoAllocationAMessage(t *testing.T) {
	const n = 5_000
	for _, e := range catalog(t) {
		allocations := func(messages int64) float64 {
			s := longRun(messages)
			return testing.AllocsPerRun(1, func() { play(t, &s, e, im.NewFold(&s, false)) })
		}
		if once, twice := allocations(n), allocations(2*n); twice-once > 20 {
			t.Errorf("%s: %v allocations for %d messages, %v for twice as many", e.Name, once, n, twice)
		}
	}
}
