package protocol

import (
	"flag"
	"reflect"
	"slices"
	"testing"

	"imscope/sim/im"
)

// oddRuns can be raised to search longer than a test should take.
var oddRuns = flag.Int("oddruns", 40, "how many odd scenarios to try")

// TestFoldAgainstRecount compares the figures of a fold, kept up to date step by step, with a count made from nothing at a few
// moments of many odd runs.
func TestFoldAgainstRecount(t *testing.T) {
	long(t)
	eachOddRun(t, 1, func(s *im.Scenario, e Entry, trace im.Trace) {
		fold := im.NewFold(s, true)
		for i := range trace {
			fold.Step(&trace[i])
			if i%(len(trace)/4+1) != 0 && i != len(trace)-1 {
				continue
			}
			if got, want := countsOf(fold.Metrics()), recount(s, trace[:i+1]); got != want {
				t.Fatalf("step %d of %d\n got %+v\nwant %+v\n%s", i+1, len(trace), got, want, command(s, e.Name))
			}
		}
	})
}

// TestFoldThatForgets compares the figures of a fold that forgets what is settled with those of one that keeps everything.
func TestFoldThatForgets(t *testing.T) {
	long(t)
	eachOddRun(t, 5, func(s *im.Scenario, e Entry, trace im.Trace) {
		keeping, forgetting := im.NewFold(s, true), im.NewFold(s, false)
		for i := range trace {
			keeping.Step(&trace[i])
			forgetting.Step(&trace[i])
			if i%(len(trace)/20+1) != 0 && i != len(trace)-1 {
				continue
			}
			if got, want := forgetting.Metrics(), keeping.Metrics(); !reflect.DeepEqual(got, want) {
				t.Fatalf("step %d of %d\n got %+v\nwant %+v\n%s", i+1, len(trace), countsOf(got), countsOf(want), command(s, e.Name))
			}
		}
	})
}

// TestTally checks that a run played for its figures alone has those of a fold of all its steps.
func TestTally(t *testing.T) {
	long(t)
	check := func(s *im.Scenario, e Entry, trace im.Trace) {
		fold := im.NewFold(s, false)
		for i := range trace {
			fold.Step(&trace[i])
		}
		if got, want := tally(t, s, e), fold.Metrics(); !reflect.DeepEqual(got, want) {
			t.Fatalf(" got %+v\nwant %+v\n%s", got, want, command(s, e.Name))
		}
	}
	eachOddRun(t, 1, check)
	eachOddPolling(t, check)
	for seed := range uint64(*oddRuns) {
		s := oddAbsence(t, seed)
		for _, e := range protocols(t, im.OfflineChapter) {
			check(&s, e, run(t, &s, e))
		}
	}
}

// TestFoldStaysSmall checks that a fold that forgets has little left after a long run, also where messages are given up or never
// confirmed.
func TestFoldStaysSmall(t *testing.T) {
	for _, settings := range []string{"", "loss=0.5", "attempts=1", "ack=off", "dedupe=off,write=100ms", "reorder=on,phones=5"} {
		s := scenario(t, "random", settings)
		s.Messages = 4000
		for _, e := range catalog(t) {
			fold := im.NewFold(&s, false)
			play(t, &s, e, fold)
			for phone := range fold.Screens {
				if n := len(fold.Screens[phone].Lines); n > 200 {
					t.Errorf("%d lines are left on a screen\n%s", n, command(&s, e.Name))
				}
			}
		}
	}
}

// TestGivenUpButStored checks that by seq a message that its phone gave up, but that the server has, gets its number by a fetch.
func TestGivenUpButStored(t *testing.T) {
	s := scenario(t, "random", "attempts=1,loss=0.3,messages=300")
	fold := im.FoldTrace(&s, run(t, &s, entry(t, "by-seq")))
	checked := 0
	for phone := im.Ana; phone <= im.Ben; phone++ {
		lines := fold.Screens[phone].Lines
		last := lines[0].ID // the biggest that the phone knows
		for _, l := range lines {
			last = max(last, l.ID)
		}
		for _, l := range lines {
			if l.State != im.Received && l.Rank() != 0 && l.Rank() < last {
				checked++
				if l.State != im.Sent {
					t.Errorf("%s is stored, and %s knows later ones, but it stands as given up\n%s", l.Msg, im.Name(phone), command(&s, "by-seq"))
				}
			}
		}
	}
	if checked < 50 {
		t.Errorf("only %d lines looked at", checked)
	}
}

// eachOddRun plays many odd scenarios, some factor longer, under every protocol.
func eachOddRun(t *testing.T, factor int64, check func(s *im.Scenario, e Entry, trace im.Trace)) {
	for seed := range uint64(*oddRuns) {
		s := oddScenario(seed)
		s.Messages *= factor
		for _, e := range catalog(t) {
			check(&s, e, run(t, &s, e))
		}
	}
}

// counts is what of the metrics is counted again.
type counts struct {
	Messages, Stored, InvertedPairs, Missing, MissingKnown, Fetches, OwnMoves, Duplicates int64
	Waits                                                                                 int64
	WaitSum                                                                               im.Time
}

func countsOf(m im.Metrics) counts {
	return counts{m.Messages, m.Stored, m.InvertedPairs, m.Missing, m.MissingKnown, m.Fetches, m.OwnMoves, m.Duplicates,
		m.Wait.N, m.Wait.Sum}
}

// recount counts a run's figures from their definitions, remembering nothing but the steps. It is slow on purpose.
func recount(s *im.Scenario, steps im.Trace) (c counts) {
	ids := make(map[im.MessageID]int64) // the server's order
	for i := range steps {
		switch d := &steps[i].Data; d.Kind {
		case im.Pressed:
			c.Messages++
		case im.Stored:
			if d.Copy == 0 {
				c.Stored++
				ids[d.Msg] = d.ID
			}
		case im.Asked:
			c.Fetches++
		}
	}
	for phone := im.Ana; phone <= im.Actor(s.Phones); phone++ {
		screen := dumbScreen(phone, steps, &c)
		c.InvertedPairs += opposite(screen, ids)
		biggest, seqs := heard(phone, steps)
		for m := range ids {
			if !slices.Contains(screen, m) {
				c.Missing++
				if slices.ContainsFunc(seqs[m], func(seq int64) bool { return seq != 0 && seq < biggest }) {
					c.MissingKnown++
				}
			}
		}
	}
	return c
}

// opposite counts the pairs of stored messages whose order on the screen is opposite to the server's.
func opposite(screen []im.MessageID, ids map[im.MessageID]int64) (pairs int64) {
	for i, upper := range screen {
		for _, lower := range screen[i+1:] {
			if ids[upper] != 0 && ids[lower] != 0 && ids[upper] > ids[lower] {
				pairs++
			}
		}
	}
	return pairs
}

// heard returns the biggest number that a phone has heard of, and the numbers of each message's copies.
func heard(phone im.Actor, steps im.Trace) (biggest int64, seqs map[im.MessageID][]int64) {
	seqs = make(map[im.MessageID][]int64)
	for i := range steps {
		switch d := &steps[i].Data; {
		case d.Kind == im.Stored:
			seqs[d.Msg] = append(seqs[d.Msg], d.Seq)
		case d.Kind == im.Reloaded && steps[i].Actor == phone && im.Order(d.Key) == im.BySeq:
			biggest = max(biggest, d.Hi)
		case steps[i].Actor == phone && slices.Contains([]im.Kind{im.Acked, im.AckedAgain, im.Shown, im.Ignored}, d.Kind):
			biggest = max(biggest, d.Seq)
		}
	}
	return biggest, seqs
}

// dumbLine is a line of a screen: the message, and the key if it has one.
type dumbLine struct {
	msg     im.MessageID
	key     int64
	sending bool
	again   bool // the message stands already
}

// dumbScreen returns what a phone shows, each message once, and adds to c what happened on the way there.
func dumbScreen(phone im.Actor, steps im.Trace, c *counts) (shown []im.MessageID) {
	var lines []dumbLine
	pressed := make(map[im.MessageID]im.Time)
	var rows []im.Row
	index := func(m im.MessageID) int {
		return slices.IndexFunc(lines, func(l dumbLine) bool { return l.msg == m && !l.again })
	}
	show := func(m im.MessageID, key int64, at im.Time) {
		again := index(m) >= 0
		lines = append(lines, dumbLine{msg: m, key: key, again: again})
		if !again {
			c.Waits++
			c.WaitSum += at - pressed[m]
		}
	}
	for i := range steps {
		d := &steps[i].Data
		switch d.Kind {
		case im.Pressed:
			pressed[d.Msg] = steps[i].At
		case im.Stored:
			rows = append(rows, im.Row{Msg: d.Msg, Copy: d.Copy, ID: d.ID, Seq: d.Seq})
		}
		if steps[i].Actor != phone {
			continue
		}
		switch d.Kind {
		case im.Pressed:
			lines = append(lines, dumbLine{msg: d.Msg, sending: true})
		case im.Shown:
			show(d.Msg, d.Key, steps[i].At)
		case im.Acked:
			at := index(d.Msg)
			if d.Key != 0 && slices.ContainsFunc(lines[:at], func(l dumbLine) bool { return l.sending || l.key > d.Key }) {
				c.OwnMoves++
			}
			lines[at].key, lines[at].sending = d.Key, false
		case im.Failed:
			lines[index(d.Msg)].sending = false
		case im.Reloaded:
			unstored := slices.DeleteFunc(slices.Clone(lines), func(l dumbLine) bool {
				return slices.ContainsFunc(rows[:d.Hi], func(r im.Row) bool { return r.Msg == l.msg })
			})
			before := lines
			lines = nil
			for _, row := range rows[:d.Hi] {
				if row.Msg.Sender == phone || slices.ContainsFunc(before, func(l dumbLine) bool { return l.msg == row.Msg }) {
					lines = append(lines, dumbLine{msg: row.Msg, key: im.Order(d.Key).Key(row), again: index(row.Msg) >= 0})
				} else {
					show(row.Msg, im.Order(d.Key).Key(row), steps[i].At)
				}
			}
			lines = append(lines, unstored...)
		}
		slices.SortStableFunc(lines, byKey)
	}
	for _, l := range lines {
		if l.again {
			c.Duplicates++
		} else {
			shown = append(shown, l.msg)
		}
	}
	return shown
}

// byKey puts lines with a key first, by key; the others keep their order.
func byKey(a, b dumbLine) int {
	switch {
	case a.key == b.key:
		return 0
	case b.key == 0 || a.key != 0 && a.key < b.key:
		return -1
	default:
		return 1
	}
}
