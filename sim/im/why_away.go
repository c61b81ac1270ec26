package im

import "imscope/sim"

// notCaughtUp is why a phone that was away lacks a message.
func (c *chain) notCaughtUp(sym Symptom) {
	m, phone := sym.Msg, sym.Phone
	stored := c.stored(m)
	r := Reason{Msg: m, Phone: phone}
	to := func(kind Kind) func(s *Step) bool {
		return func(s *Step) bool { return s.Data.Kind == kind && s.Data.To == phone }
	}
	mine := func(kind Kind) func(s *Step) bool {
		return func(s *Step) bool { return s.Data.Kind == kind && s.Actor == phone }
	}
	past := c.next(0, func(s *Step) bool { return to(ReadPast)(s) && s.Data.Msg == m })
	head := c.next(stored, to(HeadRead))
	push := c.next(stored, leaving(PushLeg, m, phone))
	back := c.next(0, mine(TurnedOn))
	asked := c.last(c.end(), mine(SyncAsked))
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
	case asked > c.last(c.end(), mine(CaughtUp)):
		c.exchanging(r, asked)
	case c.undone(m):
	default:
		r.Cause, r.Step = AsVisible, c.last(c.end(), to(SyncRead))
		c.rule(r)
	}
}

// pushNoticed is what lets a phone know that it lacks a pushed message, or what keeps it from knowing.
func (q *Inquiry) pushNoticed(sym Symptom) []Reason {
	r := Reason{Msg: sym.Msg, Phone: sym.Phone, Cause: NothingAfter}
	asked := q.last(q.end(), func(s *Step) bool { return s.Data.Kind == SyncAsked })
	seen := q.last(q.end(), func(s *Step) bool { return s.Data.Kind == GapSeen && s.Actor == sym.Phone })
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
		return s.Data.Kind == Listed && s.Actor == phone && s.Data.Conv == d.Conv && s.Data.Seq >= d.Seq
	})
	if listed == 0 {
		return false
	}
	asks := func(s *Step) bool {
		return (leaving(AskLeg, MessageID{}, phone)(s) || leaving(AnswerLeg, MessageID{}, phone)(s)) && s.Data.Conv == d.Conv && s.Data.Lo <= d.Seq && d.Seq <= s.Data.Hi
	}
	for leg := c.next(listed, asks); leg != 0; leg = c.next(leg, asks) {
		if c.failed(leg) {
			return true
		}
	}
	r := Reason{Cause: LeftByList, Step: listed, Msg: d.Msg, Phone: phone}
	if many := c.last(listed, func(s *Step) bool { return s.Data.Kind == TooMany && s.Data.To == phone }); many != 0 {
		return c.rule(r, Reason{Cause: Happened, Step: many})
	}
	return c.rule(r)
}

// exchanging ends the chain while a phone is catching up: a leg of the exchange was lost, or it takes its time.
func (c *chain) exchanging(r Reason, asked sim.StepID) {
	phone := r.Phone
	request := c.at(asked).Data.Lo
	leg := c.next(0, func(s *Step) bool {
		return (leaving(SyncLeg, MessageID{}, phone)(s) || leaving(SyncReplyLeg, MessageID{}, phone)(s)) && s.Data.Lo == request
	})
	if c.failed(leg) {
		return
	}
	answer := c.next(leg, func(s *Step) bool { return leaving(SyncReplyLeg, MessageID{}, phone)(s) && s.Data.Lo == request })
	if c.failed(answer) {
		return
	}
	r.Cause, r.Step = NotYet, max(leg, answer)
	c.rule(r)
}
