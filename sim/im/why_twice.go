package im

import "imscope/sim"

// doubled is why a phone shows a message twice.
func (c *chain) doubled(sym Symptom) {
	phone, m := sym.Phone, sym.Msg
	if own := c.next(0, every(from(phone), about(m)), Shown); own != 0 && m.Sender == phone {
		c.broughtOwn(own)
		return
	}
	again := c.next(c.stored(m), about(m), Stored)
	if again != 0 {
		c.storedTwice(again)
		return
	}
	push, drawn := c.leaves(0, PushLeg, m, phone), c.leaves(0, PullReplyLeg, MessageID{}, phone)
	c.add(Reason{Cause: BroughtTwice, Step: c.next(drawn, every(from(phone), about(m)), Shown), Msg: m, Phone: phone})
	_ = push != 0 && c.late(push) || c.crossed(push, drawn)
}

// broughtOwn is why a phone takes its own message for somebody's: it has no id, and the ACK of this copy had not come.
func (c *chain) broughtOwn(shown sim.StepID) {
	s := c.at(shown)
	m, copied := s.Data.Msg, s.Data.Copy
	c.add(Reason{Cause: BroughtOwn, Step: shown, Msg: m, Phone: s.Actor})
	ack := c.next(0, func(s *Step) bool { return carrying(AckLeg, m, m.Sender)(s) && s.Data.Copy == copied }, Left)
	rule := Reason{Cause: NoMessageID, Msg: m}
	if !c.fold.asks && c.failed(ack) {
		c.further(rule)
		return
	}
	c.rule(rule)
}

// storedTwice is why the server has a message twice: it was sent again, for want of an ACK, and nothing told that it is a repeat.
func (c *chain) storedTwice(again sim.StepID) {
	d := &c.at(again).Data
	m := d.Msg
	rule := Reason{Cause: DedupeOff, Msg: m}
	if c.scenario.NoIDs {
		rule.Cause = NoMessageID
	}
	c.add(Reason{Cause: StoredTwice, Step: again, Msg: m}, rule)
	resent := c.transmission(again)
	c.add(Reason{Cause: SentAgain, Step: resent, Msg: m, Phone: m.Sender})
	if c.unanswered(m, again, c.at(resent).At) {
		return
	}
	c.rule(Reason{Cause: TooImpatient, Msg: m, Phone: m.Sender})
}

// transmission is the leg by which a stored copy came: the one that its ACK answers.
func (q *Inquiry) transmission(stored sim.StepID) sim.StepID {
	m, attempt := q.at(stored).Data.Msg, uint32(1)
	if ack := q.confirms(stored); ack != 0 {
		attempt = q.at(ack).Data.Attempt
	}
	return q.next(0, func(s *Step) bool { return carrying(MessageLeg, m, Server)(s) && s.Data.Attempt == attempt }, Left)
}

// confirms is the ACK that left when a copy was stored.
func (q *Inquiry) confirms(stored sim.StepID) sim.StepID {
	return q.next(stored, func(s *Step) bool { return s.Cause == stored && s.Data.Leg == AckLeg }, Left)
}

// unanswered ends the chain if the ACK of a copy that was stored before another could have come by a time, but for something that went
// wrong.
func (c *chain) unanswered(m MessageID, another sim.StepID, by Time) bool {
	for copied := c.stored(m); copied != another; copied = c.next(copied, about(m), Stored) {
		ack := c.confirms(copied)
		leg := c.transmission(copied)
		quickest := c.onTime(leg) + c.scenario.Write + c.scenario.Latency
		if c.onTime(ack) <= by && c.failed(ack) || quickest <= by && (c.late(leg) || c.slow(m)) {
			return true
		}
	}
	return false
}
