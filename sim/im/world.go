package im

import (
	"context"
	"iter"

	"imscope/sim"
)

// Protocol is a chat protocol as a state machine: messages and timers come in; sends, timers and steps go out through the World.
// It starts no goroutine, reads no clock but the World's, and keeps all its state in itself.
type Protocol interface {
	// Start is called once, at time 0, before any input.
	Start(w *World)
	// Handle takes one input. It records at least one step unless the input has become void (a timer of something settled).
	Handle(w *World, in *Input)
}

// commits is when, within an instant, transactions go on and commit: a read at the same instant sees what they did.
const commits = sim.Arrival

// World is what a protocol sees of the run it lives in.
type World struct {
	*Scenario
	engine *sim.Engine[Input, Data]
	luck   sim.Luck
	end    Time
	times  []Time // when Ana sends, in a uniform scenario
	// gaps are each phone's next gap, where gaps are drawn: each is drawn one press ahead, so that nothing waits for its logarithm.
	gaps [MaxPhones + 1]Time
	// calm says that luck alone decides, as in all long runs: nothing is said of the run, and no phone is ever off.
	calm bool

	incoming []Arrival // what others send while the reader's phone is away
	lanes    struct{ rto, gapWait, commit *sim.Lane[Input] }
	routes   [legEnd]route
	count    *Fold // where only figures are wanted: what happens with every message is counted here instead of being recorded
}

// route is how legs of one kind travel. Those that nothing delays beyond the latency share a lane.
type route struct {
	link     sim.Link
	class    sim.Class
	numbered bool
	lane     *sim.Lane[Input]
}

// On says what an input is.
type On uint8

// The kinds of input.
const (
	OnPress   On = iota // the user presses send
	OnLeg               // a leg has arrived; Leg says which
	OnRetry             // no ACK for RTO
	OnGap               // a gap was waited for, for GapWait
	OnAsk               // no answer to a fetch for RTO
	OnCommit            // a transaction commits
	OnOpen              // the user opens the conversation again
	OnOff               // the reader's phone goes off
	OnOn                // it is on again
	OnTick              // a poll is due
	OnLate              // an answer is overdue
	OnWake              // a held request has something to be answered with
	OnHold              // a request was held long enough
	OnBeat              // a heartbeat is due
	OnSilence           // no heartbeat has come for too long
	OnArrive            // a message comes from somebody who has no phone in the run
	OnResend            // no answer to a request for RTO
	OnRestart           // the server starts anew
	OnStuck             // a transaction has waited for so long that the database looks why
)

// Input is what a protocol is handed: a leg that arrived, or a timer that fired.
type Input struct {
	On       On
	Leg      Leg
	From, To Actor
	More     bool // in an answer: there are more
	Copy     uint16
	Rows     uint16 // in an answer: how many it brings
	New      uint16 // in an answer: how many conversations it lists
	Conv     uint16 // the conversation, where there are several
	Attempt  uint32
	Floor    uint32 // in a message leg: the first of its sender's messages that is not confirmed
	Msg      MessageID
	ID, Seq  int64
	Key      int64
	Inbox    int64
	Lo, Hi   int64
}

// identity packs what a leg is, apart from luck and time: (kind of leg, message, attempt, receiver), or for the numbered legs
// (kind of leg, phone, first missing seq or number of the request, attempt or page).
func (in *Input) identity(numbered bool) (a, b uint64) {
	if numbered {
		return uint64(in.Leg)<<48 | uint64(in.From+in.To), uint64(in.Lo)<<20 | uint64(in.Attempt)
	}
	return uint64(in.Leg)<<48 | uint64(in.Msg.Sender)<<40 | uint64(in.To)<<32 | uint64(in.Msg.N), uint64(in.Attempt)
}

// numbered reports whether such legs are of a fetch, or of another exchange that has numbers.
func (l Leg) numbered() bool {
	const legs = 1<<AskLeg | 1<<AnswerLeg | 1<<PollLeg | 1<<PollReplyLeg | 1<<ConnectLeg | 1<<PingLeg | 1<<PongLeg | 1<<SyncLeg | 1<<SyncReplyLeg
	return legs>>l&1 != 0
}

// Row is the stored message that an ACK, a push or a commit carries.
func (in *Input) Row() Row { return Row{in.Msg, in.Copy, in.ID, in.Seq} }

// Run plays the scenario under a protocol and sends every step to sink. It returns early, with ctx's error, when ctx ends.
func Run(ctx context.Context, s *Scenario, p Protocol, sink Sink) error {
	w := &World{Scenario: s, engine: sim.New[Input](sink), luck: sim.NewLuck(s.Seed)}
	return w.play(ctx, p, func() {})
}

// Tally plays the scenario for its figures alone. They are those of a fold that Run sends every step to; but what happens with every message
// is counted without a step being made of it. Every so often it calls pause.
func Tally(ctx context.Context, s *Scenario, p Protocol, pause func()) (Metrics, error) {
	f := NewFold(s, false)
	w := &World{Scenario: s, engine: sim.New[Input](f), luck: sim.NewLuck(s.Seed), count: f}
	err := w.play(ctx, p, pause)
	return f.Metrics(), err
}

// stretch is how many events are handled between two looks at whether to go on.
const stretch = 1024

func (w *World) play(ctx context.Context, p Protocol, pause func()) error {
	s, e := w.Scenario, w.engine
	for leg := range w.routes {
		r := &w.routes[leg]
		r.link, r.class, r.numbered = s.link(Leg(leg)), sim.Arrival, Leg(leg).numbered()
		if Leg(leg).reads() {
			r.class = sim.Read
		}
		r.lane = e.Lane(s.Latency, r.class)
	}
	w.lanes.rto = e.Lane(s.RTO, sim.Timer)
	w.lanes.gapWait = e.Lane(s.GapWait, sim.Timer)
	w.lanes.commit = e.Lane(s.Write, sim.Arrival)

	w.end, w.calm = s.End(), s.plain() && s.Off.To == 0
	if s.Uniform {
		w.times = s.uniform(w.luck)
	}
	w.absences() // before anything else of an instant
	p.Start(w)
	w.arrivals()
	for phone := Ana; phone <= Actor(s.Phones); phone++ {
		w.gaps[phone] = s.gap(w.luck, phone, 1)
		w.scheduleSend(phone, 1, 0)
	}
	w.edits()
	if s.Reopen != Server {
		*e.At(w.end, sim.Timer, 0) = Input{On: OnOpen, From: s.Reopen, To: s.Reopen}
	}
	for until := w.end + Overtime; ; {
		pause()
		if ctx.Err() != nil {
			return ctx.Err()
		}
		for range stretch {
			in := e.Next(until)
			if in == nil {
				return nil
			}
			switch in.On {
			case OnArrive:
				w.scheduleArrival(int(in.Lo) + 1)
			case OnPress:
				if !w.presses(in.Msg) {
					continue
				}
			}
			p.Handle(w, in)
		}
	}
}

// presses plans the press that follows m's, and reports whether its sender presses now: not a phone that is off.
func (w *World) presses(m MessageID) bool {
	if !m.Hand() && !w.resent(m) {
		w.scheduleSend(m.Sender, m.N+1, w.Now())
	}
	return !w.away(m.Sender, w.Now())
}

// scheduleSend puts the scenario's n-th press of a phone into the queue, given the time of the one before. Those that edits move or drop
// are passed over.
func (w *World) scheduleSend(phone Actor, n uint32, before Time) {
	for {
		at, ok := w.sendTime(phone, n, before)
		if m := (MessageID{phone, n}); ok && !w.resent(m) {
			w.scheduleAt(at, m)
		} else if ok {
			n, before = n+1, at
			continue
		}
		return
	}
}

// sendTime is when the scenario has a phone send for the n-th time. It is asked for each n once, in turn.
func (w *World) sendTime(phone Actor, n uint32, before Time) (at Time, ok bool) {
	switch {
	case w.drawsGaps():
		at = before + w.gaps[phone]
		w.gaps[phone] = w.gap(w.luck, phone, n+1)
		return at, at < w.end
	case !w.Uniform:
		return w.scripted(MessageID{phone, n})
	case phone != Ana || int(n) > len(w.times):
		return 0, false
	default:
		return w.times[n-1], true
	}
}

// absences puts into the queue when phones go off and on. One that is off for two stretches that overlap or meet goes off and on once.
func (w *World) absences() {
	done := map[Input]bool{}
	turn := func(on On, phone Actor, at Time) {
		in := Input{On: on, From: phone, To: phone}
		if key := (Input{On: on, To: phone, Lo: int64(at)}); !done[key] {
			done[key] = true
			*w.engine.At(at, sim.Arrival, 0) = in
		}
	}
	for _, off := range w.offs() {
		if off.At == 0 || !w.away(off.Phone, off.At-1) {
			turn(OnOff, off.Phone, off.At)
		}
		if !w.away(off.Phone, off.Until) {
			turn(OnOn, off.Phone, off.Until)
		}
	}
}

// edits puts into the queue what else happens by hand.
func (w *World) edits() {
	for i := range w.Edits {
		e := &w.Edits[i]
		switch {
		case w.adds(e), e.Verb == Press && e.Msg.Sender != Server && w.has(e.Msg):
			w.scheduleAt(e.At, e.Msg)
		case e.Verb == Restart:
			*w.engine.At(e.At, sim.Arrival, 0) = Input{On: OnRestart}
		}
	}
}

// arrivals lets messages come from those who have no phone in the run.
func (w *World) arrivals() {
	if w.Chapter == OfflineChapter {
		w.incoming = w.Arrivals()
		w.scheduleArrival(0)
	}
}

// scheduleArrival puts the n-th message, from 0, into the queue. Nothing of the run causes it.
func (w *World) scheduleArrival(n int) {
	if n >= len(w.incoming) {
		return
	}
	a := &w.incoming[n]
	*w.engine.At(a.At, sim.Arrival, 0) = Input{On: OnArrive, Msg: a.Msg, Conv: a.Conv, Lo: int64(n)}
}

// scheduleAt puts a press into the queue. Nothing of the run causes it.
func (w *World) scheduleAt(at Time, m MessageID) {
	in := w.engine.At(at, sim.Timer, 0)
	*in = Input{}
	in.On, in.From, in.To, in.Msg = OnPress, m.Sender, m.Sender, m
}

// Now is the time of the input being handled.
func (w *World) Now() Time { return w.engine.Now() }

// Record tells that something happened to actor.
func (w *World) Record(actor Actor, d Data) sim.StepID {
	*w.engine.Draft() = d
	return w.engine.Record(actor)
}

// Cause is the step that the input being handled follows from.
func (w *World) Cause() sim.StepID { return w.engine.Cause() }

// Because makes step the cause of what this input does from here on.
func (w *World) Because(step sim.StepID) { w.engine.Because(step) }

// Others yields every phone but except.
func (w *World) Others(except Actor) iter.Seq[Actor] {
	return func(yield func(Actor) bool) {
		for phone := Ana; phone <= Actor(w.Phones); phone++ {
			if phone != except && !yield(phone) {
				return
			}
		}
	}
}

// Send lets a leg leave: the link judges it, the step is recorded, and if it is not lost it will arrive.
func (w *World) Send(in Input) (lost bool) {
	slot := w.slot(in.Leg)
	*slot = in
	return w.leave(slot)
}

// leg is the slot of a leg that is about to leave, empty but for what every leg tells. It is for what happens with every message: what is
// written there is never copied.
func (w *World) leg(leg Leg, from, to Actor) *Input {
	in := w.slot(leg)
	*in = Input{}
	in.Leg, in.From, in.To = leg, from, to
	return in
}

func (w *World) slot(leg Leg) *Input { return w.engine.Slot(w.routes[leg].lane) }

// leave lets go what stands in the slot of a leg.
func (w *World) leave(in *Input) (lost bool) {
	r := &w.routes[in.Leg]
	v := w.judge(r, in)
	step := w.left(in, v)
	if v.Lost {
		return true
	}
	in.On = OnLeg
	if v.Delay == r.link.Latency {
		w.engine.After(r.lane, step)
	} else {
		*w.engine.At(w.Now()+v.Delay, r.class, step) = *in
	}
	return false
}

// judge gives the verdict on a leg that leaves now.
func (w *World) judge(r *route, in *Input) sim.Verdict {
	a, b := in.identity(r.numbered)
	var jitter sim.Draw
	if r.link.Jitter > 0 {
		jitter = w.luck.Draw(delayDraw, a, b)
	}
	v := r.link.Judge(w.luck.Draw(lossDraw, a, b), jitter)
	if w.calm {
		return v
	}
	return w.overrule(v, in)
}

// overrule puts what is said of a leg in the place of luck. What reaches a phone that is off is lost.
func (w *World) overrule(v sim.Verdict, in *Input) sim.Verdict {
	if !w.plain() {
		v = w.verdict(v, in.legID())
	}
	v.Lost = v.Lost || w.away(in.To, w.Now()+v.Delay)
	return v
}

// Timer starts the timer of input in: RTO for OnRetry and OnAsk, GapWait for OnGap, the write time for OnCommit. It is
// not called back; whoever handles it finds out whether it still matters.
func (w *World) Timer(in Input) {
	lane := w.lanes.rto
	switch in.On {
	case OnGap:
		lane = w.lanes.gapWait
	case OnCommit:
		if takes := w.writeTime(in.Msg); takes != w.Write {
			*w.engine.At(w.Now()+takes, sim.Arrival, w.Cause()) = in
			return
		}
		lane = w.lanes.commit
	}
	*w.engine.Slot(lane) = in
	w.engine.After(lane, w.Cause())
}

// retryTimer starts the timer of a message that was sent.
func (w *World) retryTimer(m MessageID, attempt uint32) sim.Ticket {
	in := w.engine.Slot(w.lanes.rto)
	*in = Input{}
	in.On, in.From, in.To, in.Msg, in.Attempt = OnRetry, m.Sender, m.Sender, m, attempt
	return w.engine.After(w.lanes.rto, w.Cause())
}

// TimerAt starts a timer that fires at a given time.
func (w *World) TimerAt(at Time, in Input) { *w.engine.At(at, sim.Timer, w.Cause()) = in }

// ReadNow hands in back once everything of this instant that arrives or commits has been handled.
func (w *World) ReadNow(in Input) { *w.engine.At(w.Now(), sim.Read, w.Cause()) = in }

// Away reports whether a phone is off.
func (w *World) Away(phone Actor) bool { return w.away(phone, w.Now()) }

// Return is when a phone that is off is on again.
func (w *World) Return(phone Actor) Time {
	at := w.Now()
	for w.away(phone, at) {
		for _, off := range w.offs() {
			if off.Phone == phone && (Span{off.At, off.Until}).Has(at) {
				at = off.Until
			}
		}
	}
	return at
}

// Awake reports whether the reader's phone is on.
func (w *World) Awake() bool { return !w.Away(w.Reader) }
