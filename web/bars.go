package web

import (
	"imscope/sim/im"
	"imscope/templates"
)

// transaction draws, on the server's lifeline, how long a write waited for the lock and how long it was open.
func (l *layout) transaction(s *im.Step) {
	m := s.Data.Msg
	from, open := l.write[m]
	if open {
		class := "tx " + actorClass(m.Sender)
		if l.locking[m] {
			class = "lock"
		}
		l.d.Waits = append(l.d.Waits, templates.Wait{X: l.x(im.Server), Y1: l.y(from), Y2: l.y(s.At), From: from.Seconds(), Until: s.At.Seconds(), Class: class})
	}
	delete(l.write, m)
	delete(l.locking, m)
	switch s.Data.Kind {
	case im.Began, im.Locked:
		l.write[m] = s.At
	case im.LockWaited:
		l.write[m], l.locking[m] = s.At, true
	}
}

// bar draws how long a message waited, from its sending to the screen, beside the lifeline of its reader.
func (l *layout) bar(s *im.Step) {
	from, ok := l.sent[s.Data.Msg]
	if !ok {
		return
	}
	delete(l.sent, s.Data.Msg)
	l.waited.add(s.Data.Msg, from, s.At)
	x := l.x(s.Actor) - 7 - 5*(l.bars%4)
	l.bars++
	l.d.Waits = append(l.d.Waits, templates.Wait{X: x, Y1: l.y(from), Y2: l.y(s.At), From: from.Seconds(), Until: s.At.Seconds(),
		Class: "bar " + actorClass(s.Data.Msg.Sender)})
}

// wait draws the time in which a phone waits for a gap to close, once it is over.
func (l *layout) wait(s *im.Step) {
	began := &l.waits[s.Actor]
	switch s.Data.Kind {
	case im.GapSeen:
		*began = s.At + 1
	case im.GapClosed, im.Asked:
		if from := *began - 1; from >= 0 {
			l.d.Waits = append(l.d.Waits, templates.Wait{X: l.x(s.Actor), Y1: l.y(from), Y2: l.y(s.At), From: from.Seconds(), Until: s.At.Seconds()})
			*began = 0
		}
	}
}
