package web

import (
	"slices"

	"imscope/sim/im"
	"imscope/templates"
)

// sendLink is the link that sends a message by hand from a phone at time now, to the next whole millisecond. The server sends nothing.
func sendLink(n narrator, l Link, phone im.Actor, now im.Time) *templates.SendLink {
	hand := l.Scenario.Hand
	if phone == im.Server || len(hand) == im.MaxHand {
		return nil
	}
	next := uint32(1)
	for slices.ContainsFunc(hand, func(s im.Send) bool { return s.Msg == im.HandMessage(phone, next) }) {
		next++
	}
	now = (now + im.Millisecond - 1).Truncate(im.Millisecond)
	send := im.Send{At: min(now, l.Scenario.End()+im.Overtime/2), Msg: im.HandMessage(phone, next)}
	to := l.with(func(l *Link) {
		l.Scenario.Hand = append(slices.Clone(hand), send)
		l.At = At{Time: send.At}
	})
	return &templates.SendLink{Text: n.f("%s sends now", "%s 现在发", im.Name(phone)), Href: to.stage(), Name: send.Msg.String()}
}

// sentLinks are the messages sent by hand, each with the link that takes it back.
func sentLinks(n narrator, l Link) []templates.TextLink {
	var out []templates.TextLink
	for i, s := range l.Scenario.Hand {
		to := l.with(func(l *Link) { l.Scenario.Hand = slices.Delete(slices.Clone(l.Scenario.Hand), i, i+1) })
		out = append(out, templates.TextLink{Text: s.Msg.String() + n.In(" at ", " · ") + n.Seconds(s.At.Seconds()), Href: to.stage()})
	}
	return out
}
