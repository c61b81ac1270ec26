// Command check is what `npm test` runs: every check of the project, one line
// each, and a count at the end.
//
//	npm test                      all of them
//	npm test -- unit browser      only these
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// A check writes what a reader needs to mend it to out; that is shown when it
// returns an error.
type check struct {
	name string
	run  func(ctx context.Context, out io.Writer) error
}

// skipped is the error of a check that cannot run on this machine.
type skipped string

func (s skipped) Error() string { return string(s) }

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	ok, err := run(ctx, os.Stdout, os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	if !ok {
		os.Exit(1)
	}
}

// run reports whether all went well; err is what kept it from finding out.
func run(ctx context.Context, w io.Writer, names []string) (ok bool, err error) {
	todo, err := choose(stages, names)
	if err != nil {
		return false, err
	}
	start := time.Now()
	if line := prepareMachine(ctx, w, todo); line != "" {
		fmt.Fprintf(w, "%s\n0 passed, 1 failed\n", line)
		return false, nil
	}

	var passed, failed int
	for _, stage := range todo {
		p, f := runStage(ctx, w, stage)
		passed += p
		failed += f
		if ctx.Err() != nil {
			return false, errors.New("interrupted")
		}
	}
	fmt.Fprintf(w, "took %.1f s\n%d passed, %d failed\n", time.Since(start).Seconds(), passed, failed)
	return failed == 0, nil
}

// choose keeps the named checks of the stages, or all when none is named.
func choose(stages [][]check, names []string) ([][]check, error) {
	if len(names) == 0 {
		return stages, nil
	}
	var known []string
	var todo [][]check
	for _, stage := range stages {
		var keep []check
		for _, c := range stage {
			known = append(known, c.name)
			if slices.Contains(names, c.name) {
				keep = append(keep, c)
			}
		}
		todo = append(todo, keep)
	}
	for _, name := range names {
		if !slices.Contains(known, name) {
			return nil, fmt.Errorf("no check is called %q; there are %s", name, strings.Join(known, ", "))
		}
	}
	return todo, nil
}

// runStage runs the checks of a stage side by side, as many as there are
// cores, and prints each when it is done.
func runStage(ctx context.Context, w io.Writer, stage []check) (passed, failed int) {
	var mu sync.Mutex // guards w and the counts
	var wg sync.WaitGroup
	free := make(chan struct{}, runtime.NumCPU())
	for _, c := range stage {
		wg.Go(func() {
			free <- struct{}{}
			defer func() { <-free }()
			var out bytes.Buffer
			start := time.Now()
			err := c.run(ctx, &out)
			seconds := time.Since(start).Seconds()

			mu.Lock()
			defer mu.Unlock()
			var skip skipped
			switch {
			case ctx.Err() != nil: // stopped, so it says nothing about the code
			case errors.As(err, &skip):
				fmt.Fprintf(w, "%-12s skipped %5.1f s  %s\n", c.name, seconds, skip)
			case err != nil:
				failed++
				fmt.Fprintf(w, "%-12s FAILED  %5.1f s\n%s%v\n", c.name, seconds, out.Bytes(), err)
			default:
				passed++
				fmt.Fprintf(w, "%-12s ok      %5.1f s\n", c.name, seconds)
			}
		})
	}
	wg.Wait()
	return passed, failed
}
