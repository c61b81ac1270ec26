package im

import "imscope/sim"

// Step is one thing that happened in a run.
type Step = sim.Step[Data]

// Trace is a run with every step kept.
type Trace = sim.Trace[Data]

// Sink takes the steps of a run.
type Sink = sim.Sink[Data]

// Kind says what a step tells, and with that which fields of Data it fills.
type Kind uint8

// The kinds of step. The actor is the phone unless the server is named.
const (
	Connected  Kind = iota + 1 // the phone holds a connection
	Pressed                    // the user pressed send; the line stands at the bottom, sending. Msg
	Left                       // a leg left the actor. Leg, To, Lands, Lost, Attempt and what it carries
	Began                      // server: a transaction began and took its numbers. Msg, ID, Seq
	LockWaited                 // server: a transaction waits for the conversation's row lock. Msg
	Stored                     // server: a message was committed. Msg, Copy, ID, Seq
	Repeated                   // server: a message arrived that is stored already. Msg, Attempt, ID, Seq
	Acked                      // an own line got its number. Msg, ID, Seq, Key; Fetched if a fetch brought it
	AckedAgain                 // an ACK for a line that has its number. Msg
	Shown                      // somebody's line appeared. Msg, Copy, ID, Seq, Key; Fetched
	Ignored                    // a push or a fetch brought only what stands already
	GapSeen                    // the phone knows that some of the numbers Lo … Hi are missing, and waits
	GapClosed                  // nothing is missing any more
	Asked                      // the wait is over: the phone asks for numbers Lo … Hi. Attempt
	RangeRead                  // server: read rows Lo … Hi for To
	Failed                     // the phone gave up resending. Msg
	Opened                     // the phone opens the conversation again
	PullRead                   // server: read the whole conversation, Hi rows, for To
	Reloaded                   // the phone's screen was drawn anew from the server's rows. Key holds the Order

	kindEnd // one past the last
)

// Leg is a kind of leg: what travels between a phone and the server.
type Leg uint8

// The kinds of leg.
const (
	MessageLeg   Leg = iota + 1 // phone → server: a message
	AckLeg                      // server → sender: stored, with its numbers
	PushLeg                     // server → other phone: a message with its numbers
	AskLeg                      // phone → server: send me seq Lo … Hi
	AnswerLeg                   // server → phone: those messages
	PullLeg                     // phone → server: send me the conversation
	PullReplyLeg                // server → phone: all of it

	legEnd // one past the last
)

// FromPhone reports whether a phone originates the leg; such legs are what the cost counts as requests.
func (l Leg) FromPhone() bool { return l == MessageLeg || l == AskLeg || l == PullLeg }

// Data is what a step tells. One flat struct for all kinds keeps recording free of allocation.
type Data struct {
	Kind    Kind
	Leg     Leg
	To      Actor
	Lost    bool
	Fetched bool
	Copy    uint16 // 0 for the first stored copy of a message, 1 for the next …
	Attempt uint32 // 1 for the first
	Msg     MessageID
	ID, Seq int64 // the server's numbers; 0 where there is none
	Key     int64 // what the phone sorts the line by; 0 leaves it at the bottom, in order of appearance
	Gap     int64 // how many messages the phone now knows to be missing
	Lo, Hi  int64
	Lands   Time // when a leg arrives, or would have
}
