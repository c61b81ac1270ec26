package web

import "testing"

// TestTableIsThatOfEachRun checks that the table says of another protocol what it says on that one's own page, at the very moments at which
// something happens there.
func TestTableIsThatOfEachRun(t *testing.T) {
	for _, chapter := range chapters {
		own := mustLink(t, "/en/"+chapter.Name)
		for _, entry := range chapter.Protocols[1:] {
			other := own.with(func(l *Link) { l.Protocol = entry })
			for i, h := range chapterPage(t, other).Stage.Happenings {
				l, _ := readLink(h.Href)
				if l.At.HasTie || i%7 != 3 { // ordinals mean nothing in another run
					continue
				}
				want, got := chapterPage(t, l).Metrics, chapterPage(t, own.at(l.At)).Metrics
				for r := range want.Rows {
					if column := l.column(); got.Rows[r].Values[column] != want.Rows[r].Values[column] {
						t.Errorf("%v: %s of %s is %s, not %s", own.at(l.At), got.Rows[r].Name, entry.Name, got.Rows[r].Values[column], want.Rows[r].Values[column])
					}
				}
			}
		}
	}
}
