package templates

// Show is what of a run a page shows: a set of parts. A part that is not shown is not in the page at all, nor in what a stream sends to
// it, and the player does without it. A page sets Stage.Show; all of the run's regions follow it.
type Show uint16

// The parts of a run. What a reader cannot do without a part is not there either: no line of a screen asks why without ShowWhy, no phone
// is offered to be switched off without ShowChanges.
const (
	ShowDiagram   Show = 1 << iota
	ShowLegend         // the signs of the diagram
	ShowScreens        // of the phones, and the server's rows; with them the map of conversations, the server's parts, the waits
	ShowSentences      // that of the moment, and the list of what happened
	ShowControls       // what moves through the run
	ShowProtocols      // what else can be played: protocols, scenarios, and what stands beside
	ShowStory          // of the protocol and the scenario
	ShowTable          // the comparison of the protocols
	ShowWhy            // the chains of reasons
	ShowChanges        // what can be broken, what was, and the runs around
	ShowKnobs          // the form
	ShowGuess          // the question
	ShowTasks          // the challenges
	ShowTaking         // copying, printing, saving
	ShowChapter        // all that a chapter's page has around the run
)

// ShowAll is a chapter's page.
const ShowAll = ShowChapter<<1 - 1

// Has reports whether any of the parts is shown.
func (s Show) Has(parts Show) bool { return s&parts != 0 }

// HasElement reports whether what stands in the element of that id is shown. An element that belongs to no part always is.
func (s Show) HasElement(id string) bool {
	part, ok := elementParts[id]
	return !ok || s.Has(part)
}

// elementParts says to which part the elements belong that a stream sends to, but for those of which a page has several.
var elementParts = map[string]Show{
	"ticks": ShowDiagram, "breaks": ShowDiagram, "asked": ShowDiagram, "blocks": ShowScreens, "marks": ShowControls, "metrics": ShowTable,
	"cells": ShowTable, "guess": ShowGuess, "challenges": ShowTasks, "edits": ShowChanges, "why": ShowWhy, "partings": ShowScreens,
	"often": ShowChapter, "find": ShowChapter, "estimates": ShowChapter,
}
