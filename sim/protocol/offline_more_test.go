package protocol

import (
	"fmt"
	"testing"

	"imscope/sim/im"
)

// TestGroup checks what becomes of a group that Ben is added to while he is away: with cursors it stays unknown, unless memberships
// have a version, which costs 8 bytes and a read; the inbox has it like any other message.
func TestGroup(t *testing.T) {
	type figures struct{ unnoticed, left, up, read int64 }
	for _, c := range []struct {
		protocol, settings string
		want               figures
	}{
		{"global-id", "", figures{0, 0, 8, 201}},
		{"conversation-cursors", "", figures{1, 1, 2400, 200}},
		{"conversation-cursors", "version=on", figures{0, 0, 2408, 201}},
		{"inbox", "", figures{0, 0, 8, 3}},
		{"inbox", "version=on", figures{0, 0, 8, 3}}, // who has an inbox needs no version
	} {
		fold := foldOffline(t, "group", c.settings, c.protocol)
		m := fold.Metrics()
		if got := (figures{m.MissingUnnoticed(), m.Missing, m.Cost.BytesUp, m.Cost.RowsRead}); got != c.want || m.NewMessages != 3 {
			t.Errorf("%s %s: got %+v, want %+v", c.protocol, c.settings, got, c.want)
		}
		if added := fold.Conversation(201); !added.Added || (added.Heard == 0) != (c.want.unnoticed == 1) {
			t.Errorf("%s %s: the group is %+v", c.protocol, c.settings, *added)
		}
	}
}

// TestGroupAndNothing checks that a version costs 8 bytes and a read also where memberships have not changed, here in a second exchange.
func TestGroupAndNothing(t *testing.T) {
	exchanges := func(settings string) exchange {
		s := offline(t, "group", settings)
		s.Again = im.Second
		return exchangeOf(im.FoldTrace(&s, run(t, &s, offlineEntry(t, "conversation-cursors"))).Metrics())
	}
	if got, want := exchanges("away=1m"), (exchange{2, 4800, 0, 400, 0, 1}); got != want {
		t.Errorf("without a version: %+v, want %+v", got, want)
	}
	// The second time there are 201 cursors.
	if got, want := exchanges("away=1m,version=on"), (exchange{2, 4800 + 12 + 16, 200, 201 + 202, 0, 0}); got != want {
		t.Errorf("with a version: %+v, want %+v", got, want)
	}
}

// TestPerson checks which of the things that happen to Ben his phone hears of.
func TestPerson(t *testing.T) {
	for _, c := range []struct {
		protocol, settings string
		unknown, down      int64
	}{
		{"global-id", "", 3, 600},
		{"conversation-cursors", "", 3, 400},
		{"conversation-cursors", "version=on", 2, 612}, // the removal is about memberships
		{"inbox", "", 0, 636},
		{"inbox", "away=200h", 0, 0}, // the list shows it all
	} {
		m := foldOffline(t, "person", c.settings, c.protocol).Metrics()
		if m.Lost != 0 || m.Events != 3 || m.EventsUnknown != c.unknown || c.down > 0 && m.Cost.BytesDown != c.down {
			t.Errorf("%s %s: of %d events %d are unknown, %d bytes down; want %d and %d", c.protocol, c.settings, m.Events, m.EventsUnknown,
				m.Cost.BytesDown, c.unknown, c.down)
		}
	}
}

// TestEveningWithVersion checks that memberships are compared once in an exchange, however many pages the first conversation fills.
func TestEveningWithVersion(t *testing.T) {
	m := foldOffline(t, "person", "away=evening,version=on", "conversation-cursors").Metrics()
	if m.EventsUnknown != 2 || m.Cost.RowsRead != 201 || m.Missing != 0 {
		t.Errorf("%d events are unknown, %d rows read, %d messages missing", m.EventsUnknown, m.Cost.RowsRead, m.Missing)
	}
}

// TestRace checks what becomes of two messages that are committed while the list is under way. Of the inbox, read before, one comes
// twice; read after, the one whose conversation was listed before it is lost. Cursors have no head, and nothing to lose.
func TestRace(t *testing.T) {
	type figures struct{ lost, unnoticed, repeated int64 }
	for _, c := range []struct {
		protocol, head string
		want           figures
	}{
		{"inbox", "before", figures{0, 0, 1}},
		{"inbox", "after", figures{1, 1, 0}},
		{"global-id", "before", figures{}},
		{"global-id", "after", figures{2, 2, 0}}, // it compares all heads at the start, and lists what it saw then
		{"conversation-cursors", "before", figures{}},
		{"conversation-cursors", "after", figures{}},
	} {
		m := foldOffline(t, "race", "head="+c.head, c.protocol).Metrics()
		if got := (figures{m.Lost, m.MissingUnnoticed(), m.Repeated}); got != c.want {
			t.Errorf("%s, the head read %s: got %+v, want %+v", c.protocol, c.head, got, c.want)
		}
	}
}

// TestOpens checks that opening a conversation after the list brings its history back, newest page first, and that opening one without a
// hole asks nothing.
func TestOpens(t *testing.T) {
	for _, e := range protocols(t, im.OfflineChapter) {
		before := foldOffline(t, "book", "away=1w,too-far=list", e.Name)
		for _, number := range []int{1, 2, 7, 150, 200} {
			s := offline(t, "book", fmt.Sprintf("away=1w,too-far=list,opens=%d", number))
			trace := run(t, &s, e)
			fold := im.FoldTrace(&s, trace)
			c, hidden := fold.Conversation(number), before.Conversation(number).Hidden()
			if c.Got != c.New || c.Hidden() != 0 || fold.Metrics().Fetches != int64(hidden+49)/50 {
				t.Errorf("%s: conversation %d lacked %d, and %d fetches leave %+v", e.Name, number, hidden, fold.Metrics().Fetches, *c)
			}
			if got, want := fold.Metrics().MissingKnown, before.Metrics().MissingKnown-int64(hidden); got != want {
				t.Errorf("%s: %d are left on the server, want %d", e.Name, got, want)
			}
			last := int64(1 << 60)
			for i := range trace {
				if d := &trace[i].Data; d.Kind == im.Asked {
					if d.Hi >= last || d.Lo > d.Hi {
						t.Errorf("%s: asks for %d … %d after %d", e.Name, d.Lo, d.Hi, last)
					}
					last = d.Lo
				}
			}
		}
		if m := foldOffline(t, "book", "opens=1", e.Name).Metrics(); m.Fetches != 0 || m.Cost.Requests != 1 {
			t.Errorf("%s: without a hole, %d fetches", e.Name, m.Fetches)
		}
	}
}
