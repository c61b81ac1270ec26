package protocol

import (
	"slices"

	"imscope/sim/im"
)

// conversationCursors brings a cursor for every conversation: the phone says of each how far it has come, and the server gives what is
// behind that. Seqs are given out under their conversation's lock, so nothing is ever skipped, and nobody writes anything besides the
// message. But the phone sends as many cursors, and the server looks at as many heads, as there are conversations, however little is
// new; and of a conversation that the phone does not know it cannot ask.
//
// The first request carries all the cursors. The server keeps them until the exchange ends and goes on where the last page stopped,
// so a later request carries only the one from which it goes on.
//
// Source: the book's chapter on offline sync, section 1. WuKongIM and Tinode ask alike.
type conversationCursors struct {
	im.Catching
	has  []int64 // the phone's: how far it has come, by conversation
	last uint16  // the one that it was given something of last

	ahead map[uint16]*ahead // what was pushed from beyond a gap, by conversation

	version  bool // it keeps the version of its memberships too
	removals int  // how many it has heard of

	asked    []int64 // the server's: how far the phone has come, with what it was given in this exchange
	next     uint16  // the conversation to go on with
	known    uint16  // the last that the phone knew when it asked
	compared bool    // memberships have been, in this exchange
	upto     uint16  // the last that it may look at: those that the phone knows, or with a version of memberships all
}

func (p *conversationCursors) Start(w *im.World) { p.Catching.Start(w, p, false) }

func (p *conversationCursors) Leave(w *im.World) {
	p.version = w.Version
	p.ahead = make(map[uint16]*ahead)
	p.has = make([]int64, w.Conversations+1)
	for conv := range p.has[1:] {
		p.has[conv+1] = p.Chats.Left(uint16(conv + 1))
	}
}

func (p *conversationCursors) Another() (im.Way, *im.Catching) {
	other := new(conversationCursors)
	return other, &other.Catching
}

func (p *conversationCursors) Ask(next bool) im.Question {
	if next {
		return im.Question{By: im.ByCursors, Pairs: 1, Conv: p.last, At: p.has[p.last]}
	}
	return im.Question{By: im.ByCursors, Pairs: uint16(len(p.has) - 1), Version: p.version}
}

func (p *conversationCursors) Hear(in *im.Input) {
	if in.Conv == 0 {
		p.asked, p.next, p.compared = slices.Clone(p.has), 1, !p.version
		p.known = uint16(len(p.has) - 1)
		p.upto = p.known
	}
}

func (p *conversationCursors) Behind(w *im.World) int64 { return p.LookAll(w, p.upto) }

// Read looks at one conversation after another until the page is full and there is one more message for the next. Changes of memberships
// come first, and do not fill the page.
func (p *conversationCursors) Read(w *im.World) (page []im.Mail, more bool) {
	var changes []im.Mail
	if !p.compared {
		changes = p.compare(w)
	}
	page, more = p.read(w)
	return append(changes, page...), more
}

// compare compares versions of memberships: a conversation that the phone does not know is given from its start.
func (p *conversationCursors) compare(w *im.World) (changes []im.Mail) {
	p.compared = true
	w.Record(im.Server, im.Data{Kind: im.VersionRead, To: p.Device()})
	for p.upto < p.Chats.Count() {
		p.upto++
		p.asked = append(p.asked, 0)
	}
	for _, m := range p.Chats.Events() {
		if m.Event == im.Removed {
			changes = append(changes, m)
		}
	}
	return changes[p.removals:]
}

// joined reports whether the phone learns of a conversation only in this exchange. What it holds came with the versions, in one read.
func (p *conversationCursors) joined(conv uint16) bool { return conv > p.known }

func (p *conversationCursors) read(w *im.World) (page []im.Mail, more bool) {
	for ; p.next <= p.upto; p.next++ {
		if !p.joined(p.next) {
			p.Look(w, p.next)
		}
		room := int(w.Page) - len(page)
		found := p.Chats.After(p.next, p.asked[p.next], room+1)
		if more = len(found) > room; more {
			found = found[:room]
		}
		p.asked[p.next] += int64(len(found))
		if page = append(page, found...); more {
			return page, true
		}
	}
	return page, false
}

func (p *conversationCursors) Head() int64 { return 0 }

// Passed is never true of what commits: seqs of a conversation are in the order of its commits.
func (p *conversationCursors) Passed(m *im.Mail) bool {
	return int(m.Conv) < len(p.has) && m.Seq <= p.has[m.Conv]
}

// Push counts on in the message's conversation; of the others it says nothing, and of one that is not known it cannot count.
func (p *conversationCursors) Push(m *im.Mail) {
	if int(m.Conv) >= len(p.has) {
		return
	}
	if p.ahead[m.Conv] == nil {
		p.ahead[m.Conv] = new(ahead)
	}
	p.has[m.Conv] = p.ahead[m.Conv].take(p.has[m.Conv], m.Seq)
}

// Gap is that of the first conversation that has one.
func (p *conversationCursors) Gap() (gap im.Gap) {
	for conv := 1; conv < len(p.has) && gap.N == 0; conv++ {
		if a := p.ahead[uint16(conv)]; a != nil {
			gap = a.gap(p.has[conv])
			gap.Conv = uint16(conv)
		}
	}
	return gap
}

func (p *conversationCursors) Take(m *im.Mail) {
	if m.Event == im.Removed {
		p.removals++
	} else {
		p.move(m.Conv, m.Seq)
	}
}

func (p *conversationCursors) Skip(i *im.Item) {
	delete(p.ahead, i.Conv)
	p.move(i.Conv, i.Seq)
}

// move moves a cursor; of a conversation that the phone did not know it gets one.
func (p *conversationCursors) move(conv uint16, seq int64) {
	if int(conv) == len(p.has) {
		p.has = append(p.has, 0)
	}
	if a := p.ahead[conv]; a != nil {
		seq = a.take(p.has[conv], seq)
	}
	p.has[conv], p.last = max(p.has[conv], seq), conv
}

func (p *conversationCursors) Jump(int64) {}
