package protocol

import (
	"math"
	"testing"

	"imscope/sim"
	"imscope/sim/im"
)

// TestReferenceFigures compares long runs with figures per 100 messages that come from three independent programs and, for pairs,
// from closed forms: 100 × rate × round trip without loss; with loss 2 × ¼ × [0.9 × (0.2 + 1/9) + 0.10101]. The standard error is
// that of the run's own batches.
func TestReferenceFigures(t *testing.T) {
	long(t)
	pairs := func(m *im.Metrics) int64 { return m.InvertedPairs }
	unnoticed := func(m *im.Metrics) int64 { return m.MissingUnnoticed() }
	moves := func(m *im.Metrics) int64 { return m.OwnMoves }
	fetches := func(m *im.Metrics) int64 { return m.Fetches }
	type figure struct {
		name string
		of   func(*im.Metrics) int64
		want float64
	}
	for _, c := range []struct {
		protocol, settings string
		figures            []figure
	}{
		{"arrival", "loss=0,seed=1", []figure{{"pairs", pairs, 10.00}}},
		{"arrival", "loss=0.1,seed=2", []figure{{"pairs", pairs, 19.05}, {"missing unnoticed", unnoticed, 10.00}}},
		{"arrival", "loss=0.1,phones=3,seed=3", []figure{{"pairs", pairs, 32.8}, {"missing unnoticed", unnoticed, 20.0}}},
		{"by-id", "loss=0.1,seed=4", []figure{{"own moves", moves, 15.65}, {"missing unnoticed", unnoticed, 10.00}}},
		{"by-seq", "loss=0.1,seed=5", []figure{{"fetches", fetches, 13.40}, {"own moves", moves, 14.96}}},
	} {
		t.Run(c.protocol+" "+c.settings, func(t *testing.T) {
			s := scenario(t, "random", "messages=200000,"+c.settings)
			b := inBatches(t, &s, c.protocol)
			for _, f := range c.figures {
				mean, deviation := b.per100(f.of)
				if math.Abs(mean-f.want) > 3*deviation {
					t.Errorf("%s: got %.2f ± %.2f, want %.2f\n%s", f.name, mean, deviation, f.want, command(&s, c.protocol))
				}
				if deviation > f.want/40 {
					t.Errorf("%s: a standard error of %.2f shows little", f.name, deviation)
				}
			}
		})
	}
}

// TestExactFigures checks what does not depend on luck.
func TestExactFigures(t *testing.T) {
	long(t)
	s := scenario(t, "random", "messages=50000,loss=0,seed=6")
	b := inBatches(t, &s, "by-id")
	if m := b.last(); m.OwnMoves != 0 || m.InvertedPairs != 0 || m.Missing != 0 {
		t.Errorf("by id without loss: got %d own moves, %d pairs, %d missing, want none", m.OwnMoves, m.InvertedPairs, m.Missing)
	}
	// By seq only what nothing follows can be missing: the last push to a phone, or the last few if all of them were lost.
	s = scenario(t, "random", "messages=50000,loss=0.1,seed=7")
	b = inBatches(t, &s, "by-seq")
	if m := b.last(); m.Missing > 3 || m.MissingKnown != 0 || m.InvertedPairs != 0 {
		t.Errorf("by seq: got %d missing, %d of them known, and %d pairs", m.Missing, m.MissingKnown, m.InvertedPairs)
	}
}

// TestOwnMovesBySeq splits the own messages that moved by what placed them.
func TestOwnMovesBySeq(t *testing.T) {
	long(t)
	s := scenario(t, "random", "messages=200000,loss=0.1,seed=8")
	split := &moveSplitter{fold: im.NewFold(&s, false)}
	play(t, &s, entry(t, "by-seq"), split)
	n := float64(split.fold.Metrics().Messages)
	for _, c := range []struct {
		by        string
		got, want float64
	}{{"an ACK", split.byACK, 11.66}, {"a fetch", split.byFetch, 3.30}} {
		// Moves come in small clusters, which widens a Poisson count's deviation by less than a half.
		if got, deviation := 100*c.got/n, 150*math.Sqrt(c.got)/n; math.Abs(got-c.want) > 3*deviation {
			t.Errorf("placed by %s: got %.2f ± %.2f, want %.2f", c.by, got, deviation, c.want)
		}
	}
}

type moveSplitter struct {
	fold           *im.Fold
	byACK, byFetch float64
}

func (m *moveSplitter) Step(s *im.Step) sim.StepID {
	if s.Data.Kind != im.Acked {
		return m.fold.Step(s)
	}
	before := m.fold.Metrics().OwnMoves
	m.fold.Step(s)
	if moved := float64(m.fold.Metrics().OwnMoves - before); s.Data.Fetched {
		m.byFetch += moved
	} else {
		m.byACK += moved
	}
	return 0
}

// batches is a run's figures after every batch of messages.
type batches struct {
	fold  *im.Fold
	count int64
	after []im.Metrics
}

const batch = 4000

func (b *batches) Step(s *im.Step) sim.StepID {
	if s.Data.Kind == im.Pressed {
		if b.count++; b.count%batch == 1 {
			b.after = append(b.after, b.fold.Metrics())
		}
	}
	return b.fold.Step(s)
}

func (b *batches) last() im.Metrics { return b.fold.Metrics() }

// per100 is a figure's mean over all batches, and its standard error.
func (b *batches) per100(of func(*im.Metrics) int64) (mean, deviation float64) {
	n := float64(len(b.after) - 1)
	var sum, squares float64
	for i := 1; i < len(b.after); i++ {
		x := 100 * float64(of(&b.after[i])-of(&b.after[i-1])) / batch
		sum += x
		squares += x * x
	}
	mean = sum / n
	return mean, math.Sqrt((squares/n - mean*mean) / (n - 1))
}

func inBatches(t *testing.T, s *im.Scenario, protocol string) *batches {
	t.Helper()
	b := &batches{fold: im.NewFold(s, false)}
	play(t, s, entry(t, protocol), b)
	return b
}
