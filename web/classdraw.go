package web

import (
	"bytes"
	"context"
	"strings"

	"github.com/a-h/templ"

	"imscope/sim"
	"imscope/sim/im"
	"imscope/templates"
	"imscope/web/room"
)

// followerView is how those who follow in a language see a class.
func (p pages) followerView(lang templates.Lang, code string) room.View {
	return room.View{Kind: "follow", Lang: lang.Code(), Draw: func(ctx context.Context, part room.Part, u room.Update) ([]byte, error) {
		if part == room.Ask {
			return patchEvent(ctx, "#question", templates.QuestionView(p.questionView(lang, code, &u.State, u.Tally)))
		}
		return p.drawRun(ctx, lang, &u.State, Class{code, follows})
	}}
}

// deskView is how a presenter's window sees it. A run that the window has shown to the class it is not sent.
func (p pages) deskView(lang templates.Lang, c Class, window string) room.View {
	return room.View{Kind: "desk " + window, Lang: lang.Code(), Draw: func(ctx context.Context, part room.Part, u room.Update) ([]byte, error) {
		switch {
		case part == room.Ask:
			q := p.questionView(lang, c.Code, &u.State, u.Tally)
			q.Desk = true
			return patchEvent(ctx, "#question", templates.QuestionView(q))
		case u.State.By == window:
			return nil, nil
		}
		return p.drawRun(ctx, lang, &u.State, c)
	}}
}

// drawRun draws the run of a room for all its moments.
func (p pages) drawRun(ctx context.Context, lang templates.Lang, s *room.State, c Class) ([]byte, error) {
	link, err := ofRoom(lang, s, c)
	if err != nil {
		return nil, err
	}
	link.At.HasTie, link.At.Tie = false, 0 // the clock says it more exactly
	page, err := p.chapterPage(ctx, link)
	if err != nil {
		return nil, err
	}
	drawn, err := patchEvent(ctx, "#stage", templates.StageView(page.Stage))
	if err != nil || c.role != follows {
		return drawn, err
	}
	around, err := patchEvent(ctx, "#around", templates.AroundLink(lang, link.String()))
	return append(drawn, around...), err
}

// patchEvent is the server-sent event with which Datastar replaces an element.
func patchEvent(ctx context.Context, selector string, c templ.Component) ([]byte, error) {
	var html, b bytes.Buffer
	if err := c.Render(ctx, &html); err != nil {
		return nil, err
	}
	b.WriteString("event: datastar-patch-elements\ndata: selector " + selector + "\n")
	for line := range strings.Lines(html.String()) {
		b.WriteString("data: elements " + strings.TrimRight(line, "\n") + "\n")
	}
	b.WriteString("\n")
	return b.Bytes(), nil
}

// questionView is the question of a room as a reader of the language sees it, with what the class answered once that may be seen.
func (p pages) questionView(lang templates.Lang, code string, s *room.State, tally *room.Tally) templates.Question {
	v := templates.Question{Lang: lang, Address: classPrefix + "/" + code + "/" + lang.Code() + "/answer"}
	q := s.Question
	if q == nil {
		return v
	}
	v.ID, v.Open, v.Revealed, v.Number, v.Right = q.ID, q.Open, q.Revealed, q.Number(), q.Right
	v.Text = inEither(q.Text, lang)
	options := inEither(q.Options, lang)
	if q.Chapter {
		if link, err := readAddress(lang, s.Link); err == nil {
			v.Text, options = link.lesson().question.in(lang), link.lesson().answerTexts(lang)
		}
	}
	for _, text := range options {
		v.Options = append(v.Options, templates.Option{Text: text})
	}
	if tally != nil {
		countAnswers(&v, tally)
	}
	return v
}

// inEither is the text in the language, or in the other if there is no such text.
func inEither[T any](texts map[string]T, lang templates.Lang) T {
	if text, ok := texts[lang.Code()]; ok {
		return text
	}
	return texts[lang.Other().Code()]
}

// countAnswers writes beside the options how many chose them, or the histogram of numbers.
func countAnswers(v *templates.Question, t *room.Tally) {
	v.Answers = t.Answers
	for i, n := range t.Options {
		if i < len(v.Options) {
			v.Options[i].Count = n
		}
	}
	for _, b := range t.Bins {
		from, to := v.Lang.Num(b.From, 6), v.Lang.Num(b.To, 6)
		v.Options = append(v.Options, templates.Option{Text: from + " – " + to, Count: b.Count})
	}
	if v.Number && t.Answers > 0 {
		v.Median = v.Lang.Num(t.Median, 6)
	}
}

// answerTexts are the answers to the chapter's question.
func (l *lesson) answerTexts(lang templates.Lang) (texts []string) {
	for _, a := range l.answers {
		texts = append(texts, a.text.in(lang))
	}
	return texts
}

// rightAnswer is which answer to the chapter's question the run of a room gives, from 0.
func rightAnswer(ctx context.Context, s *room.State) (int, error) {
	link, err := readAddress(templates.English, s.Link)
	if err != nil {
		return 0, err
	}
	n := narrator{link.Lang, &link.Scenario}
	var fold *im.Fold
	err = playEvents(ctx, &link.Scenario, link.Protocol, func(_ *event, f *im.Fold, _ *sim.Moment) error { fold = f; return nil })
	if err != nil {
		return 0, err
	}
	id, _ := link.lesson().judge(n, fold)
	for i, a := range link.lesson().answers {
		if a.id == id {
			return i, nil
		}
	}
	return 0, errNoAnswer
}
