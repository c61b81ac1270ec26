package im

import (
	"slices"
	"strings"
)

// Text is what the text of a scenario says.
type Text struct {
	Scenario Scenario
	Protocol string // empty if it says nothing of it
	// ProtocolError is the error to return if there is no such protocol, which this package does not know; its Valid is to be filled in.
	ProtocolError *TextError
}

// MaxText bounds the length of a scenario's text, in bytes.
const MaxText = 64 << 10

// WriteText writes a whole scenario, edits included, as a text: where it comes from, the knobs that differ from that, and then a line for
// all that it says itself. Whatever the scenario had and the text does not say is not so. ParseText reads it.
func WriteText(s *Scenario, protocol string) string {
	var b strings.Builder
	say := func(words ...string) { b.WriteString(strings.Join(words, " ") + "\n") }
	say("chapter", s.Chapter)
	say("scenario", s.Name)
	if protocol != "" {
		say("protocol", protocol)
	}
	given, _ := FindScenario(s.Chapter, s.Name)
	for _, p := range Params {
		if p.Applies(s) && !p.Same(s, &given) && (p.Name != "messages" || s.Messages > 0) {
			say(p.Name + " = " + p.Value(s))
		}
	}
	if lines := s.lines(); len(lines) > 0 {
		say()
		for _, e := range lines {
			say(e.String())
		}
	}
	return b.String()
}

// lines is all that the scenario and the reader say, without what the reader took back of the scenario's own.
func (s *Scenario) lines() (lines []Edit) {
	own := s.Own()
	for _, o := range own {
		if e := find(s.Edits, o.subject()); e == nil {
			lines = append(lines, o)
		} else if *e != o.undone() {
			lines = append(lines, *e)
		}
	}
	for _, e := range s.Edits {
		if find(own, e.subject()) == nil {
			lines = append(lines, e)
		}
	}
	return lines
}

// find is the edit with a subject; nil if there is none.
func find(edits []Edit, subject Edit) *Edit {
	i := slices.IndexFunc(edits, func(e Edit) bool { return e.subject() == subject })
	if i < 0 {
		return nil
	}
	return &edits[i]
}

// ParseText reads the text of a scenario. It reads on behind what is wrong, and returns every error; with any, what it returns is not to
// be run. "#" begins a comment.
func ParseText(text string) (Text, []*TextError) {
	var r textReader
	if len(text) > MaxText {
		return r.Text, []*TextError{{Line: 1, Column: 1, Want: WantFewer, Valid: "64 KB"}}
	}
	for i, text := range strings.Split(text, "\n") {
		text, _, _ := strings.Cut(text, "#")
		if l := newLine(i+1, text, ' '); len(l.words) > 0 {
			if err := r.read(l); err != nil {
				r.errs = append(r.errs, err)
			}
		}
		if r.hopeless {
			return r.Text, r.errs
		}
	}
	if !r.begun {
		r.errs = append(r.errs, &TextError{Line: 1, Column: 1, Want: WantChapter, Valid: strings.Join(Chapters, ", ")})
	}
	r.edits()
	return r.Text, r.errs
}

// textReader reads the lines of a scenario's text.
type textReader struct {
	Text
	errs     []*TextError
	begun    bool // the chapter is known
	body     bool // something was said of the scenario
	hopeless bool // nothing can be told of what follows
	said     []Edit
}

// read reads a line that is not empty.
func (r *textReader) read(l *line) (err *TextError) {
	s := &r.Scenario
	name := l.words[0].text
	switch {
	case !r.begun:
		if r.Scenario, err = l.chapter(); err != nil {
			r.hopeless = true
		}
		r.begun = true
		return err
	case name == "scenario" && !r.body:
		r.body = true
		var found Scenario
		if found, err = l.scenario(s.Chapter); err == nil {
			r.Scenario = found
		}
		return err
	case name == "protocol":
		l.word()
		r.Protocol = l.word()
		r.ProtocolError = l.wrong(0, WantValue, "")
		return l.end()
	}
	r.body = true
	if len(l.words) > 1 && l.words[1].text == "=" {
		return l.knob(s)
	}
	e, err := l.edit(s)
	if err == nil {
		r.said = append(r.said, e)
	} else if err.Want == WantStatement {
		err.Valid += ", " + strings.Join(knobNames(s), " =, ") + " ="
	}
	return err
}

// chapter reads the first line.
func (l *line) chapter() (Scenario, *TextError) {
	if l.word() != "chapter" {
		return Scenario{}, l.wrong(0, WantChapter, "chapter "+strings.Join(Chapters, ", chapter "))
	}
	name := l.word()
	if !slices.Contains(Chapters, name) {
		return Scenario{}, l.wrong(0, WantChapter, strings.Join(Chapters, ", "))
	}
	return Scenarios(name)[0], l.end()
}

// scenario reads where the scenario comes from.
func (l *line) scenario(chapter string) (Scenario, *TextError) {
	l.word()
	s, ok := FindScenario(chapter, l.word())
	if !ok {
		var names []string
		for _, s := range Scenarios(chapter) {
			names = append(names, s.Name)
		}
		return s, l.wrong(0, WantScenario, strings.Join(names, ", "))
	}
	return s, l.end()
}

// knob reads "loss = 0.1".
func (l *line) knob(s *Scenario) *TextError {
	p, ok := FindParam(l.word())
	if !ok || !p.Applies(s) {
		return l.wrong(0, WantKnob, strings.Join(knobNames(s), ", "))
	}
	l.word()
	if p.Set(s, l.word()) != nil {
		return l.wrong(0, WantValue, p.RangeIn(s))
	}
	return l.end()
}

func knobNames(s *Scenario) (names []string) {
	for _, p := range Params {
		if p.Applies(s) {
			names = append(names, p.Name)
		}
	}
	return names
}

// edits makes what was said into edits of the scenario: what it says itself is none, and what it says and the text does not is undone.
func (r *textReader) edits() {
	s := &r.Scenario
	var said []Edit
	for _, e := range r.said {
		said = WithEdit(said, e)
	}
	own := s.Own()
	for _, o := range own {
		if find(said, o.subject()) == nil {
			s.Edits = append(s.Edits, o.undone())
		}
	}
	for _, e := range said {
		if o := find(own, e.subject()); o == nil || *o != e {
			s.Edits = append(s.Edits, e)
		}
	}
	if len(s.Edits) > MaxEdits {
		r.errs = append(r.errs, &TextError{Line: 1, Column: 1, Want: WantFewer, Valid: "100"})
	}
}
