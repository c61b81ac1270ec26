package protocol

import (
	"slices"

	"imscope/sim/im"
)

// pollToken lets the server say from where to ask next. It knows which ids belong to transactions that are not over, and gives no
// row behind the smallest of them: the token is the largest id below which nothing can still appear. No row is ever skipped; one
// slow transaction holds back all that have a bigger id, for everybody.
//
// Source: Matrix's since token; element-hq/synapse, storage/util/id_generators.py (MultiWriterIdGenerator).
type pollToken struct {
	im.Polling
	since int64
}

func (p *pollToken) Start(w *im.World) {
	p.since = w.FirstID
	p.Polling.Start(w, p)
}

func (p *pollToken) From(bool) im.Position { return im.Position{By: im.AfterToken, ID: p.since} }

func (p *pollToken) Read(from im.Position) ([]im.Entry, int64) {
	current := p.Store.Watermark()
	rows := p.Table.After(from.ID)
	n := slices.IndexFunc(rows, func(e im.Entry) bool { return e.ID > current })
	if n >= 0 {
		rows = rows[:n]
	}
	return rows, current
}

func (p *pollToken) Take(*im.Entry) bool { return true }

func (p *pollToken) Move(token int64) { p.since = token }

func (p *pollToken) Passed(e *im.Entry) bool { return e.ID <= p.since }
