package protocol

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"imscope/sim/im"
)

// TestLocks checks two messages to Ben that are written at once, in two conversations, the first of them slowly. By inbox the second
// waits, and 7,346 commits before 7,347; nothing is lost. By global id Ben reads between the two commits, and never asks for the first.
// Cursors ask each conversation for itself.
func TestLocks(t *testing.T) {
	for protocol, want := range map[string]struct {
		order string
		lost  int64
	}{
		"global-id":            {"M2 M1 ", 1},
		"conversation-cursors": {"M2 M1 ", 0},
		"inbox":                {"M1 M2 ", 0},
	} {
		s := offline(t, "locks", "")
		trace := run(t, &s, offlineEntry(t, protocol))
		order, waited := "", false
		numbers := []int64{}
		for i := range trace {
			switch d := &trace[i].Data; d.Kind {
			case im.Stored:
				order += d.Msg.String() + " "
				numbers = append(numbers, d.Inbox)
			case im.LockWaited:
				waited = waited || d.Msg == message("M2") && d.To == im.Ben
			}
		}
		m := im.FoldTrace(&s, trace).Metrics()
		if order != want.order || m.Lost != want.lost || m.Missing != want.lost || m.MissingUnnoticed() != want.lost || waited != (protocol == "inbox") {
			t.Errorf("%s: commits %s, %d lost, %d missing, waited %t", protocol, order, m.Lost, m.Missing, waited)
		}
		if protocol == "inbox" && (numbers[0] != 7346 || numbers[1] != 7347) {
			t.Errorf("the numbers are %v", numbers)
		}
	}
}

// TestSeveralLocks checks that two messages to the same two people are both stored once whatever the order of the locks; unordered, by a
// deadlock that is found after a second, when one is undone and begins anew.
func TestSeveralLocks(t *testing.T) {
	for _, locks := range []string{"ordered", "unordered"} {
		s := offline(t, "several", "locks="+locks)
		trace := run(t, &s, offlineEntry(t, "inbox"))
		undone, waits := 0, 0
		var waited im.Time
		for i := range trace {
			switch d := &trace[i].Data; d.Kind {
			case im.RolledBack:
				undone++
				if after := trace[i].At - waited; after != im.Second {
					t.Errorf("the deadlock is found after %s", after)
				}
			case im.LockWaited:
				if waits++; waits == 1 {
					waited = trace[i].At
				}
			}
		}
		m := im.FoldTrace(&s, trace).Metrics()
		if deadlock := locks == "unordered"; (undone == 1) != deadlock || undone > 1 || waits == 0 {
			t.Errorf("%s: %d transactions are undone, %d wait", locks, undone, waits)
		}
		if m.Stored != 2 || m.Missing != 0 || m.Cost.InboxRows != 4 {
			t.Errorf("%s: %d stored, %d missing, %d inbox rows", locks, m.Stored, m.Missing, m.Cost.InboxRows)
		}
	}
}

// TestLockInvariants writes many messages at once, to people in odd orders, and checks of the inbox that its numbers are contiguous and in
// the order of commits, and of every conversation that its seqs are; that every message is stored once; and that with ordered locks
// nothing is ever undone.
func TestLockInvariants(t *testing.T) {
	deadlocks := 0
	for seed := range 60 {
		for _, e := range protocols(t, im.OfflineChapter) {
			s := offline(t, "several", fmt.Sprintf("seed=%d,write=%dms", seed, 50+seed*13))
			s.Unordered = seed%2 == 1
			s.Events = crowd(seed)
			seqs := make(map[uint16]int64)
			number, undone := int64(im.InboxBefore), 0
			stored := make(map[im.MessageID]bool)
			for _, step := range run(t, &s, e) {
				d := &step.Data
				switch d.Kind {
				case im.RolledBack:
					undone++
				case im.Stored:
					if stored[d.Msg] || seqs[d.Conv] != 0 && d.Seq != seqs[d.Conv]+1 {
						t.Fatalf("%s is stored again or with seq %d after %d\n%s", d.Msg, d.Seq, seqs[d.Conv], command(&s, e.Name))
					}
					stored[d.Msg], seqs[d.Conv] = true, d.Seq
					if d.Inbox != 0 {
						if number++; d.Inbox != number {
							t.Fatalf("%s gets number %d, want %d\n%s", d.Msg, d.Inbox, number, command(&s, e.Name))
						}
					}
				}
			}
			if len(stored) != len(s.Events) {
				t.Errorf("%d of %d messages are stored\n%s", len(stored), len(s.Events), command(&s, e.Name))
			}
			if undone > 0 && !s.Unordered {
				t.Errorf("%d transactions are undone, though locks are ordered\n%s", undone, command(&s, e.Name))
			}
			deadlocks += undone
		}
	}
	if deadlocks < 10 {
		t.Errorf("only %d deadlocks were played", deadlocks)
	}
}

// crowd is twelve messages within a second, in three conversations, each to Ben and some of three others in any order.
func crowd(seed int) (events []im.Happening) {
	r := rand.New(rand.NewPCG(uint64(seed), 0))
	for i := range 12 {
		to := []im.Actor{im.Ben, im.Carl, im.Dana, im.Erik}[:1+r.IntN(4)]
		r.Shuffle(len(to), func(i, j int) { to[i], to[j] = to[j], to[i] })
		at := im.Time(i*(1+seed%7)) * 10 * im.Millisecond
		events = append(events, im.Happening{Thousandth: 500, After: at, Conv: int64(1 + i%3), To: to})
	}
	return events
}
