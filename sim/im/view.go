package im

// Rank is the server's order of the line: its id from the moment it is stored, whether or not the phone knows; 0 before.
func (l *Line) Rank() int64 { return l.rank }

// InvertedWith lists the messages that stand in the opposite order to the server's with line i.
func (s *Screen) InvertedWith(i int) (with []MessageID) {
	rank := s.Lines[i].rank
	for j := range s.Lines {
		other := s.Lines[j].rank
		if rank != 0 && other != 0 && j != i && (j < i) == (other > rank) {
			with = append(with, s.Lines[j].Msg)
		}
	}
	return with
}
