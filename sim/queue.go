package sim

import (
	"math"
	"slices"
)

// Class orders events of one instant: what arrives or commits comes before what reads, and both before timers.
type Class uint8

// The classes, in the order in which they are handled at one instant.
const (
	Arrival Class = iota
	Read
	Timer
)

// Lane names a fixed delay of one engine.
type Lane int

// event is something due, with the step that led to it.
type event[E any] struct {
	due
	cause StepID
	what  E
}

// due is an event's place in the order of events. rank holds the class in its top bits and the insertion number below, so that
// one comparison decides between events of the same instant.
type due struct {
	at   Time
	rank uint64
}

const classShift = 56

func (a due) before(b due) bool { return a.at < b.at || a.at == b.at && a.rank < b.rank }

// nothing is when an empty lane or heap is due.
var nothing = due{at: math.MaxInt64, rank: math.MaxUint64}

// queue is the future: one ring for each constant delay, and a heap for every other.
type queue[E any] struct {
	lanes []lane[E]
	heap  []event[E]
	// heads says when the first event of each lane is due, and last that of the heap: all that choosing the next event looks at.
	heads    []due
	inserted uint64
}

// lane is a ring of events that all wait equally long, hence stand in the order in which they are due.
type lane[E any] struct {
	delay Time
	class Class
	ring  []event[E] // its length is a power of two
	head  int
	count int
}

func (q *queue[E]) lane(delay Time, class Class) Lane {
	for i := range q.lanes {
		if q.lanes[i].delay == delay && q.lanes[i].class == class {
			return Lane(i)
		}
	}
	q.lanes = append(q.lanes, lane[E]{delay: delay, class: class, ring: make([]event[E], 16)})
	q.heads = slices.Insert(q.heads, len(q.heads)-1, nothing)
	return Lane(len(q.lanes) - 1)
}

// next returns the due of an event inserted now.
func (q *queue[E]) next(at Time, c Class) due {
	q.inserted++
	return due{at, uint64(c)<<classShift | q.inserted}
}

func (q *queue[E]) pushLane(id Lane, now Time, cause StepID, what *E) {
	l := &q.lanes[id]
	if l.count == len(l.ring) {
		l.grow()
	}
	ev := &l.ring[(l.head+l.count)&(len(l.ring)-1)]
	ev.due, ev.cause, ev.what = q.next(now+l.delay, l.class), cause, *what
	if l.count == 0 {
		q.heads[id] = ev.due
	}
	l.count++
}

func (l *lane[E]) grow() {
	ring := make([]event[E], 2*len(l.ring))
	n := copy(ring, l.ring[l.head:])
	copy(ring[n:], l.ring[:l.head])
	l.ring, l.head = ring, 0
}

// pop moves the earliest event that is due at or before until to ev; it reports whether there is one.
func (q *queue[E]) pop(until Time, ev *event[E]) bool {
	first := 0
	for i := 1; i < len(q.heads); i++ {
		if q.heads[i].before(q.heads[first]) {
			first = i
		}
	}
	switch {
	case q.heads[first].at > until || q.heads[first] == nothing:
		return false
	case first == len(q.lanes):
		q.popHeap(ev)
	default:
		q.popLane(first, ev)
	}
	return true
}

func (q *queue[E]) popLane(id int, ev *event[E]) {
	l := &q.lanes[id]
	*ev = l.ring[l.head]
	l.head = (l.head + 1) & (len(l.ring) - 1)
	l.count--
	q.heads[id] = nothing
	if l.count > 0 {
		q.heads[id] = l.ring[l.head].due
	}
}

// The heap has four children a node: it is shallower than a binary one, and the children share cache lines.
const arity = 4

func (q *queue[E]) pushHeap(at Time, c Class, cause StepID, what *E) {
	q.heap = append(q.heap, event[E]{q.next(at, c), cause, *what})
	h := q.heap
	i := len(h) - 1
	ev := h[i]
	for i > 0 {
		parent := (i - 1) / arity
		if !ev.before(h[parent].due) {
			break
		}
		h[i] = h[parent]
		i = parent
	}
	h[i] = ev
	q.heads[len(q.lanes)] = h[0].due
}

func (q *queue[E]) popHeap(ev *event[E]) {
	h := q.heap
	*ev = h[0]
	last := h[len(h)-1]
	h = h[:len(h)-1]
	q.heap = h
	if len(h) == 0 {
		q.heads[len(q.lanes)] = nothing
		return
	}
	i := 0
	for {
		child := i*arity + 1
		if child >= len(h) {
			break
		}
		for c := child + 1; c < min(child+arity, len(h)); c++ {
			if h[c].before(h[child].due) {
				child = c
			}
		}
		if !h[child].before(last.due) {
			break
		}
		h[i] = h[child]
		i = child
	}
	h[i] = last
	q.heads[len(q.lanes)] = h[0].due
}
