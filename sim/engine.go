// Package sim is a small discrete-event simulation engine: integer time, a queue of events, links that give verdicts, draws
// that belong to what they decide, and steps that go to a sink. It knows nothing of chat, of pictures or of the wall clock:
// the same input gives the same steps on every machine.
package sim

import "time"

// Time is a moment of a run, in integer nanoseconds since its start.
type Time = time.Duration

// Engine owns the clock of one run. E is what a model puts into the queue (an arrival, a timer), D is what a model records of
// what happened. A model takes events from Next, one at a time, and answers each by scheduling more and recording steps.
type Engine[E, D any] struct {
	now   Time
	queue queue[E]
	sink  Sink[D]

	// cause is the step from which what is recorded and scheduled now follows.
	cause StepID
	// fresh is true until the current event has recorded something.
	fresh bool
	// step is where a step stands while the sink reads it: a field, so that recording allocates nothing. Its moment stays as it is until
	// another event records.
	step Step[D]
}

// New returns an engine at time 0 whose steps go to sink.
func New[E, D any](sink Sink[D]) *Engine[E, D] {
	return &Engine[E, D]{queue: newQueue[E](), sink: sink, fresh: true, step: Step[D]{At: -1}}
}

// Now is the time of the event being handled.
func (e *Engine[E, D]) Now() Time { return e.now }

// Cause is the step that led to the event being handled; 0 for what the scenario itself asked for.
func (e *Engine[E, D]) Cause() StepID { return e.cause }

// Because makes id the cause of everything recorded from here to the end of the event.
func (e *Engine[E, D]) Because(id StepID) { e.cause = id }

// Lane registers a fixed delay. Events that wait equally long leave in the order they came, so a lane is a plain ring and far
// cheaper than the heap; use one for every constant of the model.
func (e *Engine[E, D]) Lane(delay Time, class Class) *Lane[E] { return e.queue.lane(delay, class) }

// Slot is where the lane's next event is written before After schedules it; what it holds before is not defined. It is good until the
// lane's next After. Nothing is copied: an event waits where it was written, and is handed out there.
func (e *Engine[E, D]) Slot(l *Lane[E]) *E { return &l.slot().what }

// After schedules what was written in the lane's slot, to happen once the lane's delay has passed, because of step cause. The ticket can
// call it back.
func (e *Engine[E, D]) After(l *Lane[E], cause StepID) Ticket {
	return e.queue.pushLane(l, e.now, cause)
}

// Cancel calls an event back. One that has come already is no error, nor is the ticket 0.
func (e *Engine[E, D]) Cancel(l *Lane[E], t Ticket) { e.queue.cancel(l, t) }

// At schedules an event for a given time, which must not lie in the past (it is moved to now if it does), because of step cause. It
// returns where the event is to be written; what that holds before is not defined, and it is good until the next call.
func (e *Engine[E, D]) At(at Time, class Class, cause StepID) *E {
	return e.queue.pushHeap(max(at, e.now), class, cause)
}

// Next moves the clock to the next event and lends it out until the next call; it returns nil when the queue is empty or the next
// event lies after until.
func (e *Engine[E, D]) Next(until Time) *E {
	q := &e.queue
	for {
		i := q.soonest()
		first := &q.heads[i]
		if first.at > until || first.at == never {
			return nil
		}
		q.lent = i
		var ev *event[E]
		if l := first.lane; l != nil {
			ev = l.at(l.first)
			first.advance()
		} else {
			ev = q.popHeap()
		}
		if ev.rank != void { // it was not called back
			e.now, e.cause, e.fresh = ev.at, ev.cause, true
			return &ev.what
		}
	}
}

// Draft is where the next step's data is written before it is recorded; what it holds before is not defined. Filling it field by field
// is faster than handing data over: what was just written in small parts is slow to copy.
func (e *Engine[E, D]) Draft() *D { return &e.step.Data }

// Record tells the sink that what the draft says happened now, to or by actor, and returns the step's id.
func (e *Engine[E, D]) Record(actor Actor) StepID {
	s := &e.step
	if e.fresh {
		e.fresh = false
		if s.At == e.now {
			s.Tie++
		} else {
			s.At, s.Tie = e.now, 0
		}
	}
	s.Actor, s.Cause = actor, e.cause
	return e.sink.Step(s)
}
