package web

import (
	"cmp"
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
		h.view.Title = n.f("%s’s %s", "%s 的 %s", im.Name(n.scenario.Reader), n.Count(n.scenario.Conversations, "conversation", "conversations", "个会话"))
	}
	return h
}

// follow takes in an event and writes, for the player, what it changes: +c*n for n new messages in conversation c, ?a-b for the
// conversations that the server looks at, =c*n for n of the new messages that reach the phone, #a-b for entries of the list, !a-b for
// conversations that the reader was added to.
func (h *heat) follow(e *event) string {
	added, got := map[uint16]int{}, map[uint16]int{}
	var looked, listed, joined []uint16
	for i := range e.steps {
		d := &e.steps[i].Data
		if e.steps[i].Actor == im.Tablet || d.To == im.Tablet {
			continue // the map is the phone's
		}
		switch d.Kind {
		case im.Stored:
			added[d.Conv]++
			if d.Event == im.Added {
				joined = append(joined, d.Conv)
			}
		case im.Looked:
			looked = append(looked, d.Conv)
		case im.Shown:
			got[d.Conv]++
		case im.Listed:
			listed = append(listed, d.Conv)
			if d.Msg.N != 0 {
				got[d.Conv]++
			}
		}
	}
	parts := append(append(counts("+", added), ranges("!", joined)...), ranges("?", looked)...)
	parts = append(append(parts, counts("=", got)...), ranges("#", listed)...)
	return strings.Join(parts, " ")
}

// show brings the cells to a moment: it takes in what follow has written.
func (h *heat) show(changes string) {
	for _, c := range strings.Fields(changes) {
		var from, to int
		if n, _ := fmt.Sscanf(c[1:], strings.ReplaceAll("%d*%d", "*", separator(c[0])), &from, &to); n == 1 {
			to = map[byte]int{'+': 1, '=': 1}[c[0]]
			if to == 0 {
				to = from
			}
		}
		switch c[0] {
		case '+':
			h.view.Cells[from-1].New += to
		case '=':
			h.view.Cells[from-1].Got += to
		default:
			for i := from; i <= to; i++ {
				cell := &h.view.Cells[i-1]
				switch c[0] {
				case '#':
					cell.Listed = true
					continue
				case '!':
					cell.Joined = true
					continue
				}
				cell.Vain = cell.New == cell.Got
				cell.Looked = true
			}
		}
	}
}

func separator(kind byte) string {
	if kind == '?' || kind == '#' || kind == '!' {
		return "-"
	}
	return "*"
}

func counts(sign string, of map[uint16]int) (out []string) {
	var keys []uint16
	for k := range of {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b uint16) int { return cmp.Compare(a, b) })
	for _, k := range keys {
		text := fmt.Sprintf("%s%d", sign, k)
		if of[k] > 1 {
			text += fmt.Sprintf("*%d", of[k])
		}
		out = append(out, text)
	}
	return out
}

func ranges(sign string, all []uint16) (out []string) {
	for i := 0; i < len(all); {
		j := i
		for j+1 < len(all) && all[j+1] == all[j]+1 {
			j++
		}
		text := fmt.Sprintf("%s%d", sign, all[i])
		if j > i {
			text += fmt.Sprintf("-%d", all[j])
		}
		out = append(out, text)
		i = j + 1
	}
	return out
}
