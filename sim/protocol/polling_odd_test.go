package protocol

import (
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"imscope/sim"
	"imscope/sim/im"
)

// oddPolling draws a run of the chapter on polling with knobs that are often at an extreme.
func oddPolling(seed uint64) im.Scenario {
	r := rand.New(rand.NewPCG(seed, 1))
	ms := func(choices ...int) im.Time { return im.Time(choices[r.IntN(len(choices))]) * time.Millisecond }
	sometimes := func() bool { return r.IntN(4) == 0 }
	s, _ := im.FindScenario(im.PollingChapter, "random")
	s.Seed = seed
	s.Messages = int64(1 + r.IntN(40))
	s.Length = ms(1000, 8000, 20000)
	s.Latency = ms(1, 100, 100, 700)
	s.Loss = sim.Chance(max(0, r.IntN(8)-3)) * sim.Certain / 10
	s.RTO = ms(150, 1000, 1000, 3000)
	s.Write = ms(0, 0, 5, 50, 1500)
	s.SlowMsg, s.Slow = im.MessageID{Sender: im.Ana, N: uint32(1 + r.IntN(5))}, ms(0, 300, 4000)
	s.Interval = ms(100, 500, 2000)
	s.Phase = ms(0, 0, 50, 1999)
	s.Overlap = ms(0, 100, 1000, 10000)
	s.Hold = ms(100, 2000, 30000)
	s.Heartbeat = ms(100, 900, 5000)
	s.Page = int64([]int{1, 2, 3, 100}[r.IntN(4)])
	s.OneWriter, s.RowLock = sometimes(), sometimes()
	s.NoIDs, s.NoDedupe, s.NoACK = sometimes(), sometimes(), sometimes()
	if sometimes() {
		s.Rollback = sim.Certain / 4
	}
	if sometimes() {
		s.Attempts = int64(1 + r.IntN(3))
	}
	if r.IntN(2) == 0 {
		from := im.Time(r.Int64N(int64(s.Length)))
		s.Off = im.Span{From: from, To: from + 1 + im.Time(r.Int64N(int64(s.Length)))}
	}
	for n := range uint32(r.IntN(3)) {
		at := im.Time(r.Int64N(int64(s.Length)))
		s.Edits = append(s.Edits, im.Edit{Verb: im.Press, At: at, Msg: im.HandMessage(im.Actor(1+r.IntN(2)), n+1)})
	}
	return s
}

func eachOddPolling(t *testing.T, check func(s *im.Scenario, e Entry, trace im.Trace)) {
	for seed := range uint64(3 * *oddRuns) {
		s := oddPolling(seed)
		for _, e := range protocols(t, im.PollingChapter) {
			check(&s, e, run(t, &s, e))
		}
	}
}

// TestPollingFold compares the figures of a fold that forgets with those of one that keeps everything, and these with a count made
// from nothing.
func TestPollingFold(t *testing.T) {
	eachOddPolling(t, func(s *im.Scenario, e Entry, trace im.Trace) {
		keeping, forgetting := im.NewFold(s, true), im.NewFold(s, false)
		for i := range trace {
			keeping.Step(&trace[i])
			forgetting.Step(&trace[i])
		}
		if got, want := forgetting.Metrics(), keeping.Metrics(); !reflect.DeepEqual(got, want) {
			t.Fatalf("forgetting %+v\nkeeping    %+v\n%s", pollCountsOf(got), pollCountsOf(want), command(s, e.Name))
		}
		if got, want := pollCountsOf(keeping.Metrics()), recountPolls(s, trace); got != want {
			t.Fatalf("got  %+v\nwant %+v\n%s", got, want, command(s, e.Name))
		}
	})
}

// pollCounts is what of the metrics is counted again.
type pollCounts struct {
	Messages, Stored, Missing, Duplicates, Polls, Empty, Lost, Waits, HeadersUp, BytesDown, Written int64
	WaitSum                                                                                         im.Time
}

func pollCountsOf(m im.Metrics) pollCounts {
	return pollCounts{m.Messages, m.Stored, m.Missing, m.Duplicates, m.Polls, m.EmptyPolls, m.Lost, m.Wait.N, m.HeadersUp, m.Cost.BytesDown,
		m.Cost.RowsWritten, m.Wait.Sum}
}

// recountPolls counts a run's figures from their definitions.
func recountPolls(s *im.Scenario, trace im.Trace) (c pollCounts) {
	pressed, shown := map[im.MessageID]im.Time{}, map[im.MessageID]bool{}
	stored, lost := map[im.MessageID]bool{}, map[im.MessageID]bool{}
	connected := false
	for i := range trace {
		step, d := &trace[i], &trace[i].Data
		switch d.Kind {
		case im.Pressed:
			c.Messages++
			pressed[d.Msg] = step.At
		case im.Stored:
			c.Written++
			stored[d.Msg] = true
		case im.Shown:
			if shown[d.Msg] || d.Msg.Sender == s.Reader {
				c.Duplicates++
				break
			}
			shown[d.Msg] = true
			c.Waits++
			c.WaitSum += step.At - pressed[d.Msg]
		case im.Answered:
			if d.New == 0 {
				c.Empty++
			}
		case im.Connected:
			connected = true
		case im.Broken, im.TurnedOff, im.Silent:
			connected = false
		case im.ReadPast:
			lost[d.Msg] = true
		case im.Left:
			c.BytesDown += bytesDown(d)
			if d.Leg == im.PollLeg {
				c.Polls++
			}
			if d.Leg.FromPhone() && (d.Leg == im.ConnectLeg || step.Actor != s.Reader || !connected) {
				c.HeadersUp += 500
			}
		}
	}
	c.Stored = int64(len(stored))
	for m := range stored {
		if m.Sender != s.Reader && !shown[m] {
			c.Missing++
		}
		if lost[m] && !shown[m] {
			c.Lost++
		}
	}
	return c
}

func bytesDown(d *im.Data) int64 {
	switch {
	case d.Leg == im.AckLeg:
		return 12
	case d.Leg == im.PushLeg:
		return 200
	case d.Leg == im.PollReplyLeg && d.Hi != 0:
		return 200*int64(d.Rows) + 8
	case d.Leg == im.PollReplyLeg:
		return 200 * int64(d.Rows)
	}
	return 0
}

// TestLostOrGiven checks what becomes of each row: it is shown once, or the reader has read past it, or, at the end of the run, it
// could still come. A row is read past exactly when it is not shown and the reader's last position is behind it.
func TestLostOrGiven(t *testing.T) {
	lost := map[string]int{}
	eachOddPolling(t, func(s *im.Scenario, e Entry, trace im.Trace) {
		fail := func(what string, id int64) {
			t.Helper()
			t.Fatalf("id %d: %s\n%s", id, what, command(s, e.Name))
		}
		given, passed, inserted := map[int64]bool{}, map[int64]bool{}, map[int64]im.Time{}
		rows, buffered := map[int64]im.Data{}, map[int64]bool{}
		last := im.Position{ID: s.FirstID}
		for i := range trace {
			d := &trace[i].Data
			switch d.Kind {
			case im.Began:
				inserted[d.ID] = trace[i].At
			case im.Stored:
				rows[d.ID] = *d
				if _, ok := inserted[d.ID]; !ok {
					inserted[d.ID] = trace[i].At
				}
			case im.Buffered:
				buffered[d.ID] = true
			case im.Shown:
				if given[d.ID] || passed[d.ID] {
					fail("is shown twice, or though it was lost", d.ID)
				}
				if _, ok := rows[d.ID]; !ok {
					fail("is shown before its commit", d.ID)
				}
				given[d.ID] = true
			case im.ReadPast:
				if passed[d.ID] || given[d.ID] {
					fail("is lost twice, or though it was shown", d.ID)
				}
				passed[d.ID] = true
				lost[e.Name]++
			case im.Answered:
				last = d.Position()
			}
		}
		for id, d := range rows {
			if d.Msg.Sender == s.Reader {
				continue
			}
			behind := id <= last.ID
			if last.By == im.SinceTime && last.ID == 0 {
				behind = inserted[id] < last.At
			}
			if want := behind && !given[id]; passed[id] != want && !paging(trace) && !buffered[id] {
				fail("it is read past, or not, wrongly", id)
			}
		}
	})
	for protocol, want := range map[string]bool{"poll-id": true, "poll-time": true, "poll-token": false, "long-poll": true} {
		if got := lost[protocol] > 0; got != want {
			t.Errorf("%s loses %d rows", protocol, lost[protocol])
		}
	}
}

// paging reports whether the run ended between two pages: the position of poll-time is then no time.
func paging(trace im.Trace) bool {
	more := false
	for i := range trace {
		if d := &trace[i].Data; d.Kind == im.Answered {
			more = d.More
		}
	}
	return more
}

// TestPollingLuck checks that a poll of the same number and page has the same luck under every protocol that polls, and a message
// under all.
func TestPollingLuck(t *testing.T) {
	for seed := range uint64(40) {
		s := oddPolling(seed)
		s.Off = im.Span{} // what arrives then is lost for another reason
		first := luckOf(&s, run(t, &s, pollEntry(t, "poll-id")))
		for _, e := range protocols(t, im.PollingChapter)[1:] {
			other := luckOf(&s, run(t, &s, e))
			if e.Name == "long-poll" || e.Name == "push" { // their requests are counted, not on the grid
				for l := range other.legs {
					if l.msg.N == 0 {
						delete(other.legs, l)
					}
				}
			}
			common(t, command(&s, e.Name), first.legs, other.legs)
			if n := common(t, command(&s, e.Name), first.times, other.times); n != len(first.times) {
				t.Errorf("%d of %d messages are sent in both\n%s", n, len(first.times), command(&s, e.Name))
			}
		}
	}
}

// TestPollingSameBytesEverywhere plays a run of every kind of step and compares it with what it gave when this test was written.
func TestPollingSameBytesEverywhere(t *testing.T) {
	want := map[string]string{"poll-id": "7a3eb0103682c217", "poll-time": "1ee7fe0edd40eb4c", "poll-token": "b5b66b391e0cd1a1",
		"long-poll": "987f6ce4490bdc89", "push": "e01a25e5f1bdd8e7"}
	for _, e := range protocols(t, im.PollingChapter) {
		s := polling(t, "random", "messages=200,loss=0.1,write=700ms,rollback=0.05,off=100s-200s,page=7,heartbeat=9s,hold=3s")
		first, second := digest(t, &s, e), digest(t, &s, e)
		if first != second {
			t.Errorf("%s: two runs of the same input differ", e.Name)
		}
		if first != want[e.Name] {
			t.Errorf("%s: got %s, want %s\n%s", e.Name, first, want[e.Name], command(&s, e.Name))
		}
	}
}
