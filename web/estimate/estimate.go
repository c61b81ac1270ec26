package estimate

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"imscope/sim/im"
)

// Estimator plays a plan under one protocol. It can be asked for a report at any time.
type Estimator struct {
	plan     Plan
	protocol func() im.Protocol
	figures  []Figure

	mu     sync.Mutex
	done   []batch // by number, so that the order in which batches end does not matter
	played int64
	wait   im.Histogram
}

// Figure is a count whose mean is wanted. Those of several runs must add up.
type Figure func(*im.Metrics) int64

// batch is what one batch came to.
type batch struct {
	played            bool
	number, messages  int64
	waits, waitedInMS float64
	counts            []int64
}

// New returns an estimator that has played nothing yet; protocol makes the protocol of one batch.
func New(p Plan, protocol func() im.Protocol, figures []Figure) *Estimator {
	return &Estimator{plan: p, protocol: protocol, figures: figures, done: make([]batch, p.Batches)}
}

// Run plays all batches of all estimators on all cores, each once gate lets it in; a nil gate lets in all. The first batches of all come
// before the second ones. It ends early, with ctx's error, when ctx ends.
func Run(ctx context.Context, gate Gate, all ...*Estimator) error {
	var next atomic.Int64
	var most int64
	for _, e := range all {
		most = max(most, e.plan.Batches)
	}
	group, ctx := errgroup.WithContext(ctx)
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() error {
			n := int64(len(all))
			for i := next.Add(1) - 1; i < most*n; i = next.Add(1) - 1 {
				e := all[i%n]
				if i/n >= e.plan.Batches {
					continue
				}
				if err := Through(ctx, gate, func() error { return e.play(ctx, gate, i/n) }); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return group.Wait()
}

// play plays batch i and adds it to what is done.
func (e *Estimator) play(ctx context.Context, gate Gate, i int64) error {
	s := e.plan.batch(i)
	m, err := im.Tally(ctx, &s, e.protocol(), turns(ctx, gate))
	if err != nil {
		return err
	}
	b := batch{played: true, number: i, messages: m.Messages, waits: float64(m.Wait.N), waitedInMS: float64(m.Wait.Sum) / 1e6}
	for _, figure := range e.figures {
		b.counts = append(b.counts, figure(&m))
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.done[i] = b
	e.played++
	e.wait.Merge(&m.Wait)
	return nil
}

// Progress tells how many batches were played so far, of how many.
func (e *Estimator) Progress() (done, of int64) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.played, e.plan.Batches
}

// Report tells what the batches that were played so far came to.
func (e *Estimator) Report() *Report {
	e.mu.Lock()
	defer e.mu.Unlock()
	return &Report{Plan: e.plan, batches: slices.DeleteFunc(slices.Clone(e.done), func(b batch) bool { return !b.played })}
}

// Waits are those of all messages that were shown so far. Long waits fill megabytes, which are copied for every call.
func (e *Estimator) Waits() im.Histogram {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.wait.Clone()
}
