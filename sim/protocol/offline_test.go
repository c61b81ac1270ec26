package protocol

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"imscope/sim/im"
)

// offline returns a scenario of the chapter on offline sync.
func offline(t testing.TB, name, settings string) im.Scenario {
	t.Helper()
	return setScenario(t, im.OfflineChapter, name, settings)
}

// offlineEntry is a protocol of the chapter on offline sync.
func offlineEntry(t testing.TB, name string) Entry {
	t.Helper()
	for _, e := range protocols(t, im.OfflineChapter) {
		if e.Name == name {
			return e
		}
	}
	t.Fatalf("no protocol %q", name)
	return Entry{}
}

func foldOffline(t testing.TB, name, settings, protocol string) *im.Fold {
	t.Helper()
	s := offline(t, name, settings)
	return im.FoldTrace(&s, run(t, &s, offlineEntry(t, protocol)))
}

// exchange is a row of the chapter's table.
type exchange struct{ requests, up, down, read, inboxRows, left int64 }

func exchangeOf(m im.Metrics) exchange {
	c := m.Cost
	return exchange{c.Requests, c.BytesUp, c.BytesDown, c.RowsRead, c.InboxRows, m.Missing}
}

// TestOfflineTable checks every cell of the chapter's table, and that the default seed's absence of ten minutes brings two messages in
// two conversations. What the list leaves on the server depends on the seed by its number of active conversations alone.
func TestOfflineTable(t *testing.T) {
	type want struct {
		away, tooFar, protocol string
		exchange
		new, active, nothing int64
	}
	week := foldOffline(t, "book", "away=1w", "inbox").Metrics()
	quiet, left := 200-week.ActiveConversations, week.NewMessages-week.ActiveConversations
	for _, w := range []want{
		{"10m", "page", "global-id", exchange{1, 8, 400, 200, 0, 0}, 2, 2, 198},
		{"10m", "page", "conversation-cursors", exchange{1, 2400, 400, 200, 0, 0}, 2, 2, 198},
		{"10m", "page", "inbox", exchange{1, 8, 400, 2, 2, 0}, 2, 2, 0},
		{"evening", "page", "global-id", exchange{5, 40, 46_000, 200, 0, 0}, 230, 3, 197},
		{"evening", "page", "conversation-cursors", exchange{5, 2448, 46_000, 200, 0, 0}, 230, 3, 197},
		{"evening", "page", "inbox", exchange{5, 40, 46_000, 230, 230, 0}, 230, 3, 0},
		{"1w", "page", "global-id", exchange{38, 304, 373_800, 200, 0, 0}, 1869, 200 - quiet, quiet},
		{"1w", "page", "conversation-cursors", exchange{38, 2844, 373_800, 200, 0, 0}, 1869, 200 - quiet, quiet},
		{"1w", "page", "inbox", exchange{38, 304, 373_800, 1869, 1869, 0}, 1869, 200 - quiet, 0},
		{"1w", "list", "global-id", exchange{4, 32, 42_400, 200, 0, left}, 1869, 200 - quiet, quiet},
		{"1w", "list", "conversation-cursors", exchange{4, 2436, 42_400, 200, 0, left}, 1869, 200 - quiet, quiet},
		{"1w", "list", "inbox", exchange{4, 32, 42_400, 200, 1869, left}, 1869, 200 - quiet, quiet},
	} {
		m := foldOffline(t, "book", "away="+w.away+",too-far="+w.tooFar, w.protocol).Metrics()
		got := want{w.away, w.tooFar, w.protocol, exchangeOf(m), m.NewMessages, m.ActiveConversations, m.ReadsForNothing}
		if got != w {
			t.Errorf("\n got %+v\nwant %+v", got, w)
		}
		if m.MissingUnnoticed() != 0 || m.MissingKnown != w.left {
			t.Errorf("%s, %s, %s: %d missing unnoticed, %d known", w.away, w.tooFar, w.protocol, m.MissingUnnoticed(), m.MissingKnown)
		}
	}
}

// TestNotTooFar checks that the switch changes nothing for a phone that is not too far behind.
func TestNotTooFar(t *testing.T) {
	for _, away := range []string{"10m", "open", "1d", "evening"} {
		for _, e := range protocols(t, im.OfflineChapter) {
			page := foldOffline(t, "book", "away="+away, e.Name).Metrics()
			list := foldOffline(t, "book", "too-far=list,away="+away, e.Name).Metrics()
			if exchangeOf(page) != exchangeOf(list) {
				t.Errorf("%s, %s: %+v with pages, %+v with the list", away, e.Name, exchangeOf(page), exchangeOf(list))
			}
		}
	}
}

// TestTooFarBoundaries checks where the list begins: at the first message over 500, and just after seven days whatever the switch says.
func TestTooFarBoundaries(t *testing.T) {
	perMessage := 24 * time.Hour / im.ReceivedADay
	for settings, listed := range map[string]bool{
		fmt.Sprintf("too-far=list,away=%s", 500*perMessage): false,
		fmt.Sprintf("too-far=list,away=%s", 501*perMessage): true,
		"away=168h": false, "away=168h0m1s": true, "too-far=page,away=240h": true,
	} {
		for _, e := range protocols(t, im.OfflineChapter) {
			s := offline(t, "book", settings)
			found := slices.ContainsFunc(run(t, &s, e), func(s im.Step) bool { return s.Data.Kind == im.Listed })
			if found != listed {
				t.Errorf("%s, %s, %d missed: the list is given: %t", e.Name, settings, s.Missed(), found)
			}
		}
	}
}

// TestNothingNew checks that a phone that missed nothing asks once and gets nothing.
func TestNothingNew(t *testing.T) {
	for protocol, want := range map[string]exchange{
		"global-id": {1, 8, 0, 200, 0, 0}, "conversation-cursors": {1, 2400, 0, 200, 0, 0}, "inbox": {1, 8, 0, 0, 0, 0},
	} {
		if got := exchangeOf(foldOffline(t, "book", "away=1m", protocol).Metrics()); got != want {
			t.Errorf("%s: got %+v, want %+v", protocol, got, want)
		}
	}
}

// TestFullPages checks that an answer says that there is more only when there is: no request comes back empty.
func TestFullPages(t *testing.T) {
	perMessage := 24 * time.Hour / im.ReceivedADay
	for _, missed := range []int{49, 50, 51, 100, 101} {
		for _, e := range protocols(t, im.OfflineChapter) {
			m := foldOffline(t, "book", fmt.Sprintf("away=%s", perMessage*time.Duration(missed)), e.Name).Metrics()
			if want := int64(missed+49) / 50; m.NewMessages != int64(missed) || m.Cost.Requests != want || m.Missing != 0 {
				t.Errorf("%s: %d missed take %d requests, want %d, and %d are left", e.Name, m.NewMessages, m.Cost.Requests, want, m.Missing)
			}
		}
	}
}

// TestOfflineSeed checks that the default seed is a typical one: as many conversations have something new as the formula says, within
// two, and by default it is two of them.
func TestOfflineSeed(t *testing.T) {
	for away, want := range map[string]int64{"10m": 2, "open": 10, "1d": 90, "1w": 187} {
		if got := foldOffline(t, "book", "away="+away, "inbox").Metrics().ActiveConversations; got != want {
			t.Errorf("%s: %d conversations, want %d", away, got, want)
		}
	}
}

// TestEverythingOnce plays many absences over a network that loses, and checks that a phone that pages has everything in the end, each
// message once and each conversation in the order of its seqs, by inbox and global id in the order of all.
func TestEverythingOnce(t *testing.T) {
	for seed := range 30 {
		settings := fmt.Sprintf("seed=%d,loss=0.3,rto=300ms,away=%dm,conversations=%d,page=%d", seed, 1+seed*seed*9, 10+seed*7, 1+seed%60)
		for _, e := range protocols(t, im.OfflineChapter) {
			s := offline(t, "book", settings)
			trace := run(t, &s, e)
			brought := make(map[im.MessageID]bool)
			last := make(map[uint16]int64)
			order := int64(0)
			for i := range trace {
				d := &trace[i].Data
				if d.Kind != im.Shown {
					continue
				}
				if brought[d.Msg] || d.Seq <= last[d.Conv] {
					t.Fatalf("%s comes again or too late\n%s", d.Msg, command(&s, e.Name))
				}
				if e.Name != "conversation-cursors" && d.ID <= order {
					t.Fatalf("%s comes too late\n%s", d.Msg, command(&s, e.Name))
				}
				brought[d.Msg], last[d.Conv], order = true, d.Seq, d.ID
			}
			if int64(len(brought)) != s.Missed() {
				t.Errorf("%d of %d messages have come\n%s", len(brought), s.Missed(), command(&s, e.Name))
			}
		}
	}
}

// TestListLeaves checks that after the list the phone has the newest message of every conversation, knows of all others, and goes on
// from a cursor behind everything.
func TestListLeaves(t *testing.T) {
	for seed := range 10 {
		for _, e := range protocols(t, im.OfflineChapter) {
			s := offline(t, "book", fmt.Sprintf("seed=%d,loss=0.2,away=200h,conversations=%d", seed, 10+50*seed))
			fold := im.FoldTrace(&s, run(t, &s, e))
			m := fold.Metrics()
			if m.MissingUnnoticed() != 0 || m.MissingKnown != m.NewMessages-m.ActiveConversations || m.Cost.BytesDown < 212*s.Conversations {
				t.Errorf("%d missing unnoticed, %d known\n%s", m.MissingUnnoticed(), m.MissingKnown, command(&s, e.Name))
			}
			for number := range int(s.Conversations) {
				if c := fold.Conversation(number + 1); !c.Listed || c.New > 0 && (c.Got != 1 || c.Heard != c.Seq) {
					t.Errorf("conversation %d: %+v\n%s", number+1, *c, command(&s, e.Name))
				}
			}
		}
	}
}

// TestSameAbsence checks that what comes is a matter of the seed alone: the same under every protocol, over any network; and that a
// longer absence begins with the conversations of a shorter one.
func TestSameAbsence(t *testing.T) {
	type stored struct {
		at   im.Time
		conv uint16
		id   int64
		seq  int64
	}
	storedIn := func(settings, protocol string) (all []stored) {
		s := offline(t, "book", settings)
		for _, step := range run(t, &s, offlineEntry(t, protocol)) {
			if step.Data.Kind == im.Stored {
				all = append(all, stored{step.At, step.Data.Conv, step.Data.ID, step.Data.Seq})
			}
		}
		return all
	}
	for _, away := range []string{"open", "1d", "evening"} {
		want := storedIn("away="+away, "global-id")
		for _, e := range protocols(t, im.OfflineChapter) {
			if got := storedIn("loss=0.4,latency=300ms,page=7,away="+away, e.Name); !slices.Equal(got, want) {
				t.Errorf("%s, %s: something else comes", away, e.Name)
			}
		}
	}
	short, long := storedIn("away=open", "inbox"), storedIn("away=1d", "inbox")
	for i := range short {
		if short[i].conv != long[i].conv {
			t.Errorf("message %d comes in conversation %d in an hour and in %d in a day", i+1, short[i].conv, long[i].conv)
		}
	}
}

// TestSyncLuck checks that a request's luck is its own: that of the first does not depend on the protocol or on what came.
func TestSyncLuck(t *testing.T) {
	for seed := range 40 {
		tries := func(settings, protocol string) (n uint32) {
			s := offline(t, "book", fmt.Sprintf("loss=0.5,seed=%d,%s", seed, settings))
			for _, step := range run(t, &s, offlineEntry(t, protocol)) {
				if step.Data.Kind == im.SyncAsked && step.Data.Lo == 1 {
					n++
				}
			}
			return n
		}
		want := tries("away=10m", "inbox")
		for _, e := range protocols(t, im.OfflineChapter) {
			for _, settings := range []string{"away=10m", "away=1w", "away=evening,page=3"} {
				if got := tries(settings, e.Name); got != want {
					t.Errorf("seed %d, %s, %s: the first request goes out %d times, elsewhere %d", seed, e.Name, settings, got, want)
				}
			}
		}
	}
}

// TestOfflineSameBytesEverywhere plays a run twice, and compares it with what it gave when this test was written.
func TestOfflineSameBytesEverywhere(t *testing.T) {
	want := map[string]string{"global-id": "30279a04683b5a72", "conversation-cursors": "9f74be58f4b13532", "inbox": "d859b2007253cdc7"}
	for _, e := range protocols(t, im.OfflineChapter) {
		s := offline(t, "book", "away=1d,seed=5,loss=0.2,page=13,conversations=77,too-far=list")
		first, second := digest(t, &s, e), digest(t, &s, e)
		if first != second {
			t.Errorf("%s: two runs of the same input differ", e.Name)
		}
		if first != want[e.Name] {
			t.Errorf("%s: got %s, want %s\n%s", e.Name, first, want[e.Name], command(&s, e.Name))
		}
	}
}
