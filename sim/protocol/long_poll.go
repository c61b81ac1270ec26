package protocol

import "imscope/sim/im"

// longPoll asks like poll-id, but a server that has nothing does not answer: it holds the request until there is something, or
// until it has held it for long enough. The answer leaves as soon as a row commits, and the phone asks again at once. What confirms
// an answer is the next request's cursor, so a lost answer is repeated. The phone waits longer than the server holds. The hole of
// poll-id is wider here: the held request is answered at the first commit, so a smaller id that commits second is always lost.
//
// Source: the book's chapter on the minimal chat, section 6; Matrix's /sync?since&timeout with 30000 ms (spec.matrix.org).
type longPoll struct {
	pollID
	held    im.Input // the request that the server holds
	holding bool
	waking  bool // it will be answered at the end of this instant
}

func (p *longPoll) Start(w *im.World) {
	p.after = w.FirstID
	p.Open(w, p)
	p.Committed = p.committed
	p.Patience = w.Hold + w.RTO
	w.TimerAt(w.Phase, im.Input{On: im.OnTick, From: w.Reader, To: w.Reader})
}

func (p *longPoll) Handle(w *im.World, in *im.Input) {
	switch {
	case in.On == im.OnTick:
		p.again(w, 0)
	case in.On == im.OnRestart: // with what the server held in memory goes the request; the phone will find its answer overdue
		p.holding, p.waking = false, false
		p.Polling.Handle(w, in)
	case in.On == im.OnOn && in.To == w.Reader:
		p.Polling.Handle(w, in)
		p.again(w, p.Number()+1)
	case in.On == im.OnLate:
		if p.Late(in) {
			p.again(w, p.Number()+1)
		}
	case in.On == im.OnHold:
		if p.holding && p.held.Lo == in.Lo {
			p.holding = false
			w.Because(w.Record(im.Server, im.Data{Kind: im.HoldEnded, To: w.Reader, Lo: in.Lo}))
			p.ReplyEmpty(w, &p.held)
		}
	case in.On == im.OnWake:
		if p.waking {
			p.holding, p.waking = false, false
			p.Reply(w, &p.held)
		}
	case in.On == im.OnLeg && in.Leg == im.PollLeg:
		p.receive(w, in)
	case in.On == im.OnLeg && in.Leg == im.PollReplyLeg:
		p.Polling.Handle(w, in)
		if !p.Asking() {
			p.again(w, p.Number()+1)
		}
	default:
		p.Polling.Handle(w, in)
	}
}

// again lets the next request leave, until the run's length is over.
func (p *longPoll) again(w *im.World, number uint32) {
	if w.Awake() && w.Now() <= w.End() {
		p.Ask(w, number, 1)
	}
}

// receive answers or holds a request. An older one that is held has nobody waiting for it any more.
func (p *longPoll) receive(w *im.World, in *im.Input) {
	p.holding, p.waking = false, false
	if p.Found(in) {
		p.Reply(w, in)
		return
	}
	p.held, p.holding = *in, true
	w.Because(w.Record(im.Server, im.Data{Kind: im.Held, To: in.From, Lo: in.Lo, ID: in.ID}))
	w.TimerAt(w.Now()+w.Hold, im.Input{On: im.OnHold, From: im.Server, To: im.Server, Lo: in.Lo})
}

// committed wakes the held request, which reads once all that commits at this instant has done so.
func (p *longPoll) committed(w *im.World, row im.Row, inserted im.Time) {
	p.Commit(w, row, inserted)
	if p.holding && !p.waking && row.ID > p.held.ID {
		p.waking = true
		w.ReadNow(im.Input{On: im.OnWake, From: im.Server, To: im.Server, Lo: p.held.Lo})
	}
}
