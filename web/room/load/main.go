//go:build linux

// Command load measures how a class follows: very many followers on this machine, five changes of the clock a second and every twentieth
// change another run. The server is a process of its own, and so are the followers; this one presses the presenter's keys. Beside ours
// there is what most would write by hand, a goroutine and a channel a follower, and a library, which send as many bytes as often. They take
// turns, so that whatever else the machine does troubles all alike.
//
//	cd web/room/load && go run .
//
// It needs Linux, for what it counts and for reading 10,000 connections cheaply, and as many open files in a process as followers.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"slices"
	"time"
)

const (
	pause    = 200 * time.Millisecond // between two changes
	runEvery = 20                     // every such change is one of the run
)

func main() {
	log.SetFlags(0)
	raiseFiles()
	if len(os.Args) > 1 && os.Args[1] == "serve" {
		serve(os.Args[2])
		return
	}
	if len(os.Args) > 1 && os.Args[1] == "follow" {
		follow()
		return
	}
	followers := flag.Int("followers", 10_000, "how many follow")
	rounds := flag.Int("rounds", 5, "how many times each takes its turn: 20 changes in 4 s")
	flag.Parse()
	fmt.Printf("%d followers; a change of the clock takes %d bytes, one of the run %d (%d before compression)\n\n", *followers, len(clockEvent("c", 0)), len(runBytes), len(runEvents))

	one := compare(*followers, *rounds)
	fmt.Println()
	many := newTrial("ours", 100, *followers/100)
	defer many.stop()
	for range *rounds {
		many.turn()
	}
	fmt.Printf("%-34s %8s %8s %8s %8s %10s %9s\n", fmt.Sprintf("100 rooms of %d", *followers/100), "p50", "p99", "run p99", "KB each", "µs CPU", "reached")
	many.print()
	goals(one)
}

// compare lets ours and the others take turns with one room.
func compare(followers, rounds int) []*trial {
	var all []*trial
	for _, kind := range []string{"ours", "channels", "centrifuge"} {
		t := newTrial(kind, 1, followers)
		defer t.stop()
		all = append(all, t)
	}
	for range rounds {
		for _, t := range all {
			t.turn()
		}
	}
	fmt.Printf("%-34s %8s %8s %8s %8s %10s %9s\n", "one room", "p50", "p99", "run p99", "KB each", "µs CPU", "reached")
	for _, t := range all {
		t.print()
	}
	return all
}

// goals compares what was measured with what it is to be.
func goals(all []*trial) {
	ours, channels, centrifuge := all[0], all[1], all[2]
	fmt.Printf("\np99 of a change of the clock          %8.0f ms    goal: below 500\n", ours.clock.quantile(0.99))
	fmt.Printf("memory of the process a follower      %8.1f KB    goal: at most 35\n", ours.memory())
	fmt.Printf("CPU a delivery ÷ channels'            %8.2f       goal: at most 1.3  (by turns: %s)\n", ours.cpuEach()/channels.cpuEach(), byTurn(ours, channels))
	fmt.Printf("centrifuge's CPU a delivery ÷ ours    %8.2f       goal: at least 1.4 (by turns: %s)\n", centrifuge.cpuEach()/ours.cpuEach(), byTurn(centrifuge, ours))
}

// byTurn is the ratio of two in each turn, sorted.
func byTurn(a, b *trial) string {
	var ratios []float64
	for i := range a.perTurn {
		ratios = append(ratios, a.perTurn[i]/b.perTurn[i])
	}
	slices.Sort(ratios)
	return fmt.Sprintf("%.2f … %.2f", ratios[0], ratios[len(ratios)-1])
}
