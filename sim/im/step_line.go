package im

import (
	"strconv"

	"imscope/sim"
)

// StepLine is a step in names and numbers, for files that other programs read. As a JSON object, what is 0, false or empty is left out.
type StepLine struct {
	Protocol string     `json:"protocol"`
	Step     sim.StepID `json:"step"` // counted from 1
	At       int64      `json:"at_ns"`
	Tie      uint32     `json:"tie"` // the ordinal of the event at this instant
	Actor    string     `json:"actor"`
	Kind     string     `json:"kind"`
	Cause    sim.StepID `json:"cause,omitempty"`
	Message  string     `json:"message,omitempty"`
	Leg      string     `json:"leg,omitempty"`
	To       string     `json:"to,omitempty"`
	Attempt  uint32     `json:"attempt,omitempty"`
	Lost     bool       `json:"lost,omitempty"`
	Lands    int64      `json:"lands_ns,omitempty"` // when a leg arrives, or would have
	Copy     uint16     `json:"copy,omitempty"`     // 1 for the second stored copy
	ID       int64      `json:"id,omitempty"`
	Seq      int64      `json:"seq,omitempty"`
	Conv     uint16     `json:"conversation,omitempty"`
	Event    string     `json:"event,omitempty"`
	Inbox    int64      `json:"inbox,omitempty"` // the number in the reader's inbox
	Fetched  bool       `json:"fetched,omitempty"`
	Gap      int64      `json:"gap,omitempty"`  // how many messages the phone knows to be missing
	Rows     uint16     `json:"rows,omitempty"` // how many rows a read found or an answer brings
	New      uint16     `json:"new,omitempty"`  // of them, those that the phone did not have
	More     bool       `json:"more,omitempty"` // there are more
	Lo       int64      `json:"lo,omitempty"`
	Hi       int64      `json:"hi,omitempty"`
}

// LineOf writes the step of that number of a protocol's run.
func LineOf(protocol string, number sim.StepID, s *Step) StepLine {
	d := &s.Data
	line := StepLine{Protocol: protocol, Step: number, At: int64(s.At), Tie: s.Tie, Actor: Name(s.Actor), Kind: d.Kind.Name(),
		Cause: s.Cause, Attempt: d.Attempt, Lost: d.Lost, Lands: int64(d.Lands), Copy: d.Copy, ID: d.ID, Seq: d.Seq,
		Conv: d.Conv, Event: d.Event.Name(), Inbox: d.Inbox, Fetched: d.Fetched, Gap: d.Gap, Rows: d.Rows, New: d.New, More: d.More, Lo: d.Lo, Hi: d.Hi}
	if d.Msg.N != 0 {
		line.Message = d.Msg.String()
	}
	if d.Kind == Left {
		line.Leg, line.To = d.Leg.Name(), Name(d.To)
	}
	return line
}

// StepColumns name the fields of a StepLine, as a table has them.
var StepColumns = []string{"protocol", "step", "at_ns", "tie", "actor", "kind", "cause", "message", "leg", "to", "attempt", "lost", "lands_ns", "copy", "id", "seq",
	"conversation", "event", "inbox", "fetched", "gap", "rows", "new", "more", "lo", "hi"}

// Fields are the values of the columns. What is 0, false or empty is empty, but for what every step has.
func (l StepLine) Fields() []string {
	count := func(n int64) string {
		if n == 0 {
			return ""
		}
		return strconv.FormatInt(n, 10)
	}
	yes := func(is bool) string {
		if is {
			return "true"
		}
		return ""
	}
	return []string{l.Protocol, strconv.FormatUint(uint64(l.Step), 10), strconv.FormatInt(l.At, 10), strconv.FormatUint(uint64(l.Tie), 10), l.Actor, l.Kind,
		count(int64(l.Cause)), l.Message, l.Leg, l.To, count(int64(l.Attempt)), yes(l.Lost), count(l.Lands), count(int64(l.Copy)), count(l.ID), count(l.Seq),
		count(int64(l.Conv)), l.Event, count(l.Inbox), yes(l.Fetched), count(l.Gap), count(int64(l.Rows)), count(int64(l.New)), yes(l.More), count(l.Lo), count(l.Hi)}
}
