package web

import (
	"slices"
	"strings"

	"imscope/sim"
	"imscope/sim/im"
	"imscope/templates"
)

// Why is what a link asks the reason of: a line of a phone ("ben.A2"), a figure of the table ("unnoticed"), or what just happened ("step");
// and the moment of which it asks, which stays when the page goes on to another. The zero value asks nothing.
type Why struct {
	What string
	At   At
}

// String writes what parseWhy reads: ben.A2_5.61s.
func (w Why) String() string {
	if w.What == "" {
		return ""
	}
	return w.What + "_" + w.At.String()
}

// parseWhy reads a question, which is of the page's moment if it names none; ok is false if the text is none.
func parseWhy(text string, page At) (w Why, ok bool) {
	what, at, moment := strings.Cut(text, "_")
	w, ok = Why{what, page}, true
	if moment {
		w.At, ok = parseAt(at)
	}
	_, _, line := w.line()
	return w, ok && (what == aboutStep || line || findFigure(what) != nil)
}

// aboutStep asks why what just happened did.
const aboutStep = "step"

// whyForms tells how a question is spelled.
const whyForms = "ben.A2, step, missing, unnoticed, known, lost, inverted, twice, moved"

// line is the line of a phone that is asked about; ok is false if it is something else.
func (w Why) line() (phone im.Actor, m im.MessageID, ok bool) {
	name, message, _ := strings.Cut(w.What, ".")
	m, ok = im.ParseMessage(message)
	for phone = im.Ana; ok && phone <= im.Actor(im.MaxPhones); phone++ {
		if phoneWord(phone) == name {
			return phone, m, true
		}
	}
	return 0, m, false
}

func phoneWord(a im.Actor) string { return strings.ToLower(im.Name(a)) }

// asking is the link that asks about something at its own moment.
func (l Link) asking(what string) string {
	return l.with(func(l *Link) { l.Why = Why{what, l.At} }).String() + "#why"
}

// figure is a figure of the table that counts symptoms.
type figure struct {
	id     string
	rows   []string // what the table calls it, in English
	counts func(im.Symptom) bool
	none   phrase
}

var figures = []figure{
	{"missing", []string{"Left on the server"}, func(s im.Symptom) bool { return s.Kind == im.Missing }, phrase{"Nothing is missing.", "什么也没缺。"}},
	{"unnoticed", []string{"Missing, unnoticed"}, func(s im.Symptom) bool { return s.Kind == im.Missing && !s.Known },
		phrase{"Nothing is missing that its phone does not know of.", "没有哪条是缺了而手机不知道的。"}},
	{"known", []string{"Missing, known"}, func(s im.Symptom) bool { return s.Kind == im.Missing && s.Known },
		phrase{"No phone knows of anything that it lacks.", "没有手机知道自己缺了什么。"}},
	{"lost", []string{"Lost for good"}, func(s im.Symptom) bool { return s.Lost }, phrase{"Nothing is lost for good.", "没有再也拿不到的消息。"}},
	{"inverted", []string{"Pairs in the opposite order"}, func(s im.Symptom) bool { return s.Kind == im.Inverted }, phrase{"All screens agree with the server.", "每块屏幕的顺序都和服务器一样。"}},
	{"twice", []string{"Lines shown twice"}, func(s im.Symptom) bool { return s.Kind == im.Doubled }, phrase{"No line stands twice.", "没有哪一行显示了两次。"}},
	{"moved", []string{"Own messages that moved"}, func(s im.Symptom) bool { return s.Kind == im.Moved }, phrase{"No own message has moved.", "没有哪条自己的消息挪过。"}},
}

// findFigure is the figure of that id; nil if there is none.
func findFigure(id string) *figure {
	i := slices.IndexFunc(figures, func(f figure) bool { return f.id == id })
	if i < 0 {
		return nil
	}
	return &figures[i]
}

// figureOf is the id of the figure in a row of the table; empty if it counts no symptoms.
func figureOf(row string) string {
	i := slices.IndexFunc(figures, func(f figure) bool { return slices.Contains(f.rows, row) })
	if i < 0 {
		return ""
	}
	return figures[i].id
}

// mostListed bounds how many symptoms of a figure are listed.
const mostListed = 30

// reasons answers the question of a stage's link, once the run is there as a whole.
type reasons struct {
	*stage
	steps   im.Trace
	inquiry *im.Inquiry
	view    templates.Why
	marked  []sim.StepID // what the diagram marks
}

// why answers the link's question.
func (s *stage) why() templates.Why {
	steps := s.trace.Upto(s.link.Why.At.moment())
	r := &reasons{stage: s, steps: steps, inquiry: im.NewInquiry(s.scenario, steps)}
	r.view = templates.Why{Lang: s.Lang, Style: askedStyle(), Close: s.link.with(func(l *Link) { l.Why = Why{} }).stage()}
	phone, m, line := s.link.Why.line()
	switch {
	case line:
		r.ofLine(phone, m)
	case s.link.Why.What == aboutStep:
		r.ofStep()
	default:
		r.ofFigure(findFigure(s.link.Why.What))
	}
	for _, id := range r.marked {
		r.view.Marks = append(r.view.Marks, s.layout.whyMark(&steps[id-1], len(r.view.Marks)+1))
	}
	return r.view
}

// ofLine gives a chain for each kind of thing that is wrong with a line.
func (r *reasons) ofLine(phone im.Actor, m im.MessageID) {
	told := map[im.SymptomKind]bool{}
	for _, sym := range r.inquiry.Symptoms() {
		if sym.Phone == phone && (sym.Msg == m || sym.With == m) && !told[sym.Kind] {
			told[sym.Kind] = true
			r.chain(r.symptom(sym), r.inquiry.Why(sym))
		}
	}
	if len(told) == 0 {
		r.view.None = r.f("At this moment nothing is wrong with %s on %s’s phone.", "这一刻，%s 在 %s 的手机上没有什么不对。", m, im.Name(phone))
	}
}

// ofStep gives the chain of what happened last.
func (r *reasons) ofStep() {
	if len(r.steps) == 0 {
		r.view.None = r.In("Nothing has happened yet.", "还什么也没发生。")
		return
	}
	first := len(r.steps) - 1
	for first > 0 && r.event(sim.StepID(first)) == r.event(sim.StepID(len(r.steps))) {
		first--
	}
	r.chain(r.In("What led to this step, back to its beginning:", "这一步是怎么来的，一直追到源头："), r.inquiry.WhyStep(sim.StepID(first+1)))
}

// ofFigure lists what a figure counts; if that is one line, it gives its chain.
func (r *reasons) ofFigure(f *figure) {
	var all []im.Symptom
	for _, sym := range r.inquiry.Symptoms() {
		if f.counts(sym) {
			all = append(all, sym)
		}
	}
	switch len(all) {
	case 0:
		r.view.None = f.none.in(r.Lang)
		return
	case 1:
		r.chain(r.symptom(all[0]), r.inquiry.Why(all[0]))
		return
	}
	for _, sym := range all[:min(mostListed, len(all))] {
		to := r.link.with(func(l *Link) { l.Why.What = phoneWord(sym.Phone) + "." + sym.Msg.String() })
		r.view.List = append(r.view.List, templates.WhyLink{Text: r.symptom(sym), Href: to.stage()})
	}
	if more := len(all) - mostListed; more > 0 {
		r.view.More = r.f("and %d more", "还有 %d 处", more)
	}
}

// ownMoment is the moment of an event of the page's own run, and the index of what the list says of it.
type ownMoment struct {
	sim.Moment
	happening int
}

// event is the index of the event that a step belongs to.
func (r *reasons) event(id sim.StepID) int {
	at := r.steps[id-1].Moment()
	i, _ := slices.BinarySearchFunc(r.moments, at, func(m ownMoment, at sim.Moment) int {
		if m.Before(at) {
			return -1
		}
		return 1
	})
	return r.moments[i].happening
}

// chain tells a chain, a sentence for each of its links. Those that belong to one event are told in one.
func (r *reasons) chain(title string, c im.Chain) {
	v := templates.WhyChain{Title: title}
	before := -1
	for _, l := range c.Links {
		if l.Cause == im.Happened {
			event := r.event(l.Step)
			if event == before {
				continue
			}
			before = event
		}
		v.Reasons = append(v.Reasons, r.sentence(l, &c))
	}
	if c.End == im.ByFault {
		without := r.link.with(func(l *Link) { l.Scenario = l.Scenario.Without(c.Fault) })
		v.Without = without.stage()
	}
	r.view.Chains = append(r.view.Chains, v)
}

// sentence tells a link of a chain, with the reasons that go with it.
func (r *reasons) sentence(l im.Link, c *im.Chain) (parts []templates.WhyPart) {
	for i, reason := range append([]im.Reason{l.Reason}, l.Further...) {
		p := templates.WhyPart{Text: r.tellReason(reason, l, c)}
		if i == 0 && reason.Cause == im.Happened {
			p.Text = r.stage.view.Happenings[r.event(reason.Step)].Text
		}
		if p.Text == "" {
			continue
		}
		if reason.Step != 0 {
			h := r.stage.view.Happenings[r.event(reason.Step)]
			p.Time, p.Href = h.Time, h.Href
			p.Number = r.mark(reason.Step)
		}
		parts = append(parts, p)
	}
	return parts
}

// mark marks a step in the diagram, and returns its number there.
func (r *reasons) mark(id sim.StepID) int {
	if i := slices.Index(r.marked, id); i >= 0 {
		return i + 1
	}
	r.marked = append(r.marked, id)
	return len(r.marked)
}

// whyLines are the lines of a column, of which those that a phone shows now ask why they are as they are.
func (n narrator) whyLines(l Link, phone im.Actor, col templates.Column) []templates.ScreenLine {
	if phone == im.Server || len(col.Shown) == 0 {
		return col.Variants
	}
	lines := slices.Clone(col.Variants)
	for _, v := range col.Shown {
		if _, ok := im.ParseMessage(lines[v].Name); ok {
			lines[v].Asks = phoneWord(phone) + "." + lines[v].Name
			lines[v].Why, lines[v].Title = l.asking(lines[v].Asks), n.In("why?", "为什么？")
		}
	}
	return lines
}
