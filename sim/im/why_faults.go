package im

import (
	"slices"

	"imscope/sim"
)

// at is the step of an id.
func (q *Inquiry) at(id sim.StepID) *Step { return &q.steps[id-1] }

// test says whether a step is looked for.
type test func(s *Step) bool

// next is the first step of some kinds after one, 0 being the start, that passes a test; 0 if there is none.
func (q *Inquiry) next(after sim.StepID, is test, kinds ...Kind) (first sim.StepID) {
	for _, kind := range kinds {
		all := q.kinds[kind]
		from, _ := slices.BinarySearch(all, after+1)
		for _, id := range all[from:] {
			if first != 0 && id > first {
				break
			}
			if is(q.at(id)) {
				first = id
				break
			}
		}
	}
	return first
}

// last is the last step of a kind before one that passes a test; 0 if there is none.
func (q *Inquiry) last(before sim.StepID, is test, kind Kind) sim.StepID {
	all := q.kinds[kind]
	upto, _ := slices.BinarySearch(all, before)
	for i := upto - 1; i >= 0; i-- {
		if is(q.at(all[i])) {
			return all[i]
		}
	}
	return 0
}

// end is one past the last step.
func (q *Inquiry) end() sim.StepID { return sim.StepID(len(q.steps) + 1) }

// The tests.
func anyStep(*Step) bool     { return true }
func about(m MessageID) test { return func(s *Step) bool { return s.Data.Msg == m } }
func withID(id int64) test   { return func(s *Step) bool { return s.Data.ID == id } }
func from(phone Actor) test  { return func(s *Step) bool { return s.Actor == phone } }
func to(phone Actor) test    { return func(s *Step) bool { return s.Data.To == phone } }
func every(tests ...test) test {
	return func(s *Step) bool { return !slices.ContainsFunc(tests, func(is test) bool { return !is(s) }) }
}

// carrying passes a kind of leg that carries a message, if that is not zero, to or from a phone, if that is not the server.
func carrying(leg Leg, m MessageID, phone Actor) test {
	return func(s *Step) bool {
		d := &s.Data
		return d.Leg == leg && (m == MessageID{} || d.Msg == m) && (phone == Server || phone == d.To || phone == s.Actor)
	}
}

// leaves is the first leg of that kind that leaves after a step.
func (q *Inquiry) leaves(after sim.StepID, leg Leg, m MessageID, phone Actor) sim.StepID {
	return q.next(after, carrying(leg, m, phone), Left)
}

// stored is where a message was stored first.
func (q *Inquiry) stored(m MessageID) sim.StepID { return q.next(0, about(m), Stored) }

// numbered is where the stored message took its number.
func (q *Inquiry) numbered(m MessageID) sim.StepID {
	stored := q.stored(m)
	if stored == 0 {
		return 0
	}
	id := q.at(stored).Data.ID
	if began := q.next(0, every(about(m), withID(id)), Began); began != 0 {
		return began
	}
	return stored
}

// landed reports whether a leg has arrived: something follows from it.
func (q *Inquiry) landed(leg sim.StepID) bool {
	return slices.ContainsFunc(q.steps[leg:], func(s Step) bool { return s.Cause == leg })
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
	turned := c.last(c.end(), func(s *Step) bool { return s.Actor == e.Phone && s.At <= e.At }, TurnedOff)
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
	began := c.next(0, about(m), Began)
	return c.fault(Reason{Cause: WroteSlowly, Step: began, Msg: m}, *e)
}

// undone ends the chain if the first transaction of a message that is stored only later was lost.
func (c *chain) undone(m MessageID) bool {
	stored := c.stored(m)
	undone := c.next(0, about(m), RolledBack, Forgotten)
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
	first := c.leaves(0, MessageLeg, m, Server)
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
