package sim

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

// event is something due. rank holds the class in its top bits and the insertion number below, so that one comparison decides
// between events of the same instant.
type event[E any] struct {
	at    Time
	rank  uint64
	cause StepID
	what  E
}

const classShift = 56

func (a *event[E]) before(b *event[E]) bool {
	return a.at < b.at || a.at == b.at && a.rank < b.rank
}

// queue is the future: one ring for each constant delay, and a heap for every other.
type queue[E any] struct {
	lanes    []lane[E]
	heap     []event[E]
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
	return Lane(len(q.lanes) - 1)
}

func (q *queue[E]) rank(c Class) uint64 {
	q.inserted++
	return uint64(c)<<classShift | q.inserted
}

func (q *queue[E]) pushLane(id Lane, now Time, cause StepID, what E) {
	l := &q.lanes[id]
	if l.count == len(l.ring) {
		l.grow()
	}
	l.ring[(l.head+l.count)&(len(l.ring)-1)] = event[E]{now + l.delay, q.rank(l.class), cause, what}
	l.count++
}

func (l *lane[E]) grow() {
	ring := make([]event[E], 2*len(l.ring))
	n := copy(ring, l.ring[l.head:])
	copy(ring[n:], l.ring[:l.head])
	l.ring, l.head = ring, 0
}

// pop takes the earliest event that is due at or before until.
func (q *queue[E]) pop(until Time) (event[E], bool) {
	const inHeap = -1
	from := inHeap
	var first *event[E]
	if len(q.heap) > 0 {
		first = &q.heap[0]
	}
	for i := range q.lanes {
		l := &q.lanes[i]
		if l.count == 0 {
			continue
		}
		if head := &l.ring[l.head]; first == nil || head.before(first) {
			first, from = head, i
		}
	}
	if first == nil || first.at > until {
		return event[E]{}, false
	}
	if from == inHeap {
		return q.popHeap(), true
	}
	ev := *first
	l := &q.lanes[from]
	l.head = (l.head + 1) & (len(l.ring) - 1)
	l.count--
	return ev, true
}

// The heap has four children a node: it is shallower than a binary one, and the children share cache lines.
const arity = 4

func (q *queue[E]) pushHeap(at Time, c Class, cause StepID, what E) {
	q.heap = append(q.heap, event[E]{at, q.rank(c), cause, what})
	h := q.heap
	i := len(h) - 1
	ev := h[i]
	for i > 0 {
		parent := (i - 1) / arity
		if !ev.before(&h[parent]) {
			break
		}
		h[i] = h[parent]
		i = parent
	}
	h[i] = ev
}

func (q *queue[E]) popHeap() event[E] {
	h := q.heap
	first, last := h[0], h[len(h)-1]
	h = h[:len(h)-1]
	q.heap = h
	if len(h) == 0 {
		return first
	}
	i := 0
	for {
		child := i*arity + 1
		if child >= len(h) {
			break
		}
		for c := child + 1; c < min(child+arity, len(h)); c++ {
			if h[c].before(&h[child]) {
				child = c
			}
		}
		if !h[child].before(&last) {
			break
		}
		h[i] = h[child]
		i = child
	}
	h[i] = last
	return first
}
