package im

// Conversation is what has become of one of the reader's conversations since the phone left.
type Conversation struct {
	Seq     int64 // its last on the server, 0 if nothing has come
	New     int   // messages that came while the phone was away
	Got     int   // of them, those that the phone has
	Heard   int64 // the biggest seq that the phone has heard of since it left
	Looked  int   // how often the server read its head
	Nothing int   // of those, how often for nothing
	Listed  bool  // the phone has its entry in the list
	Added   bool  // the reader was added to it while the phone was away; it is unknown to the phone as long as Heard is 0
}

// Hidden is how many messages the phone knows to be left on the server: below what it has heard of, and not given.
func (c *Conversation) Hidden() int { return c.New - c.Got - c.unheard() }

// unheard is how many messages the phone has not heard of.
func (c *Conversation) unheard() int {
	if c.Heard == 0 {
		return c.New - c.Got
	}
	return int(max(0, c.Seq-c.Heard))
}

// absence is the part of a fold that is about a phone that was away: its conversations instead of a screen.
type absence struct {
	conversations []Conversation // from 1
	sent          []Time         // of the messages, from 1
	shown         []MessageID    // what the phone got, in the order in which it came
}

func newAbsence(s *Scenario) *absence {
	return &absence{conversations: make([]Conversation, s.Conversations+2), sent: make([]Time, 1)}
}

// Conversation is what has become of a conversation, from 1; only in runs of the chapter on offline sync.
func (f *Fold) Conversation(number int) *Conversation { return &f.away.conversations[number] }

// caughtUp is a step of a run in which a phone is away and catches up.
func (f *Fold) caughtUp(s *Step) {
	d := &s.Data
	if s.Actor == Tablet && d.Kind != Connected && d.Kind != Left {
		return // what a conversation has come to is told of the phone
	}
	c := &f.away.conversations[d.Conv]
	switch d.Kind {
	case Connected:
		f.connected |= 1 << s.Actor
		f.hold(0)
	case Left:
		f.left(d.carried(s.Actor), d.Lost)
	case Stored:
		f.missed(c, s)
	case Looked:
		f.metrics.Cost.RowsRead++
		if d.To != Tablet {
			c.Looked++
		}
		if d.New == 0 {
			f.metrics.ReadsForNothing++
			if d.To != Tablet {
				c.Nothing++
			}
		}
	case InboxRead:
		f.metrics.Cost.RowsRead += d.Hi - d.Lo + 1
	case VersionRead:
		f.metrics.Cost.RowsRead++
	case Noted:
		f.noted(d)
	case Learned:
		f.metrics.EventsUnknown--
	case Ignored:
		if d.Msg.N != 0 {
			f.metrics.Repeated++
		}
	case ReadPast:
		f.metrics.Lost++
	case Asked:
		f.metrics.Fetches++
	case Shown:
		f.got(c, s)
	case Listed:
		c.Listed = true
		c.Heard = max(c.Heard, d.Seq)
		if d.Msg.N != 0 {
			f.got(c, s)
		}
	}
}

// missed counts a message that came while the phone was away.
func (f *Fold) missed(c *Conversation, s *Step) {
	d := &s.Data
	f.metrics.Messages++
	f.metrics.Stored++
	f.metrics.NewMessages++
	f.metrics.Missing++
	f.metrics.Cost.RowsWritten += 2 // the message, and the conversation's row
	f.metrics.Cost.RowsWritten += int64(d.Rows)
	f.metrics.Cost.InboxRows += int64(d.Rows)
	if c.New == 0 {
		f.metrics.ActiveConversations++
	}
	c.New++
	c.Seq = d.Seq
	c.Added = c.Added || d.Event == Added
	for len(f.away.sent) <= int(d.Msg.N) {
		f.away.sent = append(f.away.sent, 0)
	}
	f.away.sent[d.Msg.N] = s.At
	if f.keep {
		f.Rows = append(f.Rows, Row{d.Msg, d.Copy, d.ID, d.Seq})
	}
}

// noted counts an event of the person.
func (f *Fold) noted(d *Data) {
	f.metrics.Events++
	f.metrics.EventsUnknown++
	f.metrics.Cost.RowsWritten++ // the membership, the mark, or the pin
	f.metrics.Cost.RowsWritten += int64(d.Rows)
	f.metrics.Cost.InboxRows += int64(d.Rows)
}

// got counts a message that the phone has been given.
func (f *Fold) got(c *Conversation, s *Step) {
	d := &s.Data
	c.Got++
	c.Heard = max(c.Heard, d.Seq)
	f.metrics.Missing--
	f.metrics.Wait.Add(s.At - f.away.sent[d.Msg.N])
	if f.keep {
		f.away.shown = append(f.away.shown, d.Msg)
	}
}

// hidden is how many messages the phone knows to be left on the server.
func (a *absence) hidden() (n int64) {
	for i := range a.conversations {
		n += int64(a.conversations[i].Hidden())
	}
	return n
}
