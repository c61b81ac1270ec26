package web

import (
	"sort"

	"imscope/sim/im"
)

// timeMap turns run time into distance on the page, and, as the player moves along it at an even pace, into time to look. Every
// moment gets room to be seen, and quiet stretches are shortened; the diagram marks where. It is piecewise linear and never falls,
// so order is kept and nothing lands before it left.
type timeMap struct {
	times []im.Time // the moments at which something happens, rising, from 0
	at    []int     // their distance from the start
	room  int       // that the last moment needs beyond that of every moment
}

const (
	leastStep   = 17 // between two moments
	perTick     = 25 // for the time of one tick
	tick        = 100 * im.Millisecond
	longestStep = 40 // a quiet stretch gets no more
)

func newTimeMap() *timeMap { return &timeMap{times: []im.Time{0}, at: []int{0}} }

// add appends moment t, which must not lie before the last; the same moment again changes nothing.
func (m *timeMap) add(t im.Time) {
	last := len(m.times) - 1
	if gap := t - m.times[last]; gap > 0 {
		m.times = append(m.times, t)
		step := min(int(gap*perTick/tick), longestStep)
		m.at = append(m.at, m.at[last]+max(step, leastStep+m.room))
		m.room = 0
	}
}

// leave keeps room for more below the last moment.
func (m *timeMap) leave(room int) { m.room = max(m.room, room) }

// last is the distance of the last moment.
func (m *timeMap) last() int { return m.at[len(m.at)-1] }

// Y is the distance of time t, which may lie between two moments; what lies after the last one is there.
func (m *timeMap) Y(t im.Time) int {
	i := sort.Search(len(m.times), func(i int) bool { return m.times[i] >= t })
	if i == len(m.times) {
		return m.last()
	}
	if m.times[i] == t || i == 0 {
		return m.at[i]
	}
	span, into := m.times[i]-m.times[i-1], t-m.times[i-1]
	return m.at[i-1] + int(im.Time(m.at[i]-m.at[i-1])*into/span)
}

// shortened reports whether the last stretch is drawn shorter than its time.
func (m *timeMap) shortened() bool {
	i := len(m.times) - 1
	return i > 0 && int((m.times[i]-m.times[i-1])*perTick/tick) > m.at[i]-m.at[i-1]
}
