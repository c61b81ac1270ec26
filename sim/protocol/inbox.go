package protocol

import "imscope/sim/im"

// inbox keeps a list for every person of what has come for them, over all conversations, numbered without a gap: whoever writes a
// message locks the row of each of its recipients, takes their next number, and adds an entry, all in the message's transaction. The
// lock is held to the commit, so in one inbox the order of numbers is the order of commits, and reading behind a number skips nothing.
// The phone carries one number, and the server reads what has come and nothing else. How far behind a phone is, is a subtraction. The
// price is a row more for every recipient of every message.
//
// Source: the book's chapter on offline sync, section 3. Telegram's pts and the queue of Facebook's Iris work alike.
type inbox struct {
	im.Catching
	cursor int64 // the phone's
	ahead  ahead // what was pushed from beyond a gap
	asked  int64 // the server's: what the request is about
}

func (p *inbox) Start(w *im.World) { p.Catching.Start(w, p, true) }

func (p *inbox) Leave(*im.World) { p.cursor = im.InboxBefore }

func (p *inbox) Another() (im.Way, *im.Catching) {
	other := new(inbox)
	return other, &other.Catching
}

func (p *inbox) Ask(bool) im.Question { return im.Question{By: im.ByInbox, At: p.cursor} }

func (p *inbox) Hear(in *im.Input) { p.asked = in.ID }

func (p *inbox) Behind(*im.World) int64 { return p.Chats.InboxHead() - p.asked }

func (p *inbox) Read(w *im.World) (page []im.Mail, more bool) {
	page = p.Chats.AfterInbox(p.asked, int(w.Page))
	end := p.asked + int64(len(page))
	if len(page) > 0 {
		w.Record(im.Server, im.Data{Kind: im.InboxRead, To: p.Device(), Lo: p.asked + 1, Hi: end})
	}
	return page, end < p.Chats.InboxHead()
}

func (p *inbox) Head() int64 { return p.Chats.InboxHead() }

func (p *inbox) Passed(m *im.Mail) bool { return m.Inbox <= p.cursor }

// Push counts on if the number is the next one; a bigger one says that something is missing, whatever conversation it is of.
func (p *inbox) Push(m *im.Mail) { p.cursor = p.ahead.take(p.cursor, m.Inbox) }

func (p *inbox) Gap() im.Gap { return p.ahead.gap(p.cursor) }

func (p *inbox) Take(m *im.Mail) { p.cursor = p.ahead.take(p.cursor, m.Inbox) }

func (p *inbox) Skip(*im.Item) {}

func (p *inbox) Jump(head int64) { p.cursor, p.ahead = head, ahead{} }
