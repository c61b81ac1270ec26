package web

import (
	"context"
	"errors"
	"iter"
	"math"
	"slices"
	"strings"

	"imscope/sim"
	"imscope/sim/im"
	"imscope/sim/protocol"
	"imscope/templates"
)

// A page can show other runs beside its own: the same scenario under other protocols, or without what was changed by hand. All go by one
// clock. Each has a diagram and screens; the list of what happened is one, and what happens in all runs alike stands there once.

const (
	// plain names the page's own run without the edits.
	plain = "plain"
	// mostBeside is how many runs can stand beside the page's own.
	mostBeside = 2
)

// side is one of the runs on a page. The first is the page's own.
type side struct {
	narrator
	entry   protocol.Entry
	name    string
	layout  *layout
	columns *columns
	first   int // the number of its first column among all of the page's
	fold    *im.Fold
	order   [im.MaxPhones + 1][]im.MessageID // what each phone shows, where runs are compared
	seen    []im.MessageID                   // what shows works with
	parted  [im.MaxPhones + 1]bool           // the phone has shown something else than in the page's own run
}

// newSides sets up the runs of a link.
func newSides(l Link) (sides []*side) {
	for i, name := range append([]string{l.Protocol.Name}, l.Beside...) {
		scenario, entry := l.Scenario, l.Protocol
		if name == plain {
			scenario.Edits = nil
		} else {
			entry, _ = l.Chapter.Find(name)
		}
		s := &side{narrator: narrator{l.Lang, &scenario}, entry: entry, name: sideName(l, name)}
		s.layout, s.columns = newLayout(s.narrator), newColumns(s.narrator)
		s.fold = im.NewFold(&scenario, true)
		if i > 0 {
			before := sides[i-1]
			s.first = before.first + len(before.columns.list)
			s.layout.scale = sides[0].layout.scale
			s.columns.against = []*side{sides[0]}
			sides[0].columns.against = append(sides[0].columns.against, s)
		}
		s.columns.self = s
		sides = append(sides, s)
	}
	return sides
}

func sideName(l Link, name string) string {
	if name == plain {
		return l.Lang.In("Without the changes", "没动过的")
	}
	return l.lesson().protocol(name).name.in(l.Lang)
}

// part is what one of the runs has at a moment.
type part struct {
	*side
	e *event
}

// play plays the link's runs into the stage; after is called after every moment of them, and told whether it was the last.
func (s *stage) play(ctx context.Context, after func(last bool) error) error {
	if len(s.sides) == 1 {
		own := s.sides[0]
		return playEvents(ctx, own.scenario, own.entry, func(e *event, f *im.Fold, next *sim.Moment) error {
			own.fold = f
			s.add(f, next, part{own, e})
			return after(next == nil)
		})
	}
	var heads []*head
	for _, side := range s.sides {
		h := newHead(ctx, side)
		defer h.stop()
		heads = append(heads, h)
	}
	for now := (sim.Moment{At: -1}); ; {
		parts := s.earliest(heads)
		if len(parts) == 0 {
			return firstError(heads)
		}
		now = momentAfter(now, parts[0].e.At)
		for _, p := range parts {
			p.e.become(now)
		}
		next := nextOf(heads, parts, now)
		s.add(s.sides[0].fold, next, parts...)
		if err := after(next == nil); err != nil {
			return err
		}
		for _, h := range heads {
			if slices.ContainsFunc(parts, func(p part) bool { return p.side == h.side }) {
				h.advance()
			}
		}
	}
}

// momentAfter is the moment at a time that comes after another moment.
func momentAfter(before sim.Moment, at im.Time) sim.Moment {
	if before.At == at {
		return sim.Moment{At: at, Tie: before.Tie + 1}
	}
	return sim.Moment{At: at}
}

// earliest are the events to come next: the earliest of all, and with it those of other runs of the same time that say just the same.
func (s *stage) earliest(heads []*head) (parts []part) {
	var first *head
	for _, h := range heads {
		if h.e != nil && (first == nil || h.e.At < first.e.At) {
			first = h
		}
	}
	if first == nil {
		return nil
	}
	text := first.side.tell(first.e)
	for _, h := range heads {
		if h == first || h.e != nil && h.e.At == first.e.At && h.side.tell(h.e) == text {
			parts = append(parts, part{h.side, h.e})
		}
	}
	return parts
}

// nextOf is the moment after parts; nil if they are the last.
func nextOf(heads []*head, parts []part, now sim.Moment) *sim.Moment {
	at := im.Time(math.MaxInt64)
	for _, h := range heads {
		switch {
		case slices.ContainsFunc(parts, func(p part) bool { return p.side == h.side }):
			if h.next != nil {
				at = min(at, h.next.At)
			}
		case h.e != nil:
			at = min(at, h.e.At)
		}
	}
	if at == math.MaxInt64 {
		return nil
	}
	next := momentAfter(now, at)
	return &next
}

// head is the event of a run that comes next, lent until the run goes on.
type head struct {
	side *side
	e    *event // nil when the run is over
	next *sim.Moment
	err  error
	pull func() (*head, bool)
	stop func()
}

var errStopped = errors.New("nobody wants more events")

func newHead(ctx context.Context, s *side) *head {
	h := &head{side: s}
	h.pull, h.stop = iter.Pull(func(yield func(*head) bool) {
		h.err = playEvents(ctx, s.scenario, s.entry, func(e *event, f *im.Fold, next *sim.Moment) error {
			s.fold, h.e, h.next = f, e, next
			if !yield(h) {
				return errStopped
			}
			return nil
		})
	})
	h.advance()
	return h
}

// advance goes on to the run's next event.
func (h *head) advance() {
	if _, ok := h.pull(); !ok {
		h.e = nil
	}
}

func firstError(heads []*head) error {
	for _, h := range heads {
		if h.err != nil {
			return h.err
		}
	}
	return nil
}

// become gives an event its place among those of all runs.
func (e *event) become(m sim.Moment) {
	e.Moment = m
	for i := range e.steps {
		e.steps[i].Tie = m.Tie
	}
}

// label says which run a sentence is about, unless all are.
func (s *stage) label(parts []part) string {
	if len(parts) == len(s.sides) {
		return ""
	}
	var all []string
	for _, p := range parts {
		all = append(all, p.name)
	}
	return strings.Join(all, s.In(", ", "、")) + s.In(": ", "：")
}

// part looks, at the end of an instant, whether a phone of some run shows something else than in the page's own run for the first time.
func (s *stage) part(now sim.Moment, href string) {
	own := s.sides[0]
	for _, other := range s.sides[1:] {
		for phone := im.Ana; phone <= im.Actor(s.scenario.Phones); phone++ {
			a, b := own.order[phone], other.order[phone]
			if other.parted[phone] || slices.Equal(a, b) {
				continue
			}
			other.parted[phone] = true
			text := s.f("At %s %s’s screens part: ", "%s，%s 的两块屏幕分开了：", s.when(now.At), im.Name(phone)) + s.difference(own.name, other.name, a, b)
			s.view.Partings = append(s.view.Partings, templates.TextLink{Text: text, Href: href})
		}
	}
}

// shows are the messages that a phone has on its screen, from the top; where a phone was away, those that it was given, in their order.
// The list is good until the next call.
func (s *side) shows(phone im.Actor) []im.MessageID {
	switch {
	case !s.away():
		s.seen = appendOrder(s.seen[:0], s.fold.Screens[phone].Lines)
		return s.seen
	case phone == s.scenario.Reader:
		return s.fold.OnScreen(phone)
	}
	return nil
}

// difference says in what two lists of messages first differ.
func (s *stage) difference(nameA, nameB string, a, b []im.MessageID) string {
	for _, m := range a {
		if !slices.Contains(b, m) {
			return s.f("%[1]s shows %[3]s, %[2]s does not.", "%[1]s，有 %[3]s；%[2]s，没有。", nameA, nameB, m)
		}
	}
	for _, m := range b {
		if !slices.Contains(a, m) {
			return s.f("%[2]s shows %[3]s, %[1]s does not.", "%[2]s，有 %[3]s；%[1]s，没有。", nameA, nameB, m)
		}
	}
	i := 0
	for i < min(len(a), len(b)) && a[i] == b[i] {
		i++
	}
	switch i {
	case len(a):
		return s.f("%s shows %s once more.", "%s，%s 多一份。", nameB, b[i])
	case len(b):
		return s.f("%s shows %s once more.", "%s，%s 多一份。", nameA, a[i])
	}
	return s.f("%[1]s has %[3]s above %[4]s, %[2]s below.", "%[1]s，%[3]s 在 %[4]s 上面；%[2]s，在下面。", nameA, nameB, a[i], b[i])
}

// apart marks the lines of a phone that are not so on the same phone of another run: it has no such line, or it has it in another order.
func (c *columns) apart(phone im.Actor, keys []lineKey) {
	for _, other := range c.against {
		theirs := other.order[phone]
		c.ranks, c.common = c.ranks[:0], c.common[:0]
		at := -1
		for i := range keys {
			if keys[i].looks&(looksMissing|looksAsks) != 0 {
				continue
			}
			if at = indexNear(theirs, at+1, keys[i].msg); at < 0 {
				keys[i].looks |= looksApart
			} else {
				c.ranks, c.common = append(c.ranks, int64(at+1)), append(c.common, i)
			}
		}
		for j, inverted := range invertedRanks(c.ranks) {
			if inverted {
				keys[c.common[j]].looks |= looksApart
			}
		}
	}
}

// indexNear is slices.Index, quick where what is looked for is at the place that is likely.
func indexNear(all []im.MessageID, likely int, m im.MessageID) int {
	if likely < len(all) && all[likely] == m {
		return likely
	}
	return slices.Index(all, m)
}

// compareTabs let a reader put other runs beside the page's own, and take them away.
func compareTabs(l Link) (tabs []templates.Choice) {
	names := names(l.Chapter.Protocols, func(e protocol.Entry) string { return e.Name })
	if len(l.Scenario.Edits) > 0 {
		names = append(names, plain)
	}
	for _, name := range names {
		i := slices.Index(l.Beside, name)
		if name == l.Protocol.Name || i < 0 && len(l.Beside) == mostBeside {
			continue
		}
		to := l.with(func(l *Link) {
			l.At.HasTie, l.At.Tie = false, 0
			if i < 0 {
				l.Beside = append(slices.Clone(l.Beside), name)
			} else {
				l.Beside = without(l.Beside, i)
			}
		})
		tabs = append(tabs, templates.Choice{Name: name, Text: sideName(l, name), Href: to.stage(), Current: i >= 0})
	}
	return tabs
}

// parseWith reads which runs stand beside the page's own: names with underscores between them.
func (l *Link) parseWith(text string) *im.ParamError {
	known := append(names(l.Chapter.Protocols, func(e protocol.Entry) string { return e.Name }), plain)
	if text == "" {
		return nil
	}
	for _, name := range strings.Split(text, "_") {
		if !slices.Contains(known, name) || len(l.Beside) == mostBeside {
			l.Beside = nil
			return &im.ParamError{Name: "with", Value: text, Range: strings.Join(known, ", ")}
		}
		if name != l.Protocol.Name && !slices.Contains(l.Beside, name) && (name != plain || len(l.Scenario.Edits) > 0) {
			l.Beside = append(l.Beside, name)
		}
	}
	return nil
}
