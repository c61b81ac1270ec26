package im

import "imscope/sim"

// What happens with every message is recorded here, or, where only figures are wanted, counted without a step being made of it: that is
// most of what happens in a long run, and making steps costs more than counting.

// draft is the empty draft of a step, which w.engine.Record records.
func (w *World) draft() *Data {
	d := w.engine.Draft()
	*d = Data{}
	return d
}

// pressed tells that the user pressed send.
func (w *World) pressed(m MessageID) {
	if w.count != nil {
		w.count.pressed(m, w.Now())
		return
	}
	d := w.draft()
	d.Kind, d.Msg = Pressed, m
	w.Because(w.engine.Record(m.Sender))
}

// stored tells that a message was committed.
func (w *World) stored(row *Row) {
	if w.count != nil {
		w.count.stored(row)
		return
	}
	d := w.draft()
	d.Kind, d.Msg, d.Copy, d.ID, d.Seq = Stored, row.Msg, row.Copy, row.ID, row.Seq
	w.Because(w.engine.Record(Server))
}

// placed tells what a row did to a phone's screen, where it sorts by key: Acked, AckedAgain or Shown.
func (w *World) placed(phone Actor, kind Kind, row *Row, key int64, at Place) {
	if w.count != nil {
		w.count.placed(phone, kind, row, key, at.Fetched, w.Now())
		return
	}
	d := w.draft()
	d.Kind, d.Msg, d.Copy, d.ID, d.Seq = kind, row.Msg, row.Copy, row.ID, row.Seq
	d.Key, d.Gap, d.Fetched = key, at.Gap, at.Fetched
	w.Because(w.engine.Record(phone))
}

// left tells that a leg left.
func (w *World) left(in *Input, v sim.Verdict) sim.StepID {
	if w.count != nil {
		w.count.left(in, v.Lost)
		return 0
	}
	d := w.draft()
	d.Kind, d.Leg, d.To, d.Lost, d.Lands = Left, in.Leg, in.To, v.Lost, w.Now()+v.Delay
	d.Copy, d.Attempt, d.Msg, d.ID, d.Seq = in.Copy, in.Attempt, in.Msg, in.ID, in.Seq
	if in.Leg != MessageLeg && in.Leg != AckLeg { // of which there are most, and which tell nothing else
		d.Rows, d.Conv, d.New, d.More = in.Rows, in.Conv, in.New, in.More
		d.Key, d.Inbox, d.Lo, d.Hi = in.Key, in.Inbox, in.Lo, in.Hi
	}
	return w.engine.Record(in.From)
}
