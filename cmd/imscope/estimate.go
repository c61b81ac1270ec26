package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"imscope/sim/im"
	"imscope/sim/protocol"
	"imscope/web/estimate"
)

func estimateHelp() string {
	return `imscope estimate CHAPTER [flags]

Plays very many messages and prints the figures; without --protocol under all of the chapter's, one after another.

	--protocol   ordering: arrival, by-id, by-seq
	             polling: poll-id, poll-time, poll-token, long-poll, push
	             offline: global-id, conversation-cursors, inbox
	--messages   up to 100000000 in all; ordering and polling
	--absences   how many absences, from 4 to 1000000 (1000); offline
	--scenario   what an absence is, as in imscope run; offline
	--format     text or json

Each figure comes with its 95% interval: from the spread of batches by Student's t for their number. A batch is a random run
of 10,000 messages (a tenth of fewer), or one absence. The first has the seed that is given, and the seeds of the others are
drawn from it: the figures do not depend on the number of cores.

Knobs, with what they are without a flag.
` + knobHelp(longRun)
}

// longRun is the random scenario, long enough for figures; where a phone is away, one absence.
func longRun(chapter string) im.Scenario {
	s := random(chapter)
	if chapter == im.OfflineChapter {
		return s
	}
	s.Messages = 200_000
	if s.Uniform {
		s.Length = dense(&s)
	}
	return s
}

// dense is the length in which a uniform scenario has as many messages a second as the short one.
func dense(s *im.Scenario) im.Time {
	short := random(s.Chapter)
	return short.Length / im.Time(short.Messages) * im.Time(s.Messages)
}

func estimateFigures(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	r, plan, err := parseEstimate(args)
	if err != nil {
		return err
	}
	write := writeFigures
	if r.format == "json" {
		write = encodeFigures
	}
	for _, e := range r.protocols {
		start := time.Now()
		played, err := play(ctx, plan, e, stderr)
		if err != nil {
			return err
		}
		if err := write(stdout, newFigures(e.Name, played, time.Since(start))); err != nil {
			return err
		}
	}
	return nil
}

func parseEstimate(args []string) (*request, estimate.Plan, error) {
	r, absences := &request{batches: true}, int64(0)
	err := r.parse(args, longRun, options{
		"format":   chooseFormat("text", "json"),
		"absences": count(&absences, "absences", 4, 1_000_000),
		"scenario": (*request).chooseAbsence,
	})
	if err != nil {
		return nil, estimate.Plan{}, err
	}
	s := &r.scenario
	switch {
	case s.Chapter == im.OfflineChapter && absences == 0:
		return r, estimate.Repeat(s, 1000), nil
	case s.Chapter == im.OfflineChapter:
		return r, estimate.Repeat(s, absences), nil
	case absences != 0:
		return nil, estimate.Plan{}, wrongUse("absences means nothing in %s", s.Chapter)
	case s.Reopen != im.Server:
		return nil, estimate.Plan{}, wrongUse("reopen means nothing in an estimate: it would change what was counted before")
	case s.Uniform && s.Length == longRun(s.Chapter).Length:
		s.Length = dense(s)
	}
	if n := estimate.Expected(s); n < fewestMessages {
		return nil, estimate.Plan{}, wrongUse("messages: an interval needs about %d, these knobs give %d", fewestMessages, n)
	}
	return r, estimate.Split(s), nil
}

// fewestMessages makes batches of ten.
const fewestMessages = 100

// chooseAbsence chooses the scenario where it is what every batch plays; elsewhere a batch is a part of the random one.
func (r *request) chooseAbsence(name string) error {
	if r.chapter.Name != im.OfflineChapter {
		return wrongUse("--scenario means nothing in an estimate of %s: it plays the random one", r.chapter.Name)
	}
	return r.chooseScenario(name)
}

// play plays a plan, with a bar if stderr is a terminal.
func play(ctx context.Context, plan estimate.Plan, e protocol.Entry, stderr io.Writer) (*estimate.Estimator, error) {
	var figures []estimate.Figure
	for _, f := range im.FiguresIn(&plan.Scenario) {
		figures = append(figures, f.Of)
	}
	estimator := estimate.New(plan, e.New, figures)
	defer follow(stderr, e.Name, estimator.Progress)()
	if err := estimate.Run(ctx, nil, estimator); err != nil {
		return nil, err
	}
	if estimator.Report().Messages() == 0 {
		return nil, errors.New("no message was sent")
	}
	return estimator, nil
}

// figures is an estimate as one JSON object.
type figures struct {
	Chapter           string        `json:"chapter"`
	Protocol          string        `json:"protocol"`
	Per100            intervals     `json:"per_100,omitempty"`     // messages
	PerAbsence        intervals     `json:"per_absence,omitempty"` // instead
	Wait              estimatedWait `json:"wait_ms"`
	Messages          int64         `json:"messages"`
	Batch             int64         `json:"batch,omitempty"` // messages in one
	Batches           int64         `json:"batches"`
	Seconds           float64       `json:"seconds"`
	MessagesPerSecond int64         `json:"messages_per_second"`

	table string // the intervals as rows of text
}

// intervals are by the names of figures.
type intervals map[string]interval

type interval struct {
	Mean float64 `json:"mean"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// estimatedWait is in whole milliseconds, the interval of the mean rounded outwards.
type estimatedWait struct {
	Mean int64 `json:"mean"`
	Low  int64 `json:"low"`
	High int64 `json:"high"`
	P50  int64 `json:"p50"`
	P95  int64 `json:"p95"`
	Max  int64 `json:"max"`
}

func newFigures(protocol string, e *estimate.Estimator, took time.Duration) *figures {
	r := e.Report()
	all, table := make(intervals), new(strings.Builder)
	for i, figure := range im.FiguresIn(&r.Plan.Scenario) {
		all[figure.Name] = rounded(r.Figure(i))
		table.WriteString(all[figure.Name].row(figure.Text))
	}
	f := &figures{
		Chapter:           r.Plan.Scenario.Chapter,
		Protocol:          protocol,
		Per100:            all,
		Wait:              newWait(r.WaitMS(), e.Waits()),
		Messages:          r.Messages(),
		Batch:             r.Plan.Size,
		Batches:           r.Batches(),
		Seconds:           math.Round(took.Seconds()*1e3) / 1e3,
		MessagesPerSecond: int64(float64(r.Messages()) / took.Seconds()),
		table:             table.String(),
	}
	if f.Batch == 0 {
		f.Per100, f.PerAbsence = nil, all
	}
	return f
}

func newWait(mean estimate.Interval, all im.Histogram) estimatedWait {
	return estimatedWait{
		Mean: int64(math.Round(mean.Mean)),
		Low:  int64(math.Floor(mean.Low)),
		High: int64(math.Ceil(mean.High)),
		P50:  all.Quantile(50),
		P95:  all.Quantile(95),
		Max:  all.MaxMillis(),
	}
}

// rounded keeps four decimals, more than any run here is good for.
func rounded(i estimate.Interval) interval {
	round := func(x float64) float64 { return math.Round(x*1e4) / 1e4 }
	return interval{round(i.Mean), round(i.Low), round(i.High)}
}

func encodeFigures(w io.Writer, f *figures) error { return json.NewEncoder(w).Encode(f) }

func writeFigures(w io.Writer, f *figures) error {
	batches, per := fmt.Sprintf("%d batches of %d", f.Batches, f.Batch), "per 100 messages"
	if f.Batch == 0 {
		batches, per = fmt.Sprintf("the spread of %d absences", f.Batches), "per absence"
	}
	_, err := fmt.Fprintf(w, `== %s, %s ==

%d messages in %.2f s, %d a second; 95%% intervals from %s

%-28s       mean         low        high
%s
wait (ms)                       mean %d (%d … %d), p50 %d, p95 %d, max %d

`, f.Chapter, f.Protocol, f.Messages, f.Seconds, f.MessagesPerSecond, batches, per, f.table,
		f.Wait.Mean, f.Wait.Low, f.Wait.High, f.Wait.P50, f.Wait.P95, f.Wait.Max)
	return err
}

func (i interval) row(name string) string {
	return fmt.Sprintf("%-28s %10.2f  %10.2f  %10.2f\n", name, i.Mean, i.Low, i.High)
}
