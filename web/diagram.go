package web

import (
	"fmt"
	"strings"
	"unicode/utf8"

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
	scale  timeMap
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

// x is the lane of an actor: the server stands after the first half of the phones.
func (l *layout) x(a im.Actor) int {
	if l.scenario.Chapter == im.OfflineChapter {
		server := firstLane
		if l.scenario.Second > 0 {
			server = (firstLane + lastLane) / 2
		}
		return map[im.Actor]int{im.Server: server, l.scenario.Reader: lastLane, im.Tablet: firstLane}[a]
	}
	phones := l.scenario.Phones
	half := phones / 2
	place := half
	if a != im.Server {
		place = int(a) - 1
		if place >= half {
			place++
		}
	}
	return firstLane + (lastLane-firstLane)*place/phones
}

// actors are those that have a lifeline.
func (n narrator) actors() (all []im.Actor) {
	if n.scenario.Chapter == im.OfflineChapter { // who writes to the reader has no phone here
		all = []im.Actor{im.Server, n.scenario.Reader}
		if n.scenario.Second > 0 {
			all = append(all, im.Tablet)
		}
		return all
	}
	for a := im.Server; a <= im.Actor(n.scenario.Phones); a++ {
		all = append(all, a)
	}
	return all
}

// actorName is the actor's name on a page.
func actorName(lang templates.Lang, a im.Actor) string {
	if a == im.Server {
		return lang.In("Server", "服务器")
	}
	if a == im.Tablet {
		return lang.In("Tablet", "平板")
	}
	return im.Name(a)
}

func actorClass(a im.Actor) string { return [...]string{"s", "a", "b", "c", "d", "e", "b"}[a] }

// add draws an event; link leads to its moment.
func (l *layout) add(e *event, link string) {
	l.moment(e, link)
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
		if text := l.label(&s.Data); text != "" && l.scenario.Chapter != im.OfflineChapter {
			if labels[s.Actor] != "" {
				labels[s.Actor] += " "
			}
			labels[s.Actor] += text
		}
	}
	if first := &e.steps[0].Data; first.Kind == im.Left && first.Leg == im.MessageLeg {
		labels[e.steps[0].Actor] = first.Msg.String() + " ↻"
	}
	if l.scenario.Chapter == im.OfflineChapter {
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

// moment writes the event's time on the axis, once for each instant, and marks a shortened stretch before it.
func (l *layout) moment(e *event, link string) {
	before := l.scale.last()
	l.scale.add(e.At)
	if l.scale.last() == before && len(l.d.Ticks) > 0 {
		return
	}
	if l.scale.shortened() {
		l.d.Breaks = append(l.d.Breaks, templates.Break{Y: diagramTop + (before+l.scale.last())/2})
	}
	l.d.Ticks = append(l.d.Ticks, templates.Tick{Y: l.y(e.At), Text: l.tick(e.At), Link: link})
}

// short writes a stretch of time in little room.
func (n narrator) short(s float64) string {
	switch {
	case s < 600:
		return n.f("%.0f s", "%.0f 秒", s)
	case s < 2*3600:
		return n.f("%.0f min", "%.0f 分", s/60)
	case s < 2*86400:
		return n.f("%.1f h", "%.1f 时", s/3600)
	default:
		return n.f("%.2f d", "%.2f 天", s/86400)
	}
}

// tick writes a time on the axis.
func (l *layout) tick(t im.Time) string {
	switch back := l.scenario.Off.To; {
	case l.scenario.Chapter != im.OfflineChapter:
		return fmt.Sprintf("%.2f", t.Seconds())
	case t < back && back <= 120*im.Second:
		return fmt.Sprintf("%.2f", t.Seconds())
	case t < back:
		return l.short(t.Seconds())
	default:
		return fmt.Sprintf("+%.2f", (t - back).Seconds())
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

// dot puts a dot on a lifeline and its label beside it, below what happened there in the same instant.
func (l *layout) dot(e *event, a im.Actor, text string) {
	x, y := l.x(a), l.y(e.At)
	label := &l.labels[a]
	if label.y != y {
		label.y, label.lines = y, 0
	}
	dot := templates.Dot{X: x, Y: y, Lines: wrap(text, l.labelRoom(x)), TextX: x + labelAside, TextY: y + 4 + label.lines*templates.LabelLine,
		At: e.clock(), Class: actorClass(a)}
	if x == firstLane {
		dot.TextX, dot.End = x-labelAside, true
	}
	l.d.Dots = append(l.d.Dots, dot)
	label.lines += len(dot.Lines)
	l.scale.leave((label.lines - 1) * templates.LabelLine)
}

// labelRoom is how wide a label at x may be before it meets the times, the next lifeline or the edge.
func (l *layout) labelRoom(x int) int {
	switch x {
	case firstLane:
		return firstLane - labelAside - tickRoom
	case lastLane:
		return templates.DiagramWidth - lastLane - labelAside
	default:
		return (lastLane-firstLane)/l.scenario.Phones - labelAside
	}
}

// labelWidth is how wide a label is in a font as wide as any, on a narrow screen, where letters are larger.
func labelWidth(text string) (width int) {
	for _, r := range text {
		switch {
		case r == ' ':
			width += 8
		case r < 0x80 || r == '–':
			width += 17
		default: // a sign
			width += 24
		}
	}
	return width / 2
}

// wrap breaks a label into lines. A sign stays with what it is about.
func wrap(text string, room int) (lines []string) {
	var parts []string
	for _, word := range strings.Fields(text) {
		if utf8.RuneCountInString(word) == 1 && len(parts) > 0 {
			parts[len(parts)-1] += " " + word
		} else {
			parts = append(parts, word)
		}
	}
	for _, part := range parts {
		last := len(lines) - 1
		switch from, to, isRange := strings.Cut(part, "–"); {
		case last >= 0 && labelWidth(lines[last]+" "+part) <= room:
			lines[last] += " " + part
		case isRange && labelWidth(part) > room:
			lines = append(lines, from+"–", to)
		default:
			lines = append(lines, part)
		}
	}
	if len(lines) > mostLines {
		lines = append(lines[:mostLines-1], "…")
	}
	return lines
}

// label is what a step writes beside its actor's lifeline.
func (l *layout) label(d *im.Data) string {
	switch d.Kind {
	case im.Pressed:
		return d.Msg.String()
	case im.Stored:
		if d.Seq != 0 {
			return fmt.Sprintf("%s #%d", d.Msg, d.Seq)
		}
		return fmt.Sprintf("%s %d", d.Msg, d.ID)
	case im.Began:
		return d.Msg.String() + "…"
	case im.LockWaited:
		return d.Msg.String() + " ‖"
	case im.Repeated:
		return d.Msg.String() + " ="
	case im.Acked:
		return d.Msg.String() + " ✓"
	case im.Shown:
		if d.Fetched && l.scenario.Chapter == im.OrderingChapter { // who polls fetches everything
			return d.Msg.String() + " ⤓"
		}
		return d.Msg.String()
	case im.GapSeen:
		return span(d) + "?"
	case im.Asked:
		return "?" + span(d)
	case im.RangeRead:
		return span(d)
	case im.Failed:
		return d.Msg.String() + " ✗"
	case im.Opened, im.Reloaded, im.Subscribed:
		return "⟳"
	case im.TurnedOff:
		return "○"
	case im.TurnedOn:
		return "●"
	case im.Polled:
		return l.pollLabel(d)
	case im.PollRead:
		return fmt.Sprintf("+%d", d.Rows)
	case im.Held:
		return "…"
	case im.RolledBack:
		return d.Msg.String() + " ✗"
	case im.ReadPast:
		return d.Msg.String() + " ∅"
	}
	return ""
}

// pollLabel is the position that a phone asks from.
func (l *layout) pollLabel(d *im.Data) string {
	switch p := d.Position(); p.By {
	case im.SinceTime:
		if p.At > 1000*im.Second {
			return "≥…?" // longer than there is room for
		}
		return fmt.Sprintf("≥%.2f?", p.At.Seconds())
	default:
		return fmt.Sprintf(">%d?", p.ID)
	}
}

func span(d *im.Data) string {
	if d.Lo == d.Hi {
		return fmt.Sprintf("#%d", d.Lo)
	}
	return fmt.Sprintf("#%d–%d", d.Lo, d.Hi)
}

// leg draws a leg; a lost one ends a bit beyond half of its way.
func (l *layout) leg(s *im.Step) {
	d := &s.Data
	leaves := s.At.Seconds() + float64(s.Tie)*clockTie
	leg := templates.Leg{X1: l.x(s.Actor), Y1: l.y(s.At), X2: l.x(d.To), Y2: l.end(d.Lands), Leaves: leaves,
		Lands: max(leaves, d.Lands.Seconds()), Class: l.legClass(d), Lost: d.Lost, Name: legName(d)}
	if d.Lost {
		end := s.At + (d.Lands-s.At)*6/10
		leg.X2, leg.Y2, leg.Lands = leg.X1+(leg.X2-leg.X1)*6/10, l.end(end), max(leaves, end.Seconds())
	}
	l.d.Legs = append(l.d.Legs, leg)
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
