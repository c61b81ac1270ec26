package im

// Window holds the live part of an endless numbered sequence: items are added at the end, reached by number, and released from
// the front. It is a ring that grows to the largest live part and then allocates nothing.
type Window[T any] struct {
	ring []T // its length is a power of two
	lo   int64
	hi   int64
}

// Lo is the number of the first item held, Hi one past the last.
func (w *Window[T]) Lo() int64 { return w.lo }

// Hi is one past the number of the last item held.
func (w *Window[T]) Hi() int64 { return w.hi }

// At returns item n, or nil if it was released or never added. The pointer is good until the next Extend.
func (w *Window[T]) At(n int64) *T {
	if n < w.lo || n >= w.hi {
		return nil
	}
	return &w.ring[n&int64(len(w.ring)-1)]
}

// Extend adds zero items until n is held, and returns item n, which must not have been released.
func (w *Window[T]) Extend(n int64) *T {
	for w.hi <= n {
		if w.hi-w.lo == int64(len(w.ring)) {
			w.grow()
		}
		var zero T
		w.ring[w.hi&int64(len(w.ring)-1)] = zero
		w.hi++
	}
	return &w.ring[n&int64(len(w.ring)-1)]
}

// Release lets go of every item below n.
func (w *Window[T]) Release(n int64) {
	w.lo = max(w.lo, n)
	w.hi = max(w.hi, w.lo)
}

func (w *Window[T]) grow() {
	ring := make([]T, max(16, 2*len(w.ring)))
	for n := w.lo; n < w.hi; n++ {
		ring[n&int64(len(ring)-1)] = w.ring[n&int64(len(w.ring)-1)]
	}
	w.ring = ring
}
