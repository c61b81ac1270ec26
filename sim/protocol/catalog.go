// Package protocol holds the protocols, one file each, that the chapters compare.
package protocol

import "imscope/sim/im"

// Entry is a protocol in the catalogue.
type Entry struct {
	Name string
	New  func() im.Protocol
}

// Chapter is a chapter's protocols in teaching order; the first is the default.
type Chapter struct {
	Name      string
	Protocols []Entry
}

// Catalog lists every chapter. Adding a protocol is a file and a line here.
var Catalog = []Chapter{
	{im.OrderingChapter, []Entry{
		{"arrival", func() im.Protocol { return new(arrival) }},
		{"by-id", func() im.Protocol { return new(byID) }},
		{"by-seq", func() im.Protocol { return new(bySeq) }},
	}},
	{im.PollingChapter, []Entry{
		{"poll-id", func() im.Protocol { return new(pollID) }},
		{"poll-time", func() im.Protocol { return new(pollTime) }},
		{"poll-token", func() im.Protocol { return new(pollToken) }},
		{"long-poll", func() im.Protocol { return new(longPoll) }},
		{"push", func() im.Protocol { return new(push) }},
	}},
	{im.OfflineChapter, []Entry{
		{"global-id", func() im.Protocol { return new(globalID) }},
		{"conversation-cursors", func() im.Protocol { return new(conversationCursors) }},
		{"inbox", func() im.Protocol { return new(inbox) }},
	}},
}

// FindChapter returns the chapter of that name; ok is false if there is none.
func FindChapter(name string) (c Chapter, ok bool) {
	for _, c := range Catalog {
		if c.Name == name {
			return c, true
		}
	}
	return Chapter{}, false
}

// Find returns the chapter's protocol of that name; ok is false if there is none.
func (c Chapter) Find(name string) (e Entry, ok bool) {
	for _, e := range c.Protocols {
		if e.Name == name {
			return e, true
		}
	}
	return Entry{}, false
}
