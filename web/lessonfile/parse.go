package lessonfile

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Parse reads the text of a lesson. It reads on behind what is wrong and returns every error, in the order of the lines; with any, the
// lesson is not to be taught.
func Parse(text string, check Checker) (*Lesson, []*Error) {
	r := &reader{check: check, lesson: &Lesson{Languages: []string{"en"}}}
	if len(text) > MaxText {
		r.errs = append(r.errs, &Error{Line: 1, Column: 1, Want: WantFewer, Valid: "64 KB"})
		return r.lesson, r.errs
	}
	text = strings.TrimPrefix(text, "\ufeff") // some editors begin a file with it
	for i, text := range strings.Split(text, "\n") {
		r.line = newLine(i+1, text)
		if r.line.word != "" && !strings.HasPrefix(r.line.word, "#") {
			r.read()
		}
	}
	r.endQuestion()
	if len(r.lesson.Steps) == 0 && len(r.errs) == 0 {
		r.errs = append(r.errs, &Error{Line: 1, Column: 1, Want: WantStep, Valid: "at, question"})
	}
	slices.SortStableFunc(r.errs, func(a, b *Error) int { return a.Line - b.Line })
	return r.lesson, r.errs
}

// line is a statement: a word, and what comes after it.
type line struct {
	number       int
	word, rest   string
	column, from int // of word and rest, in characters from 1
}

func newLine(number int, text string) line {
	l := line{number: number}
	trimmed := strings.TrimLeftFunc(text, unicode.IsSpace)
	l.column = 1 + utf8.RuneCountInString(text[:len(text)-len(trimmed)])
	end := strings.IndexFunc(trimmed, unicode.IsSpace)
	if end < 0 {
		end = len(trimmed)
	}
	l.word = trimmed[:end]
	rest := strings.TrimLeftFunc(trimmed[end:], unicode.IsSpace)
	l.from = 1 + utf8.RuneCountInString(text[:len(text)-len(rest)])
	l.rest = strings.TrimRightFunc(rest, unicode.IsSpace)
	if l.rest == "" { // what is missing is missing right after the word
		l.from = l.column + utf8.RuneCountInString(l.word)
	}
	return l
}

// reader reads statements into a lesson.
type reader struct {
	check  Checker
	lesson *Lesson
	errs   []*Error
	line   line
	begun  bool      // a statement was read that may not come before languages
	shown  bool      // a link was read
	open   *Question // takes answers
	at     line      // of the open question
	rights int       // right answers of the open question
	number bool      // the open question asks for a number
	wrong  bool      // something of the open question was wrong, and was told
}

// statements are the words that begin one.
var statements = []string{"languages", "title", "at", "question", "answer", "right", "number", "note"}

func (r *reader) read() {
	word := r.line.word
	if word == "at" || word == "question" {
		r.endQuestion()
		if len(r.lesson.Steps) == MaxSteps {
			r.fail(r.line.column, word, WantFewer, strconv.Itoa(MaxSteps)+" steps")
			return
		}
	}
	switch word {
	case "languages":
		r.languages()
	case "title":
		r.lesson.Title = r.text()
	case "note":
		r.note()
	case "at":
		r.moment()
	case "question":
		r.question()
	case "answer", "right":
		r.answer(word == "right")
	case "number":
		r.numberGiven()
	default:
		r.fail(r.line.column, word, WantStatement, strings.Join(statements, ", "))
	}
	r.begun = true
}

// fail notes that something else should stand at a column.
func (r *reader) fail(column int, word string, want Want, valid string) {
	r.errs = append(r.errs, &Error{Line: r.line.number, Column: column, Word: word, Want: want, Valid: valid})
	r.wrong = true
}

func (r *reader) languages() {
	if r.begun {
		r.fail(r.line.column, r.line.word, WantEarlier, "")
		return
	}
	var found []string
	for _, lang := range strings.Fields(r.line.rest) {
		if !slices.Contains(languages, lang) || slices.Contains(found, lang) {
			r.fail(r.columnOf(lang), lang, WantLanguage, strings.Join(languages, ", "))
			return
		}
		found = append(found, lang)
	}
	if found == nil {
		r.fail(r.line.from, "", WantLanguage, strings.Join(languages, ", "))
		return
	}
	r.lesson.Languages = found
}

// columnOf is the column of a part of the rest of the line.
func (r *reader) columnOf(part string) int {
	i := max(0, strings.Index(r.line.rest, part))
	return r.line.from + utf8.RuneCountInString(r.line.rest[:i])
}

// text reads the rest of the line as a text; nil if it is wrong.
func (r *reader) text() Text {
	all := r.lesson.Languages
	parts := []string{r.line.rest}
	if len(all) > 1 {
		parts = splitTexts(r.line.rest)
	}
	if len(parts) > len(all) {
		r.fail(r.columnOf(parts[len(all)]), firstWord(parts[len(all)]), WantFewer, strconv.Itoa(len(all))+" ("+strings.Join(all, separator)+")")
		return nil
	}
	t := make(Text)
	for i, lang := range all {
		part := parts[min(i, len(parts)-1)]
		if i >= len(parts) && len(parts) > 1 {
			break // with three languages, two of them written
		}
		switch {
		case part == "":
			r.fail(r.line.from, firstWord(r.line.rest), WantText, strings.Join(all, separator))
			return nil
		case len(part) > maxWords:
			r.fail(r.columnOf(part), firstWord(part), WantFewer, strconv.Itoa(maxWords)+" bytes")
			return nil
		}
		t[lang] = part
	}
	return t
}

func firstWord(text string) string {
	if words := strings.Fields(text); len(words) > 0 {
		return words[0]
	}
	return ""
}

func (r *reader) note() {
	text := r.text()
	if text == nil {
		return
	}
	if n := len(r.lesson.Steps); n > 0 {
		r.lesson.Steps[n-1].Notes = append(r.lesson.Steps[n-1].Notes, text)
	} else {
		r.lesson.Notes = append(r.lesson.Notes, text)
	}
}

func (r *reader) moment() {
	step := Step{Line: r.line.number}
	link := r.line.rest
	switch words := strings.Fields(link); {
	case len(words) == 0:
		r.fail(r.line.from, "", WantLink, "/ordering/book/by-seq?at=6.98s")
	case len(words) > 1:
		r.fail(r.columnOf(" "+words[1])+1, words[1], WantEnd, "")
	default:
		var wrong *Wrong
		if step.Link, step.At, wrong = r.check(link); wrong == nil {
			break
		}
		part := wrong.Part
		if part == "" || !strings.Contains(link, part) {
			part = link
		}
		r.fail(r.columnOf(part), part, wrong.Want, wrong.Valid)
	}
	r.shown = true
	r.lesson.Steps = append(r.lesson.Steps, step)
}

func (r *reader) question() {
	q := new(Question)
	r.wrong = false
	if r.line.rest == "chapter" {
		q.Chapter = true
		if !r.shown {
			r.fail(r.line.column, r.line.word, WantMomentFirst, "at /ordering/book")
		}
	} else {
		q.Text = r.text()
	}
	r.lesson.Steps = append(r.lesson.Steps, Step{Line: r.line.number, Question: q})
	r.open, r.at, r.rights, r.number = q, r.line, 0, false
}

// asked reports whether there is a question that takes answers.
func (r *reader) asked() bool {
	if r.open == nil || r.open.Chapter {
		r.fail(r.line.column, r.line.word, WantQuestion, "question …")
		return false
	}
	return true
}

func (r *reader) answer(right bool) {
	if !r.asked() {
		return
	}
	q := r.open
	switch {
	case r.number:
		r.fail(r.line.column, r.line.word, WantNothing, "")
		return
	case len(q.Answers) == 6:
		r.fail(r.line.column, r.line.word, WantFewer, "6")
		return
	case right && r.rights > 0:
		r.fail(r.line.column, r.line.word, WantOneRight, "answer")
		return
	}
	if right {
		r.rights++
		q.Right = strconv.Itoa(len(q.Answers))
	}
	if text := r.text(); text != nil {
		q.Answers = append(q.Answers, text)
	}
}

func (r *reader) numberGiven() {
	if !r.asked() {
		return
	}
	if r.number || len(r.open.Answers) > 0 {
		r.fail(r.line.column, r.line.word, WantNothing, "")
		return
	}
	r.number = true
	v, err := strconv.ParseFloat(r.line.rest, 64)
	if err != nil || math.IsInf(v, 0) || math.IsNaN(v) || len(r.line.rest) > 32 {
		r.fail(r.line.from, r.line.rest, WantNumber, "1.6")
		return
	}
	r.open.Right = r.line.rest
}

// endQuestion says what the question that ends here lacks.
func (r *reader) endQuestion() {
	q := r.open
	r.open = nil
	if q == nil || q.Chapter || r.number || r.wrong {
		r.wrong = false
		return
	}
	lacks := func(want Want, valid string) {
		r.errs = append(r.errs, &Error{Line: r.at.number, Column: r.at.column, Word: r.at.word, Want: want, Valid: valid})
	}
	switch {
	case len(q.Answers) < 2:
		lacks(WantAnswers, "answer, right, number")
	case r.rights == 0:
		lacks(WantOneRight, "right …")
	}
}
