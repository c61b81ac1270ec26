package im

import "imscope/sim"

// notPushed is why a phone lacks what the server pushes to all.
func (c *chain) notPushed(sym Symptom) {
	push := c.next(0, leaving(PushLeg, sym.Msg, sym.Phone))
	if !c.failed(push) {
		c.rule(Reason{Cause: NotYet, Step: push, Msg: sym.Msg, Phone: sym.Phone})
	}
	c.further(c.noticed(sym)...)
}

// further adds to the first reason of the chain.
func (c *chain) further(r ...Reason) { c.Links[0].Further = append(c.Links[0].Further, r...) }

// noticed is what lets a phone know that it lacks a message, or what keeps it from knowing.
func (q *Inquiry) noticed(sym Symptom) []Reason {
	r := Reason{Msg: sym.Msg, Phone: sym.Phone}
	stored := q.stored(sym.Msg)
	mine := func(kind Kind) func(s *Step) bool {
		return func(s *Step) bool { return s.Data.Kind == kind && s.Actor == sym.Phone }
	}
	switch {
	case q.at(stored).Data.Seq == 0:
		r.Cause = IDsJump
		return []Reason{r}
	case !sym.Known:
		r.Cause = NothingAfter
		return []Reason{r}
	}
	seen := r
	seen.Cause, seen.Step = KnowsGap, q.last(q.end(), mine(GapSeen))
	r.Cause, r.Step = AskedForIt, q.last(q.end(), mine(Asked))
	if r.Step < stored {
		return []Reason{seen}
	}
	return []Reason{seen, r}
}

// notGiven is why a phone that asks lacks a message.
func (c *chain) notGiven(sym Symptom) {
	m, phone := sym.Msg, sym.Phone
	stored := c.stored(m)
	if push := c.next(stored, leaving(PushLeg, m, phone)); push != 0 && c.failed(push) {
		return
	}
	past := c.last(c.end(), func(s *Step) bool { return s.Data.Kind == ReadPast && s.Data.Msg == m && s.Data.To == phone })
	if past != 0 {
		c.passedOver(past)
		return
	}
	if c.unheard(m, phone, stored) || c.heldBack(m, phone) {
		return
	}
	if off := c.offSince(phone, stored); off != nil {
		c.off(off)
		return
	}
	c.rule(Reason{Cause: AsksAtTimes, Step: stored, Msg: m, Phone: phone})
}

// passedOver is why a phone reads on behind a message that it was not given: a bigger number could be seen before this one.
func (c *chain) passedOver(past sim.StepID) {
	d := &c.at(past).Data
	m, phone := d.Msg, d.To
	c.add(Reason{Cause: PassedOver, Step: past, Msg: m, Phone: phone})
	stored := c.next(0, func(s *Step) bool { return s.Data.Kind == Stored && s.Data.ID == d.ID })
	other := c.next(0, func(s *Step) bool { return s.Data.Kind == Stored && s.Data.ID > d.ID && s.Data.Msg != m })
	if other == 0 || other > stored {
		c.crossing(Reason{Cause: WritesCrossed, Step: stored, Msg: m})
		return
	}
	over := c.at(other).Data.Msg
	read := c.next(other, func(s *Step) bool {
		return (s.Data.Kind == PollRead || s.Data.Kind == SyncRead || s.Data.Kind == HeadRead) && s.Data.To == phone
	})
	c.add(Reason{Cause: ReadBetween, Step: read, Msg: m, Other: over, Phone: phone})
	if !c.swapped(m, over) {
		c.crossing(Reason{Cause: WritesCrossed, Step: stored, Msg: m, Other: over})
	}
}

// unheard ends the chain in a leg between a phone and the server that is lost or under way, and would have brought a message.
func (c *chain) unheard(m MessageID, phone Actor, stored sim.StepID) bool {
	if c.unsubscribed(phone, stored) {
		return true
	}
	for id := c.next(0, c.asksOrAnswers(phone, stored)); id != 0; id = c.next(id, c.asksOrAnswers(phone, stored)) {
		if c.failed(id) {
			return true
		}
		if !c.landed(id) {
			return c.rule(Reason{Cause: NotYet, Step: id, Msg: m, Phone: phone})
		}
	}
	return false
}

// asksOrAnswers is true of the legs by which a phone can be given what was stored: requests that come to the server after that, and
// answers that leave after it.
func (q *Inquiry) asksOrAnswers(phone Actor, stored sim.StepID) func(s *Step) bool {
	since := q.at(stored).At
	return func(s *Step) bool {
		d := &s.Data
		switch {
		case d.Kind != Left || s.Actor != phone && d.To != phone:
			return false
		case d.Leg == PollLeg || d.Leg == SyncLeg || d.Leg == ConnectLeg:
			return d.Lands >= since
		default:
			return s.At >= since && (d.Leg == PollReplyLeg && d.Rows > 0 || d.Leg == SyncReplyLeg)
		}
	}
}

// unsubscribed ends the chain if a connection over which a message would have been pushed was not made, or is forgotten.
func (c *chain) unsubscribed(phone Actor, stored sim.StepID) bool {
	connect := c.last(stored, leaving(ConnectLeg, MessageID{}, phone))
	if connect == 0 {
		return false
	}
	if anew := c.last(stored, func(s *Step) bool { return s.Data.Kind == Restarted }); anew > connect {
		return c.fault(Reason{Cause: ServerAnew, Step: anew}, Edit{Verb: Restart, At: c.at(anew).At})
	}
	return c.failed(connect)
}

// heldBack ends the chain if a message is stored, and not given as long as a transaction with a smaller number is open.
func (c *chain) heldBack(m MessageID, phone Actor) bool {
	id := c.at(c.stored(m)).Data.ID
	read := c.last(c.end(), func(s *Step) bool {
		return s.Data.Kind == PollRead && s.Data.To == phone && s.Data.Position().By == AfterToken
	})
	if read < c.stored(m) {
		return false
	}
	open := c.last(read, func(s *Step) bool { return s.Data.Kind == Began && s.Data.ID < id && !c.over(s.Data.ID, read) })
	if open == 0 {
		return false
	}
	other := c.at(open).Data.Msg
	r := Reason{Cause: HeldBack, Step: read, Msg: m, Other: other, Phone: phone}
	if c.scenario.stall(other) == nil {
		return c.rule(r)
	}
	c.add(r)
	return c.slow(other) || c.rule(r)
}

// over reports whether the transaction that took an id has ended before a step.
func (q *Inquiry) over(id int64, before sim.StepID) bool {
	end := q.next(0, func(s *Step) bool { return (s.Data.Kind == Stored || s.Data.Kind == RolledBack) && s.Data.ID == id })
	return end != 0 && end < before
}

// offSince is a stretch in which a phone is off after a step; nil if there is none.
func (q *Inquiry) offSince(phone Actor, step sim.StepID) *Edit {
	if off := q.offAt(phone, q.at(step).At); off != nil {
		return off
	}
	turned := q.next(step, func(s *Step) bool { return s.Data.Kind == TurnedOff && s.Actor == phone })
	if turned == 0 {
		return nil
	}
	return q.offAt(phone, q.at(turned).At)
}
