package web

import (
	"fmt"
	"slices"

	"imscope/sim/im"
	"imscope/templates"
)

// chat follows the one conversation that the reader opens after an absence: what his phone has of it, with holes for what it knows to be
// left on the server.
type chat struct {
	conv  uint16
	first int64     // the first seq that came while the phone was away; 0 before it came
	heard int64     // the biggest that the phone has heard of
	has   []lineKey // what the phone has of those, by seq
}

func (c *chat) follow(e *event) {
	for i := range e.steps {
		d := &e.steps[i].Data
		if d.Conv != c.conv {
			continue
		}
		switch {
		case d.Kind == im.Stored && c.first == 0:
			c.first = d.Seq
		case d.Kind == im.Shown || d.Kind == im.Listed && d.Msg.N != 0:
			c.take(lineKey{msg: d.Msg, seq: d.Seq})
		}
	}
}

func (c *chat) take(line lineKey) {
	c.heard = max(c.heard, line.seq)
	at, known := slices.BinarySearchFunc(c.has, line.seq, func(l lineKey, seq int64) int { return int(l.seq - seq) })
	if !known {
		c.has = slices.Insert(c.has, at, line)
	}
}

// lines lists what the phone has, one line for each hole: its first number stands in id, its last in seq.
func (c *chat) lines() (out []lineKey) {
	next := c.first
	for _, line := range c.has {
		if line.seq > next {
			out = append(out, lineKey{id: next, seq: line.seq - 1, looks: looksMissing | looksKnown})
		}
		out = append(out, line)
		next = line.seq + 1
	}
	return out
}

// holeOf is the line for what is left on the server.
func (n narrator) holeOf(key lineKey) templates.ScreenLine {
	name := fmt.Sprintf("#%d", key.id)
	if key.seq > key.id {
		name = fmt.Sprintf("#%d–%d", key.id, key.seq)
	}
	return templates.ScreenLine{Name: name, Hole: true, Class: "s", Notes: []templates.Note{{Icon: "?", Class: "known",
		Text: n.f("%s left on the server", "%s留在服务器上", n.Count(key.seq-key.id+1, "message", "messages", "条"))}}}
}
