package im

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// TestHistogram compares quantiles with those of a sorted list.
func TestHistogram(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 0))
	for n := range 40 {
		var h Histogram
		var list []int64
		var sum Time
		for range n {
			d := Time(r.IntN(3000))*time.Millisecond + Time(r.IntN(2))*time.Millisecond/2
			h.Add(d)
			sum += d
			list = append(list, int64((d+500*time.Microsecond)/time.Millisecond))
		}
		slices.Sort(list)
		for _, percent := range []int64{1, 50, 95, 100} {
			want := int64(0)
			if n > 0 { // the smallest that percent of all do not exceed
				rank := 1
				for int64(rank)*100 < percent*int64(n) {
					rank++
				}
				want = list[rank-1]
			}
			if got := h.Quantile(percent); got != want {
				t.Errorf("%d%% of %v: got %d, want %d", percent, list, got, want)
			}
		}
		if n > 0 && h.Mean() != int64((sum/Time(n)+500*time.Microsecond)/time.Millisecond) {
			t.Errorf("mean of %v: got %d", list, h.Mean())
		}
	}
}

func TestHistogramIsBounded(t *testing.T) {
	var h Histogram
	h.Add(100 * time.Hour)
	if len(h.counts) > int(longest/time.Millisecond)/millisPage+1 || h.MaxMillis() != 100*3600*1000 {
		t.Errorf("%d counts, max %d", len(h.counts), h.MaxMillis())
	}
}

// TestEveryStepHasWords checks that no kind of step or leg was added without a name and a sentence.
func TestEveryStepHasWords(t *testing.T) {
	for k := Connected; k < kindEnd; k++ {
		if k.Name() == "" || describe(&Data{Kind: k, Leg: MessageLeg}) == "?" {
			t.Errorf("kind %d has no words", k)
		}
	}
	for l := MessageLeg; l < legEnd; l++ {
		if l.Name() == "" {
			t.Errorf("leg %d has no name", l)
		}
	}
}
