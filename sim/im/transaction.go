package im

import "slices"

// transaction writes one message. It locks its rows one after another, the conversation's first, then those of the recipients whose
// inboxes it writes to, and holds them all until it ends; so it does with what it took under each lock: a number.
type transaction struct {
	arrival *Arrival
	attempt uint32
	mail    Mail
	rows    []row
	held    int // how many of the rows it has locked
	waiting bool
}

// row is a row that can be locked: that of a conversation, or of a person.
type row struct {
	conv uint16
	user Actor
}

// rowLock is held by one transaction; the others wait in the order in which they came.
type rowLock struct {
	holder *transaction
	queue  []*transaction
}

// transactions are those that are open, and what they lock.
type transactions struct {
	locks  map[row]*rowLock
	open   map[MessageID]*transaction
	others [MaxPhones + 1]int64 // how many rows of this run the inboxes of people besides the reader have
}

// foundAfter is how long a transaction waits before the database looks whether it waits in a circle.
const foundAfter = Second

// write begins a transaction.
func (c *Catching) write(w *World, a *Arrival, attempt uint32) {
	t := &transaction{arrival: a, attempt: attempt, rows: []row{{conv: a.Conv}}}
	if c.inbox {
		for _, user := range lockOrder(w.Scenario, a) {
			t.rows = append(t.rows, row{user: user})
		}
	}
	c.tx.open[a.Msg] = t
	c.lockNext(w, t)
}

// lockOrder is the order in which the rows of a message's recipients are locked.
func lockOrder(s *Scenario, a *Arrival) []Actor {
	if len(a.To) == 0 {
		return []Actor{s.Reader}
	}
	if s.Unordered {
		return a.To
	}
	return slices.Sorted(slices.Values(a.To))
}

func (t *transactions) lock(r row) *rowLock {
	if t.locks[r] == nil {
		t.locks[r] = new(rowLock)
	}
	return t.locks[r]
}

// lockNext locks the next row, or waits for it.
func (c *Catching) lockNext(w *World, t *transaction) {
	r := t.rows[t.held]
	l := c.tx.lock(r)
	if l.holder == nil {
		c.locked(w, t, l)
		return
	}
	t.waiting = true
	l.queue = append(l.queue, t)
	w.Record(Server, Data{Kind: LockWaited, Msg: t.arrival.Msg, Conv: r.conv, To: r.user, Attempt: t.attempt})
	w.TimerAt(w.Now()+foundAfter, Input{On: OnStuck, Msg: t.arrival.Msg, Attempt: t.attempt, Lo: int64(t.held)})
}

// locked takes the number that the row counts, and goes on after its part of the write time.
func (c *Catching) locked(w *World, t *transaction, l *rowLock) {
	r := t.rows[t.held]
	l.holder, t.waiting = t, false
	t.held++
	m := t.arrival.Msg
	d := Data{Kind: Locked, Msg: m, To: r.user, Attempt: t.attempt}
	switch r.user {
	case Server:
		t.mail = c.Chats.Take(t.arrival, w.idGap(w.luck, m), false)
		d = Data{Kind: Began, Msg: m, Conv: r.conv, ID: t.mail.ID, Seq: t.mail.Seq, Attempt: t.attempt}
	case w.Reader:
		t.mail.Inbox = c.Chats.InboxHead() + 1
		d.Inbox = t.mail.Inbox
	default:
		d.Inbox = c.tx.others[r.user] + 1
	}
	w.Because(w.Record(Server, d))
	*w.engine.At(w.Now()+t.part(w), commits, w.Cause()) = Input{On: OnCommit, Msg: m, Attempt: t.attempt}
}

// part is how long the work under the row locked last takes: an eighth of the write time, and the rest of it once all are locked.
func (t *transaction) part(w *World) Time {
	whole := w.writeTime(t.arrival.Msg)
	if t.held == len(t.rows) {
		return whole - whole/8*Time(t.held-1)
	}
	return whole / 8
}

// goOn takes a transaction's next row, or commits it.
func (c *Catching) goOn(w *World, in *Input) {
	t := c.tx.open[in.Msg]
	if t == nil || t.attempt != in.Attempt {
		return
	}
	if t.held < len(t.rows) {
		c.lockNext(w, t)
		return
	}
	if c.inbox {
		for _, r := range t.rows {
			c.tx.others[r.user]++
		}
	}
	c.commit(w, &t.mail, len(t.rows)-1)
	c.release(w, t)
}

// release ends a transaction: whoever waits first for a row that it held gets it.
func (c *Catching) release(w *World, t *transaction) {
	delete(c.tx.open, t.arrival.Msg)
	because := w.Cause()
	for _, r := range t.rows[:t.held] {
		l := c.tx.lock(r)
		l.holder = nil
		if len(l.queue) > 0 {
			next := l.queue[0]
			l.queue = l.queue[1:]
			c.locked(w, next, l)
			w.Because(because)
		}
	}
}

// undo undoes all open transactions at once, and begins them anew in the order in which they had begun.
func (c *Catching) undo(w *World) {
	var open []*transaction
	for i := range w.incoming {
		if t := c.tx.open[w.incoming[i].Msg]; t != nil && w.incoming[i].Msg.N > 0 {
			open = append(open, t)
		}
	}
	clear(c.tx.locks)
	clear(c.tx.open)
	because := w.Cause()
	for _, t := range open {
		if t.held > 0 {
			w.Record(Server, Data{Kind: RolledBack, Msg: t.arrival.Msg, ID: t.mail.ID, Conv: t.arrival.Conv, Attempt: t.attempt})
		}
	}
	for _, t := range open {
		c.write(w, t.arrival, t.attempt+1)
		w.Because(because)
	}
}

// stuck looks whether a transaction waits in a circle. If so it is undone, and begins anew.
func (c *Catching) stuck(w *World, in *Input) {
	t := c.tx.open[in.Msg]
	if t == nil || t.attempt != in.Attempt || !t.waiting || t.held != int(in.Lo) || !c.tx.circle(t) {
		return
	}
	l := c.tx.lock(t.rows[t.held])
	l.queue = slices.DeleteFunc(l.queue, func(o *transaction) bool { return o == t })
	w.Because(w.Record(Server, Data{Kind: RolledBack, Msg: in.Msg, ID: t.mail.ID, Conv: t.arrival.Conv, Attempt: t.attempt}))
	c.release(w, t)
	c.write(w, t.arrival, t.attempt+1)
}

// circle reports whether a transaction waits for itself. It may also wait for others that wait for one another; that is for them to find.
func (t *transactions) circle(first *transaction) bool {
	next := first
	for range len(t.open) {
		if !next.waiting {
			return false
		}
		if next = t.lock(next.rows[next.held]).holder; next == first {
			return true
		}
	}
	return false
}
