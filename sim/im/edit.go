package im

import "slices"

// Edit is something that is so in a run because somebody says so, the scenario or the reader: a leg is lost, a message is sent at another
// time. It names what it is about by what that is, never by when it comes in the run, so it means the same under every protocol and
// whatever else is edited; and it changes the luck of nothing else.
type Edit struct {
	Verb  Verb
	Msg   MessageID // Press, Drop, Stall, Rollback, Commit, Skip
	Leg   LegID     // Lose, Deliver, Delay
	Phone Actor     // Off
	At    Time      // Press, Off, Restart: when; Delay, Stall: how long
	Until Time      // Off: when it is on again
	N     int64     // Skip: how many ids
}

// Verb says what an edit does.
type Verb uint8

// The verbs. Of two edits that contradict each other the later counts.
const (
	Press    Verb = iota + 1 // Msg is sent At, be it that the scenario has it or not
	Drop                     // Msg is not sent
	Lose                     // Leg is lost
	Deliver                  // Leg arrives, unless who is to get it is off
	Delay                    // Leg takes At longer; what leaves after it may overtake it
	Off                      // Phone is off from At to Until
	Restart                  // the server starts anew At; what it has not stored is lost
	Stall                    // Msg's transactions take At from their number to the commit
	Rollback                 // Msg's first transaction is rolled back
	Commit                   // it is not
	Skip                     // N ids go to other conversations just before Msg is stored

	verbEnd // one past the last
)

const (
	// MaxEdits bounds how many edits a run has.
	MaxEdits = 100
	// MaxNumber bounds the number of a message that is edited.
	MaxNumber = 9999
	// longestDelay bounds what Delay and Stall add.
	longestDelay = Overtime / 2
)

// LegID is what a leg is, apart from when it leaves.
type LegID struct {
	Leg     Leg
	Msg     MessageID // of a message, an ACK or a push
	Phone   Actor     // whose leg it is; that of a message or an ACK is told by Msg
	Lo      int64     // the first missing seq of a fetch, else the number of the request or the connection
	Attempt uint32    // the transmission, the copy of a push, the page of a poll, or the heartbeat; from 1
}

// legID is what an input is that leaves.
func (in *Input) legID() LegID {
	return newLegID(in.Leg, in.From, in.To, in.Msg, in.Lo, in.Attempt)
}

// LegOf is what left in a step of kind Left.
func LegOf(s *Step) LegID {
	d := &s.Data
	return newLegID(d.Leg, s.Actor, d.To, d.Msg, d.Lo, d.Attempt)
}

func newLegID(leg Leg, from, to Actor, m MessageID, lo int64, attempt uint32) LegID {
	id := LegID{Leg: leg, Attempt: max(1, attempt)}
	switch legForms[leg].told {
	case byMessage:
		id.Msg = m
	case byReceiver:
		id.Msg, id.Phone = m, to
	case byPhone:
		id.Phone = from + to // one of them is the server, which is 0
	case byNumber:
		id.Phone, id.Lo = from+to, lo
	}
	return id
}

// subject is what an edit is about: two with the same contradict each other.
func (e Edit) subject() Edit {
	switch e.Verb {
	case Deliver:
		e.Verb = Lose
	case Drop:
		e.Verb = Press
	case Commit:
		e.Verb = Rollback
	}
	switch e.Verb {
	case Off, Restart:
	default:
		e.At = 0
	}
	e.Until, e.N = 0, 0
	return e
}

// undone is the edit that undoes what a scenario itself says.
func (e Edit) undone() Edit {
	switch e.Verb {
	case Press:
		return Edit{Verb: Drop, Msg: e.Msg}
	case Lose:
		return Edit{Verb: Deliver, Leg: e.Leg}
	case Rollback:
		return Edit{Verb: Commit, Msg: e.Msg}
	default: // Skip
		return Edit{Verb: Skip, Msg: e.Msg}
	}
}

// Own is what the scenario says by itself, as edits.
func (s *Scenario) Own() []Edit {
	var own []Edit
	for _, send := range s.Script {
		own = append(own, Edit{Verb: Press, Msg: send.Msg, At: send.At})
	}
	return append(own, s.Given...)
}

// WithEdit returns edits with one more, which takes the place of one that it contradicts.
func WithEdit(edits []Edit, e Edit) []Edit {
	edits = slices.Clone(edits)
	i := slices.IndexFunc(edits, func(o Edit) bool { return o.subject() == e.subject() })
	if i < 0 {
		return append(edits, e)
	}
	edits[i] = e
	return edits
}

// said is the last thing said about a subject by the scenario or by hand; nil if nothing is.
func (s *Scenario) said(subject Edit) *Edit {
	for _, list := range [...][]Edit{s.Edits, s.Given} {
		for i := len(list) - 1; i >= 0; i-- {
			if list[i].subject() == subject {
				return &list[i]
			}
		}
	}
	return nil
}

// plain reports whether nothing is said of the run, as in all long ones.
func (s *Scenario) plain() bool { return len(s.Edits) == 0 && len(s.Given) == 0 }

// overtaken reports whether legs can overtake one another that otherwise keep their order.
func (s *Scenario) overtaken() bool {
	return slices.ContainsFunc(s.Edits, func(e Edit) bool { return e.Verb == Delay })
}

// resent reports whether a message is sent at another time than the scenario says, or not at all.
func (s *Scenario) resent(m MessageID) bool {
	return len(s.Edits) > 0 && s.said(Edit{Verb: Press, Msg: m}) != nil
}

// Effects finds out which edits of a scenario concern its run: under another protocol, say, the leg that one loses may not exist.
type Effects struct {
	edits []Edit
	found []bool
}

// NewEffects begins with a run of s of which nothing is known.
func NewEffects(s *Scenario) *Effects {
	e := &Effects{s.Edits, make([]bool, len(s.Edits))}
	for i := range e.edits {
		e.found[i] = e.edits[i].Verb == Drop && s.has(e.edits[i].Msg)
	}
	return e
}

// Follow takes the next step of the run.
func (e *Effects) Follow(s *Step) {
	for i := range e.edits {
		e.found[i] = e.found[i] || e.edits[i].concerns(s)
	}
}

// Applied reports whether the steps so far have what edit i is about.
func (e *Effects) Applied(i int) bool { return e.found[i] }

// concerns reports whether a step is what the edit is about.
func (e *Edit) concerns(s *Step) bool {
	d := &s.Data
	switch e.Verb {
	case Press:
		return d.Msg == e.Msg && (d.Kind == Pressed || d.Kind == Stored)
	case Drop:
		return false
	case Lose, Deliver, Delay:
		return d.Kind == Left && LegOf(s) == e.Leg
	case Off:
		return d.Kind == TurnedOff && s.Actor == e.Phone && s.At == e.At
	case Restart:
		return d.Kind == Restarted && s.At == e.At
	default:
		return d.Msg == e.Msg && (d.Kind == Began || d.Kind == Stored || d.Kind == RolledBack)
	}
}
