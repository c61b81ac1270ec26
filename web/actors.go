package web

import (
	"imscope/sim/im"
	"imscope/templates"
)

// x is the lane of an actor: the server stands after the first half of the phones.
func (l *layout) x(a im.Actor) int {
	if l.away() {
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
	if n.away() { // who writes to the reader has no phone here
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
