package estimate

import (
	"context"
	"runtime"
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

// turn is how many pauses of a run pass before others have their turn: some milliseconds.
const turn = 16

// turns is what a run within Through does in its pauses: it lets whatever else the process has to do go first, such as a page, which would
// wait up to 10 ms for a core otherwise, and lets others in every so often.
func turns(ctx context.Context, gate Gate) func() {
	pauses := 0
	return func() {
		runtime.Gosched()
		if pauses++; pauses%turn == 0 && gate != nil {
			gate.Release(1)
			_ = gate.Acquire(context.WithoutCancel(ctx), 1) // Through will release it; a run whose context has ended is over soon
		}
	}
}
