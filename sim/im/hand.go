package im

// Messages sent by hand are the reader's, not the scenario's. They have names of their own (a1 is Ana's first by hand), so that
// adding or taking back one renames no other.

// byHand marks the ordinal of a message sent by hand.
const byHand = 1 << 31

// Hand reports whether m was sent by hand.
func (m MessageID) Hand() bool { return m.N >= byHand }

// HandMessage names the n-th message (from 1) sent by hand from a phone.
func HandMessage(phone Actor, n uint32) MessageID { return MessageID{phone, n | byHand} }

// streams is how many sequences of messages there can be: two a phone, what the scenario sends and what is sent by hand.
const streams = 2 * (MaxPhones + 1)

// stream is the sequence that m belongs to, and its place in it, from 1.
func (m MessageID) stream() (stream int, n int64) {
	if m.Hand() {
		return int(m.Sender) + streams/2, int64(m.N &^ byHand)
	}
	return int(m.Sender), int64(m.N)
}

// sender is the phone that a stream's messages come from.
func sender(stream int) Actor { return Actor(stream % (streams / 2)) }
