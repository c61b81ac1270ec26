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

func tally(t testing.TB, s *im.Scenario, e Entry) im.Metrics {
	t.Helper()
	m, err := im.Tally(context.Background(), s, e.New(), func() {})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// BenchmarkSinks compares the two ends of a run: every step kept in a buffer that is used again, which is what engine and protocol
// cost, and steps folded into figures, which is what an estimate costs.
func BenchmarkSinks(b *testing.B) {
	s := longRun(100_000)
	for _, e := range catalog(b) {
		b.Run(e.Name+"/fold", func(b *testing.B) { perMessage(b, &s, func() { tally(b, &s, e) }) })

		trace := new(im.Trace)
		keep := func() {
			*trace = (*trace)[:0]
			play(b, &s, e, trace)
		}
		b.Run(e.Name+"/trace", func(b *testing.B) {
			keep() // the buffer has its size before the clock starts
			perMessage(b, &s, keep)
		})
		b.Run(e.Name+"/ratio", func(b *testing.B) {
			keep()
			var keeping, folding time.Duration
			for b.Loop() {
				start := time.Now()
				keep()
				middle := time.Now()
				tally(b, &s, e)
				keeping += middle.Sub(start)
				folding += time.Since(middle)
			}
			b.ReportMetric(float64(folding)/float64(keeping), "fold/trace")
		})
	}
}

func perMessage(b *testing.B, s *im.Scenario, play func()) {
	b.ReportAllocs()
	for b.Loop() {
		play()
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
			return testing.AllocsPerRun(1, func() { tally(t, &s, e) })
		}
		if once, twice := allocations(n), allocations(2*n); twice-once > 20 {
			t.Errorf("%s: %v allocations for %d messages, %v for twice as many", e.Name, once, n, twice)
		}
	}
}
