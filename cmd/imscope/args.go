package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"imscope/sim/im"
	"imscope/sim/protocol"
)

// value is a flag that was given. Every flag of imscope takes one.
type value struct{ name, text string }

// parseArgs tells words and flags apart, in any order: --name text or --name=text, with one dash or two.
func parseArgs(args []string) (words []string, values []value, err error) {
	for i := 0; i < len(args); i++ {
		name, isFlag := strings.CutPrefix(args[i], "-")
		if !isFlag {
			words = append(words, args[i])
			continue
		}
		name, text, hasText := strings.Cut(strings.TrimPrefix(name, "-"), "=")
		if !hasText {
			if i++; i == len(args) {
				return nil, nil, wrongUse("--%s needs a value%s", name, rangeOf(name))
			}
			text = args[i]
		}
		values = append(values, value{name, text})
	}
	return words, values, nil
}

func rangeOf(name string) string {
	if p, ok := im.FindParam(name); ok {
		return ": " + p.Range()
	}
	return ""
}

// request is what a command that plays runs is asked for.
type request struct {
	chapter   protocol.Chapter
	protocols []protocol.Entry
	scenario  im.Scenario
	format    string // text without a flag
	edits     string // as links spell them
	// batches says that the messages are those of many runs, of which no single one has to hold them all.
	batches bool
}

// options are the flags of one command besides the protocol and the knobs, by name.
type options map[string]func(r *request, text string) error

// parse reads the arguments of a command that plays runs into r: the chapter, and flags. start is what of a chapter is played if
// no flag chooses another scenario.
func (r *request) parse(args []string, start func(chapter string) im.Scenario, own options) error {
	words, values, err := parseArgs(args)
	if err != nil {
		return err
	}
	if file, rest := take(values, "file"); file != "" && own["file"] != nil {
		if len(words) > 0 {
			return wrongUse("the chapter is in the file: %q is one word too many", words[0])
		}
		if err := r.readFile(file); err != nil {
			return err
		}
		values = rest
	} else {
		if err := r.chooseChapter(words); err != nil {
			return err
		}
		r.protocols, r.scenario = r.chapter.Protocols, start(r.chapter.Name)
	}
	r.format = "text"
	knobs := make(map[string]string)
	for _, v := range values {
		if option, ok := own[v.name]; ok {
			err = option(r, v.text)
		} else if v.name == "protocol" {
			err = r.chooseProtocol(v.text)
		} else if _, ok := im.FindParam(v.name); ok {
			knobs[v.name] = v.text
		} else {
			err = wrongUse("unknown flag --%s; imscope help COMMAND lists them", v.name)
		}
		if err != nil {
			return err
		}
	}
	if err := r.turn(knobs); err != nil || r.edits == "" {
		return err
	}
	return r.edit(r.edits)
}

// take takes the last value of a flag out of the others; it is empty if there is none.
func take(values []value, name string) (text string, rest []value) {
	for _, v := range values {
		if v.name == name {
			text = v.text
		} else {
			rest = append(rest, v)
		}
	}
	return text, rest
}

func (r *request) chooseChapter(words []string) (err error) {
	var known []string
	for _, c := range protocol.Catalog {
		known = append(known, c.Name)
	}
	switch len(words) {
	case 0:
		return wrongUse("which chapter? There is %s", strings.Join(known, ", "))
	case 1:
		var ok bool
		if r.chapter, ok = protocol.FindChapter(words[0]); !ok {
			return unknown("chapter", words[0], known)
		}
		return nil
	default:
		return wrongUse("%q is one word too many", words[1])
	}
}

func (r *request) chooseProtocol(name string) error {
	e, ok := r.chapter.Find(name)
	if !ok {
		var known []string
		for _, e := range r.chapter.Protocols {
			known = append(known, e.Name)
		}
		return unknown("protocol", name, known)
	}
	r.protocols = []protocol.Entry{e}
	return nil
}

func (r *request) chooseScenario(name string) (err error) {
	var ok bool
	if r.scenario, ok = im.FindScenario(r.chapter.Name, name); ok {
		return nil
	}
	var known []string
	for _, s := range im.Scenarios(r.chapter.Name) {
		known = append(known, s.Name)
	}
	return unknown("scenario", name, known)
}

// chooseFormat is the option of a command that knows these formats.
func chooseFormat(known ...string) func(r *request, name string) error {
	return func(r *request, name string) error {
		if r.format = name; !slices.Contains(known, name) {
			return unknown("format", name, known)
		}
		return nil
	}
}

// count is an option that is a number in a range.
func count(to *int64, name string, least, most int64) func(*request, string) error {
	return func(_ *request, text string) (err error) {
		if *to, err = strconv.ParseInt(text, 10, 64); err != nil || *to < least || *to > most {
			return wrongUse("%s: %q is not in the range %d … %d", name, text, least, most)
		}
		return nil
	}
}

// turn sets the knobs in the order of their table, since the ranges of some depend on earlier ones.
func (r *request) turn(knobs map[string]string) error {
	for _, p := range im.Params {
		text, given := knobs[p.Name]
		if !given {
			continue
		}
		if !p.Applies(&r.scenario) {
			return wrongUse("%s means nothing in the scenario %s of %s", p.Name, r.scenario.Name, r.chapter.Name)
		}
		if err := r.set(p, text); err != nil {
			return wrongUse("%v", err)
		}
	}
	if knobs["messages"] != "" && knobs["length"] != "" && !r.scenario.Uniform {
		return wrongUse("messages and length exclude each other")
	}
	return nil
}

// set turns one knob. Batches draw their times by themselves, and so a uniform run has no bound of its own.
func (r *request) set(p im.Param, text string) error {
	if p.Name != "messages" || !r.batches {
		return p.Set(&r.scenario, text)
	}
	uniform := r.scenario.Uniform
	r.scenario.Uniform = false
	err := p.Set(&r.scenario, text)
	r.scenario.Uniform = uniform
	return err
}

// knobHelp lists the knobs of each chapter with their ranges and what they are in the scenario that of gives.
func knobHelp(of func(chapter string) im.Scenario) string {
	var b strings.Builder
	for _, c := range protocol.Catalog {
		s := of(c.Name)
		fmt.Fprintf(&b, "\n%s:\n\n", c.Name)
		for _, p := range im.Params {
			if p.AppliesIn(c.Name) {
				fmt.Fprintf(&b, "\t--%-13s %s (%s)\n\t%16s%s\n", p.Name, p.RangeIn(&s), p.Value(&s), "", knobTexts[p.Name])
			}
		}
	}
	return b.String()
}

// random is a chapter's random scenario, in which most knobs mean something; where there is none, the default one.
func random(chapter string) im.Scenario {
	if s, ok := im.FindScenario(chapter, "random"); ok {
		return s
	}
	return im.Scenarios(chapter)[0]
}

var knobTexts = map[string]string{
	"seed":          "of everything that is drawn",
	"phones":        "that take part *",
	"messages":      "how many; in ordering, how many two phones send on average, and more phones send more *",
	"length":        "of the time in which messages are sent; in ordering, instead of messages *",
	"gap":           "mean time between two messages of one phone *",
	"latency":       "of every leg, one way",
	"loss":          "the chance of each leg",
	"rto":           "how long a phone waits for an ACK before it sends again",
	"attempts":      "how often a phone sends a message before it gives up; 0 is for ever",
	"gapwait":       "how long a phone waits for a gap to close by itself",
	"write":         "time from taking a number to the commit",
	"interval":      "time from one poll to the next",
	"phase":         "when the first poll leaves",
	"away":          "how long Ben's phone is away; open is between two opens of the app, evening a busy one with three groups",
	"conversations": "that Ben is in",
	"too-far":       "what a phone gets that is more than ten pages behind: all of them, or the list of conversations; after more than 7 days it is the list",
	"opens":         "which conversation Ben opens after catching up, most active first; 0 is none",
	"locks":         "the order in which a transaction locks its recipients: that of user ids, or any: scenario several",
	"version":       "beside cursors, phones keep a version of their memberships: scenarios group and person",
	"head":          "whether the server reads how far everything goes before the list or after it: scenario race",
	"off":           "when Ben's phone is off; the end of the stretch does not belong to it",
	"slow":          "time from taking a number to the commit, for one message: scenario hole",
	"rollback":      "the chance of each transaction to be undone",
	"overlap":       "how far back poll-time reaches",
	"hold":          "how long a long poll is held",
	"heartbeat":     "how often a phone tries its connection, under push",
	"page":          "rows in one answer at most",
	"onewriter":     "one transaction at a time",
	"rowlock":       "one transaction at a time in each conversation",
	"apart":         "Carl writes in another conversation: scenario hole",
	"headers":       "HTTP headers are counted",
	"reorder":       "pushes may overtake one another",
	"fetchloss":     "the legs of a fetch can be lost too",
	"ids":           "messages carry a client message id",
	"ack":           "the server confirms",
	"dedupe":        "the server stores a message once",
	"reopen":        "who opens the conversation again at the end",
}
