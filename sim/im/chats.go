package im

import (
	"cmp"
	"slices"
)

// Mail is a stored message of one of the reader's conversations, or a bare event, which only the inbox has.
type Mail struct {
	Row
	Conv  uint16
	Event Event
	Inbox int64 // its number in the reader's inbox; 0 if none is kept
}

// Chats is the server's database as far as one person's conversations go: the messages stored since the phone left, and of what was
// before only how far the numbers had come. Conversations count from 1.
type Chats struct {
	mails  []Mail // in the order of commits, which is that of inbox numbers
	chats  []chat // by conversation; 0 is none
	lastID int64
	inbox  int64 // the biggest number in the inbox
	first  int64 // the biggest when the phone left
}

// chat is one conversation.
type chat struct {
	left  int64 // its last seq when the phone left
	mails []int // those stored since, as indices of mails
}

// InboxBefore is the number up to which the reader's inbox was synchronized when the phone left, as in the book. Seqs start from
// what the conversations' shares make of as many messages.
const InboxBefore = 7345

// NewChats returns the database at the moment in which the phone leaves.
func NewChats(s *Scenario) *Chats {
	c := &Chats{chats: make([]chat, s.Conversations+1), lastID: s.FirstID, inbox: InboxBefore, first: InboxBefore}
	sums := Shares(s.Conversations)
	before := uint64(0)
	for k, sum := range sums {
		c.chats[k+1].left = max(1, int64((sum-before)>>20*InboxBefore/(sums[len(sums)-1]>>20)))
		before = sum
	}
	return c
}

// Take gives a message its numbers, or a bare event its number in the inbox; skip ids go to other people's conversations first.
func (c *Chats) Take(a *Arrival, skip int64, inbox bool) Mail {
	m := Mail{Conv: a.Conv, Event: a.Event}
	if a.Event == Added {
		c.chats = append(c.chats, chat{})
	}
	if !a.Event.Bare() {
		c.lastID += skip + 1
		m.Row = Row{Msg: a.Msg, ID: c.lastID, Seq: c.Head(a.Conv) + 1}
	}
	if inbox {
		m.Inbox = c.inbox + 1
	}
	return m
}

// Commit makes a message visible.
func (c *Chats) Commit(m Mail) {
	c.inbox = max(c.inbox, m.Inbox)
	if to := &c.chats[m.Conv]; !m.Event.Bare() {
		to.mails = append(to.mails, len(c.mails))
	}
	c.mails = append(c.mails, m)
}

// Events are the bare events so far.
func (c *Chats) Events() (all []Mail) {
	for _, m := range c.mails {
		if m.Event.Bare() {
			all = append(all, m)
		}
	}
	return all
}

// Count is the number of conversations.
func (c *Chats) Count() uint16 { return uint16(len(c.chats) - 1) }

// Left is the last seq of a conversation when the phone left.
func (c *Chats) Left(conv uint16) int64 { return c.chats[conv].left }

// Head is the last seq of a conversation.
func (c *Chats) Head(conv uint16) int64 {
	return c.chats[conv].left + int64(len(c.chats[conv].mails))
}

// After yields at most n messages of a conversation, from the one behind seq on; seq must not lie before the phone's leaving.
func (c *Chats) After(conv uint16, seq int64, n int) []Mail {
	to := &c.chats[conv]
	var found []Mail
	for _, i := range to.mails[min(int(seq-to.left), len(to.mails)):] {
		if len(found) == n {
			break
		}
		found = append(found, c.mails[i])
	}
	return found
}

// LastID is the biggest id given out.
func (c *Chats) LastID() int64 { return c.lastID }

// AfterID returns all messages with a bigger id, by id.
func (c *Chats) AfterID(id int64) []Mail {
	var found []Mail
	for _, m := range c.mails {
		if m.ID > id {
			found = append(found, m)
		}
	}
	slices.SortFunc(found, func(a, b Mail) int { return cmp.Compare(a.ID, b.ID) })
	return found
}

// InboxHead is the biggest number in the inbox.
func (c *Chats) InboxHead() int64 { return c.inbox }

// AfterInbox returns at most n messages, from the one behind an inbox number on.
func (c *Chats) AfterInbox(number int64, n int) []Mail {
	from := int(number - c.first)
	return c.mails[from:min(from+n, len(c.mails))]
}
