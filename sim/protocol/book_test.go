package protocol

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"imscope/sim/im"
)

// TestBook checks the book's run against the table of the chapter on ordering.
func TestBook(t *testing.T) {
	type figures struct{ pairs, missing, fetches, moves int64 }
	for _, want := range []struct {
		protocol, ana, ben string
		figures
	}{
		{"arrival", "B1 B2 A1 A2 A3 B3 A4", "B1 B2 A1 B3 A3 A4", figures{pairs: 2, missing: 1}},
		{"by-id", "B1 B2 A2 A1 A3 B3 A4", "B1 B2 A1 A3 B3 A4", figures{missing: 1, moves: 1}},
		{"by-seq", "B1 B2 A2 A1 A3 B3 A4", "B1 B2 A2 A1 A3 B3 A4", figures{fetches: 1, moves: 1}},
	} {
		t.Run(want.protocol, func(t *testing.T) {
			s := scenario(t, "book", "")
			fold := im.FoldTrace(&s, run(t, &s, entry(t, want.protocol)))
			if got := screen(fold, im.Ana); got != want.ana {
				t.Errorf("Ana's screen: got %s, want %s", got, want.ana)
			}
			if got := screen(fold, im.Ben); got != want.ben {
				t.Errorf("Ben's screen: got %s, want %s", got, want.ben)
			}
			if got, want := server(fold), "B1 1008, B2 1012, A2 1013, A1 1016, A3 1019, B3 1020, A4 1024"; got != want {
				t.Errorf("server: got %s, want %s", got, want)
			}
			m := fold.Metrics()
			if got := (figures{m.InvertedPairs, m.MissingUnnoticed(), m.Fetches, m.OwnMoves}); got != want.figures {
				t.Errorf("got %+v, want %+v", got, want.figures)
			}
		})
	}
}

// TestBookMoments checks the moments of the book's run by seq that the chapter tells.
func TestBookMoments(t *testing.T) {
	s := scenario(t, "book", "")
	trace := run(t, &s, entry(t, "by-seq"))
	a1, a2, a3, b3 := message("A1"), message("A2"), message("A3"), message("B3")
	for _, want := range []struct {
		what string
		at   time.Duration
		step func(actor im.Actor, d *im.Data) bool
	}{
		{"A1 is sent again", 6040, func(a im.Actor, d *im.Data) bool {
			return a == im.Ana && d.Kind == im.Left && d.Msg == a1 && d.Attempt == 2
		}},
		{"A1 is stored", 6140, func(_ im.Actor, d *im.Data) bool { return d.Kind == im.Stored && d.Msg == a1 && d.Seq == 4 }},
		{"A1 reaches Ben", 6240, func(a im.Actor, d *im.Data) bool {
			return a == im.Ben && d.Kind == im.Shown && d.Msg == a1 && d.Seq == 4 && d.Gap == 1
		}},
		{"Ben asks for 3", 6740, func(a im.Actor, d *im.Data) bool {
			return a == im.Ben && d.Kind == im.Asked && d.Lo == 3 && d.Hi == 3
		}},
		{"A2 is back", 6940, func(a im.Actor, d *im.Data) bool {
			return a == im.Ben && d.Kind == im.Shown && d.Msg == a2 && d.Fetched
		}},
		{"A3 reaches Ben", 6980, func(a im.Actor, d *im.Data) bool { return a == im.Ben && d.Kind == im.Shown && d.Msg == a3 }},
		{"B3 stands on Ben's screen", 6830, func(a im.Actor, d *im.Data) bool { return a == im.Ben && d.Kind == im.Pressed && d.Msg == b3 }},
	} {
		i := slices.IndexFunc(trace, func(s im.Step) bool { return want.step(s.Actor, &s.Data) })
		if i < 0 || trace[i].At != want.at*time.Millisecond {
			t.Errorf("%s: not at %d ms", want.what, want.at)
		}
	}
}

// TestReopen checks that Ana, by arrival, sees A1 and A2 change places when she opens the chat again.
func TestReopen(t *testing.T) {
	s := scenario(t, "book", "reopen=ana")
	trace := run(t, &s, entry(t, "arrival"))
	last := len(trace) - 1
	if got := screen(im.FoldTrace(&s, trace[:last]), im.Ana); got != "B1 B2 A1 A2 A3 B3 A4" {
		t.Errorf("before: %s", got)
	}
	if got := screen(im.FoldTrace(&s, trace), im.Ana); got != "B1 B2 A2 A1 A3 B3 A4" {
		t.Errorf("after: %s", got)
	}
}

// TestTrio checks what trio was chosen to show.
func TestTrio(t *testing.T) {
	s := scenario(t, "trio", "")
	fold := im.FoldTrace(&s, run(t, &s, entry(t, "arrival")))
	first := func(phone im.Actor) string { return screen(fold, phone)[:len("A1 B1 C1")] }
	if got := []string{first(im.Ana), first(im.Ben), first(im.Carl)}; !slices.Equal(got, []string{"A1 B1 C1", "B1 A1 C1", "C1 A1 B1"}) {
		t.Errorf("by arrival the screens begin with %q", got)
	}
	fold = im.FoldTrace(&s, run(t, &s, entry(t, "by-seq")))
	if !strings.Contains(screen(fold, im.Ana), "C2 A2") {
		t.Error("by seq, Ana does not get C2 back before her answer")
	}
	if m := fold.Metrics(); strings.Contains(screen(fold, im.Carl), "A3") || m.MissingUnnoticed() != 1 {
		t.Error("by seq, Carl should lack A3 and not know")
	}
}

// TestDefaultSeed checks that the random scenario, as it is when nobody touches a knob, shows each thing that the chapter is
// about, once or twice and not so often that it is hard to follow: by arrival screens disagree and a message is missing; by id an
// own message moves and the missing one stays unnoticed; by seq it is fetched and nothing is missing. It is the only seed up to 25
// that does so with the very number of messages that its knob says, Ana and Ben sending ten each.
func TestDefaultSeed(t *testing.T) {
	s := scenario(t, "random", "")
	metrics := func(protocol string) im.Metrics { return im.FoldTrace(&s, run(t, &s, entry(t, protocol))).Metrics() }
	arrival, byID, bySeq := metrics("arrival"), metrics("by-id"), metrics("by-seq")
	for what, ok := range map[string]bool{
		"as many messages as the knob says":     arrival.Messages == s.Messages,
		"by arrival, screens disagree":          arrival.InvertedPairs >= 2 && arrival.InvertedPairs <= 4,
		"by arrival and by id, one is missing":  arrival.Missing == 1 && byID.MissingUnnoticed() == 1,
		"by id, an own message moves":           byID.OwnMoves >= 1 && byID.InvertedPairs == 0,
		"by seq, it is fetched, nothing misses": bySeq.Fetches >= 1 && bySeq.Fetches <= 2 && bySeq.Missing == 0,
	} {
		if !ok {
			t.Errorf("seed %d does not show: %s", s.Seed, what)
		}
	}
}

func entry(t testing.TB, protocol string) Entry {
	t.Helper()
	for _, e := range catalog(t) {
		if e.Name == protocol {
			return e
		}
	}
	t.Fatalf("no protocol %q", protocol)
	return Entry{}
}

func message(name string) im.MessageID {
	m, _ := im.ParseMessage(name)
	return m
}

func screen(f *im.Fold, phone im.Actor) string {
	var names []string
	for _, l := range f.Screens[phone].Lines {
		names = append(names, l.Msg.String())
	}
	return strings.Join(names, " ")
}

func server(f *im.Fold) string {
	var rows []string
	for _, r := range f.Rows {
		rows = append(rows, fmt.Sprintf("%s %d", r.Msg, r.ID))
	}
	return strings.Join(rows, ", ")
}
