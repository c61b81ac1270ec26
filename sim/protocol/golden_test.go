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

// golden is a run whose transcript is kept: a scenario under every protocol, or a variation under one.
type golden struct {
	scenario string
	protocol string // empty: all
	settings string // name=value, separated by commas
}

var orderingGoldens = []golden{
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

var pollingGoldens = []golden{
	{"book", "", ""},
	{"book", "", "off=6s-14s"}, // everything missed comes at once
	{"hole", "", ""},           // the row that commits late is lost, or not
	{"hole", "poll-time", "overlap=500ms"},
	{"hole", "poll-id", "onewriter=on"},
	{"hole", "poll-id", "rowlock=on"},
	{"hole", "poll-id", "rowlock=on,apart=on"}, // two conversations, two locks
	{"gaps", "poll-id", ""},
	{"gaps", "poll-token", ""},
	{"retry", "poll-id", ""},
	{"retry", "poll-id", "ids=on"},
	{"book", "poll-id", "off=6s-14s,page=3"},
	{"book", "poll-time", "off=6s-14s,page=2"},                // a page of repeats
	{"book", "push", "off=6s-16.7s,page=1"},                   // a live line waits while pages come
	{"book", "long-poll", "hold=3s,loss=0.2,seed=2"},          // holds that end, answers that are lost
	{"book", "push", "loss=0.3,seed=3,heartbeat=2s"},          // heartbeats that fail
	{"book", "poll-id", "loss=0.3,latency=1.2s,rollback=0.3"}, // polls that are skipped
}

var offlineGoldens = []golden{
	{"book", "", ""},
	{"book", "", "away=open,conversations=10,page=5"},                      // pages
	{"book", "", "away=open,conversations=10,page=1,too-far=list,opens=1"}, // the list, then history
	{"book", "inbox", "away=open,page=4,loss=0.4,seed=2"},                  // requests and answers that are lost
	{"person", "", "conversations=12"},                                     // what is no message of a conversation known
	{"person", "conversation-cursors", "conversations=12,version=on"},
	{"race", "inbox", "head=before"}, // a message comes twice
	{"race", "inbox", "head=after"},  // one is lost
	{"locks", "", ""},                // two messages to one person at once
	{"several", "inbox", "locks=ordered"},
	{"several", "inbox", "locks=unordered"}, // a deadlock
	{"devices", "", ""},                     // the tablet has a cursor of its own
	{"push", "", ""},                        // a push is lost
	{"push", "inbox", "latency=900ms,reorder=on,gapwait=100ms,seed=3"},
}

// TestTranscripts compares runs with their transcripts, step by step. Read a changed transcript before keeping it.
func TestTranscripts(t *testing.T) {
	compareTranscripts(t, im.OrderingChapter, orderingGoldens)
	compareTranscripts(t, im.PollingChapter, pollingGoldens)
	compareTranscripts(t, im.OfflineChapter, offlineGoldens)
}

func compareTranscripts(t *testing.T, chapter string, goldens []golden) {
	for _, g := range goldens {
		for _, e := range protocols(t, chapter) {
			if g.protocol != "" && g.protocol != e.Name {
				continue
			}
			name := strings.TrimSuffix(g.scenario+"-"+e.Name+"-"+strings.ReplaceAll(g.settings, ",", "-"), "-")
			t.Run(name, func(t *testing.T) {
				s := setScenario(t, chapter, g.scenario, g.settings)
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
