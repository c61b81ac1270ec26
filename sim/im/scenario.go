package im

import (
	"time"

	"imscope/sim"
)

// Scenario is everything a run is made from. Two equal scenarios give equal runs under one protocol.
type Scenario struct {
	Name   string
	Phones int // 2 … MaxPhones
	Seed   uint64

	// Who sends when: a script, or, if it is empty, exponential gaps with this mean on every phone.
	Script []Send
	Gap    Time
	Hand   []Send // what the reader sends by hand, by time
	// Length is when sending ends. What is under way then still finishes, within Overtime.
	Length Time
	// Messages, if not 0, gives the length instead: as many as two phones send in it on average.
	Messages int64

	Latency   Time       // of every leg, one way
	Loss      sim.Chance // of every leg but the exempt ones below
	Faults    []Fault    // legs whose fate does not depend on luck
	Reorder   bool       // pushes get an extra delay of 0 to ReorderBy each
	FetchLoss bool       // the two legs of a fetch can be lost too

	RTO      Time  // a phone sends again after this long without an ACK
	Attempts int64 // how often a phone sends one message before it gives up; 0 is no limit
	GapWait  Time  // how long a phone waits for a gap to close by itself
	Write    Time  // from taking a number to the commit
	NoIDs    bool  // messages carry no client message id
	NoDedupe bool  // the server stores every copy that arrives
	NoACK    bool  // the server does not confirm, and so phones do not resend

	Reopen Actor // this phone opens the conversation again at the end of Length; Server means nobody

	FirstID int64   // the id before the first
	IDGaps  []IDGap // ids that other conversations take before a message; drawn (0 … 4) for the others
}

// Send is one press of the send button.
type Send struct {
	At  Time
	Msg MessageID
}

// IDGap is how many ids other conversations take just before a message is stored.
type IDGap struct {
	Msg  MessageID
	Skip int64
}

// Fault decides the fate of one leg.
type Fault struct {
	Leg     Leg
	Msg     MessageID
	Attempt uint32
	To      Actor
	Lost    bool
}

const (
	// ReorderBy bounds the extra delay of a push when pushes may overtake one another.
	ReorderBy = 200 * time.Millisecond
	// Overtime is how long a run may go on after its length.
	Overtime = 60 * time.Second
)

// longestRun bounds End: some 18 years, far from where times overflow.
const longestRun = Time(1 << 59)

// End is when sending ends.
func (s *Scenario) End() Time {
	if s.Messages == 0 {
		return s.Length
	}
	if s.Gap > longestRun/Time(s.Messages) {
		return longestRun / 2
	}
	return Time(s.Messages) * s.Gap / 2
}

// Purposes keep the draws of one identity apart.
const (
	lossDraw uint8 = iota + 1
	delayDraw
	gapDraw
	idGapDraw
)

// link is the network between any phone and the server.
func (s *Scenario) link(leg Leg) sim.Link {
	l := sim.Link{Latency: s.Latency, Loss: s.Loss}
	switch leg {
	case PushLeg:
		if s.Reorder {
			l.Jitter = ReorderBy
		}
	case AskLeg, AnswerLeg:
		if !s.FetchLoss {
			l.Loss = 0
		}
	case PullLeg, PullReplyLeg:
		l.Loss = 0
	}
	return l
}

// judge gives the verdict on a leg: a fault of the scenario if there is one, else luck.
func (s *Scenario) judge(luck sim.Luck, in *Input) sim.Verdict {
	a, b := in.identity()
	link := s.link(in.Leg)
	var jitter sim.Draw
	if link.Jitter > 0 {
		jitter = luck.Draw(delayDraw, a, b)
	}
	v := link.Judge(luck.Draw(lossDraw, a, b), jitter)
	for i := range s.Faults {
		if f := &s.Faults[i]; f.Leg == in.Leg && f.Msg == in.Msg && f.Attempt == in.Attempt && f.To == in.To {
			v.Lost = f.Lost
		}
	}
	return v
}

// nextSend is the n-th (from 1) press of a phone, given the time of the one before; ok is false when there is none.
func (s *Scenario) nextSend(luck sim.Luck, phone Actor, n uint32, before Time) (at Time, ok bool) {
	if len(s.Script) == 0 {
		gap := luck.Draw(gapDraw, uint64(phone), uint64(n)).Exponential(s.Gap)
		return before + gap, before+gap < s.End()
	}
	for _, send := range s.Script {
		if send.Msg == (MessageID{phone, n}) {
			return send.At, true
		}
	}
	return 0, false
}

// idGap is how many ids other conversations take before m.
func (s *Scenario) idGap(luck sim.Luck, m MessageID) int64 {
	for _, g := range s.IDGaps {
		if g.Msg == m {
			return g.Skip
		}
	}
	return int64(luck.Draw(idGapDraw, uint64(m.Sender), uint64(m.N)).IntN(5))
}
