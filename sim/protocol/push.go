package protocol

import (
	"slices"

	"imscope/sim/im"
)

// push keeps a connection open, over which the server sends every row as it commits. What it sends is nowhere but on that
// connection: when the phone is gone without a word, the connection is half open and swallows everything until a heartbeat is
// missed. So a phone that connects subscribes first, keeps what comes live, fetches what is behind its cursor, and merges the two
// by id. Only fetched rows move the cursor: a live line says nothing about those before it, which may have been swallowed.
//
// Source: the book's chapter on the minimal chat, section 6, and its second; XMPP and most web apps work alike.
type push struct {
	pollID
	conn       int64 // the phone's connection, counted from 1
	open       bool
	beats      uint32
	waiting    bool // for the answer to a heartbeat
	caughtUp   bool
	buffer     []im.Entry
	shown      []int64 // ids on the screen that a fetch or a live line may still repeat, rising
	subscribed struct {
		conn  int64 // the server's side; 0 is none
		heard im.Time
	}
}

func (p *push) Start(w *im.World) {
	p.after = w.FirstID
	p.Open(w, p)
	p.Committed = p.committed
	p.Patience = w.RTO
	w.TimerAt(w.Phase, im.Input{On: im.OnTick, From: w.Reader, To: w.Reader})
}

func (p *push) Handle(w *im.World, in *im.Input) {
	own := in.To == w.Reader
	switch in.On {
	case im.OnTick:
		p.connect(w)
	case im.OnOff, im.OnOn:
		p.Polling.Handle(w, in)
		if own && in.On == im.OnOff {
			p.drop(w)
		} else if own {
			p.connect(w)
		}
	case im.OnRestart: // the connection is gone; the phone will miss its heartbeat
		p.subscribed.conn = 0
		p.Polling.Handle(w, in)
	case im.OnLate:
		if p.Late(in) {
			p.reconnect(w)
		}
	case im.OnBeat:
		p.beat(w, in)
	case im.OnSilence:
		p.silence(w, in)
	case im.OnLeg:
		p.arrive(w, in)
	default:
		p.Polling.Handle(w, in)
	}
}

func (p *push) arrive(w *im.World, in *im.Input) {
	switch in.Leg {
	case im.ConnectLeg:
		p.subscribed.conn = max(p.subscribed.conn, in.Lo) // an older one may come late
		w.Because(w.Record(im.Server, im.Data{Kind: im.Subscribed, To: in.From, Lo: in.Lo}))
		p.listen(w)
	case im.PollLeg:
		if p.serves(w, in) {
			p.Reply(w, in)
		}
	case im.PingLeg:
		if p.serves(w, in) {
			p.listen(w)
			w.Send(im.Input{Leg: im.PongLeg, From: im.Server, To: in.From, Lo: in.Lo, Attempt: in.Attempt})
		}
	case im.PongLeg:
		if in.Lo == p.conn && p.open {
			p.waiting = false
		}
		w.Record(in.To, im.Data{Kind: im.Alive, Lo: in.Lo})
	case im.PollReplyLeg:
		p.Polling.Handle(w, in)
		p.merge(w)
	case im.PushLeg:
		p.live(w, in)
	default:
		p.Polling.Handle(w, in)
	}
}

// connect opens the next connection and fetches behind the cursor. The two legs keep their order, so nothing that commits falls
// between the subscription and the fetch.
func (p *push) connect(w *im.World) {
	if !w.Awake() || w.Now() > w.End() {
		return
	}
	p.drop(w)
	p.conn, p.open = p.conn+1, true
	w.Because(w.Record(w.Reader, im.Data{Kind: im.Connected, Lo: p.conn}))
	w.Send(im.Input{Leg: im.ConnectLeg, From: w.Reader, To: im.Server, Lo: p.conn})
	p.Ask(w, uint32(p.conn), 1)
	p.nextBeat(w)
}

func (p *push) reconnect(w *im.World) {
	if !w.Awake() || w.Now() > w.End() {
		return
	}
	w.Because(w.Record(w.Reader, im.Data{Kind: im.Broken, Lo: p.conn}))
	p.connect(w)
}

// drop forgets what belonged to the connection.
func (p *push) drop(w *im.World) {
	p.open, p.waiting, p.caughtUp = false, false, false
	for _, e := range p.buffer {
		p.owe(w, e)
	}
	p.buffer = p.buffer[:0]
}

// beat tries whether the connection lives, and gives it up if the last try went unanswered.
func (p *push) beat(w *im.World, in *im.Input) {
	switch {
	case in.Lo != p.conn || !p.open || w.Now() > w.End():
	case p.waiting:
		p.reconnect(w)
	default:
		p.waiting = true
		p.beats++
		w.Send(im.Input{Leg: im.PingLeg, From: w.Reader, To: im.Server, Lo: p.conn, Attempt: p.beats})
		p.nextBeat(w)
	}
}

func (p *push) nextBeat(w *im.World) {
	w.TimerAt(w.Now()+heartbeat(w), im.Input{On: im.OnBeat, From: w.Reader, To: w.Reader, Lo: p.conn})
}

// heartbeat is how often the phone tries its connection: not before the last try could have been answered.
func heartbeat(w *im.World) im.Time { return max(w.Heartbeat, 2*w.Latency) }

// serves reports whether the server has the connection that a leg came on.
func (p *push) serves(w *im.World, in *im.Input) bool {
	if in.Lo != p.subscribed.conn {
		w.Record(im.Server, im.Data{Kind: im.Ignored, Lo: in.Lo})
		return false
	}
	return true
}

// listen notes a sign of life and waits for the next.
func (p *push) listen(w *im.World) {
	p.subscribed.heard = w.Now()
	w.TimerAt(w.Now()+heartbeat(w)+w.RTO, im.Input{On: im.OnSilence, From: im.Server, To: im.Server, Lo: p.subscribed.conn})
}

// silence closes a connection on which no heartbeat came. Phones stop at the end of the run, which is no reason.
func (p *push) silence(w *im.World, in *im.Input) {
	if in.Lo == p.subscribed.conn && w.Now() == p.subscribed.heard+heartbeat(w)+w.RTO && w.Now() <= w.End() {
		p.subscribed.conn = 0
		w.Record(im.Server, im.Data{Kind: im.Silent, To: w.Reader, Lo: in.Lo})
	}
}

// committed sends a row over the connection, if there is one. If that was in vain, the row waits for a fetch.
func (p *push) committed(w *im.World, row im.Row, inserted im.Time) {
	e := im.Entry{Row: row, Inserted: inserted}
	p.Table.Insert(e)
	switch {
	case row.Msg.Sender == w.Reader:
	case p.subscribed.conn == 0 || w.Send(im.Input{Leg: im.PushLeg, From: im.Server, To: w.Reader, Msg: row.Msg, Copy: row.Copy, ID: row.ID,
		Lo: p.subscribed.conn, Attempt: uint32(row.Copy) + 1}):
		p.Owe(w, e)
	}
}

// live shows a line that was pushed, once the phone has caught up.
func (p *push) live(w *im.World, in *im.Input) {
	e := im.Entry{Row: in.Row()}
	switch {
	case in.Lo != p.conn || !p.open: // of a connection that the phone has given up
		w.Because(w.Record(in.To, im.Data{Kind: im.Ignored, Msg: in.Msg, ID: in.ID}))
		p.owe(w, e)
	case !p.caughtUp:
		w.Record(in.To, im.Data{Kind: im.Buffered, Msg: in.Msg, ID: in.ID})
		p.buffer = append(p.buffer, e)
	default:
		p.put(w, &e)
	}
}

// owe leaves a live line that came in vain to the next fetch, unless the last one has brought it.
func (p *push) owe(w *im.World, e im.Entry) {
	if _, found := slices.BinarySearch(p.shown, e.ID); !found {
		p.Owe(w, e)
	}
}

// put shows a live line unless it stands already.
func (p *push) put(w *im.World, e *im.Entry) {
	if p.note(e.ID) {
		p.Present(w, e, false)
	} else {
		w.Record(w.Reader, im.Data{Kind: im.Ignored, Msg: e.Msg, ID: e.ID})
	}
}

// note notes that a line stands, and reports whether that is new.
func (p *push) note(id int64) bool {
	i, found := slices.BinarySearch(p.shown, id)
	if !found {
		p.shown = slices.Insert(p.shown, i, id)
	}
	return !found
}

// merge ends the catching up when the last page has come: live lines follow fetched ones.
func (p *push) merge(w *im.World) {
	if p.Asking() || p.caughtUp {
		return
	}
	p.caughtUp = true
	cause := w.Cause()
	for i := range p.buffer {
		w.Because(cause)
		p.put(w, &p.buffer[i])
	}
	p.buffer = p.buffer[:0]
	n, _ := slices.BinarySearch(p.shown, p.after+1) // what is behind the cursor is fetched no more
	p.shown = slices.Delete(p.shown, 0, n)
}

func (p *push) Take(e *im.Entry) bool {
	p.pollID.Take(e)
	return p.note(e.ID)
}
