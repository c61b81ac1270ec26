package find

import (
	"context"
	"strings"

	"imscope/sim"
	"imscope/sim/im"
)

// Variable is a name that conditions know.
type Variable struct {
	Name, Text string // and what it is, in English
	of         func(*outcome) any
}

// Variables lists what conditions on runs of s can be about: figures, and what stands where, as a list of names such as ["A1", "B1"].
func Variables(s *im.Scenario) []Variable {
	out := []Variable{
		number("messages", "messages that were sent", func(o *outcome) int64 { return o.metrics.Messages }),
		number("stored", "of them, those that the server stored", func(o *outcome) int64 { return o.metrics.Stored }),
		number("lost_legs", "legs that were lost, whatever they carried", func(o *outcome) int64 { return o.lostLegs }),
		number("wait_mean", "the mean wait, ms", func(o *outcome) int64 { return o.metrics.Wait.Mean() }),
		number("wait_p95", "95% of the waits are within, ms", func(o *outcome) int64 { return o.metrics.Wait.Quantile(95) }),
		number("wait_max", "the longest wait, ms", func(o *outcome) int64 { return o.metrics.Wait.MaxMillis() }),
	}
	for _, f := range im.FiguresIn(s) {
		out = append(out, number(f.Name, f.Text, func(o *outcome) int64 { return f.Of(&o.metrics) }))
	}
	for _, phone := range s.Screens() {
		out = append(out, Variable{strings.ToLower(im.Name(phone)), "the lines on " + im.Name(phone) + "'s screen, top to bottom", func(o *outcome) any { return im.MessageNames(o.fold.OnScreen(phone)) }})
	}
	return append(out, Variable{"server", "the stored messages, by id", func(o *outcome) any { return im.MessageNames(o.fold.OnServer()) }})
}

func number(name, text string, of func(*outcome) int64) Variable {
	return Variable{name, text, func(o *outcome) any { return int(of(o)) }}
}

// outcome is what a run came to. While it is played it is the run's sink.
type outcome struct {
	fold     *im.Fold
	metrics  im.Metrics
	lostLegs int64
	presses  []im.Time
}

func newOutcome(s *im.Scenario) *outcome { return &outcome{fold: im.NewFold(s, true)} }

// Step folds s in.
func (o *outcome) Step(s *im.Step) sim.StepID {
	switch {
	case s.Data.Kind == im.Left && s.Data.Lost:
		o.lostLegs++
	case s.Data.Kind == im.Pressed:
		o.presses = append(o.presses, s.At)
	}
	return o.fold.Step(s)
}

// play plays a run to its end.
func play(ctx context.Context, s *im.Scenario, p im.Protocol) (*outcome, error) {
	o := newOutcome(s)
	if err := im.Run(ctx, s, p, o); err != nil {
		return nil, err
	}
	o.metrics = o.fold.Metrics()
	return o, nil
}
