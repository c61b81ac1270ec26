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

// never is when an empty lane or heap is due.
const never Time = math.MaxInt64

// head says when the first event of a lane is due, or of the heap, which has none.
type head[E any] struct {
	due
	lane *Lane[E]
}

// queue is the future: one ring for each constant delay, and a heap for every other.
type queue[E any] struct {
	heap []event[E]
	top  event[E] // of the heap, while it is lent out
	// heads has that of the heap, then that of each lane in use: all that choosing the next event looks at.
	heads    []head[E]
	lanes    []*Lane[E]
	lent     int // the head of which an event is lent out
	inserted uint64
}

// Ticket names an event that waits in a lane. That of no event is 0.
type Ticket uint

// Lane is a ring of events that all wait equally long, hence stand in the order in which they are due.
type Lane[E any] struct {
	delay Time
	class Class
	ring  []event[E] // its length is a power of two; one place stays free, for the event that is lent out
	first uint       // the number of its first event that waits; events are numbered from 1 and stand in the ring by number
	next  uint       // the number of the event that comes next into it
	head  int        // its place among the heads; 0 until it is used
}

func newQueue[E any]() queue[E] { return queue[E]{heads: []head[E]{{due: due{at: never}}}} }

func (q *queue[E]) lane(delay Time, class Class) *Lane[E] {
	for _, l := range q.lanes {
		if l.delay == delay && l.class == class {
			return l
		}
	}
	l := &Lane[E]{delay: delay, class: class, ring: make([]event[E], 16), first: 1, next: 1}
	q.lanes = append(q.lanes, l)
	return l
}

// next returns the due of an event inserted now.
func (q *queue[E]) next(at Time, c Class) due {
	q.inserted++
	return due{at, uint64(c)<<classShift | q.inserted}
}

// at is where the event of that number stands.
func (l *Lane[E]) at(n uint) *event[E] { return &l.ring[n&uint(len(l.ring)-1)] }

// slot is where the lane's next event goes.
func (l *Lane[E]) slot() *event[E] { return l.at(l.next) }

// pushLane schedules what stands in the lane's slot.
func (q *queue[E]) pushLane(l *Lane[E], now Time, cause StepID) Ticket {
	ev := l.slot()
	ev.due, ev.cause = q.next(now+l.delay, l.class), cause
	if l.first == l.next {
		q.lead(l, ev.due)
	}
	n := l.next
	l.next++
	if l.next-l.first == uint(len(l.ring)-1) {
		l.grow()
	}
	return Ticket(n)
}

// void is the rank of an event that was called back.
const void = 0

// cancel calls an event of a lane back, if it is there: at once if it is the first and nothing of the lane is lent out, else it is passed over
// when it is due.
func (q *queue[E]) cancel(l *Lane[E], t Ticket) {
	switch n := uint(t); {
	case n-l.first >= l.next-l.first: // it has come already
	case n == l.first && q.lent != l.head:
		q.heads[l.head].advance()
	default:
		l.at(n).rank = void
	}
}

// lead notes when the first event of a lane that was empty is due.
func (q *queue[E]) lead(l *Lane[E], first due) {
	if l.head == 0 {
		l.head = len(q.heads)
		q.heads = append(q.heads, head[E]{lane: l})
	}
	q.heads[l.head].due = first
}

func (l *Lane[E]) grow() {
	ring := make([]event[E], 2*len(l.ring))
	for n := l.first; n != l.next; n++ {
		ring[n&uint(len(ring)-1)] = *l.at(n)
	}
	l.ring = ring
}

// soonest is which of the heads is due first.
func (q *queue[E]) soonest() (first int) {
	heads := q.heads
	at := heads[0].at
	for i := 1; i < len(heads); i++ {
		h := &heads[i]
		if h.at > at || h.at == at && h.rank > heads[first].rank {
			continue
		}
		first, at = i, h.at
	}
	return first
}

// advance lets go of the first event of the lane of a head.
func (h *head[E]) advance() {
	l := h.lane
	l.first++
	if l.first != l.next {
		h.due = l.at(l.first).due
	} else {
		h.at = never
	}
}

// The heap has four children a node: it is shallower than a binary one, and the children share cache lines.
const arity = 4

func (q *queue[E]) pushHeap(at Time, c Class, cause StepID) *E {
	due := q.next(at, c)
	q.heap = slices.Grow(q.heap, 1)[:len(q.heap)+1]
	h := q.heap
	i := len(h) - 1
	for i > 0 {
		parent := (i - 1) / arity
		if !due.before(h[parent].due) {
			break
		}
		h[i] = h[parent]
		i = parent
	}
	ev := &h[i]
	ev.due, ev.cause = due, cause
	q.heads[0].due = h[0].due
	return &ev.what
}

func (q *queue[E]) popHeap() *event[E] {
	h := q.heap
	q.top = h[0]
	last := &h[len(h)-1]
	h = h[:len(h)-1]
	q.heap = h
	if len(h) == 0 {
		q.heads[0].at = never
		return &q.top
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
	h[i] = *last
	q.heads[0].due = h[0].due
	return &q.top
}
