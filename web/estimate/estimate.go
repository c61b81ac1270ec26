// Package estimate plays long runs for their figures alone and says how far those can be trusted. Statistics need floating point,
// which is why they are not in sim.
package estimate

import (
	"context"
	"fmt"
	"math"

	"imscope/sim"
	"imscope/sim/im"
)

// Report is what a long run came to. The intervals hold the true figure in 95 of 100 runs.
type Report struct {
	Metrics im.Metrics // of the whole run
	Batch   int64      // messages in a batch
	Batches int64      // full batches, whose spread gives the intervals

	InvertedPairs, MissingUnnoticed, MissingKnown, Fetches, OwnMoves, Duplicates Interval // per 100 messages
	Polls, EmptyPolls, Lost                                                      Interval // too, where a phone asks
	WaitMS                                                                       Interval
}

// Interval is a mean with its 95% interval.
type Interval struct{ Mean, Low, High float64 }

// fewestBatches is how many batches an interval needs: with fewer it would be too wide to tell anything.
const fewestBatches = 4

// BatchSize is the number of messages in a batch of a run of about n: 10,000, or a tenth of a shorter run.
func BatchSize(n int64) int64 { return max(1, min(10_000, n/10)) }

// Expected is about how many messages s will send.
func Expected(s *im.Scenario) int64 {
	if s.Uniform {
		return s.Messages
	}
	return int64(s.End()/s.Gap) * int64(s.Phones)
}

// Run plays s under p and reports. It ends early, with ctx's error, when ctx ends.
func Run(ctx context.Context, s *im.Scenario, p im.Protocol) (*Report, error) {
	b := &batcher{fold: im.NewFold(s, false), size: BatchSize(Expected(s))}
	if err := im.Run(ctx, s, p, b); err != nil {
		return nil, err
	}
	if len(b.cuts) <= fewestBatches {
		return nil, fmt.Errorf("%d messages are too few for an interval", b.pressed)
	}
	return b.report(), nil
}

// batcher is a sink that notes the figures wherever a batch of messages begins.
type batcher struct {
	fold    *im.Fold
	size    int64
	pressed int64
	cuts    []im.Metrics
}

func (b *batcher) Step(s *im.Step) sim.StepID {
	if s.Data.Kind == im.Pressed {
		if b.pressed%b.size == 0 {
			b.cuts = append(b.cuts, b.fold.Metrics())
		}
		b.pressed++
	}
	return b.fold.Step(s)
}

func (b *batcher) report() *Report {
	messages := func(m *im.Metrics) int64 { return m.Messages }
	per100 := func(of func(*im.Metrics) int64) Interval { return b.ratio(100, of, messages) }
	return &Report{
		Metrics:          b.fold.Metrics(),
		Batch:            b.size,
		Batches:          int64(len(b.cuts) - 1),
		InvertedPairs:    per100(func(m *im.Metrics) int64 { return m.InvertedPairs }),
		MissingUnnoticed: per100((*im.Metrics).MissingUnnoticed),
		MissingKnown:     per100(func(m *im.Metrics) int64 { return m.MissingKnown }),
		Fetches:          per100(func(m *im.Metrics) int64 { return m.Fetches }),
		OwnMoves:         per100(func(m *im.Metrics) int64 { return m.OwnMoves }),
		Duplicates:       per100(func(m *im.Metrics) int64 { return m.Duplicates }),
		Polls:            per100(func(m *im.Metrics) int64 { return m.Polls }),
		EmptyPolls:       per100(func(m *im.Metrics) int64 { return m.EmptyPolls }),
		Lost:             per100(func(m *im.Metrics) int64 { return m.Lost }),
		WaitMS: b.ratio(1/float64(1e6), func(m *im.Metrics) int64 { return int64(m.Wait.Sum) },
			func(m *im.Metrics) int64 { return m.Wait.N }),
	}
}

// ratio estimates scale × part ÷ whole. The mean is that of the whole run, the spread that of the full batches around it: batches
// are long enough to be as good as independent.
func (b *batcher) ratio(scale float64, part, whole func(*im.Metrics) int64) Interval {
	all := b.fold.Metrics()
	if whole(&all) == 0 {
		return Interval{}
	}
	mean := float64(part(&all)) / float64(whole(&all))
	var squares, wholes float64
	for i := 1; i < len(b.cuts); i++ {
		from, to := &b.cuts[i-1], &b.cuts[i]
		w := float64(whole(to) - whole(from))
		off := float64(part(to)-part(from)) - mean*w
		squares += off * off
		wholes += w
	}
	n := float64(len(b.cuts) - 1)
	half := student(n-1) * math.Sqrt(squares*n/(n-1)) / wholes
	if wholes == 0 {
		half = 0
	}
	return Interval{scale * mean, scale * max(0, mean-half), scale * (mean + half)}
}

// student is the 97.5% quantile of Student's t with the given degrees of freedom, at least 3, to about 0.1%: the expansion around
// the normal quantile (Abramowitz and Stegun 26.7.5).
func student(freedom float64) float64 {
	const z = 1.959963984540054
	z3, z5, z7, z9 := math.Pow(z, 3), math.Pow(z, 5), math.Pow(z, 7), math.Pow(z, 9)
	return z + (z3+z)/(4*freedom) +
		(5*z5+16*z3+3*z)/(96*math.Pow(freedom, 2)) +
		(3*z7+19*z5+17*z3-15*z)/(384*math.Pow(freedom, 3)) +
		(79*z9+776*z7+1482*z5-1920*z3-945*z)/(92160*math.Pow(freedom, 4))
}
