package web

import (
	"fmt"
	"slices"
	"strings"

	"imscope/sim/im"
	"imscope/templates"
)

// heat follows the reader's conversations: how much that is new each of them has, whether the server has looked at it, and what the phone
// has been given.
type heat struct {
	narrator
	view templates.Heat
}

func newHeat(n narrator) *heat {
	h := &heat{narrator: n}
	if n.away() {
		count := n.scenario.Conversations
		if slices.ContainsFunc(n.scenario.Events, func(e im.Happening) bool { return e.Conv == im.New }) {
			count++
		}
		h.view.Cells = make([]templates.HeatCell, count)
		h.view.Style = heatStyle()
		h.view.Title = n.f("%s’s %s", "%s 的 %s", im.Name(n.scenario.Reader), n.Count(n.scenario.Conversations, "conversation", "conversations", "个会话"))
	}
	return h
}

// heatChange is what an event changes of the map: of conversation `from` a number, or something of all up to conversation `more`.
type heatChange struct {
	sign       byte
	from, more int
}

// The signs of changes.
const (
	heatCame   = '+' // so many new messages
	heatJoined = '!' // the reader was added to it
	heatLooked = '?' // the server looks at it
	heatGot    = '=' // so many of the new messages reach the phone
	heatListed = '#' // the phone has its entry of the list
)

// follow lists what an event changes, in the order in which it is to be applied.
func (h *heat) follow(e *event) (changes []heatChange) {
	of := map[byte][]int{} // the conversations, each as often as it comes
	for i := range e.steps {
		d := &e.steps[i].Data
		if e.steps[i].Actor == im.Tablet || d.To == im.Tablet {
			continue // the map is the phone's
		}
		conv := int(d.Conv)
		switch d.Kind {
		case im.Stored:
			of[heatCame] = append(of[heatCame], conv)
			if d.Event == im.Added {
				of[heatJoined] = append(of[heatJoined], conv)
			}
		case im.Looked:
			of[heatLooked] = append(of[heatLooked], conv)
		case im.Shown:
			of[heatGot] = append(of[heatGot], conv)
		case im.Listed:
			of[heatListed] = append(of[heatListed], conv)
			if d.Msg.N != 0 {
				of[heatGot] = append(of[heatGot], conv)
			}
		}
	}
	for _, sign := range []byte{heatCame, heatJoined, heatLooked, heatGot, heatListed} {
		slices.Sort(of[sign])
		for _, conv := range of[sign] {
			changes = extend(changes, sign, conv)
		}
	}
	return changes
}

// extend adds a conversation, to the last change if that is about it too, or about those just before it.
func extend(changes []heatChange, sign byte, conv int) []heatChange {
	counted := sign == heatCame || sign == heatGot
	if len(changes) > 0 {
		switch last := &changes[len(changes)-1]; {
		case last.sign != sign:
		case counted && last.from == conv:
			last.more++
			return changes
		case !counted && last.more == conv-1:
			last.more = conv
			return changes
		}
	}
	if counted {
		return append(changes, heatChange{sign, conv, 1})
	}
	return append(changes, heatChange{sign, conv, conv})
}

// apply brings the cells up to date.
func (h *heat) apply(changes []heatChange) {
	for _, c := range changes {
		switch cell := &h.view.Cells[c.from-1]; c.sign {
		case heatCame:
			cell.New += c.more
		case heatGot:
			cell.Got += c.more
		default:
			for i := c.from - 1; i < c.more; i++ {
				mark(&h.view.Cells[i], c.sign)
			}
		}
	}
}

func mark(cell *templates.HeatCell, sign byte) {
	switch sign {
	case heatJoined:
		cell.Joined = true
	case heatListed:
		cell.Listed = true
	case heatLooked:
		cell.Looked, cell.Vain = true, cell.New == cell.Got
	}
}

// writeHeat writes changes for the player: +3*2 for two new messages in conversation 3, ?1-200 for looks at all from 1 to 200.
func writeHeat(changes []heatChange) string {
	parts := make([]string, len(changes))
	for i, c := range changes {
		switch parts[i] = fmt.Sprintf("%c%d", c.sign, c.from); {
		case c.sign == heatCame || c.sign == heatGot:
			if c.more > 1 {
				parts[i] += fmt.Sprintf("*%d", c.more)
			}
		case c.more > c.from:
			parts[i] += fmt.Sprintf("-%d", c.more)
		}
	}
	return strings.Join(parts, " ")
}
