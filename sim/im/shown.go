package im

import (
	"cmp"
	"slices"
)

// Screens lists the phones that have a screen: all that take part; where one was away, that one.
func (s *Scenario) Screens() (phones []Actor) {
	if s.Chapter == OfflineChapter {
		return []Actor{s.Reader}
	}
	for phone := Ana; phone <= Actor(s.Phones); phone++ {
		phones = append(phones, phone)
	}
	return phones
}

// OnScreen lists the messages of a phone's lines, top to bottom; where it was away, what it got, as it came. The fold must keep
// everything.
func (f *Fold) OnScreen(phone Actor) (messages []MessageID) {
	if f.away != nil {
		return f.away.shown
	}
	for i := range f.Screens[phone].Lines {
		messages = append(messages, f.Screens[phone].Lines[i].Msg)
	}
	return messages
}

// OnServer lists the stored messages by id; commits may come in another order. The fold must keep everything.
func (f *Fold) OnServer() (messages []MessageID) {
	rows := slices.SortedFunc(slices.Values(f.Rows), func(a, b Row) int { return cmp.Compare(a.ID, b.ID) })
	for i := range rows {
		messages = append(messages, rows[i].Msg)
	}
	return messages
}

// MessageNames are the short names of messages; of none, an empty list.
func MessageNames(messages []MessageID) []string {
	names := make([]string, len(messages))
	for i, m := range messages {
		names[i] = m.String()
	}
	return names
}
