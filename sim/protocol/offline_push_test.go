package protocol

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"imscope/sim"
	"imscope/sim/im"
)

// TestPush checks what becomes of a push that is lost, the only message of its conversation: the next message from anywhere shows it to who
// has an inbox, within the wait for a gap and a round trip; the others go on without it.
func TestPush(t *testing.T) {
	for protocol, missing := range map[string]int64{"global-id": 1, "conversation-cursors": 1, "inbox": 0} {
		s := offline(t, "push", "")
		trace := run(t, &s, offlineEntry(t, protocol))
		m := im.FoldTrace(&s, trace).Metrics()
		if m.Missing != missing || m.MissingUnnoticed() != missing {
			t.Errorf("%s: %d missing, %d of them unnoticed, want %d", protocol, m.Missing, m.MissingUnnoticed(), missing)
		}
		if want := 1 + 1 - missing; m.Cost.Requests != want {
			t.Errorf("%s: %d requests, want %d", protocol, m.Cost.Requests, want)
		}
		for i := range trace {
			if d := &trace[i].Data; d.Kind == im.Shown && d.Msg == message("M2") && trace[i].At != 68_800*im.Millisecond {
				t.Errorf("%s: the message comes at %s", protocol, trace[i].At)
			}
		}
	}
}

// TestPushesOfOneConversation checks that cursors show a lost push with the next message of the same conversation.
func TestPushesOfOneConversation(t *testing.T) {
	s := offline(t, "push", "")
	s.Events[2].Conv = s.Events[1].Conv
	for _, e := range protocols(t, im.OfflineChapter) {
		m := im.FoldTrace(&s, run(t, &s, e)).Metrics()
		if want := map[string]int64{"global-id": 1}[e.Name]; m.Missing != want {
			t.Errorf("%s: %d are missing, want %d", e.Name, m.Missing, want)
		}
	}
}

// TestPushesInDisorder plays pushes that are lost and overtake one another. By inbox the phone has in the end all that was stored before
// the last message that reached it, each once; nothing is shown twice under any protocol.
func TestPushesInDisorder(t *testing.T) {
	pulls := 0
	for seed := range 200 {
		r := rand.New(rand.NewPCG(uint64(seed), 0))
		s := offline(t, "push", fmt.Sprintf("seed=%d,reorder=on,gapwait=%dms", seed, r.IntN(300)))
		s.Loss = sim.Chance(r.IntN(5)) * sim.Certain / 10
		s.Events, s.Given = nil, nil
		for range 25 {
			s.Events = append(s.Events, im.Happening{Thousandth: 1000, After: im.Time(r.IntN(6000)) * im.Millisecond, Conv: int64(1 + r.IntN(3))})
		}
		for _, e := range protocols(t, im.OfflineChapter) {
			shown := make(map[im.MessageID]bool)
			inbox := make(map[im.MessageID]int64)
			biggest := int64(0)
			for _, step := range run(t, &s, e) {
				switch d := &step.Data; d.Kind {
				case im.Stored:
					inbox[d.Msg] = d.Inbox
				case im.Shown:
					if shown[d.Msg] {
						t.Fatalf("%s is shown twice\n%s", d.Msg, command(&s, e.Name))
					}
					shown[d.Msg] = true
					biggest = max(biggest, d.Inbox)
				case im.GapSeen:
					pulls++
				}
			}
			for m, number := range inbox {
				if e.Name == "inbox" && number < biggest && !shown[m] {
					t.Errorf("%s is missing\n%s", m, command(&s, e.Name))
				}
			}
		}
	}
	if pulls < 200 {
		t.Errorf("only %d gaps were seen", pulls)
	}
}

// TestAhead checks how numbers beyond a gap are counted.
func TestAhead(t *testing.T) {
	var a ahead
	upto := int64(10)
	for _, c := range []struct{ n, upto, gap, lo, hi int64 }{
		{11, 11, 0, 0, 0}, {13, 11, 1, 12, 12}, {16, 11, 3, 12, 15}, {13, 11, 3, 12, 15}, {12, 13, 2, 14, 15}, {5, 13, 2, 14, 15}, {15, 13, 1, 14, 15},
		{14, 16, 0, 0, 0}, {17, 17, 0, 0, 0},
	} {
		upto = a.take(upto, c.n)
		if gap := a.gap(upto); upto != c.upto || gap != (im.Gap{N: c.gap, Lo: c.lo, Hi: c.hi}) {
			t.Errorf("after %d: up to %d, missing %+v, want %+v", c.n, upto, gap, c)
		}
	}
}
