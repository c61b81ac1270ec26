package im

import "imscope/sim"

// Fold is what a run has come to after the steps it was given: the screens, the server's rows and the metrics. It is a sink, so
// a run can be folded without a trace; and any part of a trace can be folded later, which is how a page shows a moment.
type Fold struct {
	Screens [MaxPhones + 1]Screen
	Rows    []Row // committed, in the order of commits; only if the fold keeps everything

	phones  int
	keep    bool
	noACK   bool
	metrics Metrics
	// messages is what is known of each message that is not settled, by sender.
	messages [MaxPhones + 1]Window[message]
	numbered bool
	// longestLeg is the longest that a leg has taken: what left before it has arrived.
	longestLeg Time
}

// message is the fold's note on one message.
type message struct {
	sent, done Time // done is when its sender was told, or gave up
	id, seq    int64
	shown      uint16 // a bit a phone
}

// NewFold returns a fold for runs of s. With keep it keeps every line and row, as a page needs; without, it forgets what is
// settled, so that a run of any length folds in little room.
func NewFold(s *Scenario, keep bool) *Fold {
	f := &Fold{phones: s.Phones, keep: keep, noACK: s.NoACK}
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
	screen := &f.Screens[s.Actor]
	m := &f.metrics
	switch d.Kind {
	case Connected:
		m.Cost.Connections++
	case Pressed:
		m.Messages++
		f.messages[s.Actor].Extend(int64(d.Msg.N)).sent = s.At
		screen.place(Line{Msg: d.Msg, At: s.At})
	case Left:
		m.Cost.leg(d)
		f.longestLeg = max(f.longestLeg, d.Lands-s.At)
	case Stored:
		f.stored(s)
	case Acked:
		if screen.confirm(d) {
			m.OwnMoves++
		}
		screen.gap = d.Gap
		f.settle(d.Msg, s.At)
	case AckedAgain, Ignored:
		screen.gap = d.Gap
	case Shown:
		f.shown(s)
		screen.gap = d.Gap
	case Asked:
		m.Fetches++
	case RangeRead:
		m.Cost.RowsRead += d.Hi - d.Lo + 1
	case PullRead:
		m.Cost.RowsRead += d.Hi
	case Failed:
		if i := screen.find(d.Msg); i >= 0 {
			screen.Lines[i].State, screen.Lines[i].settled = GivenUp, max(screen.Lines[i].settled, s.At)
		}
		f.settle(d.Msg, s.At)
	case Reloaded:
		f.reload(s)
	}
	return 0
}

func (f *Fold) stored(s *Step) {
	d := &s.Data
	f.metrics.Cost.RowsWritten++
	if d.Seq != 0 {
		f.numbered = true
		f.metrics.Cost.RowsWritten++
	}
	if f.keep {
		f.Rows = append(f.Rows, Row{d.Msg, d.Copy, d.ID, d.Seq})
	}
	if d.Copy > 0 {
		return
	}
	f.metrics.Stored++
	f.metrics.Missing += int64(f.phones) - 1
	if msg := f.messages[d.Msg.Sender].At(int64(d.Msg.N)); msg != nil {
		msg.id, msg.seq = d.ID, d.Seq
	}
	f.Screens[d.Msg.Sender].rank(d.Msg, d.ID, d.Seq, s.At)
	if f.noACK {
		f.settle(d.Msg, s.At)
	}
}

// shown puts a line on a screen and counts what that brings: a wait that ended, or a line that stands twice.
func (f *Fold) shown(s *Step) {
	d := &s.Data
	line := Line{Msg: d.Msg, Copy: d.Copy, State: Received, Fetched: d.Fetched, ID: d.ID, Seq: d.Seq, Key: d.Key, At: s.At,
		settled: s.At, rank: d.ID, seq: d.Seq}
	if f.firstShowing(d.Msg, s.Actor, s.At) {
		f.Screens[s.Actor].place(line)
		return
	}
	line.Duplicate, line.rank = true, 0
	f.metrics.Duplicates++
	f.Screens[s.Actor].place(line)
}

// firstShowing notes that phone shows m, and reports whether it did not before.
func (f *Fold) firstShowing(m MessageID, phone Actor, at Time) bool {
	msg := f.messages[m.Sender].At(int64(m.N))
	if msg == nil || m.Sender == phone || msg.shown&(1<<phone) != 0 {
		return false
	}
	msg.shown |= 1 << phone
	f.metrics.Missing--
	f.metrics.Wait.Add(at - msg.sent)
	return true
}

// reload draws a phone's screen from the server's rows: what it lacked is shown now.
func (f *Fold) reload(s *Step) {
	screen := &f.Screens[s.Actor]
	for _, row := range f.Rows[:s.Data.Hi] {
		if row.Copy == 0 && f.firstShowing(row.Msg, s.Actor, s.At) {
			screen.Lines = append(screen.Lines, Line{Msg: row.Msg, State: Received, Fetched: true, At: s.At, rank: row.ID, seq: row.Seq})
		}
		if i := screen.find(row.Msg); i >= 0 {
			l := &screen.Lines[i]
			l.ID, l.Seq, l.Key = row.ID, row.Seq, Order(s.Data.Key).Key(row)
			if l.State != Received {
				l.State = Sent
			}
		}
	}
	screen.reload()
}

// settle notes that m's sender will not send it again, and forgets what no later step can touch: messages whose legs have all
// arrived, unless a phone may still fetch them.
func (f *Fold) settle(m MessageID, at Time) {
	w := &f.messages[m.Sender]
	if msg := w.At(int64(m.N)); msg != nil {
		msg.done = at
	}
	if f.keep {
		return
	}
	n := w.Lo()
	for msg := w.At(n); msg != nil && f.forgettable(msg, m.Sender, at); msg = w.At(n) {
		n++
	}
	w.Release(n)
	for phone := range f.Screens {
		f.Screens[phone].drop(at - f.longestLeg)
	}
}

func (f *Fold) forgettable(msg *message, sender Actor, at Time) bool {
	if msg.done == 0 || at <= msg.done+2*f.longestLeg {
		return false
	}
	all := uint16(1)<<(f.phones+1) - 2
	return msg.id == 0 || !f.numbered || msg.shown|1<<sender == all
}

// Metrics are the figures after the steps so far.
func (f *Fold) Metrics() Metrics {
	m := f.metrics
	for phone := range f.Screens {
		m.InvertedPairs += f.Screens[phone].InvertedPairs
		m.MissingKnown += f.Screens[phone].knownMissing()
	}
	return m
}
