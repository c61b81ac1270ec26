package web

import (
	"imscope/sim/im"
	"imscope/templates"
)

// waits stacks a block for each message that has come to the reader's screen, by how long it waited: ten places for each of the first
// intervals between two polls, and one for whatever waited longer. So the ways to ask can be compared, whatever the interval is.
type waits struct {
	narrator
	levels [templates.WaitPlaces]int
	view   templates.Waits
}

func newWaits(n narrator) *waits {
	w := &waits{narrator: n}
	if n.scenario.Chapter != im.PollingChapter {
		return w
	}
	interval := n.scenario.Interval.Seconds()
	w.view = templates.Waits{
		Title: n.In("How long each message waited", "每条消息等了多久"),
		Text:  n.f("A block a message, from pressing send to %s’s screen.", "一格一条，从按下发送到出现在 %s 的屏幕上。", im.Name(n.scenario.Reader)),
		Ticks: []string{n.Seconds(0), n.Seconds(interval / 2), n.Seconds(interval), n.In("longer", "更久")},
	}
	return w
}

// add takes in that m, sent then, is on the screen now.
func (w *waits) add(m im.MessageID, sent, now im.Time) {
	waited := now - sent
	place := min(int(10*waited/w.scenario.Interval), templates.WaitPlaces-1)
	w.levels[place]++
	w.view.Blocks = append(w.view.Blocks, templates.WaitBlock{Place: place, Level: w.levels[place], At: now.Seconds(), Class: actorClass(m.Sender),
		Text: m.String() + ": " + w.Duration(waited.Seconds())})
	w.view.Most = max(w.view.Most, w.levels[place])
}
