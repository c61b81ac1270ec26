package web

import (
	"fmt"

	"imscope/sim/im"
	"imscope/templates"
)

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
	case !l.away():
		return fmt.Sprintf("%.2f", t.Seconds())
	case t < back && back <= 120*im.Second:
		return fmt.Sprintf("%.2f", t.Seconds())
	case t < back:
		return l.short(t.Seconds())
	default:
		return fmt.Sprintf("+%.2f", (t - back).Seconds())
	}
}

// when writes a time of the run. Where a phone is away, there are two scales: how long it has been away, and, once it is back, how long
// it has been back.
func (n narrator) when(t im.Time) string {
	back := n.scenario.Off.To
	switch {
	case !n.away():
		return n.Seconds(t.Seconds())
	case t < back:
		return n.Duration(t.Seconds())
	default:
		return n.f("back + %s", "回来 + %s", n.Seconds((t - back).Seconds()))
	}
}
