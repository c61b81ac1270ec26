package im

import (
	"math/rand/v2"
	"testing"
)

// TestWindow compares a window with a map that forgets nothing on its own.
func TestWindow(t *testing.T) {
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 0))
		var w Window[int]
		items := make(map[int64]int)
		lo, hi := int64(0), int64(0)
		for step := range 500 {
			switch n := lo + r.Int64N(hi-lo+4); {
			case r.IntN(3) > 0:
				if n = max(n, lo); n >= hi {
					hi = n + 1
				}
				*w.Extend(n) = step + 1
				items[n] = step + 1
			default: // sometimes past the end
				w.Release(n)
				lo, hi = max(lo, n), max(hi, n)
				for i := range items {
					if i < n {
						delete(items, i)
					}
				}
			}
			if w.Lo() != lo || w.Hi() != hi {
				t.Fatalf("seed %d, step %d: holds %d … %d, want %d … %d", seed, step, w.Lo(), w.Hi(), lo, hi)
			}
			for n := lo - 2; n < hi+2; n++ {
				got := w.At(n)
				if (got != nil) != (n >= lo && n < hi) || got != nil && *got != items[n] {
					t.Fatalf("seed %d, step %d: item %d is wrong", seed, step, n)
				}
			}
		}
	}
}
