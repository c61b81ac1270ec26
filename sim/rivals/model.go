package main

import (
	"imscope/sim"
	"imscope/sim/im"
)

// What a hand-written loop is about: two phones that send by id. It draws the same luck as the engine (the numbers are those of package
// im), so that its figures must be the same to the last one.
const (
	lossDraw  = 1
	gapDraw   = 3
	idGapDraw = 4
)

// kind is a kind of event.
type kind uint8

const (
	press kind = iota
	retry
	message // the legs, whose numbers plus one are those of package im
	ack
	push
	kinds
)

// event is something due: to phone, about message n of sender. id is the message's, once it has one.
type event struct {
	due
	id      int64
	n       uint32
	attempt uint16
	kind    kind
	sender  uint8
	to      uint8
}

// due is when an event comes: of events of one instant arrivals come before timers, then what was scheduled first.
type due struct {
	at   im.Time
	rank uint64
}

func (a due) before(b due) bool { return a.at < b.at || a.at == b.at && a.rank < b.rank }

// timers is added to the rank of what is no arrival.
const timers = 1 << 63

// leg is what travels, by its number in package im.
func (k kind) leg() uint64 { return uint64(k-message) + uint64(im.MessageLeg) }

// window is how many messages of one phone are remembered: none is under way for as long as that.
const window = 1 << 12

// note is what is remembered of a message.
type note struct {
	sent         im.Time
	id           int64
	stored, done bool
}

// model is the state of both phones and the server. What it schedules goes to out.
type model struct {
	*im.Scenario
	luck sim.Luck
	end  im.Time
	out  []event

	scheduled uint64

	notes  [3][window]note // by sender
	last   [3]uint32       // how many each has sent
	first  [3]uint32       // the first that the sender has not seen confirmed
	newest [3]int64        // the biggest id on a phone's screen
	lastID int64

	metrics im.Metrics
}

func newModel(s *im.Scenario) *model {
	m := &model{Scenario: s, luck: sim.NewLuck(s.Seed), end: s.End(), lastID: s.FirstID}
	for phone := uint8(1); phone <= 2; phone++ {
		m.first[phone] = 1
		m.plan(phone, 1, 0)
	}
	return m
}

// take returns what was scheduled since the last time.
func (m *model) take() []event {
	out := m.out
	m.out = m.out[:0]
	return out
}

func (m *model) plan(phone uint8, n uint32, before im.Time) {
	if at := before + m.luck.Draw(gapDraw, uint64(phone), uint64(n)).Exponential(m.Gap); at < m.end {
		m.schedule(event{due: due{at, timers}, kind: press, sender: phone, n: n})
	}
}

func (m *model) schedule(e event) {
	m.scheduled++
	e.rank |= m.scheduled
	m.out = append(m.out, e)
}

func (m *model) note(e *event) *note { return &m.notes[e.sender][e.n%window] }

func (m *model) handle(e *event) {
	switch e.kind {
	case press:
		m.plan(e.sender, e.n+1, e.at)
		m.metrics.Messages++
		*m.note(e), m.last[e.sender] = note{sent: e.at}, e.n
		m.transmit(e, 1)
	case retry:
		if !m.note(e).done {
			m.transmit(e, e.attempt+1)
		}
	case message:
		m.receive(e)
	case ack:
		m.confirm(e)
	case push:
		m.metrics.Missing--
		m.metrics.Wait.Add(e.at - m.note(e).sent)
		m.newest[e.to] = max(m.newest[e.to], e.id)
	}
}

func (m *model) transmit(e *event, attempt uint16) {
	m.metrics.Cost.Requests++
	m.metrics.Cost.BytesUp += im.MessageBytes
	m.send(event{due: due{at: e.at}, kind: message, sender: e.sender, n: e.n, attempt: attempt})
	m.schedule(event{due: due{e.at + m.RTO, timers}, kind: retry, sender: e.sender, n: e.n, attempt: attempt})
}

// send lets a leg leave at e.at.
func (m *model) send(e event) {
	a := e.kind.leg()<<48 | uint64(e.sender)<<40 | uint64(e.to)<<32 | uint64(e.n)
	if !m.luck.Draw(lossDraw, a, uint64(e.attempt)).Below(m.Loss) {
		e.at += m.Latency
		m.schedule(e)
	}
}

// receive is the server's.
func (m *model) receive(e *event) {
	known := m.note(e)
	fresh := !known.stored
	if fresh {
		m.lastID += 1 + int64(m.luck.Draw(idGapDraw, uint64(e.sender), uint64(e.n)).IntN(5))
		known.stored, known.id = true, m.lastID
		m.metrics.Stored++
		m.metrics.Missing++
		m.metrics.Cost.RowsWritten++
	}
	m.metrics.Cost.BytesDown += im.AckBytes
	m.send(event{due: due{at: e.at}, kind: ack, sender: e.sender, to: e.sender, n: e.n, attempt: e.attempt, id: known.id})
	if fresh {
		m.metrics.Cost.BytesDown += im.MessageBytes
		m.send(event{due: due{at: e.at}, kind: push, sender: e.sender, to: 3 - e.sender, n: e.n, attempt: 1, id: known.id})
	}
}

// confirm gives an own line its place: it moves if another is still sending above it, or one with a bigger id stands there.
func (m *model) confirm(e *event) {
	known := m.note(e)
	if known.done {
		return
	}
	known.done = true
	phone := e.sender
	if m.first[phone] < e.n || m.newest[phone] > e.id {
		m.metrics.OwnMoves++
	}
	m.newest[phone] = max(m.newest[phone], e.id)
	for m.first[phone] <= m.last[phone] && m.notes[phone][m.first[phone]%window].done {
		m.first[phone]++
	}
}
