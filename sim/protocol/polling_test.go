package protocol

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"imscope/sim/im"
)

// polling returns a scenario of the chapter on polling.
func polling(t testing.TB, name, settings string) im.Scenario {
	t.Helper()
	return setScenario(t, im.PollingChapter, name, settings)
}

// pollEntry is a protocol of the chapter on polling.
func pollEntry(t testing.TB, name string) Entry {
	t.Helper()
	for _, e := range protocols(t, im.PollingChapter) {
		if e.Name == name {
			return e
		}
	}
	t.Fatalf("no protocol %q", name)
	return Entry{}
}

func foldPolling(t testing.TB, name, settings, protocol string) *im.Fold {
	t.Helper()
	s := polling(t, name, settings)
	return im.FoldTrace(&s, run(t, &s, pollEntry(t, protocol)))
}

// TestPollingBook checks the figures of the chapter on the minimal chat.
func TestPollingBook(t *testing.T) {
	type figures struct{ polls, empty, mean, shortest, longest, lost, missing, doubled int64 }
	for settings, want := range map[string]figures{
		"":           {polls: 11, empty: 5, mean: 1608, shortest: 500, longest: 2050},
		"off=6s-14s": {polls: 7, empty: 4, mean: 3608, shortest: 1300, longest: 7950},
	} {
		fold := foldPolling(t, "book", settings, "poll-id")
		m := fold.Metrics()
		got := figures{m.Polls, m.EmptyPolls, m.Wait.Mean(), m.Wait.Quantile(0), m.Wait.MaxMillis(), m.Lost, m.Missing, m.Duplicates}
		if got != want {
			t.Errorf("%s: got %+v, want %+v", settings, got, want)
		}
		if got := screen(fold, im.Ben); got != "A1 A2 A3 A4 A5 A6" {
			t.Errorf("%s: Ben's screen is %s", settings, got)
		}
	}
	if rows := rowsBrought(t, "book", "off=6s-14s", "poll-id"); !slices.Equal(rows, []uint16{0, 0, 1, 4, 0, 1, 0}) {
		t.Errorf("the polls bring %v", rows)
	}
}

// rowsBrought is what each answer brings.
func rowsBrought(t *testing.T, name, settings, protocol string) (rows []uint16) {
	s := polling(t, name, settings)
	for _, step := range run(t, &s, pollEntry(t, protocol)) {
		if step.Data.Kind == im.Answered {
			rows = append(rows, step.Data.Rows)
		}
	}
	return rows
}

// TestPollingRandom checks ten minutes with 300 messages under every protocol: the wait of those that poll is half the interval and
// a round trip, that of the others a round trip, and nothing is lost or doubled.
func TestPollingRandom(t *testing.T) {
	for seed := range 12 {
		for _, e := range protocols(t, im.PollingChapter) {
			s := polling(t, "random", fmt.Sprintf("seed=%d", seed))
			m := im.FoldTrace(&s, run(t, &s, e)).Metrics()
			least, most, longest := int64(1100), int64(1300), int64(2200)
			if e.Name == "long-poll" || e.Name == "push" {
				least, most, longest = 200, 220, 400
			}
			if m.Wait.N != 300 || m.Wait.Mean() < least || m.Wait.Mean() > most || m.Wait.MaxMillis() > longest || m.Missing+m.Lost+m.Duplicates > 0 {
				t.Errorf("wait of %d: mean %d, longest %d; missing %d, lost %d, doubled %d\n%s", m.Wait.N, m.Wait.Mean(), m.Wait.MaxMillis(),
					m.Missing, m.Lost, m.Duplicates, command(&s, e.Name))
			}
		}
	}
}

// TestOneInFlight checks that a poll that falls due while another is in flight is left out, and one that falls due as the answer
// comes is not; and that a lost poll is followed by the next on the grid.
func TestOneInFlight(t *testing.T) {
	for settings, want := range map[string]string{
		"latency=999ms":                  "0 2 4 6 8 10 12 14 16 18 20",
		"latency=1s":                     "0 2 4 6 8 10 12 14 16 18 20",
		"latency=1.001s":                 "0 4 8 12 16 20",
		"latency=1.5s":                   "0 4 8 12 16 20",
		"latency=1.5s,interval=5s":       "0 5 10 15 20",
		"latency=1s,loss=0.9,seed=5":     "0 2 4 6 8 10 12 14 16 18 20",
		"latency=1.001s,loss=0.9,seed=5": "0 4 8 12 16 20",
		"interval=3s,phase=500ms":        "0.5 3.5 6.5 9.5 12.5 15.5 18.5",
		"off=2s-6s":                      "0 6 8 10 12 14 16 18 20",
		"off=0s-20s":                     "20",
		"off=0s-20.001s":                 "",
		"off=3s-4s,latency=900ms":        "0 2 4 6 8 10 12 14 16 18 20", // the answer of 2 is lost
	} {
		s := polling(t, "book", settings)
		var left []string
		for _, step := range run(t, &s, pollEntry(t, "poll-id")) {
			if step.Data.Kind == im.Polled {
				left = append(left, strings.TrimSuffix(im.FormatTime(step.At), "s"))
			}
		}
		if got := strings.ReplaceAll(strings.Join(left, " "), "500m", "0.5"); got != want {
			t.Errorf("%s: polls leave at %s, want %s", settings, got, want)
		}
	}
}

// TestAnswerWhileOff checks the ends of the stretch in which the phone is off: an answer that comes as it begins is lost, and the
// cursor stays; one that comes as it ends is not.
func TestAnswerWhileOff(t *testing.T) {
	for settings, want := range map[string]string{"off=4.2s-5s": "6.2s", "off=4.1s-4.2s": "4.2s", "off=4.1s-4.201s": "6.2s"} {
		s := polling(t, "book", settings)
		trace := run(t, &s, pollEntry(t, "poll-id"))
		i := slices.IndexFunc(trace, func(s im.Step) bool { return s.Data.Kind == im.Shown && s.Data.Msg == message("A1") })
		if at := im.FormatTime(trace[i].At); at != want {
			t.Errorf("%s: A1 is shown at %s, want %s", settings, at, want)
		}
	}
}

// TestPages checks that has_more is exact, and that the next page leaves when its answer comes.
func TestPages(t *testing.T) {
	for page, want := range map[int][]uint16{100: {100, 100, 67}, 266: {266, 1}, 267: {267}, 1000: {267}, 89: {89, 89, 89}} {
		for _, e := range protocols(t, im.PollingChapter) {
			rows := rowsBrought(t, "week", fmt.Sprintf("page=%d", page), e.Name)
			rows = slices.DeleteFunc(rows, func(n uint16) bool { return n == 0 })
			if e.Name == "poll-time" { // the last rows come again while they are young enough
				rows = rows[:min(len(rows), len(want))]
			}
			if !slices.Equal(rows, want) {
				t.Errorf("%s, pages of %d: %v, want %v", e.Name, page, rows, want)
			}
		}
	}
}

// TestRetry checks that a message whose ACK is lost is stored twice without a message id, and once with one.
func TestRetry(t *testing.T) {
	for settings, want := range map[string]string{"": "A1 A1 A2", "ids=on": "A1 A2", "ids=on,dedupe=off": "A1 A1 A2"} {
		for _, e := range protocols(t, im.PollingChapter) {
			fold := foldPolling(t, "retry", settings, e.Name)
			if m := fold.Metrics(); screen(fold, im.Ben) != want || m.Duplicates != int64(strings.Count(want, "A1"))-1 {
				t.Errorf("%s, %s: Ben's screen is %s, %d doubled", e.Name, settings, screen(fold, im.Ben), m.Duplicates)
			}
		}
	}
}

// TestGaps checks that ids have holes though nothing is missing.
func TestGaps(t *testing.T) {
	for _, e := range protocols(t, im.PollingChapter) {
		fold := foldPolling(t, "gaps", "", e.Name)
		if got, want := server(fold), "A1 101, A2 104, A3 106, A4 108"; got != want || fold.Metrics().Missing != 0 {
			t.Errorf("%s: got %s, want %s; %d missing", e.Name, got, want, fold.Metrics().Missing)
		}
	}
}

// TestCosts checks bytes, headers and connections of the book's run, counted by hand. Every protocol pays 6 messages of 200 bytes
// up and 6 ACKs of 12 down, and as many headers.
func TestCosts(t *testing.T) {
	type cost struct{ requests, up, down, headersUp, headersDown, connections int64 }
	const up, down = 6 * 200, 6 * 12
	for protocol, want := range map[string]cost{
		"poll-id":    {6 + 11, up + 11*8, down + 6*200, 17 * 500, 17 * 250, 0},
		"poll-time":  {6 + 11, up + 11*8, down + 23*200, 17 * 500, 17 * 250, 0},
		"poll-token": {6 + 11, up + 11*8, down + 6*(200+8), 17 * 500, 17 * 250, 0},
		"long-poll":  {6 + 7, up + 7*8, down + 6*200, 13 * 500, 13 * 250, 1},
		"push":       {6 + 1 + 1 + 5, up + 8, down + 6*200, 7 * 500, 7 * 250, 1}, // connect, one fetch, five heartbeats
	} {
		m := foldPolling(t, "book", "", protocol).Metrics()
		c := m.Cost
		if got := (cost{c.Requests, c.BytesUp, c.BytesDown, m.HeadersUp, m.HeadersDown, c.Connections}); got != want {
			t.Errorf("%s: got %+v, want %+v", protocol, got, want)
		}
		if m := foldPolling(t, "book", "headers=off", protocol).Metrics(); m.HeadersUp+m.HeadersDown != 0 {
			t.Errorf("%s: headers are counted that are switched off", protocol)
		}
	}
}

// TestPushCatchesUp checks what push does about a connection that swallows: what came live does not move the cursor, so the fetch
// brings everything behind it; and live lines wait until it has.
func TestPushCatchesUp(t *testing.T) {
	s := polling(t, "book", "off=6s-16.7s,page=1")
	trace := run(t, &s, pollEntry(t, "push"))
	var asked []int64
	var shown []string
	for _, step := range trace {
		switch d := &step.Data; d.Kind {
		case im.Polled:
			asked = append(asked, d.ID)
		case im.Shown, im.Buffered:
			shown = append(shown, fmt.Sprintf("%s %s", d.Kind.Name(), d.Msg))
		}
	}
	if want := []int64{1000, 1000, 1001, 1002, 1006, 1011, 1015}; !slices.Equal(asked, want) {
		t.Errorf("asked behind %v, want %v", asked, want)
	}
	if got, want := strings.Join(shown, ", "), "shown A1, buffered A6, shown A2, shown A3, shown A4, shown A5, shown A6"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestReaderSends checks what the reader sends by hand: a poll that brings it back does not show it again, and confirms it if its ACK
// was lost; while the phone is off it sends nothing, and what it sent before waits.
func TestReaderSends(t *testing.T) {
	b1 := im.HandMessage(im.Ben, 1)
	for _, c := range []struct {
		at     im.Time
		lost   im.Leg
		sends  int
		shown  string
		placed im.Time // when it has its id
	}{
		{3 * time.Second, 0, 1, "A1 b1 A2 A3 A4 A5 A6", 3200 * ms},
		{3900 * ms, im.AckLeg, 1, "A1 b1 A2 A3 A4 A5 A6", 4200 * ms}, // the poll of 4 s confirms it
		{5900 * ms, im.MessageLeg, 2, "A1 A2 A3 A4 A5 b1 A6", 15100 * ms},
		{8 * time.Second, 0, 0, "A1 A2 A3 A4 A5 A6", 0},
	} {
		for _, e := range protocols(t, im.PollingChapter)[:3] {
			s := polling(t, "book", "off=6s-14s")
			s.Edits = []im.Edit{{Verb: im.Press, At: c.at, Msg: b1}, {Verb: im.Lose, Leg: im.LegID{Leg: c.lost, Msg: b1, Attempt: 1}}}
			trace := run(t, &s, e)
			sends, placed := 0, im.Time(0)
			for _, step := range trace {
				switch d := &step.Data; {
				case d.Kind == im.Left && d.Leg == im.MessageLeg && d.Msg == b1:
					sends++
				case d.Kind == im.Acked && d.Msg == b1:
					placed = step.At
				}
			}
			if got := screen(im.FoldTrace(&s, trace), im.Ben); got != c.shown || sends != c.sends || placed != c.placed {
				t.Errorf("%s, b1 at %s: sent %d times, placed at %s, Ben's screen is %s; want %+v", e.Name, c.at, sends, placed, got, c)
			}
		}
	}
}

// TestHeartbeatWaits checks that a heartbeat is given the time of a round trip.
func TestHeartbeatWaits(t *testing.T) {
	s := polling(t, "book", "latency=700ms,heartbeat=100ms")
	for _, step := range run(t, &s, pollEntry(t, "push")) {
		if k := step.Data.Kind; k == im.Broken || k == im.Silent {
			t.Fatalf("%s at %s, though nothing is lost", k.Name(), step.At)
		}
	}
}

// hole is a placement of commits and polls in the scenario hole: A1 takes 101 at 1.6 s, C1 takes 102 at 2.6 s.
type holeRun struct{ slow, write, phase time.Duration }

const ms = time.Millisecond

const (
	holeInserted1, holeInserted2 = 1600 * time.Millisecond, 2600 * time.Millisecond
	holeInterval                 = 600 * time.Millisecond
	holeEnd                      = 12 * time.Second
)

// commits are those of 101 and 102.
func (h holeRun) commits() (first, second time.Duration) {
	return holeInserted1 + h.slow, holeInserted2 + h.write
}

// readBetween reports whether some read falls between the commit of 102 and that of 101. A commit at the instant of a read is visible.
func (h holeRun) readBetween() bool {
	first, second := h.commits()
	for leaves := h.phase; leaves <= holeEnd; leaves += holeInterval {
		if read := leaves + 100*time.Millisecond; second <= read && read < first {
			return true
		}
	}
	return false
}

// heldBetween is the same for a held request, which reads at the first commit after it came.
func (h holeRun) heldBetween() bool {
	first, second := h.commits()
	read := max(h.phase+100*time.Millisecond, min(first, second))
	return second <= read && read < first
}

// TestCommitHole checks for every placement of commits and polls on a grid, ties included, which protocols and fixes lose the row
// that commits late, and which do not.
func TestCommitHole(t *testing.T) {
	never := func(holeRun) bool { return false }
	for _, c := range []struct {
		what, protocol, settings string
		lost                     func(holeRun) bool
	}{
		{"by id", "poll-id", "", holeRun.readBetween},
		{"a long poll", "long-poll", "", holeRun.heldBetween},
		{"one writer", "poll-id", "onewriter=on", never},
		{"one writer, a long poll", "long-poll", "onewriter=on", never},
		{"a row lock in one conversation", "poll-id", "rowlock=on", never},
		{"a row lock across two conversations", "poll-id", "rowlock=on,apart=on", holeRun.readBetween},
		{"one writer across two conversations", "poll-id", "onewriter=on,apart=on", never},
		{"no overlap", "poll-time", "overlap=0s", holeRun.readBetween},
		{"an overlap shorter than 102 is after 101", "poll-time", "overlap=999ms", holeRun.readBetween},
		{"an overlap that just reaches 101", "poll-time", "overlap=1s", never},
		{"an overlap longer than the longest transaction", "poll-time", "overlap=4.2s", never},
		{"a token", "poll-token", "", never},
		{"a token across two conversations", "poll-token", "rowlock=on,apart=on", never},
		{"push", "push", "", never},
	} {
		t.Run(c.what, func(t *testing.T) {
			t.Parallel()
			runs, lost := 0, 0
			for _, h := range holeGrid() {
				s := polling(t, "hole", c.settings)
				s.Slow, s.Write, s.Phase, s.Interval = h.slow, h.write, h.phase, holeInterval
				fold := im.NewFold(&s, true)
				play(t, &s, pollEntry(t, c.protocol), fold)
				m, want := fold.Metrics(), c.lost(h)
				runs++
				if want {
					lost++
				}
				shown := strings.Contains(screen(fold, im.Ben), "A1")
				if (m.Lost == 1) != want || shown == want || m.Lost > 1 || m.Duplicates > 0 || m.Missing != m.Lost {
					t.Fatalf("lost %d, want it lost: %t; Ben's screen is %s\n%s", m.Lost, want, screen(fold, im.Ben), command(&s, c.protocol))
				}
			}
			if lost == runs || c.lost(holeRun{slow: 3 * time.Second}) && lost == 0 {
				t.Errorf("of %d runs %d lose: the grid shows nothing", runs, lost)
			}
		})
	}
}

// holeGrid holds commits of 101 before, at and after those of 102, and polls at and between both and just before them. The commit
// after 50 ms is decided on after the poll that meets it has left, the others before.
func holeGrid() (grid []holeRun) {
	const step = 50 * ms
	for slow := time.Duration(0); slow <= 3*time.Second; slow += 200 * ms {
		for _, write := range []time.Duration{0, 50 * ms, 200 * ms, 600 * ms} {
			for phase := time.Duration(0); phase < holeInterval; phase += step {
				grid = append(grid, holeRun{slow, write, phase}, holeRun{slow, write, phase + step - 1})
			}
		}
	}
	return grid
}
