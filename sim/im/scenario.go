package im

import (
	"slices"
	"time"

	"imscope/sim"
)

// Scenario is everything a run is made from. Two equal scenarios give equal runs under one protocol.
type Scenario struct {
	Chapter string
	Name    string
	Phones  int // 2 … MaxPhones
	Seed    uint64

	// Who sends when: a script, or, if it is empty, exponential gaps with this mean on every phone; with a gap of 0 none sends.
	Script []Send
	Gap    Time
	Hand   []Send // what the reader sends by hand, by time
	// Length is when sending ends. What is under way then still finishes, within Overtime.
	Length Time
	// Messages, if not 0, gives the length instead: as many as two phones send in it on average.
	Messages int64
	// Uniform says that Ana alone sends, Messages times drawn uniformly from Length.
	Uniform bool

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

	Asking
	Writing
	Absence
}

// Asking is how one phone, the reader, gets what the others send, where it must ask.
type Asking struct {
	Reader    Actor // Server where nobody asks: then everything is pushed to everybody
	Interval  Time  // from one poll to the next
	Phase     Time  // when the first leaves
	Off       Span  // when the reader's phone is off
	Overlap   Time  // how far back a poll by time reaches
	Hold      Time  // how long the server holds a long poll that finds nothing
	Heartbeat Time  // how often the reader tries whether its connection lives
	Page      int64 // rows in one answer at most
	NoHeaders bool  // HTTP headers cost nothing
}

// Writing is what can come between a transaction's number and its commit, besides Write.
type Writing struct {
	Slow      Time // how long the transaction of message SlowMsg takes instead of Write
	SlowMsg   MessageID
	OneWriter bool        // one transaction at a time, for the whole table
	RowLock   bool        // one transaction at a time in each conversation, which takes its number under the lock
	Apart     bool        // Carl writes in another conversation than the others, which the reader is in too
	Rollback  sim.Chance  // of each transaction
	Rollbacks []MessageID // whose first transaction is rolled back
}

// Span is a stretch of time: From belongs to it, To does not.
type Span struct{ From, To Time }

// Has reports whether t lies in the span.
func (s Span) Has(t Time) bool { return s.From <= t && t < s.To }

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
	if s.Chapter == OfflineChapter {
		return s.Off.To + longestSync
	}
	if s.Messages == 0 || s.Uniform {
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
	rollbackDraw
	conversationDraw
	arrivalDraw
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

// judge gives the verdict on a leg that leaves now: a fault of the scenario if there is one, else luck; and what reaches a phone
// that is off is lost.
func (s *Scenario) judge(luck sim.Luck, now Time, in *Input) sim.Verdict {
	a, b := in.identity()
	link := s.link(in.Leg)
	var jitter sim.Draw
	if link.Jitter > 0 {
		jitter = luck.Draw(delayDraw, a, b)
	}
	v := link.Judge(luck.Draw(lossDraw, a, b), jitter)
	if s.away(in.To, now+v.Delay) {
		v.Lost = true
	}
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
		if s.Gap == 0 {
			return 0, false
		}
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

// uniform draws when Ana sends, in order.
func (s *Scenario) uniform(luck sim.Luck) []Time {
	times := make([]Time, s.Messages)
	for i := range times {
		times[i] = Time(luck.Draw(gapDraw, uint64(Ana), uint64(i+1)).IntN(uint64(s.Length)))
	}
	slices.Sort(times)
	return times
}

// away reports whether a phone is off at t.
func (s *Scenario) away(phone Actor, t Time) bool { return phone == s.Reader && s.Off.Has(t) }

// Conversation is the number of the conversation that m belongs to: 1, or 2 for what Carl writes apart.
func (s *Scenario) Conversation(m MessageID) int {
	if s.Apart && m.Sender == Carl {
		return 2
	}
	return 1
}

// writeTime is how long m's transaction takes from its number to the commit.
func (s *Scenario) writeTime(m MessageID) Time {
	if m == s.SlowMsg {
		return s.Slow
	}
	return s.Write
}

// rollsBack reports whether the transaction that the given transmission of m began is rolled back.
func (s *Scenario) rollsBack(luck sim.Luck, m MessageID, attempt uint32) bool {
	if attempt == 1 && slices.Contains(s.Rollbacks, m) {
		return true
	}
	return s.Rollback > 0 && luck.Draw(rollbackDraw, uint64(m.Sender)<<32|uint64(m.N), uint64(attempt)).Below(s.Rollback)
}
