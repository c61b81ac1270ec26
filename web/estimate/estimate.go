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
	figures  []im.Figure

	next atomic.Int64 // the batch to play next

	mu     sync.Mutex
	done   []batch // by number, so that the order in which batches end does not matter
	played int64
	wait   im.Histogram
}

// batch is what one batch came to.
type batch struct {
	played            bool
	messages          int64
	waits, waitedInMS float64
	counts            []int64
}

// New returns an estimator that has played nothing yet; protocol makes the protocol of one batch.
func New(p Plan, protocol func() im.Protocol) *Estimator {
	return &Estimator{plan: p, protocol: protocol, figures: im.FiguresIn(&p.Scenario), done: make([]batch, p.Batches)}
}

// Run plays all batches on all cores, each once gate lets it in; a nil gate lets in all. It ends early, with ctx's error, when ctx ends.
func (e *Estimator) Run(ctx context.Context, gate Gate) error {
	group, ctx := errgroup.WithContext(ctx)
	for range min(int64(runtime.GOMAXPROCS(0)), e.plan.Batches) {
		group.Go(func() error { return e.work(ctx, gate) })
	}
	return group.Wait()
}

func (e *Estimator) work(ctx context.Context, gate Gate) error {
	for i := e.next.Add(1) - 1; i < e.plan.Batches; i = e.next.Add(1) - 1 {
		if err := Through(ctx, gate, func() error { return e.play(ctx, i) }); err != nil {
			return err
		}
	}
	return nil
}

// play plays batch i and adds it to what is done.
func (e *Estimator) play(ctx context.Context, i int64) error {
	s := e.plan.batch(i)
	fold := im.NewFold(&s, false)
	if err := im.Run(ctx, &s, e.protocol(), fold); err != nil {
		return err
	}
	m := fold.Metrics()
	b := batch{played: true, messages: m.Messages, waits: float64(m.Wait.N), waitedInMS: float64(m.Wait.Sum) / 1e6}
	for _, c := range e.figures {
		b.counts = append(b.counts, c.Of(&m))
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
	r := &Report{Plan: e.plan, Figures: e.figures, wait: e.wait.Clone()}
	r.batches = slices.DeleteFunc(slices.Clone(e.done), func(b batch) bool { return !b.played })
	return r
}
