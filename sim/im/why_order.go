package im

import "imscope/sim"

// inverted is why a line stands below one that the server has below it.
func (c *chain) inverted(sym Symptom) {
	phone, lower, upper := sym.Phone, sym.Msg, sym.With
	screen := &c.fold.Screens[phone]
	low, up := screen.Lines[screen.find(lower)], screen.Lines[screen.find(upper)]
	if low.Key == 0 && up.Key != 0 {
		c.add(Reason{Cause: NoNumberYet, Step: c.appeared(phone, lower), Msg: lower, Other: upper, Phone: phone})
		_ = c.unconfirmed(lower) || c.swapped(lower, upper) || c.crossed(c.leaves(0, AckLeg, lower, phone), c.brought(upper, phone))
		return
	}
	c.add(Reason{Cause: CameLater, Step: c.appeared(phone, lower), Msg: lower, Other: upper, Phone: phone},
		Reason{Cause: Happened, Step: c.appeared(phone, upper), Msg: upper}, Reason{Cause: BottomStays})
	if c.stored(lower) < c.stored(upper) {
		c.add(Reason{Cause: StoredBefore, Step: c.stored(lower), Msg: lower, Other: upper}, Reason{Cause: Happened, Step: c.stored(upper), Msg: upper})
	}
	if upper.Sender == phone && c.held(upper, c.at(c.numbered(lower)).At) {
		return
	}
	if lower.Sender != phone && c.slowly(lower, phone, c.at(c.appeared(phone, upper)).At) {
		return
	}
	_ = c.swapped(lower, upper) || c.crossed(c.brought(lower, phone), c.sent(upper, phone))
}

// appeared is where a line came to a phone's screen.
func (q *Inquiry) appeared(phone Actor, m MessageID) sim.StepID {
	first := q.next(0, every(from(phone), about(m)), Pressed, Shown)
	drawn := q.next(q.stored(m), from(phone), Reloaded)
	if first == 0 || drawn != 0 && drawn < first {
		return drawn
	}
	return first
}

// slowly ends the chain if a message of somebody else could have come to a phone by a time, but for something that went wrong.
func (c *chain) slowly(m MessageID, phone Actor, by Time) bool {
	s := c.scenario
	push := c.leaves(0, PushLeg, m, phone)
	if push != 0 && c.onTime(push) <= by && c.failed(push) {
		return true
	}
	return c.at(c.numbered(m)).At+s.Write+s.Latency <= by && c.slow(m)
}

// unconfirmed ends the chain if it is known what keeps a phone from having the number of its own message.
func (c *chain) unconfirmed(m MessageID) bool {
	return c.silent() || c.failed(c.leaves(0, AckLeg, m, m.Sender))
}

// silent ends the chain if the server confirms nothing.
func (c *chain) silent() bool { return c.scenario.NoACK && c.rule(Reason{Cause: NoAnswers}) }

// sent is the transmission of an own message of a phone; of another's, the leg that brought it.
func (q *Inquiry) sent(m MessageID, phone Actor) sim.StepID {
	if m.Sender == phone {
		return q.leaves(0, MessageLeg, m, Server)
	}
	return q.brought(m, phone)
}

// brought is the leg that brought a message, or an own one's ACK, to a phone: the push if there is one.
func (q *Inquiry) brought(m MessageID, phone Actor) sim.StepID {
	if m.Sender == phone {
		return q.leaves(0, AckLeg, m, phone)
	}
	if push := q.leaves(0, PushLeg, m, phone); push != 0 {
		return push
	}
	return q.next(q.stored(m), to(phone), Left)
}

// crossed ends the chain in two legs that passed each other.
func (c *chain) crossed(a, b sim.StepID) bool {
	r := Reason{Cause: LegsCrossed, Step: a}
	if b == 0 {
		return c.crossing(r)
	}
	return c.crossing(r, Reason{Cause: Happened, Step: b})
}

// moved is why an own line went up when it got its number.
func (c *chain) moved(sym Symptom) {
	phone, m := sym.Phone, sym.Msg
	step := c.last(c.end(), every(from(phone), about(m)), Acked)
	above, sending := c.passed(step)
	c.add(Reason{Cause: GotNumber, Step: step, Msg: m, Other: above, Phone: phone})
	if sending {
		c.add(Reason{Cause: StillSending, Step: c.appeared(phone, above), Msg: m, Other: above, Phone: phone})
		_ = c.silent() || c.held(above, c.at(step).At) || c.unconfirmed(above) || c.slow(above) || c.crossed(c.brought(m, phone), c.sent(above, phone))
		return
	}
	c.add(Reason{Cause: BiggerNumber, Step: c.appeared(phone, above), Msg: m, Other: above, Phone: phone})
	_ = c.unconfirmed(m) || c.swapped(m, above) || c.crossed(c.brought(m, phone), c.brought(above, phone))
}

// passed is a line that the own line passed that a step gave its number; sending says that it stood there as sending.
func (q *Inquiry) passed(step sim.StepID) (above MessageID, sending bool) {
	d := &q.at(step).Data
	screen := FoldTrace(q.scenario, q.steps[:step-1]).Screens[q.at(step).Actor]
	i := screen.find(d.Msg) - 1
	for ; i >= 0 && screen.Lines[i].Key == 0; i-- {
		if screen.Lines[i].State == Sending {
			return screen.Lines[i].Msg, true
		}
	}
	if i < 0 {
		return MessageID{}, false
	}
	return screen.Lines[i].Msg, false
}
