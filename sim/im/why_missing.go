package im

import "imscope/sim"

// notPushed is why a phone lacks what the server pushes to all.
func (c *chain) notPushed(sym Symptom) {
	push := c.leaves(0, PushLeg, sym.Msg, sym.Phone)
	if c.failed(push) {
		c.further(c.noticed(sym)...)
		return
	}
	c.rule(Reason{Cause: NotYet, Step: push, Msg: sym.Msg, Phone: sym.Phone})
}

// further adds to the first reason of the chain.
func (c *chain) further(r ...Reason) { c.Links[0].Further = append(c.Links[0].Further, r...) }

// noticed is what lets a phone know that it lacks a message, or what keeps it from knowing.
func (q *Inquiry) noticed(sym Symptom) []Reason {
	r := Reason{Msg: sym.Msg, Phone: sym.Phone}
	stored := q.stored(sym.Msg)
	switch {
	case q.at(stored).Data.Seq == 0:
		r.Cause = IDsJump
		return []Reason{r}
	case !sym.Known:
		r.Cause = NothingAfter
		return []Reason{r}
	}
	seen := r
	seen.Cause, seen.Step = KnowsGap, q.last(q.end(), from(sym.Phone), GapSeen)
	r.Cause, r.Step = AskedForIt, q.last(q.end(), from(sym.Phone), Asked)
	if r.Step < stored {
		return []Reason{seen}
	}
	return []Reason{seen, r}
}

// notGiven is why a phone that asks lacks a message.
func (c *chain) notGiven(sym Symptom) {
	m, phone := sym.Msg, sym.Phone
	stored := c.stored(m)
	if push := c.leaves(stored, PushLeg, m, phone); push != 0 && c.failed(push) {
		return
	}
	past := c.last(c.end(), every(to(phone), about(m)), ReadPast)
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
	stored := c.next(0, withID(d.ID), Stored)
	other := c.next(0, func(s *Step) bool { return s.Data.ID > d.ID && s.Data.Msg != m }, Stored)
	if other == 0 || other > stored {
		c.crossing(Reason{Cause: WritesCrossed, Step: stored, Msg: m})
		return
	}
	over := c.at(other).Data.Msg
	read := c.next(other, to(phone), PollRead, SyncRead, HeadRead)
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
	bears := c.asksOrAnswers(phone, stored)
	for id := c.next(0, bears, Left); id != 0; id = c.next(id, bears, Left) {
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
func (q *Inquiry) asksOrAnswers(phone Actor, stored sim.StepID) test {
	since := q.at(stored).At
	return func(s *Step) bool {
		d := &s.Data
		switch {
		case s.Actor != phone && d.To != phone:
			return false
		case d.Leg == PollLeg || d.Leg == ConnectLeg:
			return d.Lands >= since
		default:
			return s.At >= since && d.Leg == PollReplyLeg && d.Rows > 0
		}
	}
}

// unsubscribed ends the chain if a connection over which a message would have been pushed was not made, or is forgotten.
func (c *chain) unsubscribed(phone Actor, stored sim.StepID) bool {
	connect := c.last(stored, carrying(ConnectLeg, MessageID{}, phone), Left)
	if connect == 0 {
		return false
	}
	if anew := c.last(stored, anyStep, Restarted); anew > connect {
		return c.fault(Reason{Cause: ServerAnew, Step: anew}, Edit{Verb: Restart, At: c.at(anew).At})
	}
	return c.failed(connect)
}

// heldBack ends the chain if a message is stored, and not given as long as a transaction with a smaller number is open.
func (c *chain) heldBack(m MessageID, phone Actor) bool {
	id := c.at(c.stored(m)).Data.ID
	read := c.last(c.end(), func(s *Step) bool { return s.Data.To == phone && s.Data.Position().By == AfterToken }, PollRead)
	if read < c.stored(m) {
		return false
	}
	open := c.last(read, func(s *Step) bool { return s.Data.ID < id && !c.over(s.Data.ID, read) }, Began)
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
	end := q.next(0, withID(id), Stored, RolledBack)
	return end != 0 && end < before
}

// offSince is a stretch in which a phone is off after a message was stored, and would have asked; nil if there is none.
func (q *Inquiry) offSince(phone Actor, stored sim.StepID) *Edit {
	since := q.at(stored).At
	for _, off := range q.scenario.offs() {
		if off.Phone == phone && off.Until > since && q.wouldAsk(Span{max(since-q.scenario.Latency, off.At), off.Until}) {
			return &off
		}
	}
	return nil
}

// wouldAsk reports whether a phone that is not off would ask in a stretch of time: at a tick, or, where it does not go by ticks, at any
// time.
func (q *Inquiry) wouldAsk(in Span) bool {
	s := q.scenario
	if len(q.kinds[Held])+len(q.kinds[Connected]) > 0 {
		return in.From <= s.End()
	}
	tick := s.Phase + max(0, in.From-s.Phase+s.Interval-1)/s.Interval*s.Interval
	return in.Has(tick) && tick <= s.End()
}
