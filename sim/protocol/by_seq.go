package protocol

import "imscope/sim/im"

// bySeq orders every line by seq, a number that counts within the conversation without a gap. A phone that holds 1, 2 and gets 4
// knows that 3 exists. It waits a moment, for pushes may overtake one another, and then asks for what is still missing.
//
// Source: the book's chapter on ordering, section 3, step 2. Telegram's pts works alike (core.telegram.org/api/updates).
type bySeq struct {
	im.Delivery
	phones [im.MaxPhones + 1]reader
}

// reader is what one phone knows of the conversation's numbers, and what it is doing about a gap. It does one thing at a time:
// it waits, or it asks.
type reader struct {
	contiguous int64           // it has all of 1 … contiguous
	biggest    int64           // the biggest it has heard of
	held       im.Window[bool] // which it has above contiguous
	gap        int64           // how many it lacks below biggest

	waiting, asking bool
	round           uint32 // counts waits and asks, so that a timer knows whether it is still meant
	askedFor        int64  // the first missing number it asked for last
	attempt         uint32 // how often it has asked for that one
}

func (p *bySeq) Start(w *im.World) {
	p.Delivery.Start(w, im.BySeq, true)
	for i := range p.phones {
		p.phones[i].held.Release(1)
	}
}

func (p *bySeq) Handle(w *im.World, in *im.Input) {
	r := &p.phones[in.To]
	if (in.On == im.OnGap || in.On == im.OnAsk) && w.Away(in.To) { // it looks again when it is on
		w.TimerAt(w.Return(in.To), *in)
		return
	}
	switch in.On {
	case im.OnGap:
		if r.waiting && r.round == in.Attempt {
			p.ask(w, in.To, r)
		}
		return
	case im.OnAsk:
		if r.asking && r.round == in.Attempt {
			p.ask(w, in.To, r)
		}
		return
	}
	switch in.Leg {
	case im.PushLeg, im.AckLeg:
		p.take(w, in.To, r, in.Row(), false)
		p.mind(w, in.To, r)
	case im.AskLeg:
		w.Because(w.Record(im.Server, im.Data{Kind: im.RangeRead, To: in.From, Lo: in.Lo, Hi: in.Hi}))
		w.Send(im.Input{Leg: im.AnswerLeg, From: im.Server, To: in.From, Lo: in.Lo, Hi: in.Hi, Attempt: in.Attempt})
	case im.AnswerLeg:
		p.fill(w, in, r)
	case im.PullReplyLeg:
		p.Delivery.Handle(w, in)
		p.reloaded(r, in.Hi)
	default:
		p.Delivery.Handle(w, in)
	}
}

// hold notes that the phone has number n, and reports whether that is new.
func (r *reader) hold(n int64) bool {
	if n <= r.contiguous {
		return false
	}
	have := r.held.At(n)
	if have != nil && *have {
		return false
	}
	if n >= r.held.Hi() {
		r.held.Extend(n)
	}
	*r.held.At(n) = true
	if n > r.biggest {
		r.gap += n - r.biggest - 1
		r.biggest = n
	} else {
		r.gap--
	}
	for have := r.held.At(r.contiguous + 1); have != nil && *have; have = r.held.At(r.contiguous + 1) {
		r.contiguous++
	}
	r.held.Release(r.contiguous + 1)
	return true
}

// take puts a numbered line in its place. A line that stands already is not put a second time.
func (p *bySeq) take(w *im.World, phone im.Actor, r *reader, row im.Row, fetched bool) {
	fresh := r.hold(row.Seq)
	at := im.Place{Gap: r.gap, Fetched: fetched}
	switch {
	case row.Msg.Sender == phone && (!w.NoIDs || !fetched):
		if fresh || !fetched {
			p.Confirm(w, phone, row, at)
		}
	case fresh:
		p.Show(w, phone, row, at)
	case !fetched:
		w.Because(w.Record(phone, im.Data{Kind: im.Ignored, Msg: row.Msg, ID: row.ID, Seq: row.Seq, Gap: r.gap}))
	}
}

// fill takes the answer to a fetch: all of the range, lines that the phone has held meanwhile too.
func (p *bySeq) fill(w *im.World, in *im.Input, r *reader) {
	cause := w.Cause()
	if r.asking {
		r.asking = false
		r.round++
	}
	before := r.gap
	for seq := max(in.Lo, r.contiguous+1); seq <= in.Hi; seq++ {
		w.Because(cause)
		p.take(w, in.To, r, p.Store.Row(seq), true)
	}
	if r.gap == before {
		w.Record(in.To, im.Data{Kind: im.Ignored, Gap: r.gap})
	}
	p.mind(w, in.To, r)
}

// mind starts or ends the wait, as the gap demands.
func (p *bySeq) mind(w *im.World, phone im.Actor, r *reader) {
	switch {
	case r.gap == 0 && r.waiting:
		r.waiting = false
		r.round++
		w.Record(phone, im.Data{Kind: im.GapClosed})
	case r.gap > 0 && !r.waiting && !r.asking:
		r.waiting = true
		r.round++
		w.Because(w.Record(phone, im.Data{Kind: im.GapSeen, Gap: r.gap, Lo: r.contiguous + 1, Hi: r.biggest - 1}))
		w.Timer(im.Input{On: im.OnGap, From: phone, To: phone, Attempt: r.round})
	}
	p.release(w)
}

// ask fetches everything from the first missing number to the last.
func (p *bySeq) ask(w *im.World, phone im.Actor, r *reader) {
	r.waiting, r.asking = false, r.gap > 0
	r.round++
	if !r.asking {
		return
	}
	lo := r.contiguous + 1
	if lo != r.askedFor {
		r.askedFor, r.attempt = lo, 0
	}
	r.attempt++
	w.Because(w.Record(phone, im.Data{Kind: im.Asked, Lo: lo, Hi: r.biggest - 1, Attempt: r.attempt, Gap: r.gap}))
	w.Send(im.Input{Leg: im.AskLeg, From: phone, To: im.Server, Lo: lo, Hi: r.biggest - 1, Attempt: r.attempt})
	if w.FetchLoss {
		w.Timer(im.Input{On: im.OnAsk, From: phone, To: phone, Attempt: r.round})
	}
}

// reloaded makes the phone hold everything up to seq.
func (p *bySeq) reloaded(r *reader, seq int64) {
	for n := r.contiguous + 1; n <= seq; n++ {
		r.hold(n)
	}
	r.waiting, r.asking = false, false
	r.round++
}

// release lets the store forget what every phone has.
func (p *bySeq) release(w *im.World) {
	least := p.phones[im.Ana].contiguous
	for phone := im.Ben; phone <= im.Actor(w.Phones); phone++ {
		least = min(least, p.phones[phone].contiguous)
	}
	p.Release(w, least+1)
}
