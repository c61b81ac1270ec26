package web

import (
	"fmt"

	"imscope/sim/im"
	"imscope/templates"
)

// The space-time diagram: time runs down, a lifeline an actor, a slanting line a leg. Layout is a pure function of the events.

const (
	diagramWidth = 360
	firstLane    = 94
	lastLane     = 300
	diagramTop   = 34
	diagramFoot  = 22
	labelAside   = 9
)

// diagram lays out a run. now is the moment shown; links leads to a moment.
func diagram(n narrator, all []event, now At, at im.Time, link Link) templates.Diagram {
	s := n.scenario
	var times []im.Time
	for i := range all {
		times = append(times, all[i].At)
		for _, step := range all[i].steps {
			if d := &step.Data; d.Kind == im.Left && d.Lost {
				times = append(times, lostAt(&step))
			}
		}
	}
	l := layout{narrator: n, scale: newTimeMap(times), link: link}
	l.lanes()
	for i := range all {
		l.event(&all[i])
	}
	l.ticks(all)
	l.d.Width = diagramWidth
	l.d.Height = diagramTop + l.scale.at[len(l.scale.at)-1] + diagramFoot
	l.d.Now = at.Seconds()
	l.d.NowY = l.y(at)
	l.d.Foot = l.d.Height - diagramFoot + 8
	l.d.Started = now != At{}
	l.d.Summary = n.f("Space-time diagram of %s; every step is told in words in the list “What happened”.", "%s 的时空图；每一步都在“发生了什么”里用文字说明。",
		n.Count(int64(len(s.Script)), "message", "messages", "条消息"))
	return l.d
}

// lostAt is when a lost leg is drawn to end: a bit beyond half of its way.
func lostAt(s *im.Step) im.Time { return s.At + (s.Data.Lands-s.At)*6/10 }

type layout struct {
	narrator
	scale timeMap
	link  Link
	d     templates.Diagram
	waits [im.MaxPhones + 1]int // index + 1 of each phone's open wait
}

func (l *layout) y(t im.Time) int { return diagramTop + l.scale.Y(t) }

// x is the lane of an actor: the server stands after the first half of the phones.
func (l *layout) x(a im.Actor) int {
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

func (l *layout) lanes() {
	for a := im.Server; a <= im.Actor(l.scenario.Phones); a++ {
		l.d.Lanes = append(l.d.Lanes, templates.Lane{X: l.x(a), Name: actorName(l.Lang, a), Class: actorClass(a)})
	}
}

// actorName is the actor's name on a page.
func actorName(lang templates.Lang, a im.Actor) string {
	if a == im.Server {
		return lang.In("Server", "服务器")
	}
	return im.Name(a)
}

func actorClass(a im.Actor) string { return [...]string{"s", "a", "b", "c", "d", "e"}[a] }

// ticks writes the time of every moment, where there is room, and marks shortened stretches.
func (l *layout) ticks(all []event) {
	links := map[im.Time]string{}
	for i := range all {
		links[all[i].At] = l.link.at(momentAt(all, i)).stage()
	}
	for i, t := range l.scale.times {
		if link, ok := links[t]; ok {
			l.d.Ticks = append(l.d.Ticks, templates.Tick{Y: diagramTop + l.scale.at[i], Text: fmt.Sprintf("%.2f", t.Seconds()), Link: link, At: t.Seconds()})
		}
		if l.scale.shortened(i) {
			l.d.Breaks = append(l.d.Breaks, diagramTop+(l.scale.at[i-1]+l.scale.at[i])/2)
		}
	}
}

// event draws the legs that left and labels what happened to each actor.
func (l *layout) event(e *event) {
	var labels [im.MaxPhones + 1]string
	for i := range e.steps {
		s := &e.steps[i]
		if s.Data.Kind == im.Left {
			l.leg(s)
			continue
		}
		l.wait(s)
		if text := l.label(&s.Data); text != "" {
			if labels[s.Actor] != "" {
				labels[s.Actor] += " "
			}
			labels[s.Actor] += text
		}
	}
	if first := &e.steps[0].Data; first.Kind == im.Left && first.Leg == im.MessageLeg {
		labels[e.steps[0].Actor] = first.Msg.String() + " ↻"
	}
	for a, text := range labels {
		if text != "" {
			l.dot(e, im.Actor(a), text)
		}
	}
}

func (l *layout) dot(e *event, a im.Actor, text string) {
	x := l.x(a)
	dot := templates.Dot{X: x, Y: l.y(e.At), Text: text, TextX: x + labelAside, At: e.At.Seconds(), Class: actorClass(a)}
	if x == firstLane {
		dot.TextX, dot.End = x-labelAside, true
	}
	l.d.Dots = append(l.d.Dots, dot)
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
	case im.Repeated:
		return d.Msg.String() + " ="
	case im.Acked:
		return d.Msg.String() + " ✓"
	case im.Shown:
		if d.Fetched {
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
	case im.Opened, im.Reloaded:
		return "⟳"
	}
	return ""
}

func span(d *im.Data) string {
	if d.Lo == d.Hi {
		return fmt.Sprintf("#%d", d.Lo)
	}
	return fmt.Sprintf("#%d–%d", d.Lo, d.Hi)
}

func (l *layout) leg(s *im.Step) {
	d := &s.Data
	leg := templates.Leg{X1: l.x(s.Actor), Y1: l.y(s.At), X2: l.x(d.To), Y2: l.y(d.Lands), At: s.At.Seconds(), Lands: d.Lands.Seconds(),
		Class: legClass(d), Lost: d.Lost}
	if d.Lost {
		end := lostAt(s)
		leg.X2, leg.Y2, leg.Lands = leg.X1+(leg.X2-leg.X1)*6/10, l.y(end), end.Seconds()
	}
	l.d.Legs = append(l.d.Legs, leg)
}

// legClass names the kind of leg and whose message it carries.
func legClass(d *im.Data) string {
	kind := [...]string{im.MessageLeg: "msg", im.AckLeg: "ack", im.PushLeg: "push", im.AskLeg: "ask", im.AnswerLeg: "ask",
		im.PullLeg: "ask", im.PullReplyLeg: "ask"}[d.Leg]
	if d.Msg.N == 0 {
		return kind
	}
	return kind + " " + actorClass(d.Msg.Sender)
}

// wait draws the time in which a phone waits for a gap to close.
func (l *layout) wait(s *im.Step) {
	open := &l.waits[s.Actor]
	switch s.Data.Kind {
	case im.GapSeen:
		end := s.At + l.scenario.GapWait
		l.d.Waits = append(l.d.Waits, templates.Wait{X: l.x(s.Actor), Y1: l.y(s.At), Y2: l.y(end), At: s.At.Seconds(), Until: end.Seconds()})
		*open = len(l.d.Waits)
	case im.GapClosed:
		if *open > 0 {
			w := &l.d.Waits[*open-1]
			w.Y2, w.Until = l.y(s.At), s.At.Seconds()
		}
	}
}
