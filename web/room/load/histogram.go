package main

// histogram counts waits by the half millisecond; what is longer than 10 s is in the last.
type histogram struct {
	Counts []int64
	Total  int64
}

const longest = 20_000

func (h *histogram) count(micros int64) {
	if h.Counts == nil {
		h.Counts = make([]int64, longest)
	}
	h.Counts[min(max(0, micros/500), longest-1)]++
	h.Total++
}

func (h *histogram) add(o *histogram) {
	if h.Counts == nil {
		h.Counts = make([]int64, longest)
	}
	for i, n := range o.Counts {
		h.Counts[i] += n
	}
	h.Total += o.Total
}

// quantile is in ms, rounded up.
func (h *histogram) quantile(share float64) float64 {
	left := int64(share * float64(h.Total))
	for i, n := range h.Counts {
		if left -= n; left < 0 {
			return float64(i+1) / 2
		}
	}
	return 0
}
