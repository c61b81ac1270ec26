package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"imscope/sim/im"
	"imscope/sim/protocol"
	"imscope/templates"
	"imscope/web"
	"imscope/web/estimate"
	"imscope/web/find"
)

func findHelp() string {
	return `imscope find CHAPTER --where CONDITION [flags]

Tries one seed after another until runs satisfy the condition, makes the smallest of them smaller still, and prints it with
its link; without --protocol under all of the chapter's, one after another. What may shrink: the number of phones and of
messages, an absence, its conversations, the chances of loss and rollback, reordering, and lost fetches.

	--where      such as 'missing_unnoticed >= 1 && inverted_pairs == 0', in the language of expr-lang.org
	--question   a ready-made condition, instead
	--seeds      how many to try at most, from --seed on: 1 to 100000000 (10000)
	--protocol, --scenario, and the knobs: as in imscope run; ordering and polling are random without --scenario
	--format     text     the link, and a transcript
	             json     one object

Questions.
` + questionHelp() + `
Names that conditions know. With len(ben), ben[0] and "A1" in ben one looks into a screen.
` + variableHelp()
}

func questionHelp() string {
	var b strings.Builder
	for _, c := range protocol.Catalog {
		fmt.Fprintf(&b, "\n%s:\n\n", c.Name)
		for _, q := range find.Questions(c.Name) {
			fmt.Fprintf(&b, "\t%-12s %s\n\t%12s %s\n", q.Name, q.En, "", q.Where)
		}
	}
	return b.String()
}

func variableHelp() string {
	var b strings.Builder
	for _, c := range protocol.Catalog {
		s := random(c.Name)
		fmt.Fprintf(&b, "\n%s:\n\n", c.Name)
		for _, v := range find.Variables(&s) {
			fmt.Fprintf(&b, "\t%-21s %s\n", v.Name, v.En)
		}
	}
	return b.String()
}

// finding is what imscope find is asked for.
type finding struct {
	request
	where, question string
	seeds           int64
}

func findRuns(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	f, err := parseFind(args)
	if err != nil {
		return err
	}
	write := writeFound
	if f.format == "json" {
		write = encodeFound
	}
	for _, e := range f.protocols {
		found, err := f.search(ctx, e, stderr)
		if err != nil {
			return err
		}
		if err := write(ctx, stdout, e, found); err != nil {
			return err
		}
	}
	return nil
}

func parseFind(args []string) (*finding, error) {
	f := &finding{seeds: 10_000}
	err := f.parse(args, random, options{
		"scenario": (*request).chooseScenario,
		"format":   chooseFormat("text", "json"),
		"seeds":    count(&f.seeds, "seeds", 1, 100_000_000),
		"where":    text(&f.where),
		"question": text(&f.question),
	})
	if err != nil {
		return nil, err
	}
	if (f.where == "") == (f.question == "") {
		return nil, wrongUse("find takes either --where or --question; imscope help find lists the questions")
	}
	if f.question != "" {
		if err := f.ask(f.question); err != nil {
			return nil, err
		}
	}
	if s := &f.scenario; s.Chapter != im.OfflineChapter && len(s.Script) == 0 && estimate.Expected(s) > web.MaxMessages {
		return nil, wrongUse("messages: a page can show %d, these knobs give %d", web.MaxMessages, estimate.Expected(s))
	}
	return f, nil
}

// text is an option that is taken as it is.
func text(to *string) func(*request, string) error {
	return func(_ *request, text string) error { *to = text; return nil }
}

// ask takes the condition of a ready-made question.
func (f *finding) ask(name string) error {
	q, ok := find.FindQuestion(f.chapter.Name, name)
	if !ok {
		var known []string
		for _, q := range find.Questions(f.chapter.Name) {
			known = append(known, q.Name)
		}
		return unknown("question", name, known)
	}
	f.where = q.Where
	return nil
}

// found is what came of a search, as one JSON object. What is not there was not found.
type found struct {
	Chapter  string `json:"chapter"`
	Scenario string `json:"scenario"`
	Protocol string `json:"protocol"`
	Where    string `json:"where"`
	Found    bool   `json:"found"`
	Tried    int64  `json:"tried"` // seeds
	*example

	from uint64
	run  im.Scenario
}

type example struct {
	Seed     uint64 `json:"seed"`
	Messages int64  `json:"messages"`
	LostLegs int64  `json:"lost_legs"`
	Link     string `json:"link"`
}

// search looks for a run under one protocol, with a bar if stderr is a terminal.
func (f *finding) search(ctx context.Context, e protocol.Entry, stderr io.Writer) (*found, error) {
	search, err := find.New(&f.scenario, e.New, f.where, f.seeds)
	if err == nil {
		defer follow(stderr, e.Name, search.Progress)()
		var run *find.Run
		if run, err = search.Run(ctx, nil); err == nil {
			tried, _ := search.Progress()
			return f.found(e, run, tried), nil
		}
	}
	if wrong := new(find.ConditionError); errors.As(err, &wrong) {
		err = wrongUse("where: %v; imscope help find lists what conditions know", wrong)
	}
	return nil, err
}

func (f *finding) found(e protocol.Entry, run *find.Run, tried int64) *found {
	out := &found{Chapter: f.chapter.Name, Scenario: f.scenario.Name, Protocol: e.Name, Where: f.where, Tried: tried, from: f.scenario.Seed}
	if run != nil {
		link := web.Link{Lang: templates.English, Chapter: f.chapter, Scenario: run.Scenario, Protocol: e, At: web.At{End: true}}
		out.Found, out.Tried, out.run = true, run.Tried, run.Scenario
		out.example = &example{run.Scenario.Seed, run.Messages, run.LostLegs, link.String()}
	}
	return out
}

func encodeFound(_ context.Context, w io.Writer, _ protocol.Entry, f *found) error {
	return json.NewEncoder(w).Encode(f)
}

func writeFound(ctx context.Context, w io.Writer, e protocol.Entry, f *found) error {
	if _, err := fmt.Fprintf(w, "== %s, %s, %s ==\n\n%s\n\n", f.Chapter, f.Scenario, f.Protocol, f.Where); err != nil {
		return err
	}
	if !f.Found {
		_, err := fmt.Fprintf(w, "none of %d runs, seeds from %d on\n\n", f.Tried, f.from)
		return err
	}
	if _, err := fmt.Fprintf(w, "the smallest of %d runs: %s, %s\n%s\n\n", f.Tried, counted(f.Messages, "message"), counted(f.LostLegs, "lost leg"), f.Link); err != nil {
		return err
	}
	return writeRun(ctx, w, &f.run, e)
}

func counted(n int64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// writeRun writes the transcript of a run.
func writeRun(ctx context.Context, w io.Writer, s *im.Scenario, e protocol.Entry) error {
	var trace im.Trace
	if err := im.Run(ctx, s, e.New(), &trace); err != nil {
		return err
	}
	if err := im.WriteTranscript(w, s, trace); err != nil {
		return err
	}
	_, err := fmt.Fprintln(w)
	return err
}
