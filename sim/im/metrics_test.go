package im

import (
	"math/rand/v2"
	"reflect"
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

// TestHistogramOfLongTimes checks that long times are told by the minute, and that the longest take no more room than a year's.
func TestHistogramOfLongTimes(t *testing.T) {
	var h Histogram
	for _, d := range []Time{time.Second, 100*time.Hour + 30*time.Second, 5000 * 24 * time.Hour} {
		h.Add(d)
	}
	for percent, want := range map[int64]time.Duration{33: time.Second, 50: 100 * time.Hour, 100: longest} {
		if got := h.Quantile(percent); got != want.Milliseconds() {
			t.Errorf("%d%%: got %d, want %d", percent, got, want.Milliseconds())
		}
	}
	if len(h.counts) > int(long/time.Millisecond)/millisPage+1 || len(h.minutes) > int(longest/time.Minute)+1 || h.MaxMillis() != (5000*24*time.Hour).Milliseconds() {
		t.Errorf("%d and %d counts, max %d", len(h.counts), len(h.minutes), h.MaxMillis())
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

// TestMerge checks that two histograms together count as one that was given everything.
func TestMerge(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 0))
	var parts [2]Histogram
	var all Histogram
	for range 500 {
		d := Time(r.Int64N(int64(3 * time.Hour)))
		if r.IntN(2) == 0 {
			d = Time(r.Int64N(int64(20 * time.Second)))
		}
		parts[r.IntN(2)].Add(d)
		all.Add(d)
	}
	for _, both := range [][2]Histogram{{parts[0], parts[1]}, {parts[1], parts[0]}, {{}, all}, {all, {}}} {
		merged := both[0].Clone()
		merged.Merge(&both[1])
		if !reflect.DeepEqual(merged, all) {
			t.Errorf("merged: %d of mean %d, want %d of mean %d", merged.N, merged.Mean(), all.N, all.Mean())
		}
	}
	if parts[0].N+parts[1].N != all.N {
		t.Error("merging a copy changed what it was copied from")
	}
}
