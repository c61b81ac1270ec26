package im

import "imscope/sim"

// Outbox is what a phone has sent, of one stream of messages, and not yet seen confirmed.
type Outbox struct {
	sent     Window[sending] // by message
	lastDone int64
	// givenUp are the messages of which no ACK will come any more. Another phone's message can still bring one back: a fetch
	// finds all that is stored.
	givenUp map[int64]bool
	// keep says that links do not keep their order, so that an ACK of anything can still come.
	keep bool
}

type sending struct {
	done, failed bool
	timer        sim.Ticket // after which it is sent again
	// next is, for a failed message, the first that was sent after the phone gave it up.
	next int64
}

// NewOutbox returns an empty outbox; with keep it forgets nothing.
func NewOutbox(keep bool) Outbox {
	o := Outbox{givenUp: make(map[int64]bool), keep: keep}
	o.sent.Release(1)
	return o
}

// Add puts m, the next of its stream, into the outbox.
func (o *Outbox) Add(m MessageID) {
	_, n := m.stream()
	o.sent.Extend(n)
}

// at finds m, nil if no ACK of it can come.
func (o *Outbox) at(m MessageID) *sending {
	_, n := m.stream()
	return o.sent.At(n)
}

// Waiting reports whether m has not been confirmed (also after the phone gave up resending it).
func (o *Outbox) Waiting(m MessageID) bool {
	if s := o.at(m); s != nil {
		return !s.done
	}
	_, n := m.stream()
	return o.givenUp[n]
}

// Timer notes what m, which waits, will be sent again after.
func (o *Outbox) Timer(m MessageID, timer sim.Ticket) { o.at(m).timer = timer }

// Done takes m out, confirmed, and reports whether it waited for that, and for what timer.
func (o *Outbox) Done(m MessageID) (waited bool, timer sim.Ticket) {
	_, n := m.stream()
	if s := o.sent.At(n); s != nil {
		waited, timer, s.done = !s.done, s.timer, true
		o.lastDone = max(o.lastDone, n)
	} else {
		waited = o.givenUp[n]
		delete(o.givenUp, n)
	}
	o.release()
	return waited, timer
}

// Fail notes that m is not sent again. It can still turn out to be stored.
func (o *Outbox) Fail(m MessageID) {
	s := o.at(m)
	s.failed, s.next = true, o.sent.Hi()
}

// release forgets the settled front. Links keep the order of messages and of ACKs, so once a message sent after the giving up of
// another is confirmed, no ACK of that other one can still come.
func (o *Outbox) release() {
	if o.keep {
		return
	}
	n := o.sent.Lo()
	for s := o.sent.At(n); s != nil && (s.done || s.failed && o.lastDone >= s.next); s = o.sent.At(n) {
		if !s.done {
			o.givenUp[n] = true
		}
		n++
	}
	o.sent.Release(n)
}

// Floor is the first message of which an ACK can still come.
func (o *Outbox) Floor() uint32 { return uint32(o.sent.Lo()) }
