package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"
)

func TestChoose(t *testing.T) {
	all := [][]check{{{name: "a"}, {name: "b"}}, {{name: "c"}}}
	todo, err := choose(all, []string{"c", "a"})
	if err != nil || len(todo[0]) != 1 || todo[0][0].name != "a" || len(todo[1]) != 1 {
		t.Errorf("%v, %v", todo, err)
	}
	if _, err := choose(all, []string{"d"}); err == nil || !strings.Contains(err.Error(), "a, b, c") {
		t.Errorf("an unknown name does not list the known ones: %v", err)
	}
}

func TestStageCounts(t *testing.T) {
	ends := func(err error) func(context.Context, io.Writer) error {
		return func(_ context.Context, out io.Writer) error {
			io.WriteString(out, "why\n")
			return err
		}
	}
	var w bytes.Buffer
	passed, failed := runStage(t.Context(), &w, []check{
		{"good", ends(nil)}, {"bad", ends(errors.New("broken"))}, {"elsewhere", ends(skipped("not here"))},
	})
	if passed != 1 || failed != 1 {
		t.Errorf("%d passed, %d failed", passed, failed)
	}
	if strings.Count(w.String(), "why") != 1 || !strings.Contains(w.String(), "broken") || !strings.Contains(w.String(), "not here") {
		t.Errorf("shows this:\n%s", &w)
	}
}

// The grandchild holds the output open, so command would wait for it if the
// signal did not reach it.
func TestCommandStopsGrandchildren(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	start := time.Now()
	if err := command(ctx, io.Discard, nil, "sh", "-c", "sleep 30; true"); err == nil {
		t.Error("no error")
	}
	if took := time.Since(start); took > 3*time.Second {
		t.Errorf("took %v", took)
	}
}
