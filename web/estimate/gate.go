package estimate

import (
	"context"

	"imscope/sim"
	"imscope/sim/im"
)

// Gate bounds how much is worked at once, by however many estimates and searches: a *semaphore.Weighted is one, and lets in who came
// first.
type Gate interface {
	Acquire(ctx context.Context, n int64) error
	Release(n int64)
}

// Through does a piece of work, which should not take long or take turns, once gate lets it in; a nil gate lets in all. The error is that of the work,
// or ctx's if ctx ends before.
func Through(ctx context.Context, gate Gate, work func() error) error {
	if gate != nil {
		if err := gate.Acquire(ctx, 1); err != nil {
			return err
		}
		defer gate.Release(1)
	}
	return work()
}

// turn is how many steps are played before others have their turn: some milliseconds.
const turn = 20_000

// turns is a sink within Through that lets others in every so often.
type turns struct {
	im.Sink
	ctx   context.Context
	gate  Gate
	steps int
}

// Step passes s on.
func (t *turns) Step(s *im.Step) sim.StepID {
	if t.steps++; t.steps%turn == 0 && t.gate != nil {
		t.gate.Release(1)
		_ = t.gate.Acquire(context.WithoutCancel(t.ctx), 1) // Through will release it; a run whose context has ended is over soon
	}
	return t.Sink.Step(s)
}
