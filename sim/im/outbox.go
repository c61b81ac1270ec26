package im

// Outbox is what a phone has sent and not yet seen confirmed.
type Outbox struct {
	sent     Window[sending] // by message
	lastDone uint32
}

type sending struct {
	done, failed bool
	// next is, for a failed message, the first that was sent after the phone gave it up.
	next uint32
}

// NewOutbox returns an empty outbox.
func NewOutbox() Outbox {
	var o Outbox
	o.sent.Release(1)
	return o
}

// Add puts message n, the phone's next, into the outbox.
func (o *Outbox) Add(n uint32) { o.sent.Extend(int64(n)) }

// Waiting reports whether message n still waits for its ACK (also after the phone gave up resending it).
func (o *Outbox) Waiting(n uint32) bool {
	s := o.sent.At(int64(n))
	return s != nil && !s.done
}

// Done takes message n out, confirmed.
func (o *Outbox) Done(n uint32) {
	if s := o.sent.At(int64(n)); s != nil {
		s.done = true
		o.lastDone = max(o.lastDone, n)
	}
	o.release()
}

// Fail notes that message n is not sent again. It can still turn out to be stored.
func (o *Outbox) Fail(n uint32) {
	s := o.sent.At(int64(n))
	s.failed, s.next = true, uint32(o.sent.Hi())
}

// release forgets the settled front. Links keep the order of messages and of ACKs, so once a message sent after the giving up of
// another is confirmed, no ACK of that other one can still come.
func (o *Outbox) release() {
	n := o.sent.Lo()
	for s := o.sent.At(n); s != nil && (s.done || s.failed && o.lastDone >= s.next); s = o.sent.At(n) {
		n++
	}
	o.sent.Release(n)
}

// Floor is the first message that is not settled.
func (o *Outbox) Floor() uint32 { return uint32(o.sent.Lo()) }
