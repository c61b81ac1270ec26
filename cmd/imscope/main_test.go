package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"imscope/sim/im"
	"imscope/sim/protocol"
)

// try runs a command line and returns what it printed and how it ended.
func try(t *testing.T, line string) (stdout, stderr string, code int) {
	t.Helper()
	var out, errs bytes.Buffer
	err := run(t.Context(), strings.Fields(line), &out, &errs)
	code = exitCode(err, &errs)
	return out.String(), errs.String(), code
}

func TestWrongUse(t *testing.T) {
	for line, want := range map[string]string{
		"run ordering --loss 2":                                   "loss: \"2\" is not in the range 0 … 0.9",
		"run ordering --seed x":                                   "seed: \"x\" is not in the range 0 … 9007199254740991",
		"run ordering --scenario random --phones 10":              "phones: \"10\" is not in the range 2 … 5",
		"run ordering --reopen carl":                              "reopen: \"carl\" is not in the range none, ana, ben",
		"run ordering --dedupe no":                                "on, off",
		"run ordering --loss":                                     "--loss needs a value: 0 … 0.9",
		"run ordering --lose 1":                                   "--lose",
		"run ordering --off 6s-14s":                               "off means nothing in the scenario book of ordering",
		"run polling --gap 1s":                                    "gap means nothing in the scenario book of polling",
		"run polling --slow 1s":                                   "slow means nothing in the scenario book of polling",
		"run polling --off 14s-6s":                                "off: \"14s-6s\" is not in the range none, ",
		"run polling --page 0":                                    "page: \"0\" is not in the range 1 … 1000",
		"run polling --scenario trio":                             "book, off, random, hole, gaps, retry, week",
		"run polling --protocol by-id":                            "poll-id, poll-time, poll-token, long-poll, push",
		"run offline --away 2d":                                   "away: \"2d\" is not in the range 60s … 2592000s, 10m, open, 1d, 1w, evening",
		"run offline --conversations 9":                           "conversations: \"9\" is not in the range 10 … 2000",
		"run offline --too-far all":                               "too-far: \"all\" is not in the range page, list",
		"run offline --opens 201":                                 "opens: \"201\" is not in the range 0 … 200",
		"run offline --version on":                                "version means nothing in the scenario book of offline",
		"run offline --scenario race --head first":                "head: \"first\" is not in the range before, after",
		"run offline --interval 1s":                               "interval means nothing in the scenario book of offline",
		"run offline --protocol poll-id":                          "global-id, conversation-cursors, inbox",
		"run polling --away 1d":                                   "away means nothing in the scenario book of polling",
		"estimate offline --messages 1000":                        "messages means nothing in the scenario book of offline",
		"estimate offline --absences 3":                           "absences: \"3\" is not in the range 4 … 1000000",
		"estimate polling --absences 10":                          "absences means nothing in polling",
		"estimate polling --messages 100000001":                   "messages: \"100000001\" is not in the range 1 … 100000000",
		"run ordering --gap 1s":                                   "gap means nothing in the scenario book",
		"run ordering --scenario random --messages 9 --length 5s": "messages and length exclude each other",
		"run ordering --protocol by-luck":                         "arrival, by-id, by-seq",
		"run ordering --scenario boock":                           "book, trio, random",
		"run ordering --format xml":                               "text, json, ndjson",
		"run disorder":                                            "there is ordering",
		"run":                                                     "which chapter? There is ordering",
		"run ordering ordering":                                   "too many",
		"estimate ordering --messages 5":                          "messages",
		"estimate ordering --scenario book":                       "--scenario",
		"estimate ordering --reopen ana":                          "reopen",
		"play":                                                    "serve, run, estimate",
		"help play":                                               "serve, run, estimate",
		"--addr localhost":                                        "addr: \"localhost\" is not HOST:PORT",
		"serve here":                                              "here",
		"lesson":                                                  "check",
		"lesson check":                                            "which file",
		"lesson chek x":                                           "lesson check, lesson sample",
		"lesson check --all x":                                    "--all",
		"lesson check nowhere.txt":                                "nowhere.txt",
		"lesson sample chat":                                      "polling",
		"serve --dat x":                                           "--data, --nats",
		"serve --data x --nats nats://localhost":                  "--data",
		"--public-url example.org":                                "public-url: \"example.org\" is not an address",
		"--embed-origins https://a.example;*":                     "embed-origins: \"https://a.example;*\" is not an origin",
		"--port 80":                                               "--addr",
		"run polling --scenario random --messages 1000001":        "messages: \"1000001\" is not in the range 1 … 1000000",
		"run ordering --scenario random --phones 2 --reopen carl": "reopen",
		"run ordering --scenario random --messages 1e3":           "messages: \"1e3\" is not in the range 1 … 100000000",
		"run ordering --scenario random --length -5s --protocol by-id": "length: \"-5s\" is not in the range 1s … 3600000s",
	} {
		stdout, stderr, code := try(t, line)
		if code != 2 || stdout != "" || strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, want) {
			t.Errorf("imscope %s: exit %d, printed %q, said %q; want exit 2 and one line with %q", line, code, stdout, stderr, want)
		}
	}
}

func TestRunJSON(t *testing.T) {
	const want = `{"chapter":"ordering","scenario":"book","protocol":"by-seq",` +
		`"screens":{"Ana":["B1","B2","A2","A1","A3","B3","A4"],"Ben":["B1","B2","A2","A1","A3","B3","A4"]},` +
		`"server":["B1","B2","A2","A1","A3","B3","A4"],` +
		`"metrics":{"inverted_pairs":0,"missing_unnoticed":0,"missing_known":0,"fetches":1,"own_moves":1,"duplicates":0,` +
		`"wait_ms":{"mean":519,"p50":200,"p95":1430,"max":1430},` +
		`"cost":{"requests":9,"bytes_up":1612,"bytes_down":1684,"rows_read":1,"rows_written":14,"connections":2}}}` + "\n"
	for _, line := range []string{
		"run ordering --protocol by-seq --scenario book --format json",
		"run --protocol=by-seq -format json ordering",
	} {
		if got, stderr, code := try(t, line); got != want || code != 0 {
			t.Errorf("imscope %s: exit %d %s\n got %s\nwant %s", line, code, stderr, got, want)
		}
	}
}

// TestRunPolling checks what a chapter in which a phone asks tells besides.
func TestRunPolling(t *testing.T) {
	for line, want := range map[string]string{
		"run polling --protocol poll-id --format json": `"wait_ms":{"mean":1608,"p50":1850,"p95":2050,"max":2050},` +
			`"cost":{"requests":17,"bytes_up":1288,"bytes_down":1272,"rows_read":6,"rows_written":6,"connections":0},` +
			`"polls":11,"empty_polls":5,"header_bytes_up":8500,"header_bytes_down":4250,"lost":0}}`,
		"run polling --protocol poll-id --off 6s-14s --format json": `"polls":7,"empty_polls":4,`,
		"run polling --protocol poll-id --scenario hole --format json": `"Ben":["C1","A2"],"Carl":["C1"]},"server":["A1","C1","A2"],` +
			`"metrics":{"inverted_pairs":0,"missing_unnoticed":1,`,
		"run polling --protocol long-poll --scenario hole --format json":       `"lost":1}}`,
		"run polling --protocol poll-id --scenario hole --format ndjson":       `"kind":"read past",`,
		"run polling --protocol poll-id --scenario week --format ndjson":       `"rows":100,"new":100,"more":true,`,
		"run polling --protocol push --off 6s-14s":                             "connection 1 of Ben was silent for too long",
		"estimate polling --protocol poll-id --messages 1000 --format json":    `"polls":{"mean":101,`,
		"estimate polling --protocol push --messages 1000 --length 1h":         "lost for good                      0.00",
		"run polling --scenario random --messages 5 --length 9s --format json": `"polls":5,`,
	} {
		if got, stderr, code := try(t, line); !strings.Contains(got, want) || code != 0 {
			t.Errorf("imscope %s: exit %d %s\n got %s\nwant %s", line, code, stderr, got, want)
		}
	}
}

// TestRunOffline checks what a chapter in which a phone comes back tells besides.
func TestRunOffline(t *testing.T) {
	for line, want := range map[string]string{
		"--protocol inbox --away 10m": `"cost":{"requests":1,"bytes_up":8,"bytes_down":400,"rows_read":2,"rows_written":6,"connections":1,` +
			`"inbox_rows_written":2},"new_messages":2,"active_conversations":2,"reads_for_nothing":0,"left_on_server":0,`,
		"--protocol conversation-cursors --away 10m": `"screens":{"Ben":["M2","M1"]},"server":["M1","M2"],`,
		"--protocol conversation-cursors --away 1w --too-far list": `"cost":{"requests":4,"bytes_up":2436,"bytes_down":42400,"rows_read":200,` +
			`"rows_written":3738,"connections":1,"inbox_rows_written":0},` +
			`"new_messages":1869,"active_conversations":187,"reads_for_nothing":13,"left_on_server":1682,`,
		"--protocol global-id --away evening": `"new_messages":230,"active_conversations":3,"reads_for_nothing":197,"left_on_server":0,"repeated":0,"events_unknown":0,"lost":0}}`,
	} {
		if got, stderr, code := try(t, "run offline --format json "+line); !strings.Contains(got, want) || code != 0 {
			t.Errorf("%s: exit %d %s\n got %s\nwant %s", line, code, stderr, got, want)
		}
	}
	steps, _, _ := try(t, "run offline --protocol conversation-cursors --format ndjson")
	if got := strings.Count(steps, `"kind":"looked"`); got != 200 || !strings.Contains(steps, `"conversation":200`) {
		t.Errorf("%d conversations are looked at", got)
	}
}

// TestRunAll checks that without --protocol every protocol has its turn, in every format.
func TestRunAll(t *testing.T) {
	for format, signs := range map[string][]string{
		"text":   {"== ordering, trio, arrival ==", "== ordering, trio, by-id ==", "== ordering, trio, by-seq =="},
		"json":   {`"protocol":"arrival"`, `"protocol":"by-id"`, `"protocol":"by-seq"`},
		"ndjson": {`"protocol":"arrival","step":1,`, `"protocol":"by-id","step":1,`, `"protocol":"by-seq","step":1,`},
	} {
		stdout, _, _ := try(t, "run ordering --scenario trio --format "+format)
		rest := stdout
		for _, sign := range signs {
			_, after, found := strings.Cut(rest, sign)
			if !found {
				t.Errorf("%s: no %s, or not in this order", format, sign)
			}
			rest = after
		}
	}
}

// TestRunSteps checks that the lines of ndjson are the run's steps: each names its cause by the number of an earlier line.
func TestRunSteps(t *testing.T) {
	stdout, _, _ := try(t, "run ordering --protocol by-seq --format ndjson")
	var steps []im.StepLine
	for scanner := bufio.NewScanner(strings.NewReader(stdout)); scanner.Scan(); {
		var s im.StepLine
		decoder := json.NewDecoder(strings.NewReader(scanner.Text()))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&s); err != nil {
			t.Fatal(err)
		}
		steps = append(steps, s)
		if int(s.Step) != len(steps) || s.Cause >= s.Step {
			t.Errorf("line %d is step %d, caused by %d", len(steps), s.Step, s.Cause)
		}
	}
	shown := im.StepLine{}
	for _, s := range steps {
		if s.Fetched {
			shown = s
		}
	}
	if shown.Kind != "shown" || shown.Actor != "Ben" || shown.Message != "A2" || shown.At != 6_940_000_000 || shown.Seq != 3 {
		t.Fatalf("the fetched message: %+v", shown)
	}
	if cause := steps[shown.Cause-1]; cause.Kind != "left" || cause.Leg != "range" || cause.Lands != shown.At {
		t.Errorf("its cause: %+v", cause)
	}
}

func TestEstimate(t *testing.T) {
	stdout, stderr, code := try(t, "estimate ordering --protocol by-seq --loss 0.2 --messages 5000 --format json")
	var f figures
	decoder := json.NewDecoder(strings.NewReader(stdout))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&f); err != nil || code != 0 {
		t.Fatal(err, stderr)
	}
	if f.Batch != 500 || f.Batches != 10 || f.MessagesPerSecond <= 0 {
		t.Errorf("got %+v", f)
	}
	for _, name := range []string{"fetches", "own_moves"} {
		if i := f.Per100[name]; !(0 < i.Low && i.Low < i.Mean && i.Mean < i.High) {
			t.Errorf("%s: got %+v", name, i)
		}
	}
	text, _, _ := try(t, "estimate ordering --protocol by-seq --loss 0.2 --messages 5000")
	if row := f.Per100["fetches"].row("fetches"); !strings.Contains(text, row) {
		t.Errorf("no line %q in\n%s", row, text)
	}
}

// TestEstimateAll checks that every protocol of every chapter can be estimated, and that no bar is drawn where nobody would see it.
func TestEstimateAll(t *testing.T) {
	for _, c := range protocol.Catalog {
		size, unit := "--messages 1000", "per 100 messages"
		if c.Name == im.OfflineChapter {
			size, unit = "--absences 10", "per absence"
		}
		stdout, stderr, code := try(t, "estimate "+c.Name+" "+size)
		if code != 0 || stderr != "" {
			t.Errorf("%s: exit %d, said %q", c.Name, code, stderr)
		}
		for _, e := range c.Protocols {
			if !strings.Contains(stdout, "== "+c.Name+", "+e.Name+" ==\n") {
				t.Errorf("%s: nothing of %s", c.Name, e.Name)
			}
		}
		if n := strings.Count(stdout, unit); n != len(c.Protocols) {
			t.Errorf("%s: %d tables, want %d", c.Name, n, len(c.Protocols))
		}
	}
}

func TestBar(t *testing.T) {
	for want, got := range map[string]string{
		"by-id [" + strings.Repeat("·", 40) + "] 0%":                                      bar("by-id", 0, 7, time.Second),
		"by-id [" + strings.Repeat("#", 10) + strings.Repeat("·", 30) + "] 25%, 6 s left": bar("by-id", 5, 20, 2*time.Second),
		"by-id [" + strings.Repeat("#", 40) + "] 100%, 0 s left":                          bar("by-id", 20, 20, time.Second),
	} {
		if got != want {
			t.Errorf("got  %q\nwant %q", got, want)
		}
	}
}

// TestTooLongToKeep checks that a run that does not fit stops with a word instead of taking the machine down.
func TestTooLongToKeep(t *testing.T) {
	var r request
	if err := r.parse(strings.Fields("ordering --protocol by-id"), longRun, nil); err != nil {
		t.Fatal(err)
	}
	trace, err := keepSteps(t.Context(), &r, r.protocols[0], 5000)
	if code := exitCode(err, io.Discard); code != 1 || !errors.Is(err, errTooLong) || trace != nil {
		t.Errorf("exit %d: %v", code, err)
	}
}

// TestBrokenPipe checks that a reader who has seen enough is no failure, and ends the run.
func TestBrokenPipe(t *testing.T) {
	for _, line := range []string{"run ordering", "run ordering --format json",
		"run ordering --scenario random --messages 100000000 --format ndjson", "estimate ordering --messages 1000"} {
		var errs bytes.Buffer
		err := run(t.Context(), strings.Fields(line), brokenPipe{}, &errs)
		if code := exitCode(err, &errs); err == nil || code != 0 || errs.Len() > 0 {
			t.Errorf("imscope %s: %v, exit %d, said %q", line, err, code, errs.String())
		}
	}
}

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) {
	return 0, &os.PathError{Op: "write", Path: "stdout", Err: syscall.EPIPE}
}

func TestHelp(t *testing.T) {
	for _, line := range []string{"help run", "run --help", "help estimate", "estimate -h"} {
		stdout, _, code := try(t, line)
		for _, p := range im.Params {
			if code != 0 || !strings.Contains(stdout, "--"+p.Name+" ") || knobTexts[p.Name] == "" {
				t.Errorf("imscope %s does not explain --%s", line, p.Name)
			}
		}
	}
	if len(knobTexts) != len(im.Params) {
		t.Errorf("help explains %d knobs, there are %d", len(knobTexts), len(im.Params))
	}
	for _, line := range []string{"help", "--help"} {
		if stdout, _, code := try(t, line); code != 0 || stdout != usage {
			t.Errorf("imscope %s: exit %d, %s", line, code, stdout)
		}
	}
}

// TestServe checks that flags alone serve, that the address is printed, and that the end of the context ends it.
func TestServe(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir()) // rooms are kept there, where the system has such a folder
	ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
	defer stop()
	reader, writer := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		err := run(ctx, []string{"--addr", "localhost:0"}, writer, io.Discard)
		writer.CloseWithError(io.EOF)
		ended <- err
	}()
	var address string
	if _, err := fmt.Fscanf(reader, "imscope is at %s\n", &address); err != nil {
		t.Fatal(err, <-ended)
	}
	response, err := http.Get(address + "/healthz")
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != http.StatusOK {
		t.Errorf("/healthz: %s", response.Status)
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
