package main

import (
	"reflect"
	"testing"

	"imscope/sim/im"
)

// TestSameFigures checks that all play the same run: every figure is the same, to the last wait.
func TestSameFigures(t *testing.T) {
	for seed := range uint64(5) {
		s := longRun(5000)
		s.Seed = seed
		want := ours(&s)
		if want.OwnMoves == 0 || want.Missing == 0 {
			t.Fatalf("seed %d: nothing happened: %+v", seed, want)
		}
		for name, loop := range map[string]func(*im.Scenario) im.Metrics{"heap loop": heapLoop, "FIFO loop": fifoLoop, "simgo": simgoLoop} {
			got := loop(&s)
			got.Cost.Connections = want.Cost.Connections // the loops hold none
			if !reflect.DeepEqual(got, want) {
				t.Errorf("seed %d, %s: %d messages, %d stored, %d missing, %d moved, wait %d, %+v; want %d, %d, %d, %d, %d, %+v", seed, name,
					got.Messages, got.Stored, got.Missing, got.OwnMoves, got.Wait.Mean(), got.Cost, want.Messages, want.Stored, want.Missing, want.OwnMoves, want.Wait.Mean(), want.Cost)
			}
		}
	}
}
