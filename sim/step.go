package sim

// Actor names who a step belongs to. The engine gives the numbers no meaning.
type Actor uint8

// StepID names a kept step: its index in the trace plus one. 0 is no step.
type StepID uint32

// Step is one thing that happened. D is the model's own data.
type Step[D any] struct {
	At Time
	// Tie is the ordinal, among the events of this instant that recorded anything, of the event that recorded this step. All
	// steps of one event share it: (At, Tie) names a moment, and goes on naming it when an event comes to record more steps.
	Tie   uint32
	Actor Actor
	Cause StepID
	Data  D
}

// Moment is a place between the events of a run: just after the event (At, Tie).
type Moment struct {
	At  Time
	Tie uint32
}

// Before reports whether m comes before o.
func (m Moment) Before(o Moment) bool {
	return m.At < o.At || m.At == o.At && m.Tie < o.Tie
}

// Moment is the moment of the event that recorded s.
func (s *Step[D]) Moment() Moment { return Moment{s.At, s.Tie} }

// Sink is where steps go: kept for a page, or folded into figures and forgotten. The step is only lent for the call.
type Sink[D any] interface {
	Step(*Step[D]) StepID
}

// Trace is the sink that keeps every step.
type Trace[D any] []Step[D]

// Step keeps s.
func (t *Trace[D]) Step(s *Step[D]) StepID {
	*t = append(*t, *s)
	return StepID(len(*t))
}

// Upto returns the steps up to and including moment m.
func (t Trace[D]) Upto(m Moment) Trace[D] {
	lo, hi := 0, len(t)
	for lo < hi {
		mid := (lo + hi) / 2
		if m.Before(t[mid].Moment()) {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return t[:lo]
}
