package protocol

import "imscope/sim/im"

// pollID is the smallest chat there is: every few seconds the phone asks for the messages whose id is bigger than the biggest it
// has. That one number also catches up after any time away. But ids are given out before rows can be seen: if 102 commits while
// 101 is still being written, whoever asks in between goes on from 102, and never asks for 101.
//
// Source: the book's chapter on the minimal chat, sections 1 and 3.
type pollID struct {
	im.Polling
	after int64
}

func (p *pollID) Start(w *im.World) {
	p.after = w.FirstID
	p.Polling.Start(w, p)
}

func (p *pollID) From(bool) im.Position { return im.Position{By: im.AfterID, ID: p.after} }

func (p *pollID) Read(from im.Position) ([]im.Entry, int64) { return p.Table.After(from.ID), 0 }

func (p *pollID) Take(e *im.Entry) bool {
	p.after = max(p.after, e.ID)
	return true
}

func (p *pollID) Move(int64) {}

func (p *pollID) Passed(e *im.Entry) bool { return e.ID <= p.after }
