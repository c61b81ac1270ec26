package web

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"imscope/sim/im"
	"imscope/templates"
)

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
	case im.Restarted:
		return "↯"
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
