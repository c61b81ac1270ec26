package web

import (
	"context"
	"errors"
	"slices"
	"sort"

	"github.com/a-h/templ"

	"imscope/sim"
	"imscope/sim/im"
	"imscope/templates"
)

// errNoMoment says that a link's moment names an event that the run does not have.
var errNoMoment = errors.New("the run has no such moment")

// chapterPage plays the run of a link and maps it to the page of its chapter.
func (p pages) chapterPage(ctx context.Context, l Link) (templates.Chapter, error) {
	n := narrator{l.Lang, &l.Scenario}
	s := newStage(l)
	verdict := guess(n, l)
	var err error
	if s.view.Places, err = placesOn(ctx, l); err != nil {
		return templates.Chapter{}, err
	}
	err = s.play(ctx, func(last bool) error {
		if last {
			verdict.answer(n, l, s.sides[0].fold, momentClock(s.last))
		}
		return nil
	})
	if err == nil && !s.found {
		err = errNoMoment
	}
	if err != nil {
		return templates.Chapter{}, err
	}
	s.finish()
	var table templates.MetricsTable
	if s.view.Show.Has(templates.ShowTable) {
		if table, err = p.metrics(ctx, n, l, s); err != nil {
			return templates.Chapter{}, err
		}
	}
	lesson := l.lesson()
	o := templates.Chapter{
		Page:    p.page(l.Lang, lesson.title.in(l.Lang), lesson.summary.in(l.Lang), l.String(), l.with(func(l *Link) { l.At, l.Why = At{}, Why{} }).String()),
		Guess:   verdict.Guess,
		Stage:   s.view,
		Playing: l.playing(),
		Metrics: table,
	}
	o.Guess.Exported = p.exported
	o.Page.Chapter, o.Page.Preview = l.Chapter.Name, l.inFile("svg").String()
	if s.view.Show.Has(templates.ShowTasks) {
		o.Challenges = challengesView(ctx, l, s.sides[0].fold)
	}
	if s.heat.view.Title != "" {
		o.Page.Scripts = mapScripts(o.Page.Scripts)
	}
	if !s.view.Show.Has(templates.ShowChapter) {
		return o, nil
	}
	o.Estimates = templ.Join(templates.OftenView(oftenOffer(l)), findOffer(l), estimatesView(l))
	if lesson.extra != nil {
		o.Extra = lesson.extra(l)
	}
	return o, nil
}

// metrics runs the other protocols on the same luck, and fills the table in as it stands at the link's moment.
func (p pages) metrics(ctx context.Context, n narrator, l Link, s *stage) (templates.MetricsTable, error) {
	table := metricsTable(n, l, s.view.Protocols)
	table.Changes = s.changes
	fillIn(&table, s.changes[:s.changed])
	for column := range l.Chapter.Protocols {
		if column == l.column() {
			continue
		}
		f, err := p.others(ctx, n, l, column)
		if err != nil {
			return table, err
		}
		table.Changes = append(table.Changes, f.changes...)
		fillIn(&table, f.changes[:f.by(l.At.moment().At)])
	}
	return table, nil
}

func fillIn(table *templates.MetricsTable, changes []templates.CellChange) {
	for _, c := range changes {
		for _, r := range c.Rows {
			table.Rows[r.Row].Values[c.Column] = r.Text
		}
	}
}

// cellChanges are how a protocol's figures change in its run.
type cellChanges struct {
	changes []templates.CellChange
	times   []im.Time // when they do
}

// by counts the changes that have happened by a time. A link's ordinal says nothing of another run.
func (f cellChanges) by(t im.Time) int {
	return sort.Search(len(f.times), func(i int) bool { return f.times[i] > t })
}

// playFigures follows the figures of another protocol through its run.
func playFigures(ctx context.Context, n narrator, l Link, column int) (out cellChanges, err error) {
	c := newCells(n, column)
	err = playEvents(ctx, &l.Scenario, l.Chapter.Protocols[column], func(e *event, f *im.Fold, _ *sim.Moment) error {
		if change, ok := c.follow(e, f); ok {
			out.changes, out.times = append(out.changes, change), append(out.times, e.At)
		}
		return nil
	})
	return out, err
}

// others are the figures of another protocol in its run. For an export they are kept: there every run is compared on many pages.
func (p pages) others(ctx context.Context, n narrator, l Link, column int) (cellChanges, error) {
	if p.kept == nil {
		return playFigures(ctx, n, l, column)
	}
	run := Link{Lang: l.Lang, Chapter: l.Chapter, Scenario: l.Scenario, Protocol: l.Chapter.Protocols[column]}.String()
	if f, ok := p.kept.Load(run); ok {
		return f.(cellChanges), nil
	}
	f, err := playFigures(ctx, n, l, column)
	if err == nil {
		p.kept.Store(run, f)
	}
	return f, err
}

// protocolTabs lead to the same time under each protocol; ordinals of one run mean nothing in another.
func protocolTabs(l Link) []templates.Choice {
	var out []templates.Choice
	for _, entry := range l.Chapter.Protocols {
		to := l.with(func(l *Link) {
			if i := slices.Index(l.Beside, entry.Name); i >= 0 { // they change places
				l.Beside = slices.Clone(l.Beside)
				l.Beside[i] = l.Protocol.Name
			}
			l.Protocol, l.At.HasTie, l.At.Tie = entry, false, 0
		})
		out = append(out, templates.Choice{Name: entry.Name, Text: l.lesson().protocol(entry.Name).name.in(l.Lang), Href: to.stage(), Current: entry.Name == l.Protocol.Name})
	}
	return out
}

func scenarioTabs(l Link) []templates.Choice {
	if l.Chapter.Name == im.OfflineChapter {
		return presetTabs(l)
	}
	var out []templates.Choice
	for _, s := range im.Scenarios(l.Chapter.Name) {
		to := l.with(func(l *Link) { l.Scenario, l.At, l.Why, l.Guess = s, At{}, Why{}, "" })
		out = append(out, templates.Choice{Name: s.Name, Text: l.lesson().scenario(s.Name).name.in(l.Lang), Href: to.stage(), Current: s.Name == l.Scenario.Name})
	}
	return out
}

// question is the chapter's question, with the answer once the run has given it.
type question struct{ templates.Guess }

// guess asks the question.
func guess(n narrator, l Link) question {
	lesson := l.lesson()
	g := templates.Guess{
		Question: lesson.question.in(n.Lang),
		Action:   l.path(),
		Hidden:   append(hidden(l, func(name string) bool { return name != "guess" && name != "at" }), templates.Hidden{Name: "at", Value: "end"}),
	}
	for _, a := range lesson.answers {
		g.Answers = append(g.Answers, templates.Choice{Name: a.id, Text: a.text.in(n.Lang), Current: l.Guess == a.id})
	}
	return question{g}
}

// answer lets the finished run judge the reader's guess.
func (q *question) answer(n narrator, l Link, f *im.Fold, at float64) {
	right, why := l.lesson().judge(n, f)
	q.Answer = right
	q.Given, q.Right, q.Verdict, q.At = l.Guess != "", l.Guess == right, why, at
}
