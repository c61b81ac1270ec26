package web

import (
	"sort"

	"imscope/sim/im"
)

// timeMap turns run time into distance on the page. Every moment gets room to be seen, and quiet stretches are shortened; the
// diagram marks where. It is piecewise linear and never falls, so order is kept and nothing lands before it left.
type timeMap struct {
	times []im.Time // the moments at which something happens, rising, from 0
	at    []int     // their distance from the start
}

const (
	leastStep   = 17                   // between two moments
	perTick     = 25                   // for the time of one tick
	tick        = 100 * im.Millisecond //
	longestStep = 40                   // a quiet stretch gets no more
)

// newTimeMap maps the given times, in any order, repeats allowed.
func newTimeMap(times []im.Time) timeMap {
	sort.Slice(times, func(i, j int) bool { return times[i] < times[j] })
	m := timeMap{times: []im.Time{0}, at: []int{0}}
	for _, t := range times {
		last := len(m.times) - 1
		if gap := t - m.times[last]; gap > 0 {
			m.times = append(m.times, t)
			m.at = append(m.at, m.at[last]+min(max(int(gap*perTick/tick), leastStep), longestStep))
		}
	}
	return m
}

// Y is the distance of time t, which may lie between two moments; what lies after the last one is there.
func (m timeMap) Y(t im.Time) int {
	i := sort.Search(len(m.times), func(i int) bool { return m.times[i] >= t })
	if i == len(m.times) {
		return m.at[i-1]
	}
	if m.times[i] == t || i == 0 {
		return m.at[i]
	}
	span, into := m.times[i]-m.times[i-1], t-m.times[i-1]
	return m.at[i-1] + int(im.Time(m.at[i]-m.at[i-1])*into/span)
}

// shortened reports whether the stretch before moment i is drawn shorter than its time.
func (m timeMap) shortened(i int) bool {
	return i > 0 && int((m.times[i]-m.times[i-1])*perTick/tick) > longestStep
}
