package protocol

import (
	"slices"

	"imscope/sim/im"
)

// pollTime asks by the server's time, and always reaches back by an overlap: what was inserted since the newest row it has, less the
// overlap. It drops what it has by id. A row that commits late is then found as long as the overlap is longer than the longest
// transaction; each row comes again until it is older than that. Pages of one poll go on by (time, id), which is the order of ids,
// or a page full of repeats would stall it.
//
// Source: the book's chapter on the minimal chat, sections 3 and 6; the usual sync by a column of the time of change works alike.
type pollTime struct {
	im.Polling
	overlap im.Time
	newest  im.Time // the server's time of the newest row
	last    int64   // the id of the last row that came, where a page ends
	seen    []im.Entry
}

func (p *pollTime) Start(w *im.World) {
	p.overlap = w.Overlap
	p.Polling.Start(w, p)
}

func (p *pollTime) From(next bool) im.Position {
	if next {
		return im.Position{By: im.SinceTime, ID: p.last}
	}
	return im.Position{By: im.SinceTime, At: p.since()}
}

// since is the time from which on rows are asked for.
func (p *pollTime) since() im.Time { return max(0, p.newest-p.overlap) }

func (p *pollTime) Read(from im.Position) ([]im.Entry, int64) {
	if from.ID != 0 {
		return p.Table.After(from.ID), 0
	}
	return p.Table.Since(from.At), 0
}

func (p *pollTime) Take(e *im.Entry) bool {
	p.newest, p.last = max(p.newest, e.Inserted), e.ID
	i := len(p.seen)
	for i > 0 && p.seen[i-1].ID > e.ID {
		i--
	}
	if i > 0 && p.seen[i-1].ID == e.ID {
		return false
	}
	p.seen = slices.Insert(p.seen, i, *e)
	for p.Passed(&p.seen[0]) { // never comes again
		p.seen = p.seen[1:]
	}
	return true
}

func (p *pollTime) Move(int64) {}

func (p *pollTime) Passed(e *im.Entry) bool { return e.Inserted < p.since() }
