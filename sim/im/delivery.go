package im

// Delivery is what all protocols have in common: a phone sends a message until it is confirmed, the server stores it once,
// confirms it, and pushes it once to every other phone. What differs, where a line goes on the screen and what a phone does about
// a gap, is the protocol's own.
type Delivery struct {
	Store *Store
	// Committed, if it is set, is called for every committed row instead of the pushing. inserted is when the row took its id.
	Committed func(w *World, row Row, inserted Time)

	order Order
	out   [streams]Outbox // by stream of messages
}

// Start sets up the store and lets every phone connect. Sorting by seq makes the server take one; keep says whether the protocol
// reads rows again.
func (d *Delivery) Start(w *World, order Order, keep bool) {
	d.open(w, order, keep)
	for phone := range w.Others(Server) {
		w.Record(phone, Data{Kind: Connected})
	}
}

func (d *Delivery) open(w *World, order Order, keep bool) {
	d.order = order
	d.Store = NewStore(w.FirstID, order == BySeq, keep || w.Reopen != Server)
	for i := range d.out {
		d.out[i] = NewOutbox(w.overtaken())
	}
}

// outbox is where m waits for its ACK: what is sent by hand has an outbox of its own, for its numbers are.
func (d *Delivery) outbox(m MessageID) *Outbox {
	stream, _ := m.stream()
	return &d.out[stream]
}

// Handle does the part of an input that is not the protocol's own.
func (d *Delivery) Handle(w *World, in *Input) {
	switch in.On {
	case OnPress:
		d.press(w, in.Msg)
	case OnRetry:
		d.retry(w, in)
	case OnOff:
		w.Because(w.Record(in.To, Data{Kind: TurnedOff}))
	case OnOn:
		w.Because(w.Record(in.To, Data{Kind: TurnedOn}))
	case OnRestart:
		d.restart(w)
	case OnCommit:
		if !d.Store.close(in.ID) {
			return // a restart has undone it
		}
		d.finish(w, in.Row(), in.Attempt, Time(in.Lo), d.Store.receipt(in.Msg, 0))
	case OnOpen:
		if w.Away(in.To) {
			return
		}
		w.Because(w.Record(in.To, Data{Kind: Opened}))
		w.Send(Input{Leg: PullLeg, From: in.To, To: Server})
	case OnLeg:
		switch in.Leg {
		case MessageLeg:
			d.receive(w, in)
		case PullLeg:
			w.Because(w.Record(Server, Data{Kind: PullRead, To: in.From, Hi: d.Store.Count()}))
			w.Send(Input{Leg: PullReplyLeg, From: Server, To: in.From, Hi: d.Store.Count()})
		case PullReplyLeg:
			d.reload(w, in)
		}
	}
}

// press shows the message at once and transmits it.
func (d *Delivery) press(w *World, m MessageID) {
	d.outbox(m).Add(m)
	w.pressed(m)
	d.transmit(w, m, 1)
}

func (d *Delivery) transmit(w *World, m MessageID, attempt uint32) {
	out := d.outbox(m)
	in := w.leg(MessageLeg, m.Sender, Server)
	in.Msg, in.Attempt, in.Floor = m, attempt, out.Floor()
	w.leave(in)
	if !w.NoACK {
		out.Timer(m, w.retryTimer(m, attempt))
	}
}

func (d *Delivery) retry(w *World, in *Input) {
	out := d.outbox(in.Msg)
	if !out.Waiting(in.Msg) {
		return
	}
	if w.Attempts > 0 && int64(in.Attempt) >= w.Attempts {
		out.Fail(in.Msg)
		w.Record(in.Msg.Sender, Data{Kind: Failed, Msg: in.Msg, Attempt: in.Attempt})
		return
	}
	if w.Away(in.Msg.Sender) { // it looks again when it is on
		out.Timer(in.Msg, w.retryTimer(in.Msg, in.Attempt))
		return
	}
	d.transmit(w, in.Msg, in.Attempt+1)
}

// receive is the server's: a message that is stored already is only confirmed again, with its original numbers.
func (d *Delivery) receive(w *World, in *Input) {
	known := d.Store.receipt(in.Msg, in.Floor)
	if !w.NoDedupe && !w.NoIDs && (known.open > 0 || known.stored) {
		w.Because(w.Record(Server, Data{Kind: Repeated, Msg: in.Msg, Attempt: in.Attempt, ID: known.first.ID, Seq: known.first.Seq}))
		if known.stored {
			d.ack(w, known.first, in.Attempt)
		}
		return
	}
	known.open++
	if l := d.lock(w, in.Msg); l != nil && l.held {
		w.Record(Server, Data{Kind: LockWaited, Msg: in.Msg})
		l.waiting = append(l.waiting, *in)
		return
	}
	d.begin(w, in, known)
}

// lock is what a transaction of m must hold before it takes its numbers; nil if there is no such lock.
func (d *Delivery) lock(w *World, m MessageID) *lock {
	switch {
	case w.OneWriter:
		return &d.Store.locks[0]
	case d.Store.Numbered || w.RowLock:
		return &d.Store.locks[w.Conversation(m)]
	default:
		return nil
	}
}

// begin takes the numbers. The end follows after the write time, or at once if that is 0.
func (d *Delivery) begin(w *World, in *Input, known *receipt) {
	row := d.Store.take(in.Msg, w.idGap(w.luck, in.Msg))
	row.Copy = known.copies
	known.copies++
	if w.writeTime(row.Msg) == 0 {
		d.finish(w, row, in.Attempt, w.Now(), known)
		return
	}
	if l := d.lock(w, row.Msg); l != nil {
		l.held = true
	}
	d.Store.open = append(d.Store.open, row)
	w.Because(w.Record(Server, Data{Kind: Began, Msg: row.Msg, Copy: row.Copy, ID: row.ID, Seq: row.Seq}))
	w.Timer(Input{On: OnCommit, From: Server, To: Server, Msg: row.Msg, Copy: row.Copy, ID: row.ID, Seq: row.Seq,
		Attempt: in.Attempt, Lo: int64(w.Now())})
}

// finish ends a transaction and lets the next writer have the lock.
func (d *Delivery) finish(w *World, row Row, attempt uint32, inserted Time, known *receipt) {
	known.open--
	if w.rollsBack(w.luck, row.Msg, attempt) {
		known.copies--
		d.Store.rollBack()
		w.Because(w.Record(Server, Data{Kind: RolledBack, Msg: row.Msg, Copy: row.Copy, ID: row.ID}))
	} else {
		d.commit(w, row, attempt, inserted, known)
	}
	l := d.lock(w, row.Msg)
	if l == nil {
		return
	}
	l.held = false
	if len(l.waiting) > 0 {
		next := l.waiting[0]
		l.waiting = append(l.waiting[:0], l.waiting[1:]...)
		d.begin(w, &next, d.Store.receipt(next.Msg, 0))
	}
}

// restart loses what is in memory only: transactions that are open are undone, and messages that wait for a lock are forgotten. Their
// senders get no ACK and will send again. What is stored stays.
func (d *Delivery) restart(w *World) {
	w.Because(w.Record(Server, Data{Kind: Restarted}))
	for _, row := range d.Store.open {
		known := d.Store.receipt(row.Msg, 0)
		known.open--
		known.copies--
		w.Record(Server, Data{Kind: RolledBack, Msg: row.Msg, Copy: row.Copy, ID: row.ID})
	}
	d.Store.open = d.Store.open[:0]
	d.Store.rollBack()
	for i := range d.Store.locks {
		l := &d.Store.locks[i]
		for _, in := range l.waiting {
			d.Store.receipt(in.Msg, 0).open--
			w.Record(Server, Data{Kind: Forgotten, Msg: in.Msg})
		}
		*l = lock{}
	}
}

// commit makes the row visible, confirms it, and pushes it.
func (d *Delivery) commit(w *World, row Row, attempt uint32, inserted Time, known *receipt) {
	row.Copy = known.kept
	known.kept++
	d.Store.commit(row)
	if !known.stored {
		known.stored, known.first = true, row
	}
	w.stored(&row)
	d.ack(w, row, attempt)
	if d.Committed != nil {
		d.Committed(w, row, inserted)
		return
	}
	for phone := Ana; phone <= Actor(w.Phones); phone++ { // as w.Others does, which costs more
		if phone != row.Msg.Sender {
			w.sendRow(PushLeg, phone, row, uint32(row.Copy)+1)
		}
	}
}

func (d *Delivery) ack(w *World, row Row, attempt uint32) {
	if !w.NoACK {
		w.sendRow(AckLeg, row.Msg.Sender, row, attempt)
	}
}

// sendRow lets the server tell a phone of a stored message.
func (w *World) sendRow(leg Leg, to Actor, row Row, attempt uint32) {
	in := w.leg(leg, Server, to)
	in.Msg, in.Copy, in.ID, in.Seq, in.Attempt = row.Msg, row.Copy, row.ID, row.Seq, attempt
	w.leave(in)
}

// reload draws the screen anew from the first Hi rows; own messages among them are confirmed by it.
func (d *Delivery) reload(w *World, in *Input) {
	for n := int64(1); n <= in.Hi; n++ {
		if m := d.Store.Row(n).Msg; m.Sender == in.To {
			d.outbox(m).Done(m)
		}
	}
	w.Because(w.Record(in.To, Data{Kind: Reloaded, Hi: in.Hi, Key: int64(d.order)}))
}

// Order is how a phone sorts the lines that have a number; lines without stand at the bottom, in order of appearance.
type Order int64

// The orders.
const (
	ByAppearance Order = iota // no line has a key: all stand in order of appearance
	ByID
	BySeq
)

// Key is what a phone sorts row by; 0 is order of appearance.
func (o Order) Key(row Row) int64 {
	switch o {
	case ByID:
		return row.ID
	case BySeq:
		return row.Seq
	default:
		return 0
	}
}

// Place is what a phone knows when it puts a line on its screen.
type Place struct {
	Gap     int64 // how many messages it knows to be missing
	Fetched bool  // it had to ask for this one
}

// Confirm takes an own message that turned out to be stored out of the outbox and puts its line in its place.
func (d *Delivery) Confirm(w *World, phone Actor, row Row, at Place) {
	kind := AckedAgain
	if waited, timer := d.outbox(row.Msg).Done(row.Msg); waited {
		kind = Acked
		w.engine.Cancel(w.lanes.rto, timer)
	}
	w.placed(phone, kind, &row, d.order.Key(row), at)
}

// Show puts somebody's line on a phone's screen.
func (d *Delivery) Show(w *World, phone Actor, row Row, at Place) {
	w.placed(phone, Shown, &row, d.order.Key(row), at)
}

// Release tells the store that the protocol will read no row below n again.
func (d *Delivery) Release(w *World, n int64) {
	if w.Reopen == Server {
		d.Store.Release(n)
	}
}
