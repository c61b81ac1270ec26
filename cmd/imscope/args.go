package main

import (
	"fmt"
	"slices"
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

// request is what run and estimate are asked for.
type request struct {
	chapter   protocol.Chapter
	protocols []protocol.Entry
	scenario  im.Scenario
	format    string
}

// parseRequest reads the arguments of run and estimate: the chapter, and flags. scenario is what is played if no flag chooses
// another; choose allows that flag.
func parseRequest(args []string, scenario im.Scenario, choose bool, formats []string) (*request, error) {
	words, values, err := parseArgs(args)
	if err != nil {
		return nil, err
	}
	r := &request{scenario: scenario, format: formats[0]}
	if err := r.chooseChapter(words); err != nil {
		return nil, err
	}
	r.protocols = r.chapter.Protocols
	knobs := make(map[string]string)
	for _, v := range values {
		switch {
		case v.name == "protocol":
			err = r.chooseProtocol(v.text)
		case v.name == "scenario" && choose:
			err = r.chooseScenario(v.text)
		case v.name == "format":
			err = r.chooseFormat(v.text, formats)
		default:
			if _, ok := im.FindParam(v.name); !ok {
				err = wrongUse("unknown flag --%s; imscope help COMMAND lists them", v.name)
			}
			knobs[v.name] = v.text
		}
		if err != nil {
			return nil, err
		}
	}
	return r, r.turn(knobs)
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
	if r.scenario, ok = im.FindScenario(name); ok {
		return nil
	}
	var known []string
	for _, s := range im.Scenarios() {
		known = append(known, s.Name)
	}
	return unknown("scenario", name, known)
}

func (r *request) chooseFormat(name string, known []string) error {
	if r.format = name; !slices.Contains(known, name) {
		return unknown("format", name, known)
	}
	return nil
}

// turn sets the knobs in the order of their table, since the ranges of some depend on earlier ones.
func (r *request) turn(knobs map[string]string) error {
	for _, p := range im.Params {
		text, given := knobs[p.Name]
		if !given {
			continue
		}
		if !p.Applies(&r.scenario) {
			return wrongUse("%s means nothing in the scenario %s, which is scripted", p.Name, r.scenario.Name)
		}
		if err := p.Set(&r.scenario, text); err != nil {
			return wrongUse("%v", err)
		}
	}
	if knobs["messages"] != "" && knobs["length"] != "" {
		return wrongUse("messages and length exclude each other")
	}
	return nil
}

// knobHelp lists the knobs with their ranges and what they are in the scenario s.
func knobHelp(s *im.Scenario) string {
	var b strings.Builder
	for _, p := range im.Params {
		fmt.Fprintf(&b, "\t--%-10s %s (%s)\n\t%13s%s\n", p.Name, p.Range(), p.Value(s), "", knobTexts[p.Name])
	}
	return b.String()
}

var knobTexts = map[string]string{
	"seed":      "of everything that is drawn",
	"phones":    "that take part *",
	"messages":  "how many two phones send on average; more phones send more *",
	"length":    "of the time in which messages are sent, instead of messages *",
	"gap":       "mean time between two messages of one phone *",
	"latency":   "of every leg, one way",
	"loss":      "the chance of each leg",
	"rto":       "how long a phone waits for an ACK before it sends again",
	"attempts":  "how often a phone sends a message before it gives up; 0 is for ever",
	"gapwait":   "how long a phone waits for a gap to close by itself",
	"write":     "time from taking a number to the commit",
	"reorder":   "pushes may overtake one another",
	"fetchloss": "the legs of a fetch can be lost too",
	"ids":       "messages carry a client message id",
	"ack":       "the server confirms",
	"dedupe":    "the server stores a message once",
	"reopen":    "who opens the conversation again at the end",
}
