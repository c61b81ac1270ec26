package im

import (
	"math/bits"
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
	// Length is when sending ends. What is under way then still finishes, within Overtime.
	Length Time
	// Messages, if not 0, gives the length instead: as many as two phones send in it on average.
	Messages int64
	// Uniform says that Ana alone sends, Messages times drawn uniformly from Length.
	Uniform bool

	Latency   Time       // of every leg, one way
	Loss      sim.Chance // of every leg but the exempt ones below
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

	FirstID int64  // the id before the first
	Given   []Edit // what is so besides the script, whatever luck says: legs that are lost, ids that others take, rollbacks
	Edits   []Edit // what the reader has changed by hand; it goes before all the rest

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
	OneWriter bool       // one transaction at a time, for the whole table
	RowLock   bool       // one transaction at a time in each conversation, which takes its number under the lock
	Apart     bool       // Carl writes in another conversation than the others, which the reader is in too
	Rollback  sim.Chance // of each transaction
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
	if over, length := bits.Mul64(uint64(s.Messages), uint64(s.Gap)); over > 0 || length > uint64(longestRun) {
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

// verdict is what is said of a leg, or else what luck says.
func (s *Scenario) verdict(luck sim.Verdict, leg LegID) sim.Verdict {
	v := luck
	if e := s.said(Edit{Verb: Lose, Leg: leg}); e != nil {
		v.Lost = e.Verb == Lose
	}
	if e := s.said(Edit{Verb: Delay, Leg: leg}); e != nil {
		v.Delay += e.At
	}
	return v
}

// drawsGaps reports whether phones send at exponential gaps.
func (s *Scenario) drawsGaps() bool { return len(s.Script) == 0 && !s.Uniform && s.Gap > 0 }

// gap is the time between the presses before a phone's n-th (from 1) and that one, where gaps are drawn.
func (s *Scenario) gap(luck sim.Luck, phone Actor, n uint32) Time {
	return luck.Draw(gapDraw, uint64(phone), uint64(n)).Exponential(s.Gap)
}

// scripted is when the script has m sent; ok is false if it does not. Edits are not asked.
func (s *Scenario) scripted(m MessageID) (at Time, ok bool) {
	for _, send := range s.Script {
		if send.Msg == m {
			return send.At, true
		}
	}
	return 0, false
}

// has reports whether the scenario itself, without edits, has a message.
func (s *Scenario) has(m MessageID) bool {
	switch {
	case m.Hand():
		return false
	case m.Sender == Server:
		return slices.ContainsFunc(s.coming(), func(a Arrival) bool { return a.Msg == m })
	case s.Uniform:
		return m.Sender == Ana && int64(m.N) <= s.Messages
	}
	if !s.drawsGaps() {
		_, ok := s.scripted(m)
		return ok
	}
	luck, at := sim.NewLuck(s.Seed), Time(0)
	for n := uint32(1); n <= m.N && at < s.End(); n++ {
		at += s.gap(luck, m.Sender, n)
	}
	return at < s.End()
}

// adds reports whether an edit lets a message be sent that is not there without it. By hand any can be added; one of the phone's own
// only where a script says what those are, not where they are drawn.
func (s *Scenario) adds(e *Edit) bool {
	return e.Verb == Press && e.Msg.Sender != Server && (e.Msg.Hand() || len(s.Script) > 0 || s.Gap == 0)
}

// idGap is how many ids other conversations take before m.
func (s *Scenario) idGap(luck sim.Luck, m MessageID) int64 {
	if !s.plain() {
		if e := s.said(Edit{Verb: Skip, Msg: m}); e != nil {
			return e.N
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
func (s *Scenario) away(phone Actor, t Time) bool {
	if len(s.Edits) == 0 && s.Off.To == 0 { // as in all long runs
		return false
	}
	return s.off(phone, t)
}

func (s *Scenario) off(phone Actor, t Time) bool {
	if phone == s.Reader && s.Off.Has(t) {
		return true
	}
	return slices.ContainsFunc(s.offs(), func(e Edit) bool { return e.Phone == phone && Span{e.At, e.Until}.Has(t) })
}

// offs are the stretches in which phones are off. A phone that catches up is off once, in the beginning.
func (s *Scenario) offs() (offs []Edit) {
	if s.Off.To > 0 {
		offs = append(offs, Edit{Verb: Off, Phone: s.Reader, At: s.Off.From, Until: s.Off.To})
	}
	for _, e := range s.Edits {
		if e.Verb == Off && s.Chapter != OfflineChapter {
			offs = append(offs, e)
		}
	}
	return offs
}

// Conversation is the number of the conversation that m belongs to: 1, or 2 for what Carl writes apart.
func (s *Scenario) Conversation(m MessageID) int {
	if s.Apart && m.Sender == Carl {
		return 2
	}
	return 1
}

// writeTime is how long m's transactions take from their number to the commit.
func (s *Scenario) writeTime(m MessageID) Time {
	if len(s.Edits) > 0 {
		if e := s.said(Edit{Verb: Stall, Msg: m}); e != nil {
			return e.At
		}
	}
	if m == s.SlowMsg {
		return s.Slow
	}
	return s.Write
}

// rollsBack reports whether the transaction that the given transmission of m began is rolled back.
func (s *Scenario) rollsBack(luck sim.Luck, m MessageID, attempt uint32) bool {
	if attempt == 1 && !s.plain() {
		if e := s.said(Edit{Verb: Rollback, Msg: m}); e != nil {
			return e.Verb == Rollback
		}
	}
	return s.Rollback > 0 && luck.Draw(rollbackDraw, uint64(m.Sender)<<32|uint64(m.N), uint64(attempt)).Below(s.Rollback)
}
