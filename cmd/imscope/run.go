package main

import (
	"bufio"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"imscope/sim"
	"imscope/sim/im"
	"imscope/sim/protocol"
)

func runHelp() string {
	return `imscope run CHAPTER [flags]

Plays a run and prints it; without --protocol under all of the chapter's, one after another.

	--protocol   ordering: arrival, by-id, by-seq
	             polling: poll-id, poll-time, poll-token, long-poll, push
	             offline: global-id, conversation-cursors, inbox
	--scenario   ordering: book (the book's run), trio (three phones), random
	             polling: book, random, hole (a row that commits late), gaps (ids that do not count),
	             retry (a message is stored twice), week (a phone comes back after a week)
	             offline: book, group (Ben is added to one), person (what happens to him besides), race (two
	             messages come between the list and the head), locks (two messages to Ben at once), several
	             (two messages to Ben and Carl at once), push (a push is lost once Ben is back)
	--file       a scenario as a text, instead of CHAPTER and --scenario: what a page saves with “As a text”;
	             - is the standard input
	--edits      what is changed by hand, as links spell it: lose-push-A2-ben_off-ben-2s-3s
	--format     text     a transcript, a line a step, then the screens and the figures
	             json     one object: screens, the server's lines, metrics
	             ndjson   an object a step; at_ns and lands_ns are nanoseconds since the start, cause is the
	                      step that this one follows from, and what is 0, false or empty is left out
	             csv      the same as a table

Knobs, with what they are in the random scenario (offline: in the book's); those with * mean nothing in a scripted one.
` + knobHelp(random)
}

// writers are the formats of run, the default one first.
var writers = []struct {
	format string
	write  func(ctx context.Context, w io.Writer, r *request, e protocol.Entry) error
}{
	{"text", writeText},
	{"json", writeJSON},
	{"ndjson", writeSteps},
	{"csv", writeTable},
}

func playRuns(ctx context.Context, args []string, stdout, _ io.Writer) error {
	var formats []string
	for _, w := range writers {
		formats = append(formats, w.format)
	}
	r := new(request)
	own := options{"scenario": (*request).chooseScenario, "format": chooseFormat(formats...), "file": (*request).readFile, "edits": (*request).chooseEdits}
	if err := r.parse(args, first, own); err != nil {
		return err
	}
	write := writers[slices.Index(formats, r.format)].write
	for _, e := range r.protocols {
		if err := write(ctx, stdout, r, e); err != nil {
			return err
		}
	}
	return nil
}

// first is a chapter's default scenario.
func first(chapter string) im.Scenario { return im.Scenarios(chapter)[0] }

func writeText(ctx context.Context, w io.Writer, r *request, e protocol.Entry) error {
	trace, err := keepSteps(ctx, r, e, mostSteps)
	if err != nil {
		return err
	}
	if len(r.protocols) > 1 {
		if _, err := fmt.Fprintf(w, "== %s, %s, %s ==\n\n", r.chapter.Name, r.scenario.Name, e.Name); err != nil {
			return err
		}
	}
	if err := im.WriteTranscript(w, &r.scenario, trace); err != nil {
		return err
	}
	if len(r.protocols) > 1 {
		_, err = fmt.Fprintln(w)
	}
	return err
}

// mostSteps bounds what a run may keep, about 200 MB.
const mostSteps = 2_000_000

// keepSteps plays a run and returns its steps, or an error if they are more than most.
func keepSteps(ctx context.Context, r *request, e protocol.Entry, most int) (im.Trace, error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	k := &keeper{most: most, stop: stop}
	if err := im.Run(ctx, &r.scenario, e.New(), k); err != nil {
		return nil, context.Cause(ctx)
	}
	return k.trace, nil
}

// keeper keeps steps up to a bound, then stops the run.
type keeper struct {
	trace im.Trace
	most  int
	stop  context.CancelCauseFunc
}

var errTooLong = errors.New("the run is too long to keep; --format ndjson prints runs of any length, and estimate counts them")

func (k *keeper) Step(s *im.Step) sim.StepID {
	if len(k.trace) == k.most {
		k.stop(errTooLong)
		return sim.StepID(k.most)
	}
	return k.trace.Step(s)
}

// result is a run as one JSON object.
type result struct {
	Chapter  string              `json:"chapter"`
	Scenario string              `json:"scenario"`
	Protocol string              `json:"protocol"`
	Screens  map[string][]string `json:"screens"`
	Server   []string            `json:"server"`
	Metrics  metrics             `json:"metrics"`
}

type metrics struct {
	InvertedPairs    int64 `json:"inverted_pairs"`
	MissingUnnoticed int64 `json:"missing_unnoticed"`
	MissingKnown     int64 `json:"missing_known"`
	Fetches          int64 `json:"fetches"`
	OwnMoves         int64 `json:"own_moves"`
	Duplicates       int64 `json:"duplicates"`
	Wait             wait  `json:"wait_ms"`
	Cost             cost  `json:"cost"`
	*polls
	*catching
	Lost *int64 `json:"lost,omitempty"` // for good, where a phone asks
}

// polls is what is counted besides where a phone asks.
type polls struct {
	Polls       int64 `json:"polls"`
	Empty       int64 `json:"empty_polls"`
	HeadersUp   int64 `json:"header_bytes_up"`
	HeadersDown int64 `json:"header_bytes_down"`
}

func newPolls(s *im.Scenario, m *im.Metrics) *polls {
	if s.Chapter != im.PollingChapter {
		return nil
	}
	return &polls{m.Polls, m.EmptyPolls, m.HeadersUp, m.HeadersDown}
}

// cost adds what is written into inboxes, where the chapter is about them.
type cost struct {
	im.Cost
	InboxRows *int64 `json:"inbox_rows_written,omitempty"`
}

func newCost(s *im.Scenario, m *im.Metrics) cost {
	c := cost{Cost: m.Cost}
	if s.Chapter == im.OfflineChapter {
		c.InboxRows = &m.Cost.InboxRows
	}
	return c
}

// catching is what is counted besides where a phone comes back and catches up.
type catching struct {
	New             int64 `json:"new_messages"`
	Active          int64 `json:"active_conversations"`
	ReadsForNothing int64 `json:"reads_for_nothing"`
	Left            int64 `json:"left_on_server"`
	Repeated        int64 `json:"repeated"`       // came though the phone had them
	EventsUnknown   int64 `json:"events_unknown"` // of those that come without a message
}

func newCatching(s *im.Scenario, m *im.Metrics) *catching {
	if s.Chapter != im.OfflineChapter {
		return nil
	}
	return &catching{m.NewMessages, m.ActiveConversations, m.ReadsForNothing, m.Missing, m.Repeated, m.EventsUnknown}
}

func lost(s *im.Scenario, m *im.Metrics) *int64 {
	if s.Reader == im.Server {
		return nil
	}
	return &m.Lost
}

type wait struct {
	Mean int64 `json:"mean"`
	P50  int64 `json:"p50"`
	P95  int64 `json:"p95"`
	Max  int64 `json:"max"`
}

func writeJSON(ctx context.Context, w io.Writer, r *request, e protocol.Entry) error {
	trace, err := keepSteps(ctx, r, e, mostSteps)
	if err != nil {
		return err
	}
	fold := im.FoldTrace(&r.scenario, trace)
	m := fold.Metrics()
	return json.NewEncoder(w).Encode(result{
		Chapter:  r.chapter.Name,
		Scenario: r.scenario.Name,
		Protocol: e.Name,
		Screens:  screens(&r.scenario, fold),
		Server:   im.MessageNames(fold.OnServer()),
		Metrics: metrics{
			InvertedPairs:    m.InvertedPairs,
			MissingUnnoticed: m.MissingUnnoticed(),
			MissingKnown:     m.MissingKnown,
			Fetches:          m.Fetches,
			OwnMoves:         m.OwnMoves,
			Duplicates:       m.Duplicates,
			Wait:             wait{m.Wait.Mean(), m.Wait.Quantile(50), m.Wait.Quantile(95), m.Wait.MaxMillis()},
			Cost:             newCost(&r.scenario, &m),
			polls:            newPolls(&r.scenario, &m),
			catching:         newCatching(&r.scenario, &m),
			Lost:             lost(&r.scenario, &m),
		},
	})
}

// screens are those of the phones that take part.
func screens(s *im.Scenario, fold *im.Fold) map[string][]string {
	all := make(map[string][]string)
	for _, phone := range s.Screens() {
		all[im.Name(phone)] = im.MessageNames(fold.OnScreen(phone))
	}
	return all
}

func writeSteps(ctx context.Context, w io.Writer, r *request, e protocol.Entry) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	out := bufio.NewWriter(w)
	steps := &stepWriter{protocol: e.Name, to: json.NewEncoder(out), stop: stop}
	if err := im.Run(ctx, &r.scenario, e.New(), steps); err != nil {
		return context.Cause(ctx)
	}
	return out.Flush()
}

// writeTable writes the steps as a table.
func writeTable(ctx context.Context, w io.Writer, r *request, e protocol.Entry) error {
	trace, err := keepSteps(ctx, r, e, mostSteps)
	if err != nil {
		return err
	}
	table := csv.NewWriter(w)
	if e.Name == r.protocols[0].Name {
		_ = table.Write(im.StepColumns)
	}
	for i := range trace {
		_ = table.Write(im.LineOf(e.Name, sim.StepID(i+1), &trace[i]).Fields())
	}
	table.Flush()
	return table.Error()
}

// stepWriter is a sink that writes every step at once, so that a run of any length can be printed.
type stepWriter struct {
	protocol string
	to       *json.Encoder
	stop     context.CancelCauseFunc
	written  sim.StepID
}

func (w *stepWriter) Step(s *im.Step) sim.StepID {
	w.written++
	line := im.LineOf(w.protocol, w.written, s)
	if err := w.to.Encode(&line); err != nil {
		w.stop(err)
	}
	return w.written
}
