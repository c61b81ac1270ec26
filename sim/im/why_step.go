package im

import "imscope/sim"

// WhyStep returns the chain of a step: what it follows from, back to what the user or the clock began.
func (q *Inquiry) WhyStep(id sim.StepID) Chain {
	c := Chain{End: ByNature}
	for id != 0 {
		c.Links = append(c.Links, Link{Reason{Cause: Happened, Step: id}, q.moreReasons(id)})
		id = q.at(id).Cause
	}
	return c
}

// moreReasons are what a step follows from besides its cause: at most two.
func (q *Inquiry) moreReasons(id sim.StepID) (more []Reason) {
	s := q.at(id)
	d := &s.Data
	add := func(step sim.StepID) {
		if step != 0 && step < id && len(more) < 2 {
			more = append(more, Reason{Cause: Happened, Step: step})
		}
	}
	switch {
	case d.Kind == Left && d.Leg == MessageLeg && d.Attempt > 1:
		add(q.lostLeg(d.Msg, MessageLeg, d.Attempt-1))
		add(q.lostLeg(d.Msg, AckLeg, d.Attempt-1))
	case d.Kind == GapSeen:
		for seq := d.Lo; seq <= d.Hi && len(more) < 2; seq++ {
			add(q.next(0, func(l *Step) bool {
				return carrying(PushLeg, MessageID{}, s.Actor)(l) && l.Data.Lost && l.Data.Seq == seq
			}, Left))
		}
	case d.Kind == Repeated:
		add(q.stored(d.Msg))
	case d.Kind == ReadPast:
		add(q.next(0, withID(d.ID), Stored))
		add(q.next(0, func(o *Step) bool { return o.Data.ID > d.ID }, Stored))
	}
	return more
}

// lostLeg is the leg of a message's attempt, if it is lost.
func (q *Inquiry) lostLeg(m MessageID, leg Leg, attempt uint32) sim.StepID {
	return q.next(0, func(s *Step) bool { return carrying(leg, m, Server)(s) && s.Data.Attempt == attempt && s.Data.Lost }, Left)
}
