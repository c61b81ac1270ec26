package estimate

import (
	"math"

	"imscope/sim/im"
)

// Active is how many of a number of conversations have something new on average after n messages, of which the k-th most active gets
// 1 ÷ k of the first one's share: Σ 1 − (1 − p_k)ⁿ. n need not be whole: 10 minutes bring 267 ÷ 144.
func Active(conversations int64, n float64) (active float64) {
	if conversations < 1 {
		return 0
	}
	sums := im.Shares(conversations)
	total, before := float64(sums[len(sums)-1]), uint64(0)
	for _, sum := range sums {
		active += 1 - math.Pow(1-float64(sum-before)/total, n)
		before = sum
	}
	return active
}

// Missed is how many messages come on average in an absence: im.ReceivedADay for every day.
func Missed(absence im.Time) float64 { return im.ReceivedADay * absence.Hours() / 24 }
