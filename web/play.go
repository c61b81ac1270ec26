package web

import (
	"context"
	"errors"

	"imscope/sim"
	"imscope/sim/im"
	"imscope/sim/protocol"
)

// played is a run of one protocol, whole.
type played struct {
	protocol.Entry
	trace  im.Trace
	events []event
}

// maxSteps bounds what one page draws of one run.
const maxSteps = 15_000

var errTooLong = errors.New("the run has too many steps for a page")

// bounded keeps a trace up to maxSteps and then ends the run.
type bounded struct {
	im.Trace
	stop context.CancelCauseFunc
}

func (b *bounded) Step(s *im.Step) sim.StepID {
	if len(b.Trace) == maxSteps {
		b.stop(errTooLong)
		return 0
	}
	return b.Trace.Step(s)
}

// play runs every protocol of the chapter on the same scenario. The error is errTooLong or ctx's.
func play(ctx context.Context, s *im.Scenario, c protocol.Chapter) ([]played, error) {
	var all []played
	for _, entry := range c.Protocols {
		ctx, stop := context.WithCancelCause(ctx)
		sink := &bounded{stop: stop}
		err := im.Run(ctx, s, entry.New(), sink)
		if cause := context.Cause(ctx); cause != nil {
			err = cause
		}
		stop(nil)
		if err != nil {
			return nil, err
		}
		all = append(all, played{entry, sink.Trace, events(s, sink.Trace)})
	}
	return all, nil
}

// current is the index of the last event that m has come to, -1 before the first.
func (p *played) current(m sim.Moment) int {
	i := -1
	for i+1 < len(p.events) && !m.Before(p.events[i+1].Moment) {
		i++
	}
	return i
}

// momentAt is how a link spells the moment of event i: without its ordinal where no later event of that instant exists, so that
// the link is short and goes on meaning all of the instant.
func momentAt(all []event, i int) At {
	e := &all[i]
	switch {
	case i == len(all)-1:
		return At{End: true}
	case e.At == 0 && all[i+1].At > 0:
		return At{}
	case all[i+1].At > e.At:
		return At{Time: e.At}
	default:
		return At{Time: e.At, Tie: e.Tie, HasTie: true}
	}
}
