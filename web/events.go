package web

import (
	"slices"

	"imscope/sim"
	"imscope/sim/im"
)

// event is all that happened in one moment: the steps of one input, which a reader sees and is told as one thing.
type event struct {
	sim.Moment
	steps im.Trace
	marks marks
	// passed is, for an own line that moved, the lines it moved above (for a screen drawn anew, the lines that moved); crossed is,
	// for a line that appeared, those it stands in the opposite order to the server's with.
	passed, crossed []im.MessageID
	// above is the line just above which the new one was put; none if that went to the bottom.
	above im.MessageID
}

// marks say what an event has that matters, a bit each.
type marks uint16

const (
	markLost marks = 1 << iota
	markCrossed
	markMoved
	markGap
	markFetched
	markFailed
	markDoubled
	markPassed
	markBrought
	markTooFar
)

func (m marks) has(mark marks) bool { return m&mark != 0 }

// clock is the event's time in seconds as the page counts it: events of one instant follow one another by clockTie.
func (e *event) clock() float64 { return momentClock(e.Moment) }

func momentClock(m sim.Moment) float64 { return m.At.Seconds() + float64(m.Tie)*clockTie }

// clockTie is far below what anybody could see, and above what a style sheet rounds away.
const clockTie = 1e-5

// grouper is the sink of a page: it gathers the steps of each moment into an event, finds out what in it matters, and hands it on
// once it is whole, with the fold at that moment. The event is only lent for the call.
type grouper struct {
	scenario *im.Scenario
	fold     *im.Fold
	next     event
	take     func(e *event, next *sim.Moment)
	n        uint32
	// The messages on a screen before a step that may move them, and after it; kept from one step to the next.
	before, after []im.MessageID
}

func newGrouper(s *im.Scenario, take func(e *event, next *sim.Moment)) *grouper {
	return &grouper{scenario: s, fold: im.NewFold(s, true), take: take}
}

// Step takes one step.
func (g *grouper) Step(s *im.Step) sim.StepID {
	now := s.Moment()
	if len(g.next.steps) > 0 && g.next.Moment != now && !g.next.gathers(g.scenario, s) {
		g.flush(&now)
	}
	g.next.Moment = now
	g.next.steps = append(g.next.steps, *s)
	if g.scenario.Chapter == im.OfflineChapter {
		g.fold.Step(s)
		g.next.catch(s)
	} else {
		g.add(s)
	}
	g.n++
	return sim.StepID(g.n)
}

// flush hands on the event gathered so far; next is the moment of the one that begins, nil at the end of the run.
func (g *grouper) flush(next *sim.Moment) {
	if len(g.next.steps) > 0 {
		g.take(&g.next, next)
		g.next = event{steps: g.next.steps[:0]}
	}
}

// add folds one step and notes what it does to the screen it concerns.
func (g *grouper) add(s *im.Step) {
	e, d := &g.next, &s.Data
	screen := &g.fold.Screens[s.Actor]
	pairs := screen.InvertedPairs
	moves := d.Kind == im.Acked || d.Kind == im.Reloaded
	if moves {
		g.before = appendOrder(g.before[:0], screen.Lines)
	}
	g.fold.Step(s)
	if moves {
		g.after = appendOrder(g.after[:0], screen.Lines)
	}
	switch d.Kind {
	case im.Left:
		e.mark(markLost, d.Lost)
	case im.Acked:
		e.passed = append(e.passed, passed(g.before, g.after, d.Msg)...)
		e.mark(markMoved, len(e.passed) > 0)
		e.mark(markFetched, d.Fetched)
	case im.Shown:
		i := lastIndex(screen.Lines, d.Msg)
		if i+1 < len(screen.Lines) {
			e.above = screen.Lines[i+1].Msg
		}
		if screen.InvertedPairs > pairs {
			e.crossed = append(e.crossed, screen.InvertedWith(i)...)
		}
		e.mark(markCrossed, len(e.crossed) > 0)
		e.mark(markDoubled, screen.Lines[i].Duplicate)
		if e.has(im.Answered) {
			e.mark(markBrought, true)
		} else {
			e.mark(markFetched, d.Fetched)
		}
	case im.ReadPast:
		e.mark(markPassed, true)
	case im.GapSeen:
		e.mark(markGap, true)
	case im.Failed:
		e.mark(markFailed, true)
	case im.Reloaded:
		for _, m := range g.after {
			if len(passed(g.before, g.after, m)) > 0 {
				e.passed = append(e.passed, m)
			}
		}
		e.mark(markMoved, len(e.passed) > 0)
	}
}

// catch notes what matters in a step of a phone that catches up.
func (e *event) catch(s *im.Step) {
	e.mark(markLost, s.Data.Kind == im.Left && s.Data.Lost)
	e.mark(markBrought, s.Data.Kind == im.SyncAnswered && s.Data.Rows+s.Data.New > 0 && !s.Data.More)
	e.mark(markPassed, s.Data.Kind == im.ReadPast)
	e.mark(markFailed, s.Data.Kind == im.RolledBack)
	e.mark(markTooFar, s.Data.Kind == im.TooMany)
}

// has reports whether the event has a step of that kind.
func (e *event) has(kind im.Kind) bool {
	return slices.ContainsFunc(e.steps, func(s im.Step) bool { return s.Data.Kind == kind })
}

func (e *event) mark(m marks, yes bool) {
	if yes {
		e.marks |= m
	}
}

// appendOrder appends the messages of lines.
func appendOrder(order []im.MessageID, lines []im.Line) []im.MessageID {
	for i := range lines {
		order = append(order, lines[i].Msg)
	}
	return order
}

func lastIndex(lines []im.Line, m im.MessageID) int {
	for i := len(lines) - 1; i >= 0; i-- {
		if lines[i].Msg == m {
			return i
		}
	}
	return -1
}

// passed lists the lines that were above m before and are below it after.
func passed(before, after []im.MessageID, m im.MessageID) (over []im.MessageID) {
	if slices.Equal(before, after) {
		return nil // as most often
	}
	below := map[im.MessageID]bool{}
	seen := false
	for _, id := range after {
		if seen {
			below[id] = true
		}
		seen = seen || id == m
	}
	for _, id := range before {
		if id == m {
			break
		}
		if below[id] {
			over = append(over, id)
		}
	}
	return over
}
