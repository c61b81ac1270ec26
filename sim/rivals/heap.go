package main

import "imscope/sim/im"

// heapLoop plays s with one heap of values for all events, four children a node.
func heapLoop(s *im.Scenario) im.Metrics {
	m := newModel(s)
	var h heap
	until := m.end + im.Overtime
	for {
		for _, e := range m.take() {
			h.push(e)
		}
		if len(h) == 0 || h[0].at > until {
			return m.metrics
		}
		e := h.pop()
		m.handle(&e)
	}
}

type heap []event

const arity = 4

func (h *heap) push(e event) {
	*h = append(*h, e)
	all := *h
	i := len(all) - 1
	for i > 0 {
		parent := (i - 1) / arity
		if all[parent].before(e.due) {
			break
		}
		all[i] = all[parent]
		i = parent
	}
	all[i] = e
}

func (h *heap) pop() event {
	all := *h
	top, last := all[0], all[len(all)-1]
	all = all[:len(all)-1]
	*h = all
	i := 0
	for {
		child := i*arity + 1
		if child >= len(all) {
			break
		}
		for c := child + 1; c < min(child+arity, len(all)); c++ {
			if all[c].before(all[child].due) {
				child = c
			}
		}
		if last.before(all[child].due) {
			break
		}
		all[i] = all[child]
		i = child
	}
	if len(all) > 0 {
		all[i] = last
	}
	return top
}
