package estimate

import "context"

// Gate bounds how much is worked at once, by however many estimates and searches: a *semaphore.Weighted is one, and lets in who came
// first.
type Gate interface {
	Acquire(ctx context.Context, n int64) error
	Release(n int64)
}

// Through does a piece of work, which should not take long, once gate lets it in; a nil gate lets in all. The error is that of the work,
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
