package web

import (
	"imscope/sim"
	"imscope/sim/im"
)

// event is all that happened in one moment: the steps of one input, which a reader sees and is told as one thing.
type event struct {
	sim.Moment
	steps im.Trace
	marks marks
	// passed is, for an own line that moved, the lines it moved above; crossed is, for a line that appeared, those it stands in
	// the opposite order to the server's with.
	passed, crossed []im.MessageID
	// below is the line that stands just above the one that appeared; none if that is the first.
	below im.MessageID
	// above is the line that stands just below it.
	above im.MessageID
}

// marks say what an event has that matters.
type marks uint8

// The marks, each a bit.
const (
	markLost marks = 1 << iota
	markCrossed
	markMoved
	markGap
	markFetched
	markFailed
	markDoubled
)

// has reports whether m contains mark.
func (m marks) has(mark marks) bool { return m&mark != 0 }

// events groups the steps of a run into its moments and finds out what in each of them matters.
func events(s *im.Scenario, trace im.Trace) []event {
	var all []event
	fold := im.NewFold(s, true)
	for lo := 0; lo < len(trace); {
		hi := lo + 1
		for hi < len(trace) && trace[hi].Moment() == trace[lo].Moment() {
			hi++
		}
		e := event{Moment: trace[lo].Moment(), steps: trace[lo:hi]}
		for i := range e.steps {
			e.fold1(fold, &e.steps[i])
		}
		all = append(all, e)
		lo = hi
	}
	return all
}

// fold1 folds one step and notes what it does to the screen it concerns.
func (e *event) fold1(f *im.Fold, s *im.Step) {
	d := &s.Data
	screen := &f.Screens[s.Actor]
	before := order(screen.Lines)
	pairs := screen.InvertedPairs
	f.Step(s)
	switch d.Kind {
	case im.Left:
		if d.Lost {
			e.marks |= markLost
		}
	case im.Acked:
		e.passed = append(e.passed, passed(before, order(screen.Lines), d.Msg)...)
		if len(e.passed) > 0 {
			e.marks |= markMoved
		}
		if d.Fetched {
			e.marks |= markFetched
		}
	case im.Shown:
		i := lastIndex(screen.Lines, d.Msg)
		if i > 0 {
			e.below = screen.Lines[i-1].Msg
		}
		if i+1 < len(screen.Lines) {
			e.above = screen.Lines[i+1].Msg
		}
		if screen.InvertedPairs > pairs {
			e.marks |= markCrossed
			e.crossed = append(e.crossed, screen.InvertedWith(i)...)
		}
		if screen.Lines[i].Duplicate {
			e.marks |= markDoubled
		}
		if d.Fetched {
			e.marks |= markFetched
		}
	case im.GapSeen:
		e.marks |= markGap
	case im.Failed:
		e.marks |= markFailed
	case im.Reloaded:
		for _, l := range screen.Lines {
			if p := passed(before, order(screen.Lines), l.Msg); len(p) > 0 {
				e.passed = append(e.passed, l.Msg)
			}
		}
		if len(e.passed) > 0 {
			e.marks |= markMoved
		}
	}
}

func order(lines []im.Line) []im.MessageID {
	ids := make([]im.MessageID, len(lines))
	for i := range lines {
		ids[i] = lines[i].Msg
	}
	return ids
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
