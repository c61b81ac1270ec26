package web

import (
	"context"
	"errors"

	"imscope/sim"
	"imscope/sim/im"
	"imscope/sim/protocol"
)

// maxSteps bounds what one page draws of one run.
const maxSteps = 15_000

var errTooLong = errors.New("the run has too many steps for a page")

// playEvents runs a protocol and hands on its events, each with the fold at that moment and the moment of the event after it, nil for
// the last. The error is errTooLong, ctx's, or what take returned.
func playEvents(ctx context.Context, s *im.Scenario, entry protocol.Entry, take func(*event, *im.Fold, *sim.Moment) error) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	sink := &limited{stop: stop}
	sink.grouper = newGrouper(s, func(e *event, next *sim.Moment) {
		if err := take(e, sink.fold, next); err != nil {
			stop(err)
		}
	})
	err := im.Run(ctx, s, entry.New(), sink)
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	if err == nil {
		sink.flush(nil)
		err = context.Cause(ctx)
	}
	return err
}

// limited ends a run that has more steps than a page can draw.
type limited struct {
	*grouper
	stop context.CancelCauseFunc
}

// Step takes one step.
func (l *limited) Step(s *im.Step) sim.StepID {
	if l.n == maxSteps {
		l.stop(errTooLong)
		l.n++
	}
	if l.n > maxSteps {
		return 0
	}
	return l.grouper.Step(s)
}
