package protocol

import "imscope/sim/im"

// globalID goes on as the chat began: the phone, back, asks for the messages of all its conversations whose id is bigger than the
// biggest it has. It carries one number. But ids are given out over everybody's messages, so the server must look at every one of
// the phone's conversations to find those that are for it; and the hole of poll-id is still there.
//
// Source: the book's chapter on offline sync, section 1.
type globalID struct {
	im.Catching
	after int64 // the phone's
	asked int64 // the server's: what the request is about
}

func (p *globalID) Start(w *im.World) { p.Catching.Start(w, p, false) }

func (p *globalID) Leave(w *im.World) { p.after = w.FirstID }

func (p *globalID) Another() (im.Way, *im.Catching) {
	other := new(globalID)
	return other, &other.Catching
}

func (p *globalID) Ask(bool) im.Question { return im.Question{By: im.ByGlobalID, At: p.after} }

func (p *globalID) Hear(in *im.Input) { p.asked = in.ID }

func (p *globalID) Behind(w *im.World) int64 {
	p.LookAll(w, p.Chats.Count())
	return int64(len(p.Chats.AfterID(p.asked)))
}

func (p *globalID) Read(w *im.World) (page []im.Mail, more bool) {
	p.LookAll(w, p.Chats.Count())
	page = p.Chats.AfterID(p.asked)
	if more = int64(len(page)) > w.Page; more {
		page = page[:w.Page]
	}
	return page, more
}

func (p *globalID) Head() int64 { return p.Chats.LastID() }

func (p *globalID) Passed(m *im.Mail) bool { return m.ID <= p.after }

// Push moves nothing: a message that came by itself says nothing about those before it, and ids jump.
func (p *globalID) Push(*im.Mail) {}

func (p *globalID) Gap() im.Gap { return im.Gap{} }

func (p *globalID) Take(m *im.Mail) { p.after = max(p.after, m.ID) }

func (p *globalID) Skip(*im.Item) {}

func (p *globalID) Jump(head int64) { p.after = head }
