package find

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"
	"time"

	"imscope/sim/im"
	"imscope/sim/protocol"
)

// scenario is a chapter's scenario with knobs turned: name, value, name, value …
func scenario(t *testing.T, chapter, name string, knobs ...string) im.Scenario {
	t.Helper()
	s, ok := im.FindScenario(chapter, name)
	if !ok {
		t.Fatalf("no scenario %s", name)
	}
	for i := 0; i < len(knobs); i += 2 {
		p, _ := im.FindParam(knobs[i])
		if err := p.Set(&s, knobs[i+1]); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func newSearch(t *testing.T, s im.Scenario, name, condition string, seeds int64) *Search {
	t.Helper()
	chapter, _ := protocol.FindChapter(s.Chapter)
	entry, ok := chapter.Find(name)
	if !ok {
		t.Fatalf("no protocol %s", name)
	}
	search, err := New(&s, entry.New, condition, seeds)
	if err != nil {
		t.Fatal(err)
	}
	return search
}

func search(t *testing.T, s im.Scenario, name, condition string, seeds int64) *Run {
	t.Helper()
	run, err := newSearch(t, s, name, condition, seeds).Run(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// TestFound checks that what is found satisfies its condition and is as small as anybody could make it by hand.
func TestFound(t *testing.T) {
	for _, c := range []struct {
		chapter, scenario, protocol, condition string
		knobs                                  []string
		want                                   Size
	}{
		{im.OrderingChapter, "random", "by-id", "missing_unnoticed >= 1 && inverted_pairs == 0", nil, Size{1, 1}},      // one push
		{im.OrderingChapter, "random", "arrival", "inverted_pairs >= 1", nil, Size{2, 0}},                              // two that cross
		{im.OrderingChapter, "random", "by-seq", "fetches >= 1", nil, Size{2, 1}},                                      // one push, and one after it
		{im.OrderingChapter, "random", "by-id", "ana != server && ben != server && ana != ben", nil, Size{2, 2}},       // each lacks one
		{im.OrderingChapter, "random", "by-id", "carl != server", []string{"phones", "4"}, Size{1, 1}},                 // the phone that it is about stays
		{im.PollingChapter, "random", "poll-id", "duplicates >= 1", []string{"ids", "off", "loss", "0.2"}, Size{1, 1}}, // one ACK
		{im.OfflineChapter, "book", "inbox", "2 * active_conversations <= new_messages", []string{"away", "1d"}, Size{2, 0}},
	} {
		run := search(t, scenario(t, c.chapter, c.scenario, c.knobs...), c.protocol, c.condition, 2000)
		if run == nil {
			t.Errorf("%s, %s: nothing found", c.protocol, c.condition)
			continue
		}
		again := search(t, run.Scenario, c.protocol, c.condition, 1)
		if run.Size != c.want || again == nil || again.Size != run.Size || run.Was.compare(run.Size) < 0 {
			t.Errorf("%s, %s: %+v, was %+v, again %v; want %+v", c.protocol, c.condition, run.Size, run.Was, again != nil, c.want)
		}
	}
}

// TestNotFound checks that every seed was tried before nothing is found.
func TestNotFound(t *testing.T) {
	search := newSearch(t, scenario(t, im.OrderingChapter, "random"), "by-id", "inverted_pairs > 0", 500)
	if run, err := search.Run(t.Context(), nil); run != nil || err != nil {
		t.Errorf("by id: %+v, %v", run, err)
	}
	if tried, of := search.Progress(); tried != 500 || of != 500 {
		t.Errorf("%d of %d seeds were tried", tried, of)
	}
}

// TestCores checks that any number of cores finds the same.
func TestCores(t *testing.T) {
	s := scenario(t, im.OrderingChapter, "random")
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	one := search(t, s, "by-seq", "fetches >= 2 && own_moves >= 2", 1000)
	runtime.GOMAXPROCS(5)
	five := search(t, s, "by-seq", "fetches >= 2 && own_moves >= 2", 1000)
	if one.Scenario.Seed != five.Scenario.Seed || one.Size != five.Size || one.Tried != five.Tried {
		t.Errorf("one core: %+v of seed %d; five: %+v of seed %d", one.Size, one.Scenario.Seed, five.Size, five.Scenario.Seed)
	}
}

// TestCancel checks that a search ends with its context.
func TestCancel(t *testing.T) {
	search := newSearch(t, scenario(t, im.OrderingChapter, "random"), "by-id", "inverted_pairs > 0", 1_000_000_000)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := search.Run(ctx, nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
	if tried, _ := search.Progress(); tried == 0 {
		t.Error("no seed was tried")
	}
}

// TestBadConditions checks that it is said what is wrong, and where.
func TestBadConditions(t *testing.T) {
	s := scenario(t, im.OrderingChapter, "random")
	for condition, want := range map[string]ConditionError{
		"missing >= 1":                   {1, 1, "unknown name missing"},
		"fetches == 0 &&\n polls > 1":    {2, 2, "unknown name polls"}, // no phone asks in this chapter
		"fetches >":                      {1, 9, "unexpected token EOF"},
		"fetches":                        {1, 1, "expected bool, but got int"},
		"fetches == \"1\"":               {1, 9, "mismatched types int and string"},
		"":                               {1, 1, "unexpected token EOF"},
		"all(1..9, # > 0)":               {1, 6, "loops"},
		"carl == ana":                    {1, 1, "unknown name carl"},
		strings.Repeat(" ", 301):         {1, 301, "at most 300 bytes"},
		strings.Repeat("!", 150) + "1":   {1, 151, "exceeds maximum allowed nodes"},
		"fetches == 99999999999999999 1": {1, 30, "unexpected token"},
	} {
		_, err := Parse(condition, &s)
		var got *ConditionError
		if !errors.As(err, &got) || got.Line != want.Line || got.Column != want.Column || !strings.Contains(got.Text, want.Text) || strings.Contains(got.Text, "\n") {
			t.Errorf("%q: got %v, want %v", condition, err, &want)
		}
	}
}

// TestSometimesWrong checks that runs for which a condition cannot be computed do not satisfy it, and that it is said if there are no others.
func TestSometimesWrong(t *testing.T) {
	s := scenario(t, im.OrderingChapter, "random", "messages", "4")
	if run := search(t, s, "by-id", `ben[3] == "A1"`, 1000); run == nil || run.Messages < 4 {
		t.Errorf("found %+v", run)
	}
	_, err := newSearch(t, s, "by-id", `ben[99] == "A1"`, 100).Run(t.Context(), nil)
	if want := new(ConditionError); !errors.As(err, &want) || !strings.Contains(err.Error(), "line 1, column 4: index out of range") {
		t.Errorf("got %v", err)
	}
}

// TestVariables checks that every name is explained in both languages, and none is there twice.
func TestVariables(t *testing.T) {
	for _, chapter := range protocol.Catalog {
		s, seen := im.Scenarios(chapter.Name)[0], map[string]bool{}
		for _, v := range Variables(&s) {
			if v.En == "" || v.Zh == "" || seen[v.Name] {
				t.Errorf("%s: %s is there twice or not explained: %q, %q", chapter.Name, v.Name, v.En, v.Zh)
			}
			seen[v.Name] = true
		}
	}
}

// TestQuestions checks that every ready-made question can be asked of every protocol of its chapter, and that some run answers it.
func TestQuestions(t *testing.T) {
	all := map[string][]im.Scenario{
		im.OrderingChapter: {scenario(t, im.OrderingChapter, "random")},
		im.PollingChapter:  {scenario(t, im.PollingChapter, "random", "messages", "30", "loss", "0.2", "ids", "off")},
		im.OfflineChapter:  {scenario(t, im.OfflineChapter, "book", "away", "10m", "loss", "0.3"), scenario(t, im.OfflineChapter, "book", "away", "1d")},
	}
	for _, chapter := range protocol.Catalog {
		for _, q := range Questions(chapter.Name) {
			answered := false
			for _, s := range all[chapter.Name] {
				for _, e := range chapter.Protocols {
					answered = answered || search(t, s, e.Name, q.Where, 100) != nil
				}
			}
			if !answered || q.En == "" || q.Zh == "" {
				t.Errorf("%s: no run for %q under any protocol, or no words: %s / %s", chapter.Name, q.Where, q.En, q.Zh)
			}
		}
	}
}
