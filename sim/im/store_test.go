package im

import "testing"

// TestNumbers checks that ids jump over those of other conversations, and that seq does not.
func TestNumbers(t *testing.T) {
	s := NewStore(1007, true, true)
	for i, want := range []struct{ skip, id, seq int64 }{{0, 1008, 1}, {3, 1012, 2}, {0, 1013, 3}} {
		row := s.take(MessageID{Ana, uint32(i) + 1}, want.skip)
		if row.ID != want.id || row.Seq != want.seq {
			t.Errorf("got id %d and seq %d, want %+v", row.ID, row.Seq, want)
		}
		if s.Count() != int64(i) {
			t.Errorf("%d rows are visible before the commit, want %d", s.Count(), i)
		}
		s.commit(row)
		if s.Row(want.seq) != row {
			t.Errorf("row %d is not the one that was committed", want.seq)
		}
	}
	if row := NewStore(0, false, false).take(MessageID{Ana, 1}, 4); row.ID != 5 || row.Seq != 0 {
		t.Errorf("a store that does not number gave %+v", row)
	}
}

// TestReceiptsAreForgotten checks that the server forgets what its sender has seen confirmed, but not while it is still writing it.
func TestReceiptsAreForgotten(t *testing.T) {
	s := NewStore(0, true, false)
	a := func(n uint32) MessageID { return MessageID{Ana, n} }
	s.receipt(a(1), 1).stored = true
	s.receipt(a(2), 1).open = 1 // a second copy waits for the lock
	s.receipt(a(3), 1).stored = true
	held := func() int64 { w := &s.seen[Ana]; return w.Hi() - w.Lo() }
	if !s.receipt(a(1), 1).stored || s.receipt(MessageID{Ben, 1}, 1).stored {
		t.Error("a receipt is lost, or is another sender's")
	}
	s.receipt(a(4), 4)
	if held() != 3 || s.receipt(a(2), 4).open != 1 {
		t.Errorf("%d receipts are held, want those of A2, A3, A4", held())
	}
	s.receipt(a(2), 4).open = 0
	s.receipt(a(4), 4)
	if held() != 1 {
		t.Errorf("%d receipts are held, want that of A4", held())
	}
}
