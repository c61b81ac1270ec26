package im

import "slices"

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

	// rank is the server's id, known to the fold from the moment the message is stored; 0 before, and for duplicates.
	rank int64
	// top is the biggest rank of this line and those above it, so that looking for lines out of order can end early.
	top int64
}

// Screen is the lines of one phone, top to bottom: those with a key in the order of keys, then those without in order of
// appearance.
type Screen struct {
	Lines []Line
	// InvertedPairs counts the pairs of stored lines in the opposite order to the server's, those dropped included.
	InvertedPairs int64
	duplicates    int64
	biggest       int64 // the biggest seq that the phone has heard of
	// stuck counts the stored lines without a key that were dropped: the phone will never learn their numbers, and they stand
	// above every other line without a key. stuckSending says that one of them, or one not stored, is for ever sending.
	stuck        int64
	stuckSending bool
}

// insert puts a line where its key belongs, and counts the pairs that it makes. It returns it to be filled, empty but for key and rank.
func (s *Screen) insert(key, rank int64) *Line {
	n := len(s.Lines)
	i := s.index(n, key)
	s.Lines = append(s.Lines, Line{})
	l := &s.Lines[i]
	if i < n {
		copy(s.Lines[i+1:], s.Lines[i:n])
		*l = Line{}
	}
	l.Key, l.rank = key, rank
	s.placed(i)
	return l
}

// placed counts the pairs that line i makes, which has just come to its place or got its rank.
func (s *Screen) placed(i int) {
	s.raise(i)
	s.InvertedPairs += s.inverted(i)
}

// index is where a line with this key belongs among the first n lines.
func (s *Screen) index(n int, key int64) int {
	for key != 0 && n > 0 && (s.Lines[n-1].Key == 0 || s.Lines[n-1].Key > key) {
		n--
	}
	return n
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

// findCopy returns the index of the line of row, -1 if it is not shown.
func (s *Screen) findCopy(row Row) int {
	if row.Copy == 0 {
		return s.find(row.Msg)
	}
	return slices.IndexFunc(s.Lines, func(l Line) bool { return l.Duplicate && l.Msg == row.Msg && l.Copy == row.Copy })
}

// inverted counts the lines that stand in the opposite order to the server's with line i.
func (s *Screen) inverted(i int) (n int64) {
	lines := s.Lines
	rank := lines[i].rank
	if rank == 0 {
		return 0
	}
	if lines[i].Key != 0 {
		n = s.stuck
	}
	for j := i - 1; j >= 0 && lines[j].top > rank; j-- {
		if lines[j].rank > rank {
			n++
		}
	}
	for j := i + 1; j < len(lines); j++ {
		if other := lines[j].rank; other != 0 && other < rank {
			n++
		}
	}
	return n
}

// raise sets the tops of line i and those below it.
func (s *Screen) raise(i int) {
	top := int64(0)
	if i > 0 {
		top = s.Lines[i-1].top
	}
	for ; i < len(s.Lines); i++ {
		l := &s.Lines[i]
		top = max(top, l.rank)
		l.top = top
	}
}

// rank notes that the server has stored the phone's own line m.
func (s *Screen) rank(m MessageID, id int64) {
	if i := s.find(m); i >= 0 {
		s.Lines[i].rank = id
		s.placed(i)
	}
}

// giveUp notes that the phone no longer resends its line m.
func (s *Screen) giveUp(m MessageID) {
	if i := s.find(m); i >= 0 {
		s.Lines[i].State = GivenUp
	}
}

// confirm gives an own line its numbers and its place, and reports whether it moved.
func (s *Screen) confirm(row *Row, key int64, fetched bool) (moved bool) {
	from := s.find(row.Msg)
	if from < 0 {
		return false
	}
	l := &s.Lines[from]
	l.State, l.ID, l.Seq, l.Fetched = Sent, row.ID, row.Seq, fetched
	if key == 0 {
		return false
	}
	l.Moved = s.passes(from, key)
	to := s.index(from, key)
	if to == from { // as most do: it makes the pairs that it made before, and those with what has been dropped
		if l.Key == 0 && l.rank != 0 {
			s.InvertedPairs += s.stuck
		}
		l.Key = key
		return l.Moved
	}
	s.InvertedPairs -= s.inverted(from)
	l.Key = key
	s.move(from, to)
	s.placed(to)
	return s.Lines[to].Moved
}

// move takes line i up to another place.
func (s *Screen) move(i, to int) {
	l := s.Lines[i]
	copy(s.Lines[to+1:i+1], s.Lines[to:i])
	s.Lines[to] = l
}

// passes reports whether own line i, on getting its key, goes above a line that is sending or one with a bigger key.
func (s *Screen) passes(i int, key int64) bool {
	for i--; i >= 0 && s.Lines[i].Key == 0; i-- {
		if s.Lines[i].State == Sending {
			return true
		}
	}
	return s.stuckSending || i >= 0 && s.Lines[i].Key > key
}

// drop forgets the lines that are closed, from the top of those with a key and from the top of those without: a line below one
// that may still change can come to stand in another order with it. A line is closed if its number is less than least, the smallest of a
// message that is not settled; one without a rank only if its message is settled too.
func (s *Screen) drop(least int64, settled func(MessageID) bool) {
	n := 0 // nearly all stand here
	for n < len(s.Lines) && s.Lines[n].Key != 0 && s.Lines[n].rank != 0 && s.Lines[n].top < least {
		n++
	}
	var ended struct{ keyed, keyless bool }
	kept := s.Lines[:0]
	for i := n; i < len(s.Lines); i++ {
		l := &s.Lines[i]
		end := &ended.keyed
		if l.Key == 0 {
			end = &ended.keyless
		}
		if *end = *end || max(l.rank, l.ID) >= least || l.rank == 0 && !settled(l.Msg); *end {
			kept = append(kept, *l)
			continue
		}
		if l.Key == 0 && l.rank != 0 {
			s.stuck++
		}
		s.stuckSending = s.stuckSending || l.State == Sending
	}
	s.Lines = kept
}
