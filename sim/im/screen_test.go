package im

import "testing"

// TestDroppedLinesStillCount checks that lines which will never get a number go on standing above later ones after they are
// dropped: a line that gets its number passes them.
func TestDroppedLinesStillCount(t *testing.T) {
	var s Screen
	a := func(n uint32) MessageID { return MessageID{Ana, n} }
	place := func(m MessageID) {
		l := s.insert(0, 0)
		l.Msg = m
	}
	place(a(1)) // never stored
	place(a(2)) // stored, but the phone is not told
	s.rank(a(2), 1001)
	place(a(3))
	s.drop(1002, func(m MessageID) bool { return m != a(3) })
	if len(s.Lines) != 1 {
		t.Fatalf("%d lines are left, want that of A3", len(s.Lines))
	}
	s.rank(a(3), 1002)
	if s.InvertedPairs != 0 {
		t.Errorf("%d pairs while A3 stands below A2", s.InvertedPairs)
	}
	if moved := s.confirm(&Row{Msg: a(3), ID: 1002}, 1002, false); !moved || s.InvertedPairs != 1 {
		t.Errorf("A3 moved: %v, and %d pairs; want it to pass A1 and A2, which makes one pair with A2", moved, s.InvertedPairs)
	}
}
