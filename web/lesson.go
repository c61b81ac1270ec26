package web

import (
	"github.com/a-h/templ"

	"imscope/sim/im"
	"imscope/templates"
)

// lesson is what a chapter says on its page: names and stories, its question, the rows of its table, its sums. The stage, the player,
// links and streams are the same for all chapters.
type lesson struct {
	title, summary phrase
	protocols      []story // by name; the names and their order are the catalogue's
	scenarios      []story
	question       phrase
	answers        []answer
	judge          func(narrator, *im.Fold) (id, why string) // the run's answer, and the reason
	metrics        []metric
	sliders        []slider
	estimates      func(templates.Lang, map[string]float64) []templates.Estimate
	extra          func(Link) templ.Component // what only this chapter has; nil without
	page           func(templates.Chapter) templ.Component
}

// phrase says the same in both languages.
type phrase struct{ en, zh string }

func (p phrase) in(l templates.Lang) string { return l.In(p.en, p.zh) }

// story is what a page says of a protocol or a scenario.
type story struct {
	id         string
	name, text phrase
}

// answer is one that a reader can give to the chapter's question.
type answer struct {
	id   string
	text phrase
}

// lessonOf returns the lesson of a chapter that has a page.
func lessonOf(chapter string) *lesson {
	switch chapter {
	case im.PollingChapter:
		return &pollingLesson
	case im.OfflineChapter:
		return &offlineLesson
	}
	return &orderingLesson
}

func (l *Link) lesson() *lesson { return lessonOf(l.Chapter.Name) }

func (l *lesson) protocol(id string) story { return find(l.protocols, id) }

func (l *lesson) scenario(id string) story { return find(l.scenarios, id) }

func find(all []story, id string) story {
	for _, s := range all {
		if s.id == id {
			return s
		}
	}
	return story{id: id, name: phrase{id, id}}
}

// guesses are the answers' ids.
func (l *lesson) guesses() []string { return names(l.answers, func(a answer) string { return a.id }) }
