package im

import "imscope/sim"

// notCaughtUp is why a phone that was away lacks a message.
func (c *chain) notCaughtUp(sym Symptom) {
	m, phone := sym.Msg, sym.Phone
	stored := c.stored(m)
	r := Reason{Msg: m, Phone: phone}
	past := c.next(0, every(to(phone), about(m)), ReadPast)
	head := c.next(stored, to(phone), HeadRead)
	push := c.leaves(stored, PushLeg, m, phone)
	back := c.next(0, from(phone), TurnedOn)
	asked := c.last(c.end(), from(phone), SyncAsked)
	switch {
	case past != 0 && c.scenario.HeadLast && head != 0 && head < past:
		c.add(Reason{Cause: PassedOver, Step: past, Msg: m, Phone: phone})
		r.Cause, r.Step = HeadReadLast, head
		c.rule(r)
	case past != 0:
		c.passedOver(past)
	case back == 0:
		r.Cause, r.Step = StillAway, stored
		c.rule(r)
	case push != 0 && c.failed(push):
		c.further(c.pushNoticed(sym)...)
	case c.unknownGroup(stored, asked):
		r.Cause, r.Step = GroupUnknown, asked
		c.rule(r)
	case c.leftByList(stored, phone):
	case asked > c.last(c.end(), from(phone), CaughtUp):
		c.exchanging(r, asked)
	case c.undone(m):
	default:
		r.Cause, r.Step = AsVisible, c.last(c.end(), to(phone), SyncRead)
		c.rule(r)
	}
}

// pushNoticed is what lets a phone know that it lacks a pushed message, or what keeps it from knowing.
func (q *Inquiry) pushNoticed(sym Symptom) []Reason {
	r := Reason{Msg: sym.Msg, Phone: sym.Phone, Cause: NothingAfter}
	asked := q.last(q.end(), from(sym.Phone), SyncAsked)
	seen := q.last(q.end(), from(sym.Phone), GapSeen)
	switch {
	case q.at(asked).Data.Question().By == ByGlobalID:
		r.Cause = IDsJump
	case seen > q.stored(sym.Msg):
		r.Cause, r.Step = KnowsGap, seen
	}
	return []Reason{r}
}

// unknownGroup reports whether a message is of a conversation that the phone does not know, and cannot ask for.
func (q *Inquiry) unknownGroup(stored, asked sim.StepID) bool {
	d := &q.at(stored).Data
	question := q.at(asked).Data.Question()
	return int64(d.Conv) > q.scenario.Conversations && question.By == ByCursors && !question.Version && q.fold.Conversation(int(d.Conv)).Heard == 0
}

// leftByList ends the chain if the phone was given a list of conversations instead of a message. It may be asking for it since.
func (c *chain) leftByList(stored sim.StepID, phone Actor) bool {
	d := c.at(stored).Data
	listed := c.next(stored, func(s *Step) bool {
		return s.Actor == phone && s.Data.Conv == d.Conv && s.Data.Seq >= d.Seq
	}, Listed)
	if listed == 0 {
		return false
	}
	asks := func(s *Step) bool {
		l := &s.Data
		return (l.Leg == AskLeg || l.Leg == AnswerLeg) && l.Conv == d.Conv && l.Lo <= d.Seq && d.Seq <= l.Hi
	}
	for leg := c.next(listed, asks, Left); leg != 0; leg = c.next(leg, asks, Left) {
		if c.failed(leg) {
			return true
		}
	}
	r := Reason{Cause: LeftByList, Step: listed, Msg: d.Msg, Phone: phone}
	if many := c.last(listed, to(phone), TooMany); many != 0 {
		return c.rule(r, Reason{Cause: Happened, Step: many})
	}
	return c.rule(r)
}

// exchanging ends the chain while a phone is catching up: a leg of the exchange was lost, or it takes its time.
func (c *chain) exchanging(r Reason, asked sim.StepID) {
	request := c.at(asked).Data.Lo
	part := func(leg Leg) sim.StepID {
		return c.next(0, func(s *Step) bool { return carrying(leg, MessageID{}, r.Phone)(s) && s.Data.Lo == request }, Left)
	}
	ask, answer := part(SyncLeg), part(SyncReplyLeg)
	if c.failed(ask) || c.failed(answer) {
		return
	}
	r.Cause, r.Step = NotYet, max(ask, answer)
	c.rule(r)
}
