// Package im is the vocabulary of chat on top of package sim: who takes part, what is sent and lost, the server's store, the
// phone's outbox, and the folds that turn steps into screens and metrics. Protocols (package protocol) are written in it.
package im

import (
	"strconv"
	"strings"
	"time"

	"imscope/sim"
)

// Time is a moment of a run, in integer nanoseconds since its start.
type Time = sim.Time

// Units of time.
const (
	Millisecond = time.Millisecond
	Second      = time.Second
)

// Actor is the server or a phone.
type Actor = sim.Actor

// The actors. Phones follow one another so that the first n of them take part in a run of n phones.
const (
	Server Actor = iota
	Ana
	Ben
	Carl
	Dana
	Erik
	Tablet // the reader's second device, where he has one
)

// MaxPhones is the largest number of phones in a conversation.
const MaxPhones = int(Erik)

// MaxActor is the largest number of an actor.
const MaxActor = int(Tablet)

var actorNames = [...]string{"Server", "Ana", "Ben", "Carl", "Dana", "Erik", "Tablet"}

// Name is the actor's name, as every page and file spells it.
func Name(a Actor) string { return actorNames[a] }

// MessageID names a message: the N-th (from 1) that its sender sent. It never changes, whatever else happens to the run. It is
// also what a phone sends along as its client message id.
type MessageID struct {
	Sender Actor
	N      uint32
}

// String gives the short name that screens show: A1 is Ana's first, a1 her first by hand. M1 is the first from anybody who has no
// phone in the run; its sender is the Server.
func (m MessageID) String() string {
	letter := actorNames[m.Sender][:1]
	if m.Sender == Server && m.N > 0 {
		letter = "M"
	}
	if m.Hand() {
		letter = strings.ToLower(letter)
	}
	return letter + strconv.FormatUint(uint64(m.N&^byHand), 10)
}

// ParseMessage reads what String writes; ok is false for anything else.
func ParseMessage(s string) (m MessageID, ok bool) {
	if len(s) < 2 || s[1] < '1' || s[1] > '9' {
		return m, false
	}
	n, err := strconv.ParseUint(s[1:], 10, 31)
	if err != nil {
		return m, false
	}
	if s[0] == 'M' {
		return MessageID{Server, uint32(n)}, true
	}
	for a := Ana; a <= Erik; a++ {
		switch s[0] {
		case actorNames[a][0]:
			return MessageID{a, uint32(n)}, true
		case actorNames[a][0] + 'a' - 'A':
			return HandMessage(a, uint32(n)), true
		}
	}
	return m, false
}
