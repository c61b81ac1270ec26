// Command rivals compares the engine with other ways to play the same run: 10% loss, two phones, lines by id, for the figures alone. They
// take turns in one process, so that whatever else the machine does troubles all alike; and the turns are short and many, so that each has
// some that nothing disturbs.
//
//	cd sim/rivals && go run .
package main

import (
	"flag"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"time"

	"imscope/sim"
	"imscope/sim/im"
)

// longRun is a random run of about n messages with 10% loss.
func longRun(n int64) im.Scenario {
	s, _ := im.FindScenario(im.OrderingChapter, "random")
	s.Messages = n
	s.Loss = sim.Certain / 10
	return s
}

// rival is a way to play a run.
type rival struct {
	name string
	play func(*im.Scenario) im.Metrics
	goal string
	took []time.Duration
}

func main() {
	messages := flag.Int64("messages", 20_000, "how many messages a turn has")
	rounds := flag.Int("rounds", 100, "how many turns each has")
	flag.Parse()
	rivals := []*rival{
		{name: "this engine", play: ours},
		{name: "heap loop", play: heapLoop, goal: "1.0"},
		{name: "FIFO loop", play: fifoLoop, goal: "0.5"},
		{name: "simgo", play: simgoLoop, goal: "45"},
		{name: "this engine, steps kept", play: oursKept},
	}
	for range *rounds {
		for _, r := range rivals {
			s := longRun(*messages)
			start := time.Now()
			r.play(&s)
			r.took = append(r.took, time.Since(start))
		}
	}
	us := rivals[0].best()
	fmt.Printf("%d messages, best of %d turns\n\n%-24s %12s %9s %6s\n", *messages, *rounds, "", "messages/s", "ours ÷ it", "goal")
	for _, r := range rivals {
		fmt.Printf("%-24s %12.0f %9.2f %6s\n", r.name, float64(*messages)/r.best().Seconds(), r.best().Seconds()/us.Seconds(), r.goal)
	}
	fmt.Printf("\nsteps kept: %.2f of the speed without (goal 0.4)\n", us.Seconds()/rivals[4].best().Seconds())
	fmt.Printf("two at once: %.2f times one (goal 1.8 on an idle machine)\n", together(*messages, *rounds, us))
	for _, n := range []int64{10_000, 10_000_000} {
		fmt.Printf("%10d messages allocate %d bytes\n", n, allocated(n))
	}
}

// best is the turn that was disturbed least.
func (r *rival) best() time.Duration {
	return slices.Min(r.took)
}

// together plays two runs side by side, and tells how much faster that is than one after the other.
func together(messages int64, rounds int, one time.Duration) float64 {
	s := longRun(messages)
	best := 2 * one
	for range rounds {
		start := time.Now()
		var both sync.WaitGroup
		for range 2 {
			both.Go(func() { ours(&s) })
		}
		both.Wait()
		best = min(best, time.Since(start))
	}
	return 2 * one.Seconds() / best.Seconds()
}

// allocated is what a run allocates from its beginning to its end.
func allocated(messages int64) uint64 {
	s := longRun(messages)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	ours(&s)
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}
