package im

import (
	"slices"

	"imscope/sim"
)

// Polling is what all protocols have in common in which one phone, the reader, asks for what is new. Sending is that of Delivery.
// What differs, from where the phone asks and what it is given, is the protocol's own: its Cursor. A request may ask for one page
// after another; one is in flight at a time.
type Polling struct {
	Delivery
	Table Table

	cursor Cursor
	// Patience is how long, beyond a round trip, the phone waits for an answer before it asks again by itself. With 0 it waits a
	// round trip, which is how long an answer takes in this network, and the next tick asks again.
	Patience Time

	asking       bool   // a request is in flight
	number, page uint32 // which
	until        Time   // when its answer is overdue
	by           PositionKind
	answers      []answer // on their way to the phone, or lost
	// owed are the committed rows that the reader has not been given and not read past.
	owed []Entry
}

// answer is what the server has answered a page of a request with.
type answer struct {
	number int64
	page   uint32
	rows   []Entry
	more   bool
}

// Cursor is how far a reader has come, and how it asks for what is behind that.
type Cursor interface {
	// From is the position that the phone asks from; next says that it asks for one more page of the same poll.
	From(next bool) Position
	// Read is the server's: the rows behind a position that the reader may see, and the token to ask with next, 0 where the phone
	// needs none.
	Read(p Position) (rows []Entry, token int64)
	// Take moves the cursor to a row that came, and reports whether the phone did not have it.
	Take(e *Entry) (fresh bool)
	// Move moves the cursor to a token that came.
	Move(token int64)
	// Passed reports whether no later poll can bring the row.
	Passed(e *Entry) bool
}

// Position is where in the table a phone asks from.
type Position struct {
	By PositionKind
	ID int64 // behind this id, or token
	At Time  // by time, on the first page: at or after this time
}

// PositionKind is what a position is told by.
type PositionKind int64

// The kinds of position.
const (
	AfterID PositionKind = iota
	SinceTime
	AfterToken
)

// Position is the position that a step tells.
func (d *Data) Position() Position { return Position{PositionKind(d.Key), d.ID, Time(d.Hi)} }

// Open sets up what a protocol needs that asks: nothing is pushed.
func (p *Polling) Open(w *World, c Cursor) {
	p.open(w, ByID, false)
	p.cursor = c
	p.Committed = p.Commit
}

// Start opens and lets the first poll be due.
func (p *Polling) Start(w *World, c Cursor) {
	p.Open(w, c)
	p.tick(w, 0)
}

// tick makes poll n due, on the grid of phase + n × interval; those that would fall into the time in which the phone is off are
// left out.
func (p *Polling) tick(w *World, n int64) {
	at := w.Phase + Time(n)*w.Interval
	for at <= w.End() && w.away(w.Reader, at) {
		n, at = w.skipAbsence(n, at)
	}
	if at <= w.End() {
		w.TimerAt(at, Input{On: OnTick, From: w.Reader, To: w.Reader, Lo: n})
	}
}

// skipAbsence gives the first poll on the grid after the stretch in which the phone is off at that time.
func (w *World) skipAbsence(n int64, at Time) (int64, Time) {
	for _, off := range w.offs() {
		if off.Phone == w.Reader && (Span{off.At, off.Until}).Has(at) {
			n = max(n+1, int64((off.Until-w.Phase+w.Interval-1)/w.Interval))
		}
	}
	return n, w.Phase + Time(n)*w.Interval
}

// Handle does the part of an input that is not the protocol's own.
func (p *Polling) Handle(w *World, in *Input) {
	switch {
	case in.On == OnTick:
		p.due(w, in.Lo)
	case in.On == OnLeg && in.Leg == AckLeg:
		p.Confirm(w, in.To, in.Row(), Place{})
	case in.On == OnLeg && in.Leg == PollLeg:
		p.Reply(w, in)
	case in.On == OnLeg && in.Leg == PollReplyLeg:
		p.take(w, in)
	default:
		p.Delivery.Handle(w, in)
	}
}

// due lets a poll leave, unless one is in flight.
func (p *Polling) due(w *World, n int64) {
	p.tick(w, n+1)
	if p.asking && w.Now() < p.until {
		w.Record(w.Reader, Data{Kind: PollSkipped, Lo: n})
		return
	}
	p.Ask(w, uint32(n), 1)
}

// Asking reports whether a request is in flight.
func (p *Polling) Asking() bool { return p.asking }

// Number is the number of the last request.
func (p *Polling) Number() uint32 { return p.number }

// Late reports whether the request that in tells of is in flight still.
func (p *Polling) Late(in *Input) bool {
	return p.asking && p.number == uint32(in.Lo) && p.page == in.Attempt
}

// Ask lets a request leave.
func (p *Polling) Ask(w *World, number, page uint32) {
	p.asking, p.number, p.page, p.until = true, number, page, w.Now()+2*w.Latency+p.Patience
	from := p.cursor.From(page > 1)
	p.by = from.By
	w.Because(w.Record(w.Reader, Data{Kind: Polled, Lo: int64(number), Attempt: page, Key: int64(p.by), ID: from.ID, Hi: int64(from.At)}))
	w.Send(Input{Leg: PollLeg, From: w.Reader, To: Server, Lo: int64(number), Attempt: page, ID: from.ID, Hi: int64(from.At)})
	if p.Patience > 0 {
		w.TimerAt(p.until, Input{On: OnLate, From: w.Reader, To: w.Reader, Lo: int64(number), Attempt: page})
	}
}

// Found reports whether the server has something to answer a request with.
func (p *Polling) Found(in *Input) bool {
	rows, _ := p.cursor.Read(in.position())
	return len(rows) > 0
}

// Reply is the server's: it reads one page and answers. The answer is what is visible at this moment, whatever commits while it
// is under way.
func (p *Polling) Reply(w *World, in *Input) {
	from := in.position()
	rows, token := p.cursor.Read(from)
	more := int64(len(rows)) > w.Page
	if more {
		rows = rows[:w.Page]
	}
	if more && token != 0 {
		token = rows[len(rows)-1].ID
	}
	if token == from.ID {
		token = 0 // nothing is new, and so the phone needs no other
	}
	w.Because(w.Record(Server, Data{Kind: PollRead, To: in.From, Lo: in.Lo, Attempt: in.Attempt, Rows: uint16(len(rows)), More: more,
		Key: int64(p.by), ID: from.ID, Hi: int64(from.At)}))
	p.send(w, in, token, rows, more)
}

// ReplyEmpty answers that there is nothing.
func (p *Polling) ReplyEmpty(w *World, in *Input) {
	p.send(w, in, 0, nil, false)
}

func (p *Polling) send(w *World, in *Input, token int64, rows []Entry, more bool) {
	a := p.newAnswer()
	a.number, a.page, a.more = in.Lo, in.Attempt, more
	a.rows = append(a.rows[:0], rows...)
	w.Send(Input{Leg: PollReplyLeg, From: Server, To: in.From, Lo: in.Lo, Attempt: in.Attempt, Rows: uint16(len(a.rows)), Hi: token})
}

// newAnswer returns room for an answer. Those that the phone does not wait for any more are let go; their room is used again.
func (p *Polling) newAnswer() *answer {
	for i := range p.answers {
		if a := &p.answers[i]; !p.asking || a.number != int64(p.number) || a.page != p.page {
			return a
		}
	}
	p.answers = append(p.answers, answer{})
	return &p.answers[len(p.answers)-1]
}

// found is the answer that the phone waits for.
func (p *Polling) found() *answer {
	i := slices.IndexFunc(p.answers, func(a answer) bool { return a.number == int64(p.number) && a.page == p.page })
	return &p.answers[i]
}

func (in *Input) position() Position { return Position{ID: in.ID, At: Time(in.Hi)} }

// take shows what an answer brings and asks for the next page if there is one.
func (p *Polling) take(w *World, in *Input) {
	if !p.Late(in) {
		w.Record(in.To, Data{Kind: Ignored, Lo: in.Lo}) // it has asked again since
		return
	}
	p.asking = false
	a := p.found()
	brought := len(a.rows)
	a.rows = slices.DeleteFunc(a.rows, func(e Entry) bool { return !p.cursor.Take(&e) })
	if in.Hi != 0 {
		p.cursor.Move(in.Hi)
	}
	on := p.cursor.From(a.more)
	answered := w.Record(in.To, Data{Kind: Answered, Lo: in.Lo, Attempt: in.Attempt, Rows: uint16(brought), New: uint16(len(a.rows)), More: a.more,
		Key: int64(p.by), ID: on.ID, Hi: int64(on.At)})
	for i := range a.rows {
		w.Because(answered)
		p.Present(w, &a.rows[i], true)
	}
	w.Because(answered)
	p.Forget(w)
	if a.more {
		p.Ask(w, p.number, p.page+1)
	}
}

// Present puts a row on the reader's screen, or in its place if it is an own one.
func (p *Polling) Present(w *World, e *Entry, fetched bool) {
	p.owed = slices.DeleteFunc(p.owed, func(o Entry) bool { return o.ID == e.ID })
	switch {
	case e.Msg.Sender != w.Reader || w.NoIDs:
		p.Show(w, w.Reader, e.Row, Place{Fetched: fetched})
	case p.outbox(e.Msg).Waiting(e.Msg):
		p.Confirm(w, w.Reader, e.Row, Place{Fetched: fetched})
	}
}

// Commit makes a row readable.
func (p *Polling) Commit(w *World, row Row, inserted Time) {
	e := Entry{row, inserted}
	p.Table.Insert(e)
	p.Owe(w, e)
}

// Owe notes that the reader has yet to be given a row, or that it never will.
func (p *Polling) Owe(w *World, e Entry) {
	switch {
	case e.Msg.Sender == w.Reader:
	case p.cursor.Passed(&e):
		p.readPast(w, &e)
	default:
		p.owed = append(p.owed, e)
	}
}

// Forget lets go of the rows behind the cursor; those of them that never came are lost for good.
func (p *Polling) Forget(w *World) {
	p.owed = slices.DeleteFunc(p.owed, func(e Entry) bool {
		passed := p.cursor.Passed(&e)
		if passed {
			p.readPast(w, &e)
		}
		return passed
	})
	p.Table.Forget(p.cursor.Passed)
}

func (p *Polling) readPast(w *World, e *Entry) sim.StepID {
	return w.Record(Server, Data{Kind: ReadPast, To: w.Reader, Msg: e.Msg, Copy: e.Copy, ID: e.ID})
}
