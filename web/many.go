package web

import (
	"context"
	"slices"

	"imscope/sim/im"
	"imscope/web/estimate"
)

// manyMessages is how many messages an estimate of a page plays under each protocol. Tests have fewer.
var manyMessages int64 = 200_000

// How many absences an estimate plays: as many as have so many messages, but no fewer and no more than these.
const (
	fewestAbsences = 50
	mostAbsences   = 1000
)

// many is the estimate of a link: its knobs, over very many messages or absences, under every protocol of its chapter.
type many struct {
	link       Link
	plan       estimate.Plan
	rows       []metric // that add up over runs
	estimators []*estimate.Estimator
	among      *among
	sweeps     []*swept
}

func newMany(l Link) *many {
	m := &many{link: l, plan: manyPlan(&l), rows: addable(l.lesson().metrics), among: newAmong(l), sweeps: newSweeps(l)}
	figures := make([]estimate.Figure, len(m.rows))
	for i := range m.rows {
		figures[i] = m.rows[i].value
	}
	for _, e := range l.Chapter.Protocols {
		m.estimators = append(m.estimators, estimate.New(m.plan, e.New, figures))
	}
	return m
}

// run plays all of it.
func (m *many) run(ctx context.Context, gate estimate.Gate) {
	if estimate.Run(ctx, gate, append([]*estimate.Estimator{m.among.estimator}, m.estimators...)...) != nil {
		return // the figures say themselves that they are not all
	}
	for _, s := range m.sweeps {
		_ = estimate.Run(ctx, gate, s.estimators()...)
	}
}

// begun reports whether every protocol has played a batch.
func (m *many) begun() bool {
	return !slices.ContainsFunc(m.estimators, func(e *estimate.Estimator) bool { done, _ := e.Progress(); return done == 0 })
}

// manyPlan is what a link's estimate plays. Where a phone is away, an absence as it stands; else a long random run with the link's knobs.
func manyPlan(l *Link) estimate.Plan {
	if s := &l.Scenario; s.Chapter == im.OfflineChapter {
		return estimate.Repeat(s, min(max(manyMessages/max(1, s.Missed()), fewestAbsences), mostAbsences))
	}
	s := longScenario(l)
	return estimate.Split(&s)
}

// ofOneRun are the knobs that say nothing of a long run.
var ofOneRun = []string{"messages", "length", "off", "reopen"}

// longScenario is randomScenario with very many messages, at its own pace where messages are spread over a length.
func longScenario(l *Link) im.Scenario {
	s := randomScenario(l)
	if s.Uniform {
		s.Length = s.Length / im.Time(s.Messages) * im.Time(manyMessages)
	}
	s.Messages = manyMessages
	return s
}

// randomScenario is the chapter's random scenario with the link's knobs.
func randomScenario(l *Link) im.Scenario {
	s, _ := im.FindScenario(l.Chapter.Name, "random")
	for _, p := range im.Params {
		if !slices.Contains(ofOneRun, p.Name) && p.Applies(&s) && p.Applies(&l.Scenario) {
			_ = p.Set(&s, p.Value(&l.Scenario)) // a knob has the same range in both
		}
	}
	if !s.Uniform {
		s.Phones = l.Scenario.Phones
	}
	return s
}

// addable are the counts among the rows of a table, which add up over runs; waits are estimated by themselves, and what is the most at
// once does not add up.
func addable(rows []metric) (out []metric) {
	atOnce := im.Metrics{Cost: im.Cost{Connections: 1}}
	for _, m := range rows {
		if !m.wait && m.value(&atOnce) == 0 {
			out = append(out, m)
		}
	}
	return out
}

// formula is what a figure comes to by a formula; ok is false where there is none. The column is that of a protocol.
func (m *many) formula(row *metric, protocol string) (v float64, ok bool) {
	s := &m.plan.Scenario
	one := func(probe im.Metrics) bool { return row.value(&probe) == 1 }
	switch {
	case s.Chapter == im.OfflineChapter && one(im.Metrics{ActiveConversations: 1}) && drawnAbsence(s):
		return estimate.Active(s.Conversations, float64(s.Missed())), true
	case s.Chapter == im.OrderingChapter && protocol == "arrival" && one(im.Metrics{InvertedPairs: 1}) && s.Loss == 0 && s.Phones == 2 && s.Write == 0 && !s.Reorder:
		return 100 * 2 * s.Latency.Seconds() / s.Gap.Seconds(), true
	case s.Chapter == im.OrderingChapter && protocol != "by-seq" && one(im.Metrics{Missing: 1}) && !s.NoACK && s.Attempts == 0 && !s.NoIDs && !s.NoDedupe:
		return 100 * float64(s.Loss) / 1e6 * float64(s.Phones-1), true
	}
	return 0, false
}

// waitFormula is what the mean wait in seconds comes to by a formula; ok is false where there is none.
func (m *many) waitFormula(protocol string) (v float64, ok bool) {
	s := &m.plan.Scenario
	if s.Chapter == im.OfflineChapter || s.Loss > 0 || s.Write > 0 || s.Rollback > 0 || s.Reorder {
		return 0, false
	}
	legs := 2 * s.Latency.Seconds()
	switch protocol {
	case "poll-id", "poll-time", "poll-token": // half an interval, and two legs; a poll must be answered before the next is due
		return s.Interval.Seconds()/2 + legs, s.Interval > 2*s.Latency
	case "long-poll": // messages that come while the phone asks anew wait longer
		return 0, false
	}
	return legs, true
}

// drawnAbsence reports whether what comes in an absence is drawn, and nothing besides.
func drawnAbsence(s *im.Scenario) bool {
	return !s.Evening && s.Incoming == nil && len(s.Events) == 0
}
