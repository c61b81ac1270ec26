package im

import (
	"slices"
	"strconv"
	"strings"
)

// Messages sent by hand are the reader's, not the scenario's. They have names of their own (a1 is Ana's first by hand), so that
// adding or taking back one renames no other.

// byHand marks the ordinal of a message sent by hand.
const byHand = 1 << 31

// Hand reports whether m was sent by hand.
func (m MessageID) Hand() bool { return m.N >= byHand }

// HandMessage names the n-th message (from 1) sent by hand from a phone.
func HandMessage(phone Actor, n uint32) MessageID { return MessageID{phone, n | byHand} }

// streams is how many sequences of messages there can be: two a phone, what the scenario sends and what is sent by hand.
const streams = 2 * (MaxPhones + 1)

// stream is the sequence that m belongs to, and its place in it, from 1.
func (m MessageID) stream() (stream int, n int64) {
	if m.Hand() {
		return int(m.Sender) + streams/2, int64(m.N &^ byHand)
	}
	return int(m.Sender), int64(m.N)
}

// sender is the phone that a stream's messages come from.
func sender(stream int) Actor { return Actor(stream % (streams / 2)) }

// MaxHand bounds how many messages are sent by hand.
const MaxHand = 20

// FormatHand writes messages sent by hand as a link does: a1-6.3s_b1-7s.
func FormatHand(sends []Send) string {
	parts := make([]string, len(sends))
	for i, s := range sends {
		parts[i] = s.Msg.String() + "-" + FormatTime(s.At)
	}
	return strings.Join(parts, "_")
}

// ParseHand reads what FormatHand writes, for a run of s, and sorts it by time. The error is a *ParamError. Where a phone is away, nobody
// else has one to send from.
func ParseHand(s *Scenario, text string) ([]Send, error) {
	wrong := &ParamError{"send", text, "a1-6.3s_b1-7s, " + strconv.Itoa(MaxHand) + " × 0s … " + FormatTime(s.End()+Overtime/2)}
	if s.Chapter == OfflineChapter {
		return nil, wrong
	}
	var sends []Send
	for _, part := range strings.Split(text, "_") {
		name, when, ok := strings.Cut(part, "-")
		if !ok {
			return nil, wrong
		}
		m, ok := ParseMessage(name)
		t, timed := ParseTime(when)
		if !ok || !timed || !m.Hand() || int(m.Sender) > s.Phones || m.N&^byHand > MaxHand || t > s.End()+Overtime/2 || len(sends) == MaxHand {
			return nil, wrong
		}
		if slices.ContainsFunc(sends, func(s Send) bool { return s.Msg == m }) {
			return nil, wrong
		}
		sends = append(sends, Send{t, m})
	}
	slices.SortStableFunc(sends, func(a, b Send) int { return int(a.At - b.At) })
	return sends, nil
}
