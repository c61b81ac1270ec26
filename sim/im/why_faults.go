package im

import (
	"slices"

	"imscope/sim"
)

// at is the step of an id.
func (q *Inquiry) at(id sim.StepID) *Step { return &q.steps[id-1] }

// next is the first step after one, 0 being the start, of which something is true; 0 if there is none.
func (q *Inquiry) next(after sim.StepID, is func(s *Step) bool) sim.StepID {
	for i := int(after); i < len(q.steps); i++ {
		if is(&q.steps[i]) {
			return sim.StepID(i + 1)
		}
	}
	return 0
}

// last is the last step before one of which something is true; 0 if there is none.
func (q *Inquiry) last(before sim.StepID, is func(s *Step) bool) sim.StepID {
	for i := int(before) - 2; i >= 0; i-- {
		if is(&q.steps[i]) {
			return sim.StepID(i + 1)
		}
	}
	return 0
}

// end is one past the last step.
func (q *Inquiry) end() sim.StepID { return sim.StepID(len(q.steps) + 1) }

// ofMessage is true of the steps of a kind that are about a message.
func ofMessage(kind Kind, m MessageID) func(s *Step) bool {
	return func(s *Step) bool { return s.Data.Kind == kind && s.Data.Msg == m }
}

// leaving is true of a kind of leg that leaves, of a message and to or from a phone where that is not zero.
func leaving(leg Leg, m MessageID, phone Actor) func(s *Step) bool {
	return func(s *Step) bool {
		d := &s.Data
		return d.Kind == Left && d.Leg == leg && (m == MessageID{} || d.Msg == m) && (phone == Server || phone == d.To || phone == s.Actor)
	}
}

// stored is where a message was stored first.
func (q *Inquiry) stored(m MessageID) sim.StepID { return q.next(0, ofMessage(Stored, m)) }

// numbered is where the stored message took its number.
func (q *Inquiry) numbered(m MessageID) sim.StepID {
	stored := q.stored(m)
	if stored == 0 {
		return 0
	}
	id := q.at(stored).Data.ID
	if began := q.next(0, func(s *Step) bool { return s.Data.Kind == Began && s.Data.Msg == m && s.Data.ID == id }); began != 0 {
		return began
	}
	return stored
}

// landed reports whether a leg has arrived: something follows from it.
func (q *Inquiry) landed(leg sim.StepID) bool {
	return q.next(leg, func(s *Step) bool { return s.Cause == leg }) != 0
}

// onTime is when a leg arrives that nothing delays by hand.
func (q *Inquiry) onTime(leg sim.StepID) Time { return q.at(leg).At + q.scenario.Latency }

// lost ends the chain if a leg is lost.
func (c *chain) lost(leg sim.StepID) bool {
	s := c.at(leg)
	d := &s.Data
	if !d.Lost {
		return false
	}
	r := Reason{Cause: LegLost, Step: leg, Msg: d.Msg, Phone: max(s.Actor, d.To)}
	if off := c.offAt(d.To, d.Lands); off != nil {
		r.Cause = ReachedNobody
		c.add(r)
		return c.off(off)
	}
	return c.fault(r, Edit{Verb: Lose, Leg: LegOf(s)})
}

// offAt is the stretch in which a phone is off at a time; nil if it is on.
func (q *Inquiry) offAt(phone Actor, t Time) *Edit {
	offs := q.scenario.offs()
	i := slices.IndexFunc(offs, func(e Edit) bool { return e.Phone == phone && Span{e.At, e.Until}.Has(t) })
	if i < 0 {
		return nil
	}
	return &offs[i]
}

// off ends the chain in a phone's being off.
func (c *chain) off(e *Edit) bool {
	turned := c.last(c.end(), func(s *Step) bool { return s.Data.Kind == TurnedOff && s.Actor == e.Phone && s.At <= e.At })
	return c.fault(Reason{Cause: WasOff, Step: turned, Phone: e.Phone}, *e)
}

// late ends the chain if somebody delays a leg.
func (c *chain) late(leg sim.StepID) bool {
	s := c.at(leg)
	e := c.scenario.said(Edit{Verb: Delay, Leg: LegOf(s)})
	if e == nil || e.At == 0 {
		return false
	}
	return c.fault(Reason{Cause: LegLate, Step: leg, Msg: s.Data.Msg, Phone: max(s.Actor, s.Data.To)}, *e)
}

// failed ends the chain if a leg is lost, or somebody delays it.
func (c *chain) failed(leg sim.StepID) bool { return leg != 0 && (c.lost(leg) || c.late(leg)) }

// stall is what makes the write of a message take another time than others; nil if nothing does.
func (s *Scenario) stall(m MessageID) *Edit {
	if s.writeTime(m) == s.Write {
		return nil
	}
	if e := s.said(Edit{Verb: Stall, Msg: m}); e != nil {
		return e
	}
	return &Edit{Verb: Stall, Msg: m, At: s.Slow}
}

// slow ends the chain if the write of a message takes longer than others.
func (c *chain) slow(m MessageID) bool {
	e := c.scenario.stall(m)
	if e == nil || e.At < c.scenario.Write {
		return false
	}
	began := c.next(0, ofMessage(Began, m))
	return c.fault(Reason{Cause: WroteSlowly, Step: began, Msg: m}, *e)
}

// undone ends the chain if the first transaction of a message that is stored only later was lost.
func (c *chain) undone(m MessageID) bool {
	stored := c.stored(m)
	undone := c.next(0, func(s *Step) bool { return s.Data.Msg == m && (s.Data.Kind == RolledBack || s.Data.Kind == Forgotten) })
	if undone == 0 || stored != 0 && stored < undone {
		return false
	}
	r := Reason{Cause: WriteUndone, Step: undone, Msg: m}
	if by := c.at(undone).Cause; by != 0 && c.at(by).Data.Kind == Restarted {
		c.add(r)
		return c.fault(Reason{Cause: ServerAnew, Step: by}, Edit{Verb: Restart, At: c.at(by).At})
	}
	if c.fold.away != nil { // two locked each other out
		return c.rule(r, Reason{Cause: LocksCrossed, Msg: m})
	}
	return c.fault(r, Edit{Verb: Rollback, Msg: m})
}

// held ends the chain if a message could have had its number by a time, but for something that went wrong before.
func (c *chain) held(m MessageID, by Time) bool {
	first := c.next(0, leaving(MessageLeg, m, Server))
	return first != 0 && c.onTime(first) <= by && (c.failed(first) || c.undone(m))
}

// swapped ends the chain if a message took its number before another, and was committed after it.
func (c *chain) swapped(m, other MessageID) bool {
	a, b := c.stored(m), c.stored(other)
	if a == 0 || b == 0 || a < b || c.numbered(m) > c.numbered(other) {
		return false
	}
	c.add(Reason{Cause: StoredLater, Step: a, Msg: m, Other: other}, Reason{Cause: Happened, Step: b, Msg: other})
	return c.slow(m) || c.quick(other) || c.crossing(Reason{Cause: WritesCrossed, Step: a, Msg: m, Other: other})
}

// quick ends the chain if the write of a message takes less long than others.
func (c *chain) quick(m MessageID) bool {
	e := c.scenario.stall(m)
	if e == nil || e.At > c.scenario.Write {
		return false
	}
	return c.fault(Reason{Cause: WroteQuickly, Step: c.numbered(m), Msg: m}, *e)
}

// origin says who wanted a fault.
func (s *Scenario) origin(fault Edit) Origin {
	switch {
	case slices.Contains(s.Edits, fault):
		return TheReader
	case slices.Contains(s.Given, fault), fault.Verb == Off, fault.Verb == Stall:
		return TheSetting
	default:
		return Luck
	}
}

// Without is the scenario without a fault: the reader's edit is taken back, or one undoes it.
func (s *Scenario) Without(fault Edit) Scenario {
	without := *s
	if i := slices.Index(s.Edits, fault); i >= 0 {
		without.Edits = slices.Delete(slices.Clone(s.Edits), i, i+1)
		return without
	}
	switch fault.Verb {
	case Off:
		without.Off = Span{}
	case Stall:
		without.Edits = WithEdit(s.Edits, Edit{Verb: Stall, Msg: fault.Msg, At: s.Write})
	default: // Lose, Rollback
		without.Edits = WithEdit(s.Edits, fault.undone())
	}
	return without
}
