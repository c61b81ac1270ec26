package web

import (
	"fmt"

	"imscope/sim/im"
	"imscope/templates"
)

// The space-time diagram: time runs down, a lifeline an actor, a slanting line a leg. Layout is a pure function of the events, taken
// one by one: nothing that is drawn moves when more is added.

const (
	firstLane  = 96
	lastLane   = 296
	diagramTop = 34
	labelAside = 9
	tickRoom   = 34 // what the times take at the left
	mostLines  = 4  // of a label; the list tells the rest
)

// layout draws events into a diagram.
type layout struct {
	narrator
	scale  *timeMap
	d      templates.Diagram
	waited *waits                   // of messages, for the stacks beside the diagram
	under  []im.Step                // legs that have left and not landed, by landing; drawn when they have
	waits  [im.MaxActor + 1]im.Time // when each phone's open wait began, plus one; 0 if it does not wait
	// labels are the last of each lane: how far down, and in how many lines so far.
	labels  [im.MaxActor + 1]struct{ y, lines int }
	empty   int64                    // the number of the poll that finds nothing in the event at hand, plus one
	sent    map[im.MessageID]im.Time // when the messages were sent that wait to be shown
	write   map[im.MessageID]im.Time // when the transactions began, or began to wait for the lock, that are open
	locking map[im.MessageID]bool    // those of them that wait for a lock
	bars    int
}

func newLayout(n narrator) *layout {
	l := &layout{narrator: n, scale: newTimeMap(), waited: newWaits(n), sent: map[im.MessageID]im.Time{}, write: map[im.MessageID]im.Time{}, locking: map[im.MessageID]bool{}}
	for _, a := range n.actors() {
		l.d.Lanes = append(l.d.Lanes, templates.Lane{X: l.x(a), Name: actorName(l.Lang, a), Class: actorClass(a)})
	}
	l.d.Summary = n.In("Space-time diagram. Time runs down, a lifeline for each phone and the server. Every step is told in the list “What happened”.",
		"时空图：时间向下走，每部手机和服务器各一条线。每一步都写在“发生了什么”里。")
	return l
}

func (l *layout) y(t im.Time) int { return diagramTop + l.scale.Y(t) }

// add draws an event, whose moment the axis has.
func (l *layout) add(e *event) {
	l.lookAhead(e)
	l.land(e.At)
	var labels [im.MaxActor + 1]string
	for i := range e.steps {
		s := &e.steps[i]
		if s.Data.Kind == im.Left {
			l.under = append(l.under, *s)
			continue
		}
		l.wait(s)
		if text := l.label(&s.Data); text != "" && !l.away() {
			if labels[s.Actor] != "" {
				labels[s.Actor] += " "
			}
			labels[s.Actor] += text
		}
	}
	if first := &e.steps[0].Data; first.Kind == im.Left && first.Leg == im.MessageLeg {
		labels[e.steps[0].Actor] = first.Msg.String() + " ↻"
	}
	if l.away() {
		labels[im.Server], labels[l.device(e)] = catchingLabels(e)
	}
	for a, text := range labels {
		if text != "" {
			l.dot(e, im.Actor(a), text)
		}
	}
}

// lookAhead notes what the legs that land with e need to know of it: whether the poll found anything. And it notes when messages were
// sent, for the bar of their wait.
func (l *layout) lookAhead(e *event) {
	l.empty = 0
	for i := range e.steps {
		switch s := &e.steps[i]; s.Data.Kind {
		case im.PollRead:
			if s.Data.Rows == 0 && !e.has(im.Held) {
				l.empty = s.Data.Lo + 1
			}
		case im.Pressed:
			if l.scenario.Chapter == im.PollingChapter {
				l.sent[s.Data.Msg] = s.At
			}
		case im.Began, im.LockWaited, im.Locked, im.Stored, im.RolledBack:
			l.transaction(s)
		case im.Shown:
			l.bar(s)
		}
	}
}

// land draws every leg whose end the scale knows by now, and every wait that is over.
func (l *layout) land(now im.Time) {
	rest := l.under[:0]
	for i := range l.under {
		if s := &l.under[i]; s.Data.Lands <= now {
			l.leg(s)
		} else {
			rest = append(rest, *s)
		}
	}
	l.under = rest
}

// finish draws what was still under way when the run ended.
func (l *layout) finish() { l.land(1 << 62) }

// leg draws a leg; a lost one ends a bit beyond half of its way.
func (l *layout) leg(s *im.Step) { l.d.Legs = append(l.d.Legs, l.legView(s)) }

func (l *layout) legView(s *im.Step) templates.Leg {
	d := &s.Data
	leaves := s.At.Seconds() + float64(s.Tie)*clockTie
	leg := templates.Leg{Words: im.LinkWords(im.LegOf(s).String()), X1: l.x(s.Actor), Y1: l.y(s.At), X2: l.x(d.To), Y2: l.end(d.Lands), Leaves: leaves,
		Lands: max(leaves, d.Lands.Seconds()), Class: l.legClass(d), Lost: d.Lost, Name: legName(d)}
	if d.Lost {
		end := s.At + (d.Lands-s.At)*6/10
		leg.X2, leg.Y2, leg.Lands = leg.X1+(leg.X2-leg.X1)*6/10, l.end(end), max(leaves, end.Seconds())
	}
	return leg
}

// whyMark marks a step of a chain of reasons: a broad line under a leg, a ring around anything else.
func (l *layout) whyMark(s *im.Step, number int) templates.WhyMark {
	m := templates.WhyMark{X: l.x(s.Actor), Y: l.y(s.At), Number: number, At: s.At.Seconds() + float64(s.Tie)*clockTie}
	if s.Data.Kind != im.Left {
		m.Path = fmt.Sprintf("M%d %da7 7 0 1 0 14 0a7 7 0 1 0-14 0", m.X-7, m.Y)
		m.X, m.Y = m.X+8, m.Y-5
		return m
	}
	leg := l.legView(s)
	m.Path = fmt.Sprintf("M%d %dL%d %d", leg.X1, leg.Y1, leg.X2, leg.Y2)
	m.X, m.Y = leg.X1+(leg.X2-leg.X1)*5/6, leg.Y1+(leg.Y2-leg.Y1)*5/6-8 // labels stand where it leaves
	return m
}

// end is how far down a leg ends: a step below the last moment if the run is over by then.
func (l *layout) end(t im.Time) int {
	if t > l.scale.times[len(l.scale.times)-1] {
		return l.y(t) + leastStep
	}
	return l.y(t)
}

// legName is what the bubble of a leg says while it travels.
func legName(d *im.Data) string {
	switch {
	case d.Leg == im.AckLeg:
		return "✓"
	case d.Leg == im.PollLeg:
		return "?"
	case d.Leg == im.SyncLeg:
		return "?"
	case d.Leg == im.SyncReplyLeg:
		return fmt.Sprintf("+%d", max(d.Rows, d.New))
	case d.Leg == im.PollReplyLeg:
		return fmt.Sprintf("+%d", d.Rows)
	case d.Leg == im.PingLeg || d.Leg == im.PongLeg:
		return "·"
	case d.Msg.N != 0:
		return d.Msg.String()
	case d.Lo != 0:
		return span(d)
	}
	return "⟳"
}

// legClass names the kind of leg and whose message it carries.
func (l *layout) legClass(d *im.Data) string {
	kind := [...]string{im.MessageLeg: "msg", im.AckLeg: "ack", im.PushLeg: "push", im.AskLeg: "ask", im.AnswerLeg: "ask",
		im.PullLeg: "ask", im.PullReplyLeg: "ask", im.PollLeg: "poll", im.PollReplyLeg: "poll", im.ConnectLeg: "poll", im.PingLeg: "ack", im.PongLeg: "ack",
		im.SyncLeg: "poll", im.SyncReplyLeg: "poll"}[d.Leg]
	if d.Leg == im.PollReplyLeg && d.Rows == 0 || d.Leg == im.PollLeg && l.empty == d.Lo+1 {
		kind += " empty"
	}
	if d.Msg.N == 0 {
		return kind
	}
	return kind + " " + actorClass(d.Msg.Sender)
}
