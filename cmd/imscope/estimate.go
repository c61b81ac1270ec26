package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	"imscope/sim/im"
	"imscope/sim/protocol"
	"imscope/web/estimate"
)

func estimateHelp() string {
	return `imscope estimate CHAPTER [flags]

Plays a long random run and prints its figures; without --protocol under all of the chapter's, one after another.

	--protocol   ordering: arrival, by-id, by-seq
	             polling: poll-id, poll-time, poll-token, long-poll, push
	--format     text or json

Each figure comes with its 95% interval: from the spread of batches of 10,000 messages (a tenth of a shorter run) by
Student's t for their number. Knobs, with what they are without a flag.
` + knobHelp(longRun, estimated())
}

// estimated are the chapters that have a random scenario.
func estimated() []protocol.Chapter {
	return slices.DeleteFunc(slices.Clone(protocol.Catalog), func(c protocol.Chapter) bool {
		_, ok := im.FindScenario(c.Name, "random")
		return !ok
	})
}

// longRun is the random scenario, long enough for figures.
func longRun(chapter string) im.Scenario {
	s := random(chapter)
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

func estimateFigures(ctx context.Context, args []string, stdout, _ io.Writer) error {
	r, err := parseRequest(args, longRun, false, []string{"text", "json"})
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(estimated(), func(c protocol.Chapter) bool { return c.Name == r.chapter.Name }) {
		return wrongUse("a run of %s is not one of many messages that an estimate could count; imscope run %s plays it", r.chapter.Name, r.chapter.Name)
	}
	if r.scenario.Reopen != im.Server {
		return wrongUse("reopen means nothing in an estimate: it would change what was counted before")
	}
	if s := &r.scenario; s.Uniform && s.Length == longRun(s.Chapter).Length {
		s.Length = dense(s)
	}
	if n := estimate.Expected(&r.scenario); n < fewestMessages {
		return wrongUse("messages: an interval needs about %d, these knobs give %d", fewestMessages, n)
	}
	write := writeFigures
	if r.format == "json" {
		write = encodeFigures
	}
	for _, e := range r.protocols {
		start := time.Now()
		report, err := estimate.Run(ctx, &r.scenario, e.New())
		if err != nil {
			return err
		}
		if err := write(stdout, newFigures(&r.scenario, e.Name, report, time.Since(start))); err != nil {
			return err
		}
	}
	return nil
}

// fewestMessages makes sure of enough batches: fewer than half of so many never come.
const fewestMessages = 100

// figures is an estimate as one JSON object.
type figures struct {
	Chapter           string        `json:"chapter"`
	Protocol          string        `json:"protocol"`
	Per100            per100        `json:"per_100"`
	Wait              estimatedWait `json:"wait_ms"`
	Messages          int64         `json:"messages"`
	Batch             int64         `json:"batch"`
	Batches           int64         `json:"batches"`
	Seconds           float64       `json:"seconds"`
	MessagesPerSecond int64         `json:"messages_per_second"`
}

type per100 struct {
	InvertedPairs    interval `json:"inverted_pairs"`
	MissingUnnoticed interval `json:"missing_unnoticed"`
	MissingKnown     interval `json:"missing_known"`
	Fetches          interval `json:"fetches"`
	OwnMoves         interval `json:"own_moves"`
	Duplicates       interval `json:"duplicates"`
	*pollsPer100
}

// pollsPer100 is what is estimated besides where a phone asks.
type pollsPer100 struct {
	Polls interval `json:"polls"`
	Empty interval `json:"empty_polls"`
	Lost  interval `json:"lost"`
}

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

func newFigures(s *im.Scenario, protocol string, r *estimate.Report, took time.Duration) *figures {
	m := &r.Metrics
	f := &figures{
		Chapter:  s.Chapter,
		Protocol: protocol,
		Per100: per100{
			InvertedPairs:    rounded(r.InvertedPairs),
			MissingUnnoticed: rounded(r.MissingUnnoticed),
			MissingKnown:     rounded(r.MissingKnown),
			Fetches:          rounded(r.Fetches),
			OwnMoves:         rounded(r.OwnMoves),
			Duplicates:       rounded(r.Duplicates),
		},
		Wait: estimatedWait{
			Mean: m.Wait.Mean(),
			Low:  int64(math.Floor(r.WaitMS.Low)),
			High: int64(math.Ceil(r.WaitMS.High)),
			P50:  m.Wait.Quantile(50),
			P95:  m.Wait.Quantile(95),
			Max:  m.Wait.MaxMillis(),
		},
		Messages:          m.Messages,
		Batch:             r.Batch,
		Batches:           r.Batches,
		Seconds:           math.Round(took.Seconds()*1e3) / 1e3,
		MessagesPerSecond: int64(float64(m.Messages) / took.Seconds()),
	}
	if s.Reader != im.Server {
		f.Per100.pollsPer100 = &pollsPer100{rounded(r.Polls), rounded(r.EmptyPolls), rounded(r.Lost)}
	}
	return f
}

// rounded keeps four decimals, more than any run here is good for.
func rounded(i estimate.Interval) interval {
	round := func(x float64) float64 { return math.Round(x*1e4) / 1e4 }
	return interval{round(i.Mean), round(i.Low), round(i.High)}
}

func encodeFigures(w io.Writer, f *figures) error { return json.NewEncoder(w).Encode(f) }

func writeFigures(w io.Writer, f *figures) error {
	_, err := fmt.Fprintf(w, `== %s, %s ==

%d messages in %.2f s, %d a second; 95%% intervals from %d batches of %d

per 100 messages                mean       low      high
%s%s%s%s%s%s%s
wait (ms)                       mean %d (%d … %d), p50 %d, p95 %d, max %d

`, f.Chapter, f.Protocol, f.Messages, f.Seconds, f.MessagesPerSecond, f.Batches, f.Batch,
		f.Per100.InvertedPairs.row("pairs in the opposite order"),
		f.Per100.MissingUnnoticed.row("missing, unnoticed"),
		f.Per100.MissingKnown.row("missing, known"),
		f.Per100.Fetches.row("fetches"),
		f.Per100.OwnMoves.row("own messages that moved"),
		f.Per100.Duplicates.row("duplicates shown"),
		f.Per100.pollsPer100.rows(),
		f.Wait.Mean, f.Wait.Low, f.Wait.High, f.Wait.P50, f.Wait.P95, f.Wait.Max)
	return err
}

func (p *pollsPer100) rows() string {
	if p == nil {
		return ""
	}
	return p.Polls.row("polls") + p.Empty.row("empty polls") + p.Lost.row("lost for good")
}

func (i interval) row(name string) string {
	return fmt.Sprintf("%-28s %7.2f   %7.2f   %7.2f\n", name, i.Mean, i.Low, i.High)
}
