package im

import (
	"strconv"
	"strings"
)

// An edit is written as a verb and what it is about: "lose push A2 ben", "send a1 6.3s". In a scenario's text each has a line of its own;
// in a link a hyphen stands for the space and an underscore for the end of the line. One reader reads both.

// Argument is a kind of word after a verb or a knob.
type Argument uint8

// The kinds of argument.
const (
	MessageWord Argument = iota + 1 // A2, a1
	LegWord                         // push A2 ben: several words
	PhoneWord                       // ben
	TimeWord                        // 6.3s
	NumberWord                      // 3
)

// Form is how a verb is written.
type Form struct {
	Name string
	Args []Argument
}

// Forms lists the verbs, in the order of Verb, from 1.
var Forms = [verbEnd]Form{
	Press:    {"send", []Argument{MessageWord, TimeWord}},
	Drop:     {"drop", []Argument{MessageWord}},
	Lose:     {"lose", []Argument{LegWord}},
	Deliver:  {"deliver", []Argument{LegWord}},
	Delay:    {"delay", []Argument{LegWord, TimeWord}},
	Off:      {"off", []Argument{PhoneWord, TimeWord, TimeWord}},
	Restart:  {"restart", []Argument{TimeWord}},
	Stall:    {"stall", []Argument{MessageWord, TimeWord}},
	Rollback: {"rollback", []Argument{MessageWord}},
	Commit:   {"commit", []Argument{MessageWord}},
	Skip:     {"skip", []Argument{MessageWord, NumberWord}},
}

// told is which words name a leg.
type told uint8

const (
	byMessage  told = iota + 1 // message A1, or message A1 2
	byReceiver                 // push A2 ben
	byPhone                    // pull ana
	byNumber                   // poll ben 3
)

// legForms are the names of legs, and which words come after them. A last word may tell the attempt.
var legForms = [legEnd]struct {
	name string
	told told
}{
	MessageLeg: {"message", byMessage}, AckLeg: {"ack", byMessage}, PushLeg: {"push", byReceiver}, AskLeg: {"ask", byNumber},
	AnswerLeg: {"range", byNumber}, PullLeg: {"pull", byPhone}, PullReplyLeg: {"conversation", byPhone}, PollLeg: {"poll", byNumber},
	PollReplyLeg: {"answer", byNumber}, ConnectLeg: {"connect", byNumber}, PingLeg: {"ping", byNumber}, PongLeg: {"pong", byNumber},
	SyncLeg: {"request", byNumber}, SyncReplyLeg: {"reply", byNumber},
}

// LegForms lists how legs are written, an example each.
func LegForms() (forms []string) {
	for _, f := range legForms[1:] {
		forms = append(forms, f.name+[...]string{byMessage: " A1", byReceiver: " A1 ben", byPhone: " ben", byNumber: " ben 3"}[f.told])
	}
	return forms
}

// String writes the edit as a line.
func (e Edit) String() string {
	words := []string{Forms[e.Verb].Name}
	times := []Time{e.At, e.Until}
	for _, arg := range Forms[e.Verb].Args {
		switch arg {
		case MessageWord:
			words = append(words, e.Msg.String())
		case LegWord:
			words = append(words, e.Leg.String())
		case PhoneWord:
			words = append(words, phoneWord(e.Phone))
		case TimeWord:
			words, times = append(words, FormatTime(times[0])), times[1:]
		case NumberWord:
			words = append(words, strconv.FormatInt(e.N, 10))
		}
	}
	return strings.Join(words, " ")
}

// String writes the leg as part of a line.
func (l LegID) String() string {
	text := legForms[l.Leg].name
	switch legForms[l.Leg].told {
	case byMessage:
		text += " " + l.Msg.String()
	case byReceiver:
		text += " " + l.Msg.String() + " " + phoneWord(l.Phone)
	case byPhone:
		text += " " + phoneWord(l.Phone)
	case byNumber:
		text += " " + phoneWord(l.Phone) + " " + strconv.FormatInt(l.Lo, 10)
	}
	if l.Attempt != 1 {
		text += " " + strconv.FormatUint(uint64(l.Attempt), 10)
	}
	return text
}

func phoneWord(a Actor) string { return strings.ToLower(Name(a)) }

// LinkWords writes a line as it stands in a link.
func LinkWords(line string) string { return strings.ReplaceAll(line, " ", "-") }

// FormatEdits writes edits as a link does: lose-push-A2-ben_send-a1-6.3s.
func FormatEdits(edits []Edit) string {
	parts := make([]string, len(edits))
	for i, e := range edits {
		parts[i] = LinkWords(e.String())
	}
	return strings.Join(parts, "_")
}

// ParseEdits reads what FormatEdits writes, for a run of s. It takes all that is valid and returns an error for each part that is not.
func ParseEdits(s *Scenario, text string) (edits []Edit, errs []*TextError) {
	for i, part := range strings.Split(text, "_") {
		r := newLine(i+1, part, '-')
		e, err := r.edit(s)
		if err == nil && len(edits) == MaxEdits {
			err = r.wrong(0, WantFewer, strconv.Itoa(MaxEdits))
		}
		if err != nil {
			err.Text = strings.ReplaceAll(part, "-", " ")
			errs = append(errs, err)
			continue
		}
		edits = WithEdit(edits, e)
	}
	return edits, errs
}

// Want is what should stand where a text is wrong.
type Want uint8

// What can be wanted.
const (
	WantStatement Want = iota + 1 // a verb, or a knob of this scenario
	WantMessage
	WantLeg
	WantPhone
	WantTime
	WantNumber
	WantKnob     // one of this scenario
	WantValue    // of a knob
	WantEnd      // of the line
	WantChapter  // the first line
	WantScenario // of the chapter
	WantFewer    // statements
	WantLater    // than the time before
)

// TextError tells where a text is wrong.
type TextError struct {
	Line, Column int    // from 1; columns count characters
	Text         string // the line
	Word         string // what stands there; empty where the line ends
	Want         Want
	Valid        string // what could stand there, in no particular language
}

func (e *TextError) Error() string {
	return "line " + strconv.Itoa(e.Line) + ", column " + strconv.Itoa(e.Column) + ": " + strconv.Quote(e.Word) + ", want " + e.Valid
}

// line is a line that is read word by word.
type line struct {
	number int
	text   string
	words  []word
	next   int
}

type word struct {
	text   string
	column int
}

// newLine splits a line at every separator; where that is a space, at other white space too, and an equals sign is a word by itself.
func newLine(number int, text string, separator rune) *line {
	l := &line{number: number, text: text}
	column, start := 0, -1
	var b strings.Builder
	flush := func() {
		if start > 0 {
			l.words = append(l.words, word{b.String(), start})
			b.Reset()
			start = -1
		}
	}
	for _, c := range text {
		column++
		if c == separator || separator == ' ' && blank(c) {
			flush()
			continue
		}
		if c == '=' {
			flush()
			l.words = append(l.words, word{"=", column})
			continue
		}
		if start < 0 {
			start = column
		}
		b.WriteRune(c)
	}
	flush()
	return l
}

// blank reports whether c stands between words; the wide space is what a Chinese keyboard gives.
func blank(c rune) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\u3000' }

// word returns the next word; it is empty at the end of the line.
func (l *line) word() string {
	if l.next == len(l.words) {
		l.next++
		return ""
	}
	l.next++
	return l.words[l.next-1].text
}

// more reports whether there is another word.
func (l *line) more() bool { return l.next < len(l.words) }

// wrong is the error at the word read last, or back words before it.
func (l *line) wrong(back int, want Want, valid string) *TextError {
	i := l.next - 1 - back
	e := &TextError{Line: l.number, Text: l.text, Want: want, Valid: valid}
	if i >= 0 && i < len(l.words) {
		e.Word, e.Column = l.words[i].text, l.words[i].column
	} else {
		e.Column = len([]rune(strings.TrimRightFunc(l.text, blank))) + 1
	}
	return e
}

// end makes sure that the line has no more words.
func (l *line) end() *TextError {
	if l.more() {
		l.word()
		return l.wrong(0, WantEnd, "")
	}
	return nil
}

// edit reads a whole line that is an edit.
func (l *line) edit(s *Scenario) (Edit, *TextError) {
	name := l.word()
	for verb := Press; verb < verbEnd; verb++ {
		if Forms[verb].Name == name {
			return l.arguments(s, verb)
		}
	}
	return Edit{}, l.wrong(0, WantStatement, strings.Join(verbNames(), ", "))
}

func verbNames() (names []string) {
	for _, f := range Forms[1:] {
		names = append(names, f.Name)
	}
	return names
}

// arguments reads what comes after a verb.
func (l *line) arguments(s *Scenario, verb Verb) (e Edit, err *TextError) {
	e.Verb = verb
	at := &e.At
	for _, arg := range Forms[verb].Args {
		switch arg {
		case MessageWord:
			e.Msg, err = l.message(s)
		case LegWord:
			e.Leg, err = l.leg(s)
		case PhoneWord:
			e.Phone, err = l.phone(s)
		case TimeWord:
			*at, err = l.time(s.latest(verb))
			at = &e.Until
		case NumberWord:
			e.N, err = l.count(0, 1_000_000)
		}
		if err != nil {
			return e, err
		}
	}
	if verb == Off && e.Until <= e.At {
		return e, l.wrong(0, WantLater, FormatTime(e.At))
	}
	return e, l.end()
}

// latest is how large the time of a verb can be: a moment at which something can still come of it, or a delay.
func (s *Scenario) latest(v Verb) Time {
	if v == Delay || v == Stall {
		return longestDelay
	}
	return s.End() + Overtime/2
}

func (l *line) message(s *Scenario) (MessageID, *TextError) {
	m, ok := ParseMessage(l.word())
	away := s.Chapter == OfflineChapter
	if !ok || m.N&^byHand > MaxNumber || int(m.Sender) > s.Phones || (m.Sender == Server) != away {
		if away {
			return m, l.wrong(0, WantMessage, "M1, M2, …")
		}
		return m, l.wrong(0, WantMessage, "A1, a1 … "+Name(Actor(s.Phones))[:1]+strconv.Itoa(MaxNumber))
	}
	return m, nil
}

func (l *line) phone(s *Scenario) (Actor, *TextError) {
	name := l.word()
	var known []string
	for a := Ana; a <= Tablet; a++ {
		if int(a) > s.Phones && a != s.Reader && (a != Tablet || s.Second == 0) {
			continue
		}
		if phoneWord(a) == name {
			return a, nil
		}
		known = append(known, phoneWord(a))
	}
	return 0, l.wrong(0, WantPhone, strings.Join(known, ", "))
}

func (l *line) time(latest Time) (Time, *TextError) {
	t, ok := ParseTime(l.word())
	if !ok || t > latest {
		return 0, l.wrong(0, WantTime, "0s … "+FormatTime(latest))
	}
	return t, nil
}

func (l *line) count(lo, hi int64) (int64, *TextError) {
	n, err := strconv.ParseInt(l.word(), 10, 64)
	if err != nil || n < lo || n > hi {
		return 0, l.wrong(0, WantNumber, strconv.FormatInt(lo, 10)+" … "+strconv.FormatInt(hi, 10))
	}
	return n, nil
}

// leg reads the words of a leg.
func (l *line) leg(s *Scenario) (id LegID, err *TextError) {
	name := l.word()
	for leg := MessageLeg; leg < legEnd; leg++ {
		if legForms[leg].name == name {
			id.Leg = leg
		}
	}
	if id.Leg == 0 {
		return id, l.wrong(0, WantLeg, strings.Join(LegForms(), ", "))
	}
	told := legForms[id.Leg].told
	if told == byMessage || told == byReceiver {
		if id.Msg, err = l.message(s); err != nil {
			return id, err
		}
	}
	if told != byMessage {
		if id.Phone, err = l.phone(s); err != nil {
			return id, err
		}
	}
	if told == byNumber {
		if id.Lo, err = l.count(0, MaxSeed); err != nil {
			return id, err
		}
	}
	return id, l.attempt(&id)
}

// attempt reads the attempt of a leg if there is one, which is the first otherwise. It is a plain number, which a time is not.
func (l *line) attempt(id *LegID) *TextError {
	id.Attempt = 1
	if !l.more() || strings.Trim(l.words[l.next].text, "0123456789") != "" {
		return nil
	}
	n, err := l.count(1, MaxNumber)
	id.Attempt = uint32(n)
	return err
}
