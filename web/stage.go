package web

import (
	"cmp"
	"math"
	"strconv"

	"imscope/sim"
	"imscope/sim/im"
	"imscope/templates"
)

// stage follows one run, event by event, into the view of it. A page takes all events and draws the view once; a stream draws what
// each event adds. Both get the same, for nothing that was added changes later.
type stage struct {
	narrator
	link    Link
	href    func(At) string // the link at another moment
	now     sim.Moment
	sides   []*side // the runs; what follows is of the first, the page's own
	layout  *layout
	columns *columns
	cells   *cells
	heat    *heat
	view    templates.Stage
	changes []templates.CellChange
	changed int // how many of them have happened by now
	current int // the index of the last event that now has come to, -1 before the first
	last    sim.Moment
	effects *im.Effects
	moments []ownMoment // of the events
	trace   im.Trace    // kept only where the link asks why
	whole   bool        // the run has ended
	found   bool        // the run has the event that the link names, if it names one
}

// newStage sets up the view of a run of which nothing has happened yet.
func newStage(l Link) *stage {
	n := narrator{l.Lang, &l.Scenario}
	sides := newSides(l)
	s := &stage{narrator: n, link: l, href: l.moments(), now: l.At.moment(), sides: sides, layout: sides[0].layout, columns: sides[0].columns, cells: newCells(n, l.column()), heat: newHeat(n), effects: im.NewEffects(&l.Scenario), current: -1, found: !l.At.HasTie}
	s.view = templates.Stage{
		Lang:      l.Lang,
		Show:      l.shows(),
		Protocols: protocolTabs(l),
		Scenarios: scenarioTabs(l),
		Beside:    compareTabs(l),
		Style:     askedStyle(),
		Story:     l.lesson().protocol(l.Protocol.Name).text.in(l.Lang),
		Intro:     l.lesson().scenario(l.Scenario.Name).text.in(l.Lang),
		Controls:  controls(l),
		Parts:     partsView(n),
		WhyStep:   l.asking(aboutStep),
		Link:      l.String(),
		Figure:    l.inFile("svg").String(),
		Embedding: l.asEmbedding().String(),
		Dialog:    dialogScript(),
		Present:   "/present" + l.outside().at(At{}).String(),
		Text:      "/text" + l.outside().at(At{}).String(),
	}
	if n.away() {
		s.view.Transport.Return = strconv.FormatFloat(n.scenario.Off.To.Seconds(), 'f', -1, 64)
	}
	s.view.Transport.Start = s.href(At{})
	s.view.Transport.End = s.href(At{End: true})
	if l.Embed != nil {
		s.view.Transport.Start = s.href(l.Embed.From)
		s.view.Transport.End = s.href(cmp.Or(l.Embed.To, At{End: true}))
	}
	s.refresh()
	return s
}

// add follows the events of one moment: that of one run, or those of several that are alike. f is the fold of the page's own run, next the
// moment of what comes after; nil if nothing does.
func (s *stage) add(f *im.Fold, next *sim.Moment, parts ...part) {
	e, teller := parts[0].e, parts[0].side
	link := s.href(linkTo(e, next))
	s.layout.moment(e, link)
	for _, p := range parts {
		p.layout.add(p.e)
	}
	reached := !s.now.Before(e.Moment)
	h := templates.Happening{Href: link, Time: s.when(e.At), Text: s.label(parts) + teller.tell(e), At: e.clock(), Y: s.layout.y(e.At),
		Splices: s.splices(parts), Future: !reached}
	var warmer []heatChange
	if teller == s.sides[0] {
		warmer = s.addOwn(e, f, &h)
	}
	text := h.Text
	s.trim(&h)
	for _, k := range markKinds {
		if e.marks.has(k.mark) {
			h.Mark = cmp.Or(h.Mark, k.class)
			s.view.Transport.Marks = append(s.view.Transport.Marks, templates.Mark{Icon: k.icon, Text: s.In(k.en, k.zh), Class: k.class,
				Time: s.when(e.At), Href: link})
		}
	}
	s.view.Happenings = append(s.view.Happenings, h)
	s.last = e.Moment
	s.found = s.found || e.Moment == s.now
	if next == nil || next.At != e.At {
		s.part(e.Moment, link)
	}
	if reached {
		s.reach(&h, text, warmer)
	}
}

// trim leaves out of an event what tells of parts that the page does not show.
func (s *stage) trim(h *templates.Happening) {
	show := s.view.Show
	if !show.Has(templates.ShowSentences) {
		h.Text = ""
	}
	if !show.Has(templates.ShowScreens) {
		h.Splices, h.Heat, h.Parts = nil, "", ""
	}
	if !show.Has(templates.ShowChanges) {
		h.Breakable = ""
	}
}

// splices are what the events change in the columns.
func (s *stage) splices(parts []part) (out []templates.Splice) {
	for _, p := range parts {
		p.look(p.columns.follow(p.e))
		out = append(out, p.columns.followChat(p.e)...)
	}
	for _, side := range s.sides {
		out = append(out, side.columns.refresh()...)
	}
	return out
}

// addOwn follows what only the page's own run is told of.
func (s *stage) addOwn(e *event, f *im.Fold, h *templates.Happening) (warmer []heatChange) {
	for i := range e.steps {
		s.effects.Follow(&e.steps[i])
	}
	if s.heat.view.Title != "" {
		warmer = s.heat.follow(e)
		h.Heat = writeHeat(warmer)
	}
	s.moments = append(s.moments, ownMoment{e.Moment, len(s.view.Happenings)})
	if s.link.Why != (Why{}) {
		s.trace = append(s.trace, e.steps...)
	}
	h.Breakable = subjects(e)
	if s.view.Parts != nil {
		h.Parts = partsAtWork(e)
	}
	if change, ok := s.cells.follow(e, f); ok {
		s.changes = append(s.changes, change)
	}
	return warmer
}

// reach shows what has happened by the page's moment.
func (s *stage) reach(h *templates.Happening, text string, warmer []heatChange) {
	s.current++
	s.changed = len(s.changes)
	s.heat.apply(warmer)
	s.view.Sentence, s.view.AtWork, s.view.Breakable = text, h.Parts, h.Breakable
	for _, side := range s.sides {
		for i := range side.columns.list {
			side.columns.list[i].view.Shown = side.columns.list[i].shown
		}
	}
}

// finish ends the run.
func (s *stage) finish() {
	for _, side := range s.sides {
		side.layout.finish()
	}
	s.whole = true
	s.refresh()
	if s.link.Why != (Why{}) {
		s.view.Why = s.why()
		s.view.Diagram.Marks = s.view.Why.Marks
		s.view.Sides[0].Diagram.Marks = s.view.Why.Marks
	}
}

// refresh brings the parts of the view up to date that are kept elsewhere while events are added.
func (s *stage) refresh() {
	all := s.view.Happenings
	if s.current >= 0 {
		all[s.current].Current = true
	}
	t := &s.view.Transport
	if s.current > 0 {
		t.Back = all[s.current-1].Href
	}
	if s.current+1 < len(all) {
		t.Forward = all[s.current+1].Href
	}
	shown := min(s.now.At, s.last.At)
	if s.link.At.Time > 0 {
		shown = s.link.At.Time
	}
	t.Clock = s.when(shown)
	s.view.Heat = s.heat.view
	s.view.Waits = s.layout.waited.view
	s.view.Now = s.clock(shown)
	s.view.Edits = editsView(s.narrator, s.link, s.effects, s.whole)
	s.view.Breaks = breaksView(s.narrator, s.link, s.view.Breakable, wholeMillisecond(shown))
	s.view.Sides = nil
	for i, side := range s.sides {
		s.view.Sides = append(s.view.Sides, side.sideView(s, i, shown))
	}
	s.view.Diagram, s.view.Screens = s.view.Sides[0].Diagram, s.view.Sides[0].Screens
}

// sideView is one of the runs on the page.
func (r *side) sideView(s *stage, i int, shown im.Time) templates.Side {
	v := templates.Side{Name: r.name, Number: i, Diagram: r.layout.d}
	v.Diagram.Number = i
	v.Diagram.NowY = s.layout.y(shown)
	v.Diagram.Height = diagramTop + s.layout.scale.last() + templates.DiagramFoot
	for c := range r.columns.list {
		col := r.columns.list[c].view
		col.Number = r.first + c
		if i == 0 && s.view.Show.Has(templates.ShowWhy) {
			col.Variants = s.whyLines(s.link, r.columns.list[c].actor, col)
		}
		if i == 0 && r.columns.chat == nil && s.view.Show.Has(templates.ShowChanges) {
			col.Acts = phoneActs(s.narrator, s.link, r.columns.list[c].actor, wholeMillisecond(shown))
		}
		v.Screens.Columns = append(v.Screens.Columns, col)
	}
	return v
}

// clock is the page's moment as the page counts time: without an ordinal it lies after all events of its instant, yet before the next.
func (s *stage) clock(shown im.Time) float64 {
	at := shown.Seconds()
	if s.now.Tie != math.MaxUint32 {
		return at + float64(s.now.Tie)*clockTie
	}
	all := s.view.Happenings
	if s.current >= 0 {
		at = max(at, all[s.current].At)
	}
	after := at + 0.0009
	if i := s.current + 1; i < len(all) && all[i].At <= after {
		after = (at + max(at, all[i].At)) / 2
	}
	return after
}

// linkTo is how a link spells the moment of e: without its ordinal where no later event of that instant exists, so that the link is
// short and goes on meaning all of the instant.
func linkTo(e *event, next *sim.Moment) At {
	switch {
	case next == nil:
		return At{End: true}
	case next.At == e.At:
		return At{Time: e.At, Tie: e.Tie, HasTie: true}
	default:
		return At{Time: e.At}
	}
}

var markKinds = []struct {
	mark                marks
	icon, en, zh, class string
}{
	{markLost, "✕", "lost", "丢了", "lost"},
	{markCrossed, "⇅", "crossed", "反了", "crossed"},
	{markMoved, "↥", "moved", "挪了", "moved"},
	{markGap, "…", "gap seen", "发现缺口", "gap"},
	{markFetched, "⤓", "fetched", "补到", "fetched"},
	{markFailed, "!", "failed", "失败", "lost"},
	{markDoubled, "⧉", "twice", "重复", "crossed"},
	{markBrought, "⤓", "brought", "带回", "fetched"},
	{markTooFar, "≫", "too far behind", "落下太多", "gap"},
	{markPassed, "∅", "lost for good", "再也拿不到", "lost"},
}
