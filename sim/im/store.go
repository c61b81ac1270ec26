package im

import "slices"

// Row is a stored message.
type Row struct {
	Msg  MessageID
	Copy uint16 // 0 for the first copy of a message, 1 for the next: only without dedupe
	ID   int64  // increasing over all conversations; other conversations take some
	Seq  int64  // contiguous in this conversation; 0 if the protocol takes none
}

// Store is the server's database. A message is written in a transaction in which taking a number and committing are apart:
// between the two nobody sees the row. Ids come from a sequence, which never rolls back; seq comes from the conversation's row,
// locked from the taking to the commit, so that seq order is commit order.
type Store struct {
	Numbered bool // writes take a seq
	Keep     bool // rows can be read again; otherwise they are only counted

	lastID, lastSeq int64
	rows            Window[Row]              // committed, by order of commit from 1, which under the row lock is their seq
	seen            [streams]Window[receipt] // by stream, by message
	locks           [3]lock                  // of the whole table, and of each conversation
	open            []Row                    // of transactions that are not over, by rising id
}

// lock is held by one transaction; the others wait in the order in which they came.
type lock struct {
	held    bool
	waiting []Input
}

// receipt is what the server remembers of a message id.
type receipt struct {
	open   int    // transactions that wait or write
	copies uint16 // that have a number, stored or not yet
	kept   uint16 // that are stored
	stored bool
	first  Row
}

// NewStore returns an empty store whose last id is lastID.
func NewStore(lastID int64, numbered, keep bool) *Store {
	s := &Store{Numbered: numbered, Keep: keep, lastID: lastID}
	s.rows.Release(1)
	return s
}

// receipt finds what is known of m. floor is the first message that its sender still waits for: everything below is confirmed
// and will not be repeated, so the server may forget it (as in RIFL: Lee et al., SOSP 2015) once its transactions are over.
func (s *Store) receipt(m MessageID, floor uint32) *receipt {
	stream, at := m.stream()
	w := &s.seen[stream]
	n := w.Lo()
	for ; n < int64(floor); n++ {
		if r := w.At(n); r != nil && r.open > 0 {
			break
		}
	}
	w.Release(n)
	return w.Extend(at)
}

// take gives a message its numbers; skip ids go to other conversations first.
func (s *Store) take(m MessageID, skip int64) Row {
	s.lastID += skip + 1
	row := Row{Msg: m, ID: s.lastID}
	if s.Numbered {
		s.lastSeq++
		row.Seq = s.lastSeq
	}
	return row
}

// Watermark is the largest id such that every id up to it is finished: committed, rolled back, or another conversation's.
func (s *Store) Watermark() int64 {
	if len(s.open) > 0 {
		return s.open[0].ID - 1
	}
	return s.lastID
}

// close notes that the transaction with this id is over; ok is false if it is no longer open.
func (s *Store) close(id int64) (ok bool) {
	i := slices.IndexFunc(s.open, func(r Row) bool { return r.ID == id })
	if i < 0 {
		return false
	}
	s.open = slices.Delete(s.open, i, i+1)
	return true
}

// rollBack undoes what a transaction changed in the conversation's row, the seq: under the row lock it is the only one. Ids never go back.
func (s *Store) rollBack() {
	if s.Numbered {
		s.lastSeq = s.Count()
	}
}

// commit makes the row visible.
func (s *Store) commit(row Row) {
	if s.Keep {
		*s.rows.Extend(s.rows.Hi()) = row
	} else {
		s.rows.Release(s.rows.Hi() + 1)
	}
}

// Count is the number of committed rows.
func (s *Store) Count() int64 { return s.rows.Hi() - 1 }

// Row returns committed row n, counted from 1 in the order of commits, which under the row lock is seq.
func (s *Store) Row(n int64) Row { return *s.rows.At(n) }

// Release tells the store that no row below n will be read again.
func (s *Store) Release(n int64) { s.rows.Release(n) }
