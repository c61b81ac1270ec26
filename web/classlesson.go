package web

import (
	"cmp"
	"strings"
	"unicode/utf8"

	"imscope/templates"
	"imscope/web/lessonfile"
	"imscope/web/room"
)

// walk goes to the next or the previous step of a lesson. A lesson has no step beyond its ends.
func walk(s *room.State, text string, forward bool) error {
	lesson := readLesson(text)
	step := s.Step - 1
	if forward {
		step = s.Step + 1
	}
	if step < 0 || step >= len(lesson.Steps) {
		return nil
	}
	s.Step, s.Question, s.Playing, s.By = step, nil, false, ""
	if q := lesson.Steps[step].Question; q != nil {
		s.Question = q.Asked(room.NewToken())
		if q.Chapter {
			return askChapterOf(s)
		}
		return nil
	}
	link, err := readAddress(templates.English, lesson.Steps[step].Link)
	s.Link, s.At = link.roomLink(), lesson.Steps[step].At
	return err
}

// readLesson reads a lesson that was checked when it came.
func readLesson(text string) *lessonfile.Lesson {
	lesson, errs := lessonfile.Parse(text, findLink)
	if len(errs) > 0 {
		return new(lessonfile.Lesson)
	}
	return lesson
}

// lessonFaults says what is wrong with the text of a lesson; nothing if there is none.
func lessonFaults(lang templates.Lang, text string) (faults []templates.TextFault) {
	if text == "" {
		return nil
	}
	_, errs := lessonfile.Parse(text, CheckLink)
	lines := strings.Split(text, "\n")
	for _, e := range errs {
		f := templates.TextFault{Line: int64(e.Line), Before: e.Column - 1, Wrong: utf8.RuneCountInString(e.Word), Text: e.In(lang.Code())}
		if e.Line <= len(lines) {
			f.Source = lines[e.Line-1]
		}
		faults = append(faults, f)
	}
	return faults
}

// lessonSamples are lessons to begin with, that of the link's chapter first.
func lessonSamples(l Link) (samples []templates.LessonSample) {
	for _, c := range chapters {
		text, ok := lessonfile.Sample(c.Name)
		if !ok {
			continue
		}
		s := templates.LessonSample{Name: lessonOf(c.Name).title.in(l.Lang), Text: text}
		if c.Name == l.Chapter.Name {
			samples = append([]templates.LessonSample{s}, samples...)
		} else {
			samples = append(samples, s)
		}
	}
	return samples
}

// stepViews are the steps of a lesson as its presenter reads them.
func stepViews(lang templates.Lang, text string) (steps []templates.LessonStep) {
	if text == "" {
		return nil
	}
	lesson := readLesson(text)
	for i, step := range lesson.Steps {
		v := templates.LessonStep{Title: stepTitle(lang, lesson, &step), Note: joinTexts(lang, lesson, step.Notes)}
		if i == 0 {
			v.Note = strings.TrimSpace(joinTexts(lang, lesson, lesson.Notes) + "\n" + v.Note)
		}
		steps = append(steps, v)
	}
	return steps
}

// stepTitle names a step: what is asked, or which run is shown from when.
func stepTitle(lang templates.Lang, lesson *lessonfile.Lesson, step *lessonfile.Step) string {
	if q := step.Question; q != nil {
		return lang.In("Question: ", "问题：") + cmp.Or(q.Text.In(lang.Code(), lesson.Languages), lang.In("that of the chapter", "这一章的问题"))
	}
	l, err := readAddress(lang, step.Link)
	if err != nil {
		return step.Link
	}
	n := narrator{lang, &l.Scenario}
	when := lang.In("start", "开头")
	switch {
	case l.At.End:
		when = lang.In("end", "结尾")
	case l.At.Time > 0:
		when = n.when(l.At.Time)
	}
	return l.lesson().protocol(l.Protocol.Name).name.in(lang) + " · " + l.lesson().scenario(l.Scenario.Name).name.in(lang) + " · " + when
}

func joinTexts(lang templates.Lang, lesson *lessonfile.Lesson, texts []lessonfile.Text) string {
	var all []string
	for _, t := range texts {
		all = append(all, t.In(lang.Code(), lesson.Languages))
	}
	return strings.Join(all, "\n")
}
