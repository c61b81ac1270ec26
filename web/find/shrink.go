package find

import (
	"context"
	"errors"
	"fmt"
	"time"

	"imscope/sim"
	"imscope/sim/im"
)

// A knob that may shrink, with the smaller values it may take, the smallest first. All other knobs are what the reader asked about, and
// stay. Less of these leaves the luck of what remains alone: a shorter run has the same messages up to its end, and of the legs that are
// lost at one chance, some are lost at a smaller one and no others. Only an absence of another length is drawn anew, and so
// are, where their number is given, fewer messages.
type knob struct {
	name    string
	smaller func(s *im.Scenario, o *outcome) []string
}

var knobs = []knob{
	{"phones", func(s *im.Scenario, _ *outcome) []string { return numbers(2, int64(s.Phones)) }},
	{"length", lengths},
	{"messages", fewer},
	{"away", absences},
	{"conversations", func(s *im.Scenario, _ *outcome) []string {
		return below(s.Conversations, 10, 20, 50, 100, 200, 500, 1000)
	}},
	{"loss", func(s *im.Scenario, _ *outcome) []string { return percents(s.Loss) }},
	{"rollback", func(s *im.Scenario, _ *outcome) []string { return percents(s.Rollback) }},
	{"reorder", func(s *im.Scenario, _ *outcome) []string { return off(s.Reorder) }},
	{"fetchloss", func(s *im.Scenario, _ *outcome) []string { return off(s.FetchLoss) }},
}

// shrink makes the run with the i-th seed small: one knob after another takes the smallest value with which the condition still holds,
// until none can.
func (s *Search) shrink(ctx context.Context, i int64) (*Run, error) {
	now := s.with(i)
	o, err := play(ctx, &now, s.protocol())
	if err != nil {
		return nil, err
	}
	run := &Run{Was: o.size()}
	for shrunk := true; shrunk; {
		shrunk = false
		for _, k := range knobs {
			smaller, after, err := s.turn(ctx, k, &now, o)
			if err != nil {
				return nil, err
			}
			if after != nil {
				now, o, shrunk = *smaller, after, true
			}
		}
	}
	run.Scenario, run.Size = now, o.size()
	return run, nil
}

// turn gives one knob the smallest value with which the condition still holds; without one, it returns no outcome.
func (s *Search) turn(ctx context.Context, k knob, now *im.Scenario, o *outcome) (*im.Scenario, *outcome, error) {
	p, ok := im.FindParam(k.name)
	if !ok || !p.Applies(now) {
		return nil, nil, nil
	}
	for _, value := range k.smaller(now, o) {
		run := *now
		if p.Set(&run, value) != nil || p.Number(&run) == p.Number(now) {
			continue
		}
		if now.Uniform && run.Length < now.Length { // with as many messages a second
			run.Messages = max(1, now.Messages*int64(run.Length)/int64(now.Length))
		}
		after, err := s.satisfied(ctx, &run)
		if err != nil || after != nil {
			return &run, after, err
		}
	}
	return nil, nil, nil
}

// satisfied plays a run, and returns what it came to if the condition means something there and holds.
func (s *Search) satisfied(ctx context.Context, run *im.Scenario) (*outcome, error) {
	if run.Phones < s.scenario.Phones { // the condition may be about one that is gone
		if _, err := Parse(s.condition.text, run); err != nil {
			return nil, nil
		}
	}
	o, err := play(ctx, run, s.protocol())
	if err != nil {
		return nil, err
	}
	holds, err := s.condition.holds(o)
	if !holds || errors.As(err, new(*ConditionError)) {
		return nil, nil
	}
	return o, err
}

// lengths end a drawn run just after each of its messages, or where their number is given, after a round time.
func lengths(s *im.Scenario, o *outcome) (values []string) {
	if s.Uniform {
		return times(s.Length, 5*time.Second, 10*time.Second, 20*time.Second, time.Minute, 2*time.Minute, 5*time.Minute)
	}
	for _, at := range o.presses {
		length := max(time.Second, at.Truncate(time.Millisecond)+time.Millisecond)
		if length < s.End() {
			values = append(values, im.FormatTime(length))
		}
	}
	return values
}

func fewer(s *im.Scenario, _ *outcome) []string {
	if !s.Uniform {
		return nil // the length says it
	}
	return numbers(1, s.Messages)
}

func absences(s *im.Scenario, _ *outcome) []string {
	if s.Evening { // whose messages are not drawn
		return nil
	}
	const hour = time.Hour
	return times(s.Off.To, hour/6, hour/2, hour, 3*hour, 6*hour, 12*hour, 24*hour, 3*24*hour, 7*24*hour)
}

// percents are the whole ones below a chance.
func percents(c sim.Chance) (values []string) {
	const percent = sim.Certain / 100
	for n := sim.Chance(0); n*percent < c; n++ {
		values = append(values, fmt.Sprintf("0.%02d", n))
	}
	return values
}

// numbers are those from first up to, and without, now.
func numbers(first, now int64) (values []string) {
	for n := first; n < now; n++ {
		values = append(values, fmt.Sprint(n))
	}
	return values
}

// times are those of some times that are below now.
func times(now im.Time, all ...im.Time) (values []string) {
	for _, t := range all {
		if t < now {
			values = append(values, im.FormatTime(t))
		}
	}
	return values
}

// below are those of some numbers that are below now.
func below(now int64, all ...int64) (values []string) {
	for _, n := range all {
		if n < now {
			values = append(values, fmt.Sprint(n))
		}
	}
	return values
}

func off(on bool) []string {
	if on {
		return []string{"off"}
	}
	return nil
}
