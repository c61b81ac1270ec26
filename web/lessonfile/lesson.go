// Package lessonfile reads the texts of lessons: what a teacher shows, asks and wants to remember, in order. Grammar says how they are written.
package lessonfile

import (
	"strings"

	"imscope/web/room"
)

// Lesson is what a text says.
type Lesson struct {
	Languages []string // at least one
	Title     Text     // nil without
	Notes     []Text   // before the first step
	Steps     []Step
}

// Step is a moment or a question.
type Step struct {
	Line int // in the text, from 1
	// Link is the canonical address of the run without its language, and At its moment as addresses spell it; empty for a question.
	Link, At string
	Question *Question // nil for a moment
	Notes    []Text
}

// Question is one that the class answers.
type Question struct {
	Chapter bool // the chapter's own: what follows is empty
	Text    Text
	Answers []Text // 2–6; none if a number is asked for
	Right   string // the place of the right answer from "0", or the number
}

// Text is a text by language.
type Text map[string]string

// In is the text in a language, or, if it has none in it, in the one that comes first in order.
func (t Text) In(lang string, order []string) string {
	if text, ok := t[lang]; ok {
		return text
	}
	for _, lang := range order {
		if text, ok := t[lang]; ok {
			return text
		}
	}
	return ""
}

// Asked is the question as a room asks it; id tells this asking from others. How many answers the chapter's own has, and which is right, is
// for the caller to fill in.
func (q *Question) Asked(id string) *room.Question {
	asked := &room.Question{ID: id, Chapter: q.Chapter, Text: q.Text, Choices: len(q.Answers), Right: q.Right, Open: true}
	for _, answer := range q.Answers {
		for lang, text := range answer {
			if asked.Options == nil {
				asked.Options = make(map[string][]string)
			}
			asked.Options[lang] = append(asked.Options[lang], text)
		}
	}
	for lang, options := range asked.Options { // answers that are the same in all languages are in all of them, others may be in some
		if len(options) != len(q.Answers) {
			delete(asked.Options, lang)
		}
	}
	return asked
}

// Checker finds the run and the moment that a link leads to. link is as the text has it, with or without the site's name, language and
// place on the page. If it leads nowhere it returns what is wrong with it.
type Checker func(link string) (canonical, at string, wrong *Wrong)

// Wrong is a part of a link that does not work.
type Wrong struct {
	Part  string // as it stands in the link; the whole link if it is empty
	Want  Want   // WantLink, WantPlace, WantParam, WantMoment or WantShorter
	Valid string // what it could be
}

// Most of a lesson.
const (
	MaxText  = 64 << 10 // bytes
	MaxSteps = 200
	maxWords = 1000 // bytes of a TEXT in one language
)

// languages are those of the site.
var languages = []string{"en", "zh"}

const separator = " | "

// splitTexts takes what is written in several languages apart. A bar at an end separates, too: something is missing there.
func splitTexts(text string) []string {
	parts := strings.Split(" "+text+" ", separator)
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	return parts
}
