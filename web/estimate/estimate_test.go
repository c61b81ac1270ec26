package estimate

import (
	"context"
	"errors"
	"math"
	"reflect"
	"runtime"
	"slices"
	"testing"
	"time"

	"golang.org/x/sync/semaphore"

	"imscope/sim/im"
	"imscope/sim/protocol"
)

// scenario is a chapter's first or, if it has one, random scenario with knobs turned: name, value, name, value …
func scenario(t *testing.T, chapter string, knobs ...string) im.Scenario {
	t.Helper()
	s, ok := im.FindScenario(chapter, "random")
	if !ok {
		s = im.Scenarios(chapter)[0]
	}
	for i := 0; i < len(knobs); i += 2 {
		p, ok := im.FindParam(knobs[i])
		if !ok {
			t.Fatalf("no knob %s", knobs[i])
		}
		if err := p.Set(&s, knobs[i+1]); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func newEstimator(t *testing.T, p Plan, name string) *Estimator {
	t.Helper()
	chapter, _ := protocol.FindChapter(p.Scenario.Chapter)
	entry, ok := chapter.Find(name)
	if !ok {
		t.Fatalf("no protocol %s", name)
	}
	var figures []Figure
	for _, f := range im.FiguresIn(&p.Scenario) {
		figures = append(figures, f.Of)
	}
	return New(p, entry.New, figures)
}

func run(t *testing.T, p Plan, name string) *Report {
	t.Helper()
	return played(t, p, name).Report()
}

// played is an estimator that has played everything.
func played(t *testing.T, p Plan, name string) *Estimator {
	t.Helper()
	e := newEstimator(t, p, name)
	if err := Run(t.Context(), nil, e); err != nil {
		t.Fatal(err)
	}
	return e
}

// figure is the estimate of the figure of that name.
func figure(t *testing.T, r *Report, name string) Interval {
	t.Helper()
	for i, f := range im.FiguresIn(&r.Plan.Scenario) {
		if f.Name == name {
			return r.Figure(i)
		}
	}
	t.Fatalf("no figure %s", name)
	return Interval{}
}

// TestIntervalsHold checks that intervals hold the true figure about as often as they say. The figure is 100 × rate × round trip.
func TestIntervalsHold(t *testing.T) {
	const truth, runs = 10.0, 100
	s := scenario(t, im.OrderingChapter, "messages", "4000", "loss", "0")
	held := 0
	for s.Seed = range uint64(runs) {
		if p := figure(t, run(t, Split(&s), "arrival"), "inverted_pairs"); p.Low <= truth && truth <= p.High {
			held++
		}
	}
	if held < 88 || held == runs { // 95 ± 2.2; 88 and 100 are more than two of them away
		t.Errorf("%d of %d intervals hold %v, want about 95", held, runs, truth)
	}
}

// TestReference checks that the intervals of estimates with fixed seeds hold the reference figures, and that they are narrow enough
// for that to mean something.
func TestReference(t *testing.T) {
	type figures map[string]float64
	for _, c := range []struct {
		protocol string
		knobs    []string
		want     figures
	}{
		{"arrival", []string{"loss", "0", "seed", "1"}, figures{"inverted_pairs": 10.00}},
		{"arrival", []string{"seed", "2"}, figures{"inverted_pairs": 19.05, "missing_unnoticed": 10.00}},
		{"by-id", []string{"seed", "3"}, figures{"own_moves": 15.65, "missing_unnoticed": 10.00}},
		{"by-seq", []string{"seed", "4"}, figures{"own_moves": 14.96, "fetches": 13.40}},
	} {
		s := scenario(t, im.OrderingChapter, append(c.knobs, "messages", "200000")...)
		r := run(t, Split(&s), c.protocol)
		for name, want := range c.want {
			got := figure(t, r, name)
			if want < got.Low || want > got.High || got.High-got.Low > want/20 {
				t.Errorf("%s %v: %s is %.3f (%.3f … %.3f), want %v", c.protocol, c.knobs, name, got.Mean, got.Low, got.High, want)
			}
		}
	}
}

func TestReport(t *testing.T) {
	s := scenario(t, im.OrderingChapter, "messages", "20000", "loss", "0")
	e := played(t, Split(&s), "by-id")
	r, waits := e.Report(), e.Waits()
	if n := r.Messages(); r.Batches() != 10 || n < 19_000 || n > 21_000 {
		t.Errorf("%d batches, %d messages", r.Batches(), n)
	}
	for _, name := range []string{"inverted_pairs", "own_moves", "missing_unnoticed"} {
		if got := figure(t, r, name); got != (Interval{}) {
			t.Errorf("by id without loss everything is in order and nothing moves: %s is %+v", name, got)
		}
	}
	if w := r.WaitMS(); math.Abs(w.Mean-200) > 1e-9 || w.Low > w.Mean || w.High < w.Mean { // two legs of 100 ms
		t.Errorf("wait: got %+v, want 200", w)
	}
	if waits.Quantile(50) != 200 || waits.MaxMillis() != 200 || waits.N != r.Messages() {
		t.Errorf("%d waits, half within %d ms", waits.N, waits.Quantile(50))
	}
}

// TestAbsences checks a figure that is known: a phone that was away for a day is brought what came, each time another number of
// conversations.
func TestAbsences(t *testing.T) {
	s := scenario(t, im.OfflineChapter, "away", "1d")
	r := run(t, Repeat(&s, 200), "inbox")
	if got := figure(t, r, "new_messages"); got != (Interval{267, 267, 267}) {
		t.Errorf("%+v messages a day, want 267", got)
	}
	want := Active(s.Conversations, 267)
	if got := figure(t, r, "active_conversations"); got.Low > want || got.High < want || got.Low == got.High {
		t.Errorf("%+v conversations have news, want %v", got, want)
	}
	if got := r.WaitMS(); got.Low > 43.2e6 || got.High < 43.2e6 || got.High-got.Low > 1e6 { // their sum is more nanoseconds than an int64 holds
		t.Errorf("messages wait %+v ms, want half a day", got)
	}
}

// TestSplit checks that the batches of a plan have as many messages together as the run they stand for.
func TestSplit(t *testing.T) {
	for _, c := range []struct {
		chapter       string
		knobs         []string
		batches, size int64
	}{
		{im.OrderingChapter, []string{"messages", "200000"}, 20, 10_000},
		{im.OrderingChapter, []string{"messages", "200000", "phones", "3"}, 30, 10_000},
		{im.OrderingChapter, []string{"messages", "1000"}, 10, 100},
		{im.OrderingChapter, []string{"messages", "100000000"}, 10_000, 10_000},
		{im.OrderingChapter, []string{"length", "3600s"}, 10, 360},
		{im.PollingChapter, []string{"messages", "1000000", "length", "2000000s"}, 100, 10_000},
	} {
		s := scenario(t, c.chapter, c.knobs...)
		p := Split(&s)
		if p.Batches != c.batches || p.Size != c.size {
			t.Errorf("%v: %d batches of %d, want %d of %d", c.knobs, p.Batches, p.Size, c.batches, c.size)
		}
		if got, want := Expected(&p.Scenario)*p.Batches, Expected(&s); math.Abs(float64(got-want)) > float64(want)/1000 {
			t.Errorf("%v: the batches have %d messages, the whole %d", c.knobs, got, want)
		}
	}
}

// TestSeeds checks that estimates with neighbouring seeds share no batch, and that the first batch is the run of the seed.
func TestSeeds(t *testing.T) {
	seen := map[uint64]bool{}
	for seed := range uint64(10) {
		p := Plan{Scenario: im.Scenario{Seed: seed}}
		if p.Seed(0) != seed {
			t.Errorf("the first batch of seed %d has seed %d", seed, p.Seed(0))
		}
		for i := range int64(1000) {
			if s := p.Seed(i); seen[s] || s > im.MaxSeed {
				t.Fatalf("seed %d, batch %d: seed %d comes again or is too big", seed, i, s)
			}
			seen[p.Seed(i)] = true
		}
	}
}

// TestCores checks that an estimate is the same on any number of cores.
func TestCores(t *testing.T) {
	s := scenario(t, im.OrderingChapter, "messages", "20000")
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	one := played(t, Split(&s), "by-seq")
	runtime.GOMAXPROCS(4)
	if four := played(t, Split(&s), "by-seq"); !reflect.DeepEqual(one.done, four.done) || !reflect.DeepEqual(one.wait, four.wait) {
		t.Error("four cores give another report than one")
	}
}

// TestValues checks that the values of batches are those of runs with their seeds.
func TestValues(t *testing.T) {
	s := scenario(t, im.OrderingChapter)
	p := Repeat(&s, 5)
	requests := slices.IndexFunc(im.FiguresIn(&s), func(f im.Figure) bool { return f.Name == "requests" })
	for n, v := range run(t, p, "by-seq").Values(requests) {
		alone := s
		alone.Seed = p.Seed(v.Batch)
		if again := run(t, Repeat(&alone, 1), "by-seq").Values(requests)[0].Count; v.Batch != int64(n) || again != v.Count {
			t.Errorf("batch %d of place %d: %d, alone %d", v.Batch, n, v.Count, again)
		}
	}
}

// TestFewBatches checks that a report says so when it cannot tell.
func TestFewBatches(t *testing.T) {
	s := scenario(t, im.OfflineChapter)
	if got := figure(t, run(t, Repeat(&s, fewestBatches-1), "inbox"), "requests"); got.Mean == 0 || got.Low != 0 || !math.IsInf(got.High, 1) {
		t.Errorf("got %+v", got)
	}
}

// TestTogether checks that estimators that are played together come to what each comes to alone, also if one has fewer batches.
func TestTogether(t *testing.T) {
	many, few := scenario(t, im.OrderingChapter, "messages", "20000"), scenario(t, im.OfflineChapter)
	a, b := newEstimator(t, Split(&many), "by-id"), newEstimator(t, Repeat(&few, 4), "inbox")
	if err := Run(t.Context(), nil, a, b); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(a.done, run(t, a.plan, "by-id").batches) || !reflect.DeepEqual(b.done, run(t, b.plan, "inbox").batches) {
		t.Error("together they come to something else than alone")
	}
}

func TestCancel(t *testing.T) {
	s := scenario(t, im.OrderingChapter, "messages", "100000000")
	e := newEstimator(t, Split(&s), "by-seq")
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := Run(ctx, nil, e); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
	if done, of := e.Progress(); done == of || of != e.plan.Batches {
		t.Errorf("%d of %d batches are done", done, of)
	}
}

// TestGate checks that nothing is played while the gate is closed, and that waiting there ends too.
func TestGate(t *testing.T) {
	s := scenario(t, im.OrderingChapter, "messages", "1000")
	e := newEstimator(t, Split(&s), "by-id")
	gate := semaphore.NewWeighted(1)
	if err := gate.Acquire(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := Run(ctx, gate, e); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
	if done, _ := e.Progress(); done > 0 {
		t.Errorf("%d batches were played behind a closed gate", done)
	}
	gate.Release(1)
	if err := Run(t.Context(), gate, newEstimator(t, Split(&s), "by-id")); err != nil || !gate.TryAcquire(1) {
		t.Errorf("%v, or the gate is not free again", err)
	}
}

// TestTurns checks that a long batch lets others in.
func TestTurns(t *testing.T) {
	s := scenario(t, im.OrderingChapter, "messages", "100000000")
	e := newEstimator(t, Repeat(&s, 1), "by-seq")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	gate, ended := semaphore.NewWeighted(1), make(chan error)
	go func() { ended <- Run(ctx, gate, e) }()
	for gate.TryAcquire(1) { // until the batch has begun
		gate.Release(1)
	}
	for range 3 {
		if err := gate.Acquire(t.Context(), 1); err != nil {
			t.Fatal(err)
		}
		gate.Release(1)
	}
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) || !gate.TryAcquire(1) {
		t.Errorf("%v, or the gate is not free again", err)
	}
}

// TestStudent compares with the printed table.
func TestStudent(t *testing.T) {
	for freedom, want := range map[float64]float64{3: 3.182, 5: 2.571, 8: 2.306, 9: 2.262, 19: 2.093, 100: 1.984, 9999: 1.960} {
		if got := student(freedom); math.Abs(got/want-1) > 0.002 {
			t.Errorf("%v degrees of freedom: got %.4f, want %.3f", freedom, got, want)
		}
	}
}
