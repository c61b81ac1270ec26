package room

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"encoding/json"
)

// State is what a class shares. Everything of it is the presenter's; a follower has his own language, theme and place to look around.
type State struct {
	// Link is the run, and how it is looked at: a canonical address without its language ("/ordering/book/by-seq?with=by-id"). Its moment
	// is where the run was when it was chosen; At holds from then on. A change of it makes every follower draw a new run. 1–8,000 bytes.
	Link string `json:"link"`
	// At is the moment as addresses spell it ("6.24s", "6.24s~1", "end"; empty is the start): where the run stands, or stood at Since if it
	// is playing. At most 32 bytes.
	At string `json:"at,omitempty"`
	// Playing says that the run goes on from At. A page plays with its own clock, so the driver reports At every second or so meanwhile.
	Playing bool `json:"playing,omitempty"`
	// Since is when the driver's process learned of At; Drive sets it. Machines that serve one room should agree on the time of day.
	Since time.Time `json:"since"`
	// Speed is how fast the run plays, 0.05 to 20; 1 is the page's usual pace.
	Speed float64 `json:"speed"`
	// TrueTime says that the run plays in its own time, without quiet stretches being shortened.
	TrueTime bool `json:"trueTime,omitempty"`
	// By is the window that shows this Link, At, Playing and Speed already, because it asked for them; empty if none does.
	By string `json:"by,omitempty"`
	// Blank says that the projector is to show nothing.
	Blank bool `json:"blank,omitempty"`
	// Driver is the window that drives, a token of its own choice; the first to drive becomes it.
	Driver string `json:"driver,omitempty"`
	// Question is what is asked; nil if nothing is.
	Question *Question `json:"question,omitempty"`
	// Step is the place in the lesson, from 0; −1 without one, or before its first step.
	Step int `json:"step"`
	// Created is when the room was opened. Create sets it.
	Created time.Time `json:"created"`
}

// Question is one that the class answers.
type Question struct {
	// ID names this asking of it: 1–32 letters, digits, - and _. Whoever asks it again gives it another, else the old answers count.
	ID string `json:"id"`
	// Chapter says that it is the one of the chapter on show. Then Text and Options may be empty: the page has them.
	Chapter bool `json:"chapter,omitempty"`
	// Text is the question by language ("en", "zh"); one language is enough.
	Text map[string]string `json:"text,omitempty"`
	// Options are the answers to choose from, 2–6, by language, each as long as the others. An answer is the place of one: "0", "1", ….
	Options map[string][]string `json:"options,omitempty"`
	// Choices is how many options there are; 0 if the answer is a number. It must agree with Options unless these are empty.
	Choices int `json:"choices,omitempty"`
	// Open says that answers are taken, and can be changed.
	Open bool `json:"open,omitempty"`
	// Revealed says that the histogram may be seen. It must not be while it is open.
	Revealed bool `json:"revealed,omitempty"`
	// Right is the right answer, as an answer is spelled; empty if it is not known (yet). Who follows learns it only once it is revealed.
	Right string `json:"right,omitempty"`
}

// Number reports whether the answer is a number.
func (q *Question) Number() bool { return q.Choices == 0 }

// Age is how long ago the state's At was true, 0 if it is not playing: who joins late is further on by it, times Speed, in the time of
// the screen.
func (s *State) Age(now time.Time) time.Duration {
	if !s.Playing {
		return 0
	}
	return max(0, now.Sub(s.Since))
}

const (
	maxLink   = 8000
	maxAt     = 32
	maxText   = 1000
	maxAnswer = 32 // bytes of an answer
)

// check says what of a state cannot be; nil if nothing.
func (s *State) check() error {
	switch {
	case !strings.HasPrefix(s.Link, "/") || len(s.Link) > maxLink || strings.ContainsAny(s.Link, " \r\n"):
		return &InvalidError{"link", "not a path of 1 to 8000 bytes"}
	case len(s.At) > maxAt || strings.ContainsFunc(s.At, func(r rune) bool { return r < ' ' || r > '~' || r == '"' || r == '\\' }):
		return &InvalidError{"at", "no moment"}
	case !(s.Speed >= 0.05 && s.Speed <= 20):
		return &InvalidError{"speed", "not 0.05 to 20"}
	case s.Driver != "" && !isToken(s.Driver, 8, 64) || s.By != "" && !isToken(s.By, 8, 64):
		return &InvalidError{"window", "not 8 to 64 letters, digits, - and _"}
	case s.Question != nil:
		return s.Question.Check()
	}
	return nil
}

// Check says what of a question cannot be, as an *InvalidError; nil if nothing.
func (q *Question) Check() error {
	switch {
	case !isToken(q.ID, 1, 32):
		return &InvalidError{"question", "its id is not 1 to 32 letters, digits, - and _"}
	case q.Choices != 0 && (q.Choices < 2 || q.Choices > 6):
		return &InvalidError{"options", "not 2 to 6"}
	case !q.Chapter && len(q.Text) == 0:
		return &InvalidError{"question", "it has no text"}
	case q.Open && q.Revealed:
		return &InvalidError{"question", "what is revealed must be closed"}
	case q.Right != "" && q.checkAnswer(q.Right) != nil:
		return &InvalidError{"right", "no possible answer"}
	}
	for _, text := range q.Text {
		if len(text) > maxText {
			return &InvalidError{"question", "more than 1000 bytes"}
		}
	}
	for _, options := range q.Options {
		if len(options) != q.Choices || slices.ContainsFunc(options, func(o string) bool { return o == "" || len(o) > maxText }) {
			return &InvalidError{"options", "not as many as there are choices, or empty, or more than 1000 bytes"}
		}
	}
	return nil
}

// checkAnswer says whether an answer can be given: the place of an option, or a number.
func (q *Question) checkAnswer(answer string) error {
	if len(answer) == 0 || len(answer) > maxAnswer {
		return &InvalidError{"answer", "not 1 to 32 bytes"}
	}
	if q.Number() {
		if v, err := strconv.ParseFloat(answer, 64); err != nil || math.IsInf(v, 0) || math.IsNaN(v) {
			return &InvalidError{"answer", "no number"}
		}
		return nil
	}
	if n, err := strconv.Atoi(answer); err != nil || n < 0 || n >= q.Choices || strconv.Itoa(n) != answer {
		return &InvalidError{"answer", "none of the options"}
	}
	return nil
}

// record is what is kept under the key of a state.
type record struct {
	State
	Secret []byte `json:"secret"` // its hash
}

func (r *record) encode(most int) ([]byte, error) {
	data, err := json.Marshal(r)
	if err == nil && len(data) > most {
		err = &FullError{"state", most}
	}
	return data, err
}

// forClass is the state as followers may see it.
func (s State) forClass() State {
	if s.Question != nil && !s.Question.Revealed {
		q := *s.Question
		q.Right = ""
		s.Question = &q
	}
	return s
}
