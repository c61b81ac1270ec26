package sim

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// numbered is a model's event in these tests: a number, so that order can be seen.
type numbered int

// nowhere is a sink for engines whose steps do not matter.
type nowhere struct{}

func (nowhere) Step(*Step[numbered]) StepID { return 0 }

// after schedules what in a lane.
func after(e *Engine[numbered, numbered], l *Lane[numbered], what numbered) Ticket {
	*e.Slot(l) = what
	return e.After(l, e.Cause())
}

// TestOrderAgainstSort plays random events through lanes and heap, and through a list that is sorted before every step. Some are called
// back, be it that they have come already.
func TestOrderAgainstSort(t *testing.T) {
	type dumb struct {
		at       Time
		class    Class
		inserted int
		what     numbered
	}
	type called struct {
		lane   *Lane[numbered]
		ticket Ticket
		what   numbered
	}
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 0))
		e := New[numbered](nowhere{})
		delays := []Time{0, 1, 1, 5, 50}
		classes := []Class{Arrival, Read, Timer, Arrival, Read}
		lanes := make([]*Lane[numbered], len(delays))
		for i := range lanes {
			lanes[i] = e.Lane(delays[i], classes[i])
		}
		var list []dumb
		var tickets []called
		var inserted int
		push := func() {
			what := numbered(inserted)
			inserted++
			if i := r.IntN(2 * len(lanes)); i < len(lanes) {
				tickets = append(tickets, called{lanes[i], after(e, lanes[i], what), what})
				list = append(list, dumb{e.Now() + delays[i], classes[i], inserted, what})
				return
			}
			at, class := e.Now()+Time(r.IntN(8)), Class(r.IntN(3))
			*e.At(at, class, e.Cause()) = what
			list = append(list, dumb{at, class, inserted, what})
		}
		for range 40 {
			push()
		}
		for len(list) > 0 {
			slices.SortFunc(list, func(a, b dumb) int {
				return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.class, b.class), cmp.Compare(a.inserted, b.inserted))
			})
			got := e.Next(time.Hour)
			if got == nil || *got != list[0].what || e.Now() != list[0].at {
				t.Fatalf("seed %d: got %v at %d, want %d at %d", seed, got, e.Now(), list[0].what, list[0].at)
			}
			gone := *got
			list = list[1:]
			for n := r.IntN(3); n > 0 && inserted < 400; n-- {
				push()
			}
			for n := r.IntN(3); n > 0 && len(tickets) > 0 && seed%2 == 0; n-- {
				c := tickets[r.IntN(len(tickets))]
				e.Cancel(c.lane, c.ticket)
				list = slices.DeleteFunc(list, func(d dumb) bool { return d.what == c.what })
			}
			e.Cancel(lanes[0], 0)
			if *got != gone {
				t.Fatalf("seed %d: event %d became %d while it was handled", seed, gone, *got)
			}
		}
		if got := e.Next(time.Hour); got != nil {
			t.Fatalf("seed %d: %d after the last", seed, *got)
		}
	}
}

// TestUntil checks that what lies after the end stays where it is, and that the past cannot be scheduled.
func TestUntil(t *testing.T) {
	e := New[numbered](nowhere{})
	first, second := numbered(1), numbered(2)
	*e.At(10, Timer, e.Cause()) = first
	if e.Next(9) != nil || e.Now() != 0 {
		t.Error("an event after the end came")
	}
	if got := e.Next(10); got == nil || *got != 1 || e.Now() != 10 {
		t.Error("an event at the end did not come")
	}
	*e.At(3, Timer, e.Cause()) = second
	if got := e.Next(10); got == nil || *got != 2 || e.Now() != 10 {
		t.Error("an event for the past does not come now")
	}
}

// TestLentEvent checks that an event stays as it is while it is handled, also when its lane's ring is full.
func TestLentEvent(t *testing.T) {
	e := New[numbered](nowhere{})
	lane := e.Lane(5, Arrival)
	for n := range numbered(16) {
		after(e, lane, n)
	}
	for n := range numbered(100) {
		got := e.Next(time.Hour)
		next := n + 16
		after(e, lane, next)
		if *got != n {
			t.Fatalf("event %d became %d", n, *got)
		}
	}
}

// TestCauses checks which step the recorded and the scheduled follow from.
func TestCauses(t *testing.T) {
	var trace Trace[numbered]
	e := New[numbered](&trace)
	record := func(n numbered) StepID { *e.Draft() = n; return e.Record(0) }
	what := numbered(0)
	lane := e.Lane(5, Arrival)

	*e.At(1, Timer, e.Cause()) = what
	e.Next(time.Hour)
	first := record(1) // caused by nothing
	e.Because(first)
	second := record(2)
	after(e, lane, what) // caused by the first
	e.Because(second)
	*e.At(3, Timer, e.Cause()) = what // caused by the second

	for _, want := range []StepID{second, first} {
		e.Next(time.Hour)
		if e.Cause() != want {
			t.Errorf("at %d the cause is %d, want %d", e.Now(), e.Cause(), want)
		}
		record(3)
	}
	var causes []StepID
	for _, s := range trace {
		causes = append(causes, s.Cause)
	}
	if want := []StepID{0, first, second, first}; !slices.Equal(causes, want) {
		t.Errorf("the steps' causes are %v, want %v", causes, want)
	}
}

// TestTies checks that the steps of one event share a moment, and that an event which records nothing has none.
func TestTies(t *testing.T) {
	var trace Trace[numbered]
	e := New[numbered](&trace)
	record := func(n numbered) { *e.Draft() = n; e.Record(0) }
	record(0) // before any event
	what := numbered(0)
	for _, at := range []Time{0, 5, 5, 5, 6} {
		*e.At(at, Timer, e.Cause()) = what
	}
	e.Next(time.Hour)
	record(1)
	record(2)
	e.Next(time.Hour)
	record(3)
	e.Next(time.Hour) // silent
	e.Next(time.Hour)
	record(4)
	e.Next(time.Hour)
	record(5)
	want := []Moment{{0, 0}, {0, 1}, {0, 1}, {5, 0}, {5, 1}, {6, 0}}
	for i := range trace {
		if got := trace[i].Moment(); got != want[i] {
			t.Errorf("step %d is at %+v, want %+v", i, got, want[i])
		}
	}
}

// TestUpto compares cuts of a trace with a plain filter.
func TestUpto(t *testing.T) {
	var trace Trace[numbered]
	for _, m := range []Moment{{0, 0}, {0, 0}, {0, 1}, {5, 0}, {5, 2}, {5, 2}, {9, 0}} {
		trace = append(trace, Step[numbered]{At: m.At, Tie: m.Tie})
	}
	for at := Time(-1); at < 11; at++ {
		for tie := range uint32(4) {
			n := 0
			for n < len(trace) && (trace[n].At < at || trace[n].At == at && trace[n].Tie <= tie) {
				n++
			}
			if got := len(trace.Upto(Moment{at, tie})); got != n {
				t.Errorf("up to (%d, %d): %d steps, want %d", at, tie, got, n)
			}
		}
	}
}
