package web

import (
	"slices"
	"strings"

	"imscope/sim/im"
	"imscope/templates"
)

// What can be broken by hand at a moment of the run. Each event names its subjects: a kind and what it is, as edits spell it ("leg:push-A2-ben").
// breakKinds says what can be done to one, with {id} and the time {t} to be filled in. The page at rest has its links from the server;
// the player fills in the same forms.

// breakKinds are the kinds of subject, and the edits offered for each.
var breakKinds = []struct {
	kind string
	name phrase // {id} is the subject; empty where legs name themselves
	acts []breakAct
}{
	{"leg", phrase{}, []breakAct{
		{"lose-{id}", phrase{"lose it", "弄丢"}}, {"delay-{id}-200ms", phrase{"0.2 s late", "晚 0.2 秒"}}, {"delay-{id}-1s", phrase{"1 s late", "晚 1 秒"}}}},
	{"lost", phrase{}, []breakAct{{"deliver-{id}", phrase{"let it arrive", "让它到"}}}},
	{"send", phrase{"{id}", "{id}"}, []breakAct{
		{"send-{id}-{t-500ms}", phrase{"½ s earlier", "早半秒"}}, {"send-{id}-{t+500ms}", phrase{"½ s later", "晚半秒"}}, {"drop-{id}", phrase{"not at all", "不发"}}}},
	{"hand", phrase{"{id}", "{id}"}, []breakAct{ // to take it back is to undo it
		{"send-{id}-{t-500ms}", phrase{"½ s earlier", "早半秒"}}, {"send-{id}-{t+500ms}", phrase{"½ s later", "晚半秒"}}}},
	{"write", phrase{"the write of {id}", "{id} 的写入"}, []breakAct{
		{"stall-{id}-1s", phrase{"takes 1 s", "要 1 秒"}}, {"rollback-{id}", phrase{"rolled back", "回滚"}}}},
	{"server", phrase{"the server", "服务器"}, []breakAct{{"restart-{t}", phrase{"restart", "重启"}}}},
}

// legsOf are the kinds of leg that a chapter's runs can have, and those that only one protocol's have.
var legsOf = map[string][]string{
	im.OrderingChapter: {"message", "ack", "push", "pull", "conversation"},
	"by-seq":           {"ask", "range"},
	im.PollingChapter:  {"message", "ack", "poll", "answer"},
	"push":             {"push", "connect", "ping", "pong"},
	im.OfflineChapter:  {"push", "ask", "range", "request", "reply"},
}

type breakAct struct {
	words string
	label phrase
}

// anySubject is what can be broken at any moment.
const anySubject = "server:"

// subjects are what an event lets one break, in the order of its steps.
func subjects(e *event) string {
	var all []string
	for i := range e.steps {
		s := &e.steps[i]
		switch d := &s.Data; d.Kind {
		case im.Left:
			kind := "leg:"
			if d.Lost {
				kind = "lost:"
			}
			all = append(all, kind+im.LinkWords(im.LegOf(s).String()))
		case im.Pressed:
			kind := "send:"
			if d.Msg.Hand() {
				kind = "hand:"
			}
			all = append(all, kind+d.Msg.String())
		case im.Began:
			all = append(all, "write:"+d.Msg.String())
		case im.Stored:
			if !e.has(im.Began) && d.Copy == 0 {
				all = append(all, "write:"+d.Msg.String())
			}
		}
	}
	return strings.Join(all, " ")
}

// breaksView is what can be broken at a moment: the subjects of the event that has just happened, and what is there at any time.
func breaksView(n narrator, l Link, subjects string, now im.Time) templates.Breaks {
	v := templates.Breaks{Lang: n.Lang}
	for _, kind := range append(slices.Clone(legsOf[l.Chapter.Name]), legsOf[l.Protocol.Name]...) {
		v.Names = append(v.Names, templates.BreakName{Kind: kind, Name: legNames[kind].in(n.Lang)})
	}
	for _, k := range breakKinds {
		form := templates.BreakRow{Kind: k.kind, Name: k.name.in(n.Lang)}
		for _, a := range k.acts {
			form.Acts = append(form.Acts, templates.BreakAct{Words: a.words, Label: a.label.in(n.Lang)})
		}
		v.Forms = append(v.Forms, form)
	}
	for _, subject := range append(strings.Fields(subjects), anySubject) {
		kind, id, _ := strings.Cut(subject, ":")
		v.Rows = append(v.Rows, breakRow(n, l, v.Forms, kind, id, now))
	}
	return v
}

// breakRow fills in the form of a subject.
func breakRow(n narrator, l Link, forms []templates.BreakRow, kind, id string, now im.Time) (row templates.BreakRow) {
	for _, form := range forms {
		if form.Kind != kind {
			continue
		}
		row = templates.BreakRow{Kind: kind, Name: strings.ReplaceAll(form.Name, "{id}", id)}
		if row.Name == "" {
			row.Name = fillWords(legNames[strings.Split(id, "-")[0]].in(n.Lang), strings.Split(id, "-")[1:])
		}
		for _, a := range form.Acts {
			words := fillTime(strings.ReplaceAll(a.Words, "{id}", id), now)
			row.Acts = append(row.Acts, templates.BreakAct{Words: words, Label: a.Label, Href: editLink(l, words, now)})
		}
	}
	return row
}

// fillTime puts a moment into the places of an edit: {t}, {t-500ms}, {t+2s}.
func fillTime(words string, now im.Time) string {
	before, rest, ok := strings.Cut(words, "{t")
	if !ok {
		return words
	}
	shift, after, _ := strings.Cut(rest, "}")
	at := now
	if by, ok := im.ParseTime(strings.TrimLeft(shift, "+-")); ok && shift[0] == '+' {
		at += by
	} else if ok {
		at = max(0, at-by)
	}
	return before + im.FormatTime(at) + fillTime(after, now)
}

// editLink is the link to the same time of the run with one more edit; empty if that is none that can be made.
func editLink(l Link, words string, now im.Time) string {
	edits, errs := im.ParseEdits(&l.Scenario, words)
	if len(errs) > 0 || len(l.Scenario.Edits) >= im.MaxEdits {
		return ""
	}
	return l.withEdit(edits[0]).at(At{Time: now}).stage()
}
