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
	// To count the steps takes a hundredth of the time that it takes to draw them, so a run that is too long is refused at once.
	err := im.Run(ctx, s, entry.New(), &counter{stop: stop})
	if err == nil && ctx.Err() == nil {
		var sink *grouper
		sink = newGrouper(s, func(e *event, next *sim.Moment) {
			if ctx.Err() != nil {
				return
			}
			if err := take(e, sink.fold, next); err != nil {
				stop(err)
			}
		})
		if err = im.Run(ctx, s, entry.New(), sink); err == nil {
			sink.flush(nil)
		}
	}
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	return err
}

// counter ends a run that has more steps than a page can draw.
type counter struct {
	n    sim.StepID
	stop context.CancelCauseFunc
}

// Step counts one step.
func (c *counter) Step(*im.Step) sim.StepID {
	if c.n++; c.n == maxSteps+1 {
		c.stop(errTooLong)
	}
	return c.n
}
