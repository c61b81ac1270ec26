package main

import (
	"math"

	"imscope/sim/im"
)

// fifoLoop plays s with one queue for each kind of event: all of a kind wait equally long, but for the presses, of which each phone has
// one at a time.
func fifoLoop(s *im.Scenario) im.Metrics {
	m := newModel(s)
	var presses [3]event
	presses[1].at, presses[2].at = math.MaxInt64, math.MaxInt64
	var queues [kinds]fifo
	until := m.end + im.Overtime
	for {
		for _, e := range m.take() {
			if e.kind == press {
				presses[e.sender] = e
			} else {
				queues[e.kind].push(e)
			}
		}
		next, phone := press, 1
		if presses[2].before(presses[1].due) {
			phone = 2
		}
		first := presses[phone].due
		for k := retry; k < kinds; k++ {
			if q := &queues[k]; q.count > 0 && q.ring[q.first].before(first) {
				next, first = k, q.ring[q.first].due
			}
		}
		if first.at > until {
			return m.metrics
		}
		var e event
		if next == press {
			e = presses[phone]
			presses[phone].at = math.MaxInt64
		} else {
			e = queues[next].pop()
		}
		m.handle(&e)
	}
}

// fifo is a ring; none has more than that many events.
type fifo struct {
	ring         [1 << 10]event
	first, count int
}

func (q *fifo) push(e event) {
	if q.count == len(q.ring) {
		panic("more events of one kind than the ring holds")
	}
	q.ring[(q.first+q.count)%len(q.ring)] = e
	q.count++
}

func (q *fifo) pop() event {
	e := q.ring[q.first]
	q.first = (q.first + 1) % len(q.ring)
	q.count--
	return e
}
