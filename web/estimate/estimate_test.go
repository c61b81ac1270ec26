package estimate

import (
	"context"
	"errors"
	"math"
	"testing"
	"time"

	"imscope/sim/im"
	"imscope/sim/protocol"
)

func run(t *testing.T, ctx context.Context, name string, seed uint64, messages int64) (*Report, error) {
	t.Helper()
	chapter, _ := protocol.FindChapter("ordering")
	entry, ok := chapter.Find(name)
	s, found := im.FindScenario("ordering", "random")
	if !ok || !found {
		t.Fatalf("no protocol %s or no random scenario", name)
	}
	s.Seed, s.Messages, s.Loss = seed, messages, 0
	return Run(ctx, &s, entry.New())
}

// TestIntervalsHold checks that intervals hold the true figure about as often as they say. The figure is 100 × rate × round trip.
func TestIntervalsHold(t *testing.T) {
	const truth, runs = 10.0, 100
	held := 0
	for seed := range uint64(runs) {
		r, err := run(t, t.Context(), "arrival", seed, 4000)
		if err != nil {
			t.Fatal(err)
		}
		if p := r.InvertedPairs; p.Low <= truth && truth <= p.High {
			held++
		}
	}
	if held < 88 || held == runs { // 95 ± 2.2; 88 and 100 are more than two of them away
		t.Errorf("%d of %d intervals hold %v, want about 95", held, runs, truth)
	}
}

func TestReport(t *testing.T) {
	r, err := run(t, t.Context(), "by-id", 1, 20_000)
	if err != nil {
		t.Fatal(err)
	}
	if r.Batch != 2000 || r.Batches != r.Metrics.Messages/2000 {
		t.Errorf("%d batches of %d from %d messages", r.Batches, r.Batch, r.Metrics.Messages)
	}
	if zero := (Interval{}); r.InvertedPairs != zero || r.OwnMoves != zero || r.MissingUnnoticed != zero {
		t.Errorf("by id without loss everything is in order and nothing moves: got %+v", r)
	}
	if w := r.WaitMS; math.Abs(w.Mean-200) > 1e-9 || w.Low > w.Mean || w.High < w.Mean { // two legs of 100 ms
		t.Errorf("wait: got %+v, want 200", w)
	}
}

func TestTooFew(t *testing.T) {
	if _, err := run(t, t.Context(), "by-id", 1, 2); err == nil {
		t.Error("two messages gave an interval")
	}
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	start := time.Now()
	if _, err := run(t, ctx, "by-seq", 1, 100_000_000); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("stopped only after %v", took)
	}
}

// TestStudent compares with the printed table.
func TestStudent(t *testing.T) {
	for freedom, want := range map[float64]float64{3: 3.182, 5: 2.571, 8: 2.306, 9: 2.262, 19: 2.093, 100: 1.984, 9999: 1.960} {
		if got := student(freedom); math.Abs(got/want-1) > 0.002 {
			t.Errorf("%v degrees of freedom: got %.4f, want %.3f", freedom, got, want)
		}
	}
}
