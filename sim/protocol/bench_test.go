package protocol

import (
	"context"
	"testing"

	"imscope/sim"
	"imscope/sim/im"
)

// longRun is a random run of about n messages with 10% loss.
func longRun(n int64) im.Scenario {
	s, _ := im.FindScenario("random")
	s.Messages = n
	s.Loss = sim.Certain / 10
	return s
}

// BenchmarkSinks compares the two ends of a run: every step kept in a buffer that is used again, and steps folded into figures.
// The first is what the protocol and the engine cost; ns/message of the second is what an estimate costs.
func BenchmarkSinks(b *testing.B) {
	const messages = 100_000
	s := longRun(messages)
	for _, e := range catalog(b) {
		var trace im.Trace
		b.Run(e.Name+"/trace", func(b *testing.B) {
			trace = run(b, &s, e) // the buffer has its size before the clock starts
			perMessage(b, &s, e, func() im.Sink { trace = trace[:0]; return &trace })
		})
		b.Run(e.Name+"/fold", func(b *testing.B) {
			perMessage(b, &s, e, func() im.Sink { return im.NewFold(&s, false) })
		})
	}
}

func perMessage(b *testing.B, s *im.Scenario, e Entry, sink func() im.Sink) {
	b.ReportAllocs()
	for b.Loop() {
		if err := im.Run(context.Background(), s, e.New(), sink()); err != nil {
			b.Fatal(err)
		}
	}
	n := float64(s.Messages) * float64(b.N)
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/n, "ns/message")
	b.ReportMetric(n/b.Elapsed().Seconds(), "messages/s")
}
