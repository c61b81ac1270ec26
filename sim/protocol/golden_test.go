package protocol

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"imscope/sim/im"
)

var update = flag.Bool("update", false, "rewrite the transcripts in testdata")

// goldens are the runs whose transcripts are kept: a scenario under every protocol, or a variation under one.
var goldens = []struct {
	scenario string
	protocol string // empty: all
	settings string // name=value, separated by commas
}{
	{"book", "", ""},
	{"trio", "", ""},
	{"random", "", ""},
	{"book", "arrival", "reopen=ana"},                 // two lines change places in front of her
	{"book", "by-seq", "write=500ms"},                 // writers queue for the row lock
	{"random", "by-seq", "fetchloss=on,loss=0.3"},     // the phone asks again
	{"random", "by-seq", "reorder=on"},                // gaps that close by themselves
	{"random", "by-id", "dedupe=off,loss=0.3"},        // copies
	{"random", "by-id", "attempts=2,loss=0.5,seed=2"}, // messages that are given up
	{"random", "arrival", "ack=off,loss=0.3"},         // messages that nobody misses
}

// TestTranscripts compares runs with their transcripts, step by step. Read a changed transcript before keeping it.
func TestTranscripts(t *testing.T) {
	for _, g := range goldens {
		for _, e := range catalog(t) {
			if g.protocol != "" && g.protocol != e.Name {
				continue
			}
			name := strings.TrimSuffix(g.scenario+"-"+e.Name+"-"+strings.ReplaceAll(g.settings, ",", "-"), "-")
			t.Run(name, func(t *testing.T) {
				s := scenario(t, g.scenario, g.settings)
				compare(t, filepath.Join("testdata", name+".txt"), transcript(t, &s, e))
			})
		}
	}
}

func transcript(t *testing.T, s *im.Scenario, e Entry) []byte {
	t.Helper()
	var text bytes.Buffer
	if err := im.WriteTranscript(&text, s, run(t, s, e)); err != nil {
		t.Fatal(err)
	}
	return text.Bytes()
}

func compare(t *testing.T, file string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Equal(got, want) {
		return
	}
	gotLines, wantLines := strings.Split(string(got), "\n"), strings.Split(string(want), "\n")
	for i := range min(len(gotLines), len(wantLines)) {
		if gotLines[i] != wantLines[i] {
			t.Fatalf("%s:%d\n got %s\nwant %s\nif that is meant: go test ./sim/protocol -update", file, i+1, gotLines[i], wantLines[i])
		}
	}
	t.Fatalf("%s: got %d lines, want %d", file, len(gotLines), len(wantLines))
}
