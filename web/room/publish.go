package room

import (
	"strconv"
	"sync/atomic"
	"time"
)

// published is an update with what is sent of it, which all its readers share. It never changes; when there is a newer one, replaced is
// closed.
type published struct {
	update   Update
	made     time.Time
	content  uint64  // counts what was published, but for mere beats
	clocked  uint64  // the same, for what the signals of the class say
	run, ask *shared // what is drawn of the run, and of the question: carried over while these stay the same
	clock    frame   // the signals of the class
	desk     frame   // and those for presenters
	beat     uint64  // a stream says that it is alive when this has changed
	ended    bool    // streams are to end
	replaced chan struct{}
}

// publish hands the newest to all who follow here. Only goroutine run calls it.
func (h *hub) publish() {
	old, u := h.desks.Load(), h.now()
	p := &published{update: u, made: time.Now(), beat: h.beat.Load(), ended: h.over(), replaced: make(chan struct{})}
	class := old == nil || p.beat != old.beat || p.ended != old.ended
	p.carryOver(old, h.runAt, h.askAt)
	if old == nil || !sameForClass(&u, &old.update) {
		class = true
		p.clocked++
		p.content++
	} else if u.Here != old.update.Here || u.Answers != old.update.Answers {
		p.content++
	} else if !class {
		return
	}
	p.clock, p.desk = clockFrame(&u, p.made), deskFrame(&u)
	if class {
		forClass := *p
		forClass.replaced = make(chan struct{})
		replace(&h.class, &forClass)
	}
	replace(&h.desks, p)
}

// carryOver takes from old what is still so.
func (p *published) carryOver(old *published, runAt, askAt uint64) {
	if old != nil {
		p.content, p.clocked, p.run, p.ask = old.content, old.clocked, old.run, old.ask
	}
	if p.run == nil || p.run.since != runAt {
		p.run = newShared(runAt)
	}
	if p.ask == nil || p.ask.since != askAt || !sameTally(p.update.Tally, old.update.Tally) {
		p.ask = newShared(askAt)
	}
}

// sameForClass reports whether two updates tell followers the same.
func sameForClass(a, b *Update) bool {
	return a.Version == b.Version && a.Live == b.Live && a.Gone == b.Gone && sameTally(a.Tally, b.Tally)
}

func sameTally(a, b *Tally) bool {
	return a == b || a != nil && b != nil && a.Question == b.Question && a.Answers == b.Answers
}

// clockFrame sets the signals with which a page keeps the class's clock:
//
//	room: {v: version, at: moment, play: whether it plays, speed, real: in true time, age: for how many milliseconds it has been playing since at,
//	       blank, live: the presenter is heard, gone: the room is no more}
func clockFrame(u *Update, now time.Time) frame {
	s := &u.State
	b := append(make([]byte, 0, 256), signalsLine...)
	b = strconv.AppendUint(append(b, `{"room":{"v":`...), u.Version, 10)
	b = append(append(append(b, `,"at":"`...), s.At...), '"') // State.check keeps out what JSON would have to escape
	b = strconv.AppendBool(append(b, `,"play":`...), s.Playing)
	b = strconv.AppendFloat(append(b, `,"speed":`...), s.Speed, 'f', -1, 64)
	b = strconv.AppendBool(append(b, `,"real":`...), s.TrueTime)
	b = strconv.AppendInt(append(b, `,"age":`...), s.Age(now).Milliseconds(), 10)
	b = strconv.AppendBool(append(b, `,"blank":`...), s.Blank)
	b = strconv.AppendBool(append(b, `,"live":`...), u.Live)
	b = strconv.AppendBool(append(b, `,"gone":`...), u.Gone)
	return newFrame(append(b, "}}\n\n"...))
}

// deskFrame sets the signals that only presenters get:
//
//	desk: {here: how many follow, answers: how many have answered, step: the place in the lesson, driver: the window that drives}
func deskFrame(u *Update) frame {
	b := append(make([]byte, 0, 160), signalsLine...)
	b = strconv.AppendInt(append(b, `{"desk":{"here":`...), int64(u.Here), 10)
	b = strconv.AppendInt(append(b, `,"answers":`...), int64(u.Answers), 10)
	b = strconv.AppendInt(append(b, `,"step":`...), int64(u.State.Step), 10)
	b = append(append(append(b, `,"driver":"`...), u.State.Driver...), '"')
	return newFrame(append(b, "}}\n\n"...))
}

const signalsLine = "event: datastar-patch-signals\ndata: signals "

// over reports whether streams are to end.
func (h *hub) over() bool {
	h.rooms.mu.Lock()
	defer h.rooms.mu.Unlock()
	return h.rooms.ended || h.ctx.Err() != nil
}

// replace puts p where readers look, and wakes those who wait at the one before.
func replace(at *atomic.Pointer[published], p *published) {
	if old := at.Swap(p); old != nil {
		close(old.replaced)
	}
}
