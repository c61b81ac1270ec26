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
	LockWaited                 // server: a transaction waits for the lock of the conversation's row, or of To's. Msg
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

	RolledBack  // server: a transaction was undone; its id is used by nobody. Msg, ID
	TurnedOff   // the phone is off: it sends nothing, and what arrives is lost
	TurnedOn    // it is on again
	Polled      // the phone asks what is new. Lo is the number of the request, Attempt the page, Key, ID and Hi the Position it asks from
	PollSkipped // a poll was due, but one is in flight. Lo
	PollRead    // server: read for To what is behind the Position of Key, ID and Hi. Lo, Attempt; Rows, More if there are more
	Held        // server: found nothing for To and holds the request. Lo, ID
	HoldEnded   // server: held the request for long enough, and answers that there is nothing. To, Lo
	Answered    // an answer came. Lo, Attempt; Rows it brought, New of them; More; Key, ID and Hi are the Position to read on from
	ReadPast    // server: To will never be given this committed row: it reads on behind it. Msg, Copy, ID
	Subscribed  // server: To's connection is open. Lo is its number
	Silent      // server: To's connection has been silent for too long and is closed. Lo
	Broken      // the phone holds its connection for dead. Lo
	Alive       // a heartbeat was answered. Lo
	Buffered    // a live line waits until the phone has caught up. Msg, ID

	SyncAsked    // the phone, back, asks what is new. Lo is the number of the request, Attempt the try; Key, Conv, ID, Rows and Hi are its Question
	SyncRepeated // server: the request Lo came again, and is answered as before. To
	Looked       // server: read the head of conversation Conv, in which New messages are new to the phone; 0 is read for nothing. Seq
	InboxRead    // server: read the rows Lo … Hi of To's inbox
	TooMany      // server: To is Gap messages behind, or has been away for too long, and is answered with the list of conversations
	HeadRead     // server: read how far everything of To goes, to go on from there after the list. ID
	SyncRead     // server: has the answer to request Lo: Rows messages, New conversations of the list, Hi bare events; More. To
	SyncAnswered // the answer to request Lo came. Rows, New, Hi, More
	Listed       // the phone has an entry of the list: Conv goes up to Seq, the newest being Msg; Gap messages below it are left on the server
	Noted        // server: something happened to the reader that comes without a message. Event, Conv, Inbox
	Learned      // the phone has heard of such an event. Event, Conv, Inbox
	VersionRead  // server: compared the version of To's memberships
	Locked       // server: a transaction has locked the row of To and taken the next number of To's inbox. Msg, Inbox, Attempt
	CaughtUp     // the phone has asked all that it had to. ID is where it goes on from, where that is one number

	Restarted // server: it starts anew; what it had not stored is lost
	Forgotten // server: a message that waited for a lock is lost with the restart. Msg
	Unknown   // server: request Lo goes on in an exchange that it does not know, and is told so. To

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
	PollLeg                     // phone → server: what is new? From the Position of ID and Hi
	PollReplyLeg                // server → phone: Rows rows; Hi is the next token, 0 without
	ConnectLeg                  // phone → server: opens a connection and subscribes
	PingLeg                     // phone → server: is our connection alive?
	PongLeg                     // server → phone: it is
	SyncLeg                     // phone → server: what is new? Key, Conv, ID, Rows and Hi are its Question
	SyncReplyLeg                // server → phone: Rows messages, New conversations of the list, Hi bare events

	legEnd // one past the last
)

// FromPhone reports whether a phone originates the leg; such legs are what the cost counts as requests.
func (l Leg) FromPhone() bool {
	switch l {
	case MessageLeg, AskLeg, PullLeg, PollLeg, ConnectLeg, PingLeg, SyncLeg:
		return true
	default:
		return false
	}
}

// reads reports whether the server reads when such a leg arrives: what arrives or commits at the same instant comes before.
func (l Leg) reads() bool { return l == AskLeg || l == PullLeg || l == PollLeg || l == SyncLeg }

// carried is what left in a step of kind Left, as far as it counts.
func (d *Data) carried(from Actor) *Input {
	return &Input{Leg: d.Leg, From: from, To: d.To, Msg: d.Msg, Rows: d.Rows, New: d.New, Lo: d.Lo, Hi: d.Hi}
}

// Data is what a step tells. One flat struct for all kinds keeps recording free of allocation.
type Data struct {
	Kind    Kind
	Leg     Leg
	To      Actor
	Lost    bool
	Fetched bool
	More    bool   // there are more rows than this answer brings
	Copy    uint16 // 0 for the first stored copy of a message, 1 for the next …
	Attempt uint32 // 1 for the first
	Msg     MessageID
	Rows    uint16 // how many rows a read found or an answer brings, or are written into inboxes
	New     uint16 // of them, those that the phone did not have; in a list, its entries; of a conversation, its new messages
	Conv    uint16 // the conversation, from 1, where there are several
	Event   Event  // what happened besides or instead of a message
	ID, Seq int64  // the server's numbers; 0 where there is none
	Key     int64  // what the phone sorts the line by; 0 leaves it at the bottom, in order of appearance
	Inbox   int64  // the number in the reader's inbox; 0 where there is none
	Gap     int64  // how many messages the phone now knows to be missing
	Lo, Hi  int64
	Lands   Time // when a leg arrives, or would have
}
