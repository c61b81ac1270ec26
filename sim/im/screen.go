package im

import (
	"math"
	"slices"
)

// State is how a line stands on its phone.
type State uint8

// The states of a line.
const (
	Sending  State = iota // an own line without ACK
	Sent                  // an own line with its number
	GivenUp               // an own line that the phone no longer resends
	Received              // somebody else's
)

// Line is a line on a phone's screen.
type Line struct {
	Msg       MessageID
	Copy      uint16
	State     State
	Fetched   bool  // the phone had to ask for it
	Moved     bool  // an own line that moved up when it got its number
	Duplicate bool  // the same message stands already
	ID, Seq   int64 // the numbers the phone knows; 0 before the ACK
	Key       int64 // what the phone sorts by; 0 for lines in order of appearance
	At        Time  // when it appeared

	// rank is the server's id, known to the fold from the moment the message is stored; seq likewise.
	rank, seq int64
	settled   Time // when it was stored, or given up
}

// Screen is the lines of one phone, top to bottom: those with a key in the order of keys, then those without in order of
// appearance.
type Screen struct {
	Lines []Line
	// InvertedPairs counts the pairs of stored lines in the opposite order to the server's, those dropped included.
	InvertedPairs int64
	// gap is how many messages the phone knows to be missing.
	gap int64
}

// place inserts a line where its key belongs and returns the index.
func (s *Screen) place(l Line) int {
	i := len(s.Lines)
	if l.Key != 0 {
		for i > 0 && (s.Lines[i-1].Key == 0 || s.Lines[i-1].Key > l.Key) {
			i--
		}
	}
	s.Lines = slices.Insert(s.Lines, i, l)
	s.InvertedPairs += s.inverted(i)
	return i
}

// find returns the index of the first line of m, -1 if it is not shown (or was dropped).
func (s *Screen) find(m MessageID) int {
	for i := len(s.Lines) - 1; i >= 0; i-- {
		if s.Lines[i].Msg == m && !s.Lines[i].Duplicate {
			return i
		}
	}
	return -1
}

// inverted counts the lines that stand in the opposite order to the server's with line i.
func (s *Screen) inverted(i int) (n int64) {
	rank := s.Lines[i].rank
	if rank == 0 {
		return 0
	}
	for j := range s.Lines {
		if other := s.Lines[j].rank; j < i && other > rank || j > i && other != 0 && other < rank {
			n++
		}
	}
	return n
}

// rank notes that the server has stored the phone's own line m.
func (s *Screen) rank(m MessageID, id, seq int64, at Time) {
	if i := s.find(m); i >= 0 {
		s.Lines[i].rank, s.Lines[i].seq, s.Lines[i].settled = id, seq, at
		s.InvertedPairs += s.inverted(i)
	}
}

// confirm gives own line m its numbers and its place, and reports whether it moved.
func (s *Screen) confirm(d *Data) (moved bool) {
	from := s.find(d.Msg)
	if from < 0 {
		return false
	}
	l := s.Lines[from]
	l.State, l.ID, l.Seq, l.Key, l.Fetched = Sent, d.ID, d.Seq, d.Key, d.Fetched
	if d.Key == 0 {
		s.Lines[from] = l
		return false
	}
	s.InvertedPairs -= s.inverted(from)
	s.Lines = slices.Delete(s.Lines, from, from+1)
	to := s.place(l)
	moved = to < from
	s.Lines[to].Moved = moved
	return moved
}

// reload puts the lines in the server's order, lines that are not stored at the bottom.
func (s *Screen) reload() {
	slices.SortStableFunc(s.Lines, func(a, b Line) int {
		switch {
		case a.rank == b.rank:
			return 0
		case b.rank == 0 || a.rank != 0 && a.rank < b.rank:
			return -1
		default:
			return 1
		}
	})
	s.InvertedPairs, s.gap = 0, 0
}

// knownMissing is how many stored messages the phone does not show and knows of: an own line that waits for its number stands on
// the screen, although its number is missing.
func (s *Screen) knownMissing() int64 {
	n := s.gap
	if n == 0 {
		return 0
	}
	var biggest int64
	for i := range s.Lines {
		biggest = max(biggest, s.Lines[i].Seq)
	}
	for i := range s.Lines {
		if l := &s.Lines[i]; l.Seq == 0 && l.seq != 0 && l.seq < biggest {
			n--
		}
	}
	return max(n, 0)
}

// drop forgets the lines at the top that no later step can touch or set in another order: those settled before a time, above
// which no own line that waits for its ACK will move.
func (s *Screen) drop(before Time) {
	waiting := int64(math.MaxInt64)
	for i := range s.Lines {
		if l := &s.Lines[i]; l.State == Sending && l.rank != 0 {
			waiting = min(waiting, l.rank)
		}
	}
	n := 0
	for n < len(s.Lines) && s.Lines[n].forgettable(before) && s.Lines[n].rank < waiting {
		n++
	}
	if n >= 8 { // a few at a time: the rest is copied down
		s.Lines = s.Lines[:copy(s.Lines, s.Lines[n:])]
	}
}

func (l *Line) forgettable(before Time) bool {
	return l.State != Sending && l.settled != 0 && l.settled < before
}
