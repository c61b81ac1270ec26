package im

import (
	"math"
	"math/bits"

	"imscope/sim"
)

// Fold is what a run has come to after the steps it was given: the screens, the server's rows and the metrics. It is a sink, so
// a run can be folded without a trace; and any part of a trace can be folded later, which is how a page shows a moment.
type Fold struct {
	Screens [MaxPhones + 1]Screen
	Rows    []Row // committed, in the order of commits, which is that of ids; only if the fold keeps everything

	phones  int
	readers uint8 // a bit for each phone that is to show what the others send
	keep    bool
	asks    bool // the reader asks
	headers bool
	noACK   bool
	noIDs   bool
	copies  bool // a message can be stored more than once
	metrics Metrics
	away    *absence // where a phone is away and catches up
	// messages is what is known of each message that is not settled, by sender.
	messages  [streams]Window[message]
	numbered  bool
	connected uint8 // a bit for each phone with a connection
	// forgetAt is the number of messages at which to forget next.
	forgetAt int64
}

// message is the fold's note on one message.
type message struct {
	sent    Time
	id, seq int64
	taken   int64 // the id of its first transaction, which others with a bigger one may overtake
	open    int32 // its legs and transactions that are under way
	done    bool  // its sender will not send it again
	lost    bool  // the reader will never be given it
	shown   uint8 // a bit a phone; the sender's when the line has its number
}

// NewFold returns a fold for runs of s. With keep it keeps every line and row, as a page needs, and so it does where somebody
// opens the conversation again; otherwise it forgets what is settled, so that a run of any length folds in little room.
func NewFold(s *Scenario, keep bool) *Fold {
	f := &Fold{phones: s.Phones, keep: keep || s.Reopen != Server, noACK: s.NoACK, noIDs: s.NoIDs, copies: s.NoIDs || s.NoDedupe}
	f.readers = uint8(1)<<(s.Phones+1) - 2
	if s.Reader != Server {
		f.readers, f.asks, f.headers = 1<<s.Reader, true, !s.NoHeaders
	}
	if s.Chapter == OfflineChapter {
		f.away, f.headers = newAbsence(s), false
	}
	for i := range f.messages {
		f.messages[i].Release(1)
	}
	return f
}

// FoldTrace folds the steps of a trace, keeping everything.
func FoldTrace(s *Scenario, steps Trace) *Fold {
	f := NewFold(s, true)
	for i := range steps {
		f.Step(&steps[i])
	}
	return f
}

// Step folds s in. It returns 0: a fold keeps no steps that a later one could name.
func (f *Fold) Step(s *Step) sim.StepID {
	d := &s.Data
	if f.away != nil {
		f.caughtUp(s)
		return 0
	}
	switch d.Kind {
	case Connected:
		f.connected |= 1 << s.Actor
		f.hold(0)
	case Pressed:
		f.pressed(d.Msg, s.At)
	case Left:
		f.left(d.carried(s.Actor), d.Lost)
	case Began:
		if msg := f.message(d.Msg); msg != nil && msg.taken == 0 {
			msg.taken = d.ID
		}
	case Stored:
		f.stored(&Row{d.Msg, d.Copy, d.ID, d.Seq})
	case Repeated, RolledBack, Forgotten:
		f.message(d.Msg).underWay(-1)
	case Acked, AckedAgain, Shown, Ignored:
		f.placed(s.Actor, d.Kind, &Row{d.Msg, d.Copy, d.ID, d.Seq}, d.Key, d.Fetched, s.At)
	case Asked:
		f.metrics.Fetches++
	case RangeRead:
		f.metrics.Cost.RowsRead += d.Hi - d.Lo + 1
	case PullRead:
		f.metrics.Cost.RowsRead += d.Hi
	case Failed:
		f.Screens[s.Actor].giveUp(d.Msg)
		f.message(d.Msg).done = true
	case Reloaded:
		f.reload(s)
	case Polled, PollRead, Held, Answered, ReadPast, Broken, Silent, TurnedOff:
		f.asked(s)
	}
	return 0
}

// left counts what a leg costs. Where phones ask, one without a connection does so by HTTP.
func (f *Fold) left(in *Input, lost bool) {
	f.metrics.Cost.leg(in)
	if f.headers && (f.connected&(1<<max(in.From, in.To)) == 0 || in.Leg == ConnectLeg) {
		f.metrics.headers(in.Leg)
	}
	if !lost {
		f.message(in.Msg).underWay(1)
	}
}

// hold counts the connections that are held at once, and requests, of which each has one.
func (f *Fold) hold(requests int64) {
	f.metrics.Cost.Connections = max(f.metrics.Cost.Connections, int64(bits.OnesCount8(f.connected))+requests)
}

// asked is a step of a reader that asks, or of the server's about it.
func (f *Fold) asked(s *Step) {
	d := &s.Data
	switch d.Kind {
	case Polled:
		f.metrics.Polls++
	case PollRead:
		f.metrics.Cost.RowsRead += int64(d.Rows)
	case Held:
		f.hold(1)
	case Answered:
		if d.New == 0 {
			f.metrics.EmptyPolls++
		}
	case ReadPast:
		f.readPast(d)
	case Broken, TurnedOff:
		f.connected &^= 1 << s.Actor
	case Silent:
		f.connected &^= 1 << d.To
	}
}

// readPast notes that a message is lost for good, unless another copy of it comes.
func (f *Fold) readPast(d *Data) {
	if msg := f.message(d.Msg); msg != nil && !msg.lost && msg.shown&(1<<d.To) == 0 {
		msg.lost = true
		f.metrics.Lost++
	}
}

// message returns the note on m, nil if it is settled and forgotten.
func (f *Fold) message(m MessageID) *message {
	stream, n := m.stream()
	return f.messages[stream].At(n)
}

// underWay notes that a leg of the message left (1), or that one arrived (-1). Between a message's arrival and its commit it counts too.
func (m *message) underWay(change int32) {
	if m != nil {
		m.open += change
	}
}

func (f *Fold) pressed(m MessageID, at Time) {
	if !f.keep && f.metrics.Messages >= f.forgetAt {
		f.forget()
	}
	f.metrics.Messages++
	stream, n := m.stream()
	msg := f.messages[stream].Extend(n)
	msg.sent, msg.done = at, f.noACK
	if f.noIDs { // a fetch cannot tell the phone that this line is its own
		msg.shown = 1 << m.Sender
	}
	line := f.Screens[m.Sender].insert(0, 0)
	line.Msg, line.At = m, at
}

func (f *Fold) stored(row *Row) {
	msg := f.message(row.Msg)
	msg.underWay(-1)
	f.metrics.Cost.RowsWritten++
	if row.Seq != 0 {
		f.numbered = true
		f.metrics.Cost.RowsWritten++
	}
	if f.keep {
		f.Rows = append(f.Rows, *row)
	}
	if row.Copy > 0 {
		return
	}
	f.metrics.Stored++
	f.metrics.Missing += int64(bits.OnesCount8(f.readers &^ (1 << row.Msg.Sender)))
	msg.id, msg.seq = row.ID, row.Seq
	f.Screens[row.Msg.Sender].rank(row.Msg, row.ID)
}

// placed is what an ACK, a push or a fetched row does to a phone that sorts it by key.
func (f *Fold) placed(phone Actor, kind Kind, row *Row, key int64, fetched bool, at Time) {
	screen := &f.Screens[phone]
	screen.biggest = max(screen.biggest, row.Seq)
	msg := f.message(row.Msg)
	if !fetched {
		msg.underWay(-1)
	}
	switch kind {
	case Acked:
		if screen.confirm(row, key, fetched) {
			f.metrics.OwnMoves++
		}
		msg.done = true
		msg.shown |= 1 << phone
	case Shown:
		first, rank := f.firstShowing(msg, row.Msg.Sender, phone, at), int64(0)
		if first {
			rank = msg.id
		} else {
			screen.duplicates++
		}
		line := screen.insert(key, rank)
		line.Msg, line.Copy, line.State, line.Fetched, line.Duplicate = row.Msg, row.Copy, Received, fetched, !first
		line.ID, line.Seq, line.At = row.ID, row.Seq, at
	}
}

// firstShowing notes that phone shows a message, and reports whether it did not before.
func (f *Fold) firstShowing(msg *message, sender, phone Actor, at Time) bool {
	if msg == nil || sender == phone || msg.shown&(1<<phone) != 0 {
		return false
	}
	msg.shown |= 1 << phone
	if msg.lost { // another copy of it was
		msg.lost = false
		f.metrics.Lost--
	}
	f.metrics.Missing--
	f.metrics.Wait.Add(at - msg.sent)
	return true
}

// reload draws a phone's screen from the server's rows: what it lacked is shown now, and what is not stored stands at the bottom.
func (f *Fold) reload(s *Step) {
	screen := &f.Screens[s.Actor]
	old := *screen
	*screen = Screen{biggest: old.biggest}
	for _, row := range f.Rows[:s.Data.Hi] {
		line := Line{Msg: row.Msg, Copy: row.Copy, State: Received, Fetched: true, Duplicate: row.Copy > 0, At: s.At}
		if i := old.findCopy(row); i >= 0 {
			line = old.Lines[i]
		}
		line.ID, line.Seq, line.Key = row.ID, row.Seq, Order(s.Data.Key).Key(row)
		if line.Duplicate {
			screen.duplicates++
		} else {
			line.rank = row.ID
		}
		if line.State != Received {
			line.State = Sent
		}
		f.firstShowing(f.message(row.Msg), row.Msg.Sender, s.Actor, s.At)
		screen.biggest = max(screen.biggest, row.Seq)
		screen.Lines = append(screen.Lines, line)
	}
	screen.raise(0)
	for i := range old.Lines {
		if l := &old.Lines[i]; screen.find(l.Msg) < 0 {
			line := screen.insert(l.Key, l.rank)
			l.top = line.top
			*line = *l
		}
	}
}

// forget lets go of what no later step can touch. It looks at everything that is live, and so does it only now and then.
func (f *Fold) forget() {
	live := 0
	least := int64(math.MaxInt64) // of the ids of messages that are not settled
	for stream := range f.messages {
		w := &f.messages[stream]
		n := w.Lo()
		for msg := w.At(n); msg != nil && f.settled(msg); msg = w.At(n) {
			n++
		}
		w.Release(n)
		for ; n < w.Hi(); n++ {
			if msg := w.At(n); !f.settled(msg) {
				least = min(least, msg.least())
			}
			live++
		}
	}
	for phone := range f.Screens {
		f.Screens[phone].drop(least, func(m MessageID) bool {
			msg := f.message(m)
			return msg == nil || f.settled(msg)
		})
		live += len(f.Screens[phone].Lines)
	}
	f.forgetAt = f.metrics.Messages + int64(max(32, live))
}

// least is the smallest id that the message has or will have; only those that have one yet are of interest.
func (m *message) least() int64 {
	switch {
	case m.id != 0:
		return m.id
	case m.taken != 0:
		return m.taken
	default:
		return math.MaxInt64
	}
}

// settled reports whether nothing more can happen to a message: nobody sends it again, no leg of it is under way, and no phone
// will ask for it, be it that it learns from its number that it lacks it.
func (f *Fold) settled(msg *message) bool {
	asked := f.numbered || f.asks
	return msg.done && msg.open == 0 && (msg.id == 0 || !asked || msg.lost && !f.copies || msg.shown&f.readers == f.readers)
}

// Metrics are the figures after the steps so far.
func (f *Fold) Metrics() Metrics {
	m := f.metrics
	if f.away != nil {
		m.MissingKnown = f.away.hidden()
		return m
	}
	for phone := Ana; phone <= Actor(f.phones); phone++ {
		m.InvertedPairs += f.Screens[phone].InvertedPairs
		m.Duplicates += f.Screens[phone].duplicates
		m.MissingKnown += f.missingKnown(phone)
	}
	return m
}

// missingKnown counts the stored messages that a phone lacks and whose number is below one that it has heard of. All of them are
// still noted: a message with a number is not settled before every phone has it.
func (f *Fold) missingKnown(phone Actor) (n int64) {
	for stream := range f.messages {
		w := &f.messages[stream]
		for i := w.Lo(); i < w.Hi() && sender(stream) != phone; i++ {
			if msg := w.At(i); msg.id != 0 && msg.seq < f.Screens[phone].biggest && msg.shown&(1<<phone) == 0 {
				n++
			}
		}
	}
	return n
}
