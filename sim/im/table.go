package im

import (
	"cmp"
	"slices"
)

// Entry is a committed row with the time at which it was inserted, that is, took its id.
type Entry struct {
	Row
	Inserted Time
}

// Table is the committed rows that a reader may still ask for. They stand in the order of ids, which is also that of the times of
// their inserts, whatever the order of their commits.
type Table struct{ rows []Entry }

// Insert adds a row that has just been committed.
func (t *Table) Insert(e Entry) {
	i := len(t.rows)
	for i > 0 && t.rows[i-1].ID > e.ID {
		i--
	}
	t.rows = slices.Insert(t.rows, i, e)
}

// After returns the rows with a bigger id. They are lent until the next Insert.
func (t *Table) After(id int64) []Entry {
	i, found := slices.BinarySearchFunc(t.rows, id, func(e Entry, id int64) int { return cmp.Compare(e.ID, id) })
	if found {
		i++
	}
	return t.rows[i:]
}

// Since returns the rows inserted at or after a time. They are lent until the next Insert.
func (t *Table) Since(at Time) []Entry {
	i, _ := slices.BinarySearchFunc(t.rows, at, func(e Entry, at Time) int {
		if e.Inserted < at {
			return -1
		}
		return 1
	})
	return t.rows[i:]
}

// Forget drops the rows at the front for which passed holds: nobody will ask for them.
func (t *Table) Forget(passed func(*Entry) bool) {
	n := 0
	for n < len(t.rows) && passed(&t.rows[n]) {
		n++
	}
	t.rows = t.rows[n:]
}
