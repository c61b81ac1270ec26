package estimate

import (
	"math"
	"testing"
	"time"

	"imscope/sim/im"
	"imscope/sim/protocol"
)

// TestActive checks the table of the chapter on offline sync, in which the number of messages is not rounded.
func TestActive(t *testing.T) {
	for _, c := range []struct {
		absence                time.Duration
		messages, active, vain float64 // the last in per cent, of 200
		tolerance              float64
	}{
		{10 * time.Minute, 1.854, 1.8, 99.1, 0.05},
		{24 * time.Hour / 20, 13.35, 10.7, 94.6, 0.05},
		{24 * time.Hour, 267, 91, 54.5, 0.5},
	} {
		n := Missed(c.absence)
		active := Active(200, n)
		if math.Abs(n-c.messages) > 0.0005 || math.Abs(active-c.active) > c.tolerance {
			t.Errorf("%s: %v messages in %v conversations, want %v in %v", c.absence, n, active, c.messages, c.active)
		}
		if vain := 100 - active/2; math.Abs(vain-c.vain) > c.tolerance {
			t.Errorf("%s: %v%% of the looks find nothing, want %v%%", c.absence, vain, c.vain)
		}
	}
	if got := Active(200, 0); got != 0 {
		t.Errorf("no message makes %v conversations active", got)
	}
	if got := Active(0, 5); got != 0 {
		t.Errorf("of no conversations, %v are active", got)
	}
	if got := Active(10, 1e9); math.Abs(got-10) > 1e-9 {
		t.Errorf("of 10 conversations, %v are active in the end", got)
	}
}

// TestDrawnAbsences compares what is drawn over 10,000 seeds with the formula at the number of messages that a run has.
func TestDrawnAbsences(t *testing.T) {
	const seeds = 10_000
	for _, c := range []struct {
		away     string
		messages int64
	}{{"10m", 2}, {"open", 13}, {"1d", 267}} {
		var sum, squares float64
		s := absence(t, c.away)
		for seed := range uint64(seeds) {
			s.Seed = seed
			n := drawn(t, &s, c.messages)
			sum += n
			squares += n * n
		}
		mean := sum / seeds
		deviation := math.Sqrt((squares/seeds - mean*mean) / (seeds - 1))
		want := Active(s.Conversations, float64(c.messages))
		if math.Abs(mean-want) > 3*deviation {
			t.Errorf("%s: %.4f ± %.4f conversations are active, want %.4f", c.away, mean, deviation, want)
		}
		t.Logf("%s: %.4f ± %.4f conversations are active, the formula says %.4f", c.away, mean, deviation, want)
	}
}

func absence(t *testing.T, away string) im.Scenario {
	t.Helper()
	s := im.Scenarios(im.OfflineChapter)[0]
	p, _ := im.FindParam("away")
	if err := p.Set(&s, away); err != nil {
		t.Fatal(err)
	}
	return s
}

// drawn counts the conversations in which something comes.
func drawn(t *testing.T, s *im.Scenario, messages int64) (active float64) {
	all := s.Arrivals()
	if int64(len(all)) != messages {
		t.Fatalf("%d messages, want %d", len(all), messages)
	}
	var seen [201]bool
	for i := range all {
		if conv := all[i].Conv; !seen[conv] {
			seen[conv] = true
			active++
		}
	}
	return active
}

// TestRunsAreDrawnRuns checks that a run counts the conversations that its seed draws.
func TestRunsAreDrawnRuns(t *testing.T) {
	s := absence(t, "1d")
	chapter, _ := protocol.FindChapter(im.OfflineChapter)
	for seed := range uint64(20) {
		s.Seed = seed
		want := int64(drawn(t, &s, 267))
		for _, e := range chapter.Protocols {
			fold := im.NewFold(&s, false)
			if err := im.Run(t.Context(), &s, e.New(), fold); err != nil {
				t.Fatal(err)
			}
			if got := fold.Metrics().ActiveConversations; got != want {
				t.Errorf("seed %d, %s: %d are active, drawn are %d", seed, e.Name, got, want)
			}
		}
	}
}
