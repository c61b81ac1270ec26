package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"imscope/sim/im"
	"imscope/sim/protocol"
)

// readFile takes chapter, scenario, edits and, if it names one, the protocol from a text, as the site saves it. "-" is the standard input.
func (r *request) readFile(name string) error {
	text, err := open(name)
	if err != nil {
		return wrongUse("%v", err)
	}
	read, errs := im.ParseText(strings.ReplaceAll(text, "\r\n", "\n"))
	if len(errs) > 0 {
		var all []error
		for _, e := range errs {
			all = append(all, fmt.Errorf("%s:%w", name, located{e}))
		}
		return wrongUse("%v", errors.Join(all...))
	}
	r.chapter, _ = protocol.FindChapter(read.Scenario.Chapter)
	r.protocols, r.scenario = r.chapter.Protocols, read.Scenario
	if read.Protocol == "" {
		return nil
	}
	if err := r.chooseProtocol(read.Protocol); err != nil {
		return fmt.Errorf("%s:%d: %w", name, read.ProtocolError.Line, err)
	}
	return nil
}

func open(name string) (string, error) {
	if name == "-" {
		text, err := io.ReadAll(io.LimitReader(os.Stdin, im.MaxText+1))
		return string(text), err
	}
	text, err := os.ReadFile(name)
	return string(text), err
}

// located writes an error as compilers do: line:column: what is wrong.
type located struct{ *im.TextError }

func (e located) Error() string {
	stands := fmt.Sprintf("%q", e.Word)
	if e.Word == "" {
		stands = "the end of the line"
	}
	return fmt.Sprintf("%d:%d: %s where should be %s", e.Line, e.Column, stands, wanted[e.Want]+e.Valid)
}

// wanted says what should stand where a text is wrong; what is valid follows.
var wanted = map[im.Want]string{
	im.WantStatement: "a statement: ", im.WantMessage: "a message: ", im.WantLeg: "a leg: ", im.WantPhone: "a phone: ", im.WantTime: "a time: ",
	im.WantNumber: "a number: ", im.WantKnob: "a knob of the scenario: ", im.WantValue: "its value: ", im.WantEnd: "nothing more",
	im.WantChapter: "the chapter: ", im.WantScenario: "a scenario of the chapter: ", im.WantFewer: "at most ", im.WantLater: "a time later than ",
}

// chooseEdits notes what is changed by hand, for when the scenario is settled.
func (r *request) chooseEdits(text string) error {
	r.edits = text
	return nil
}

// edit adds what --edits says.
func (r *request) edit(text string) error {
	edits, errs := im.ParseEdits(&r.scenario, text)
	if len(errs) > 0 {
		return wrongUse("--edits, part %v", located{errs[0]})
	}
	for _, e := range edits {
		r.scenario.Edits = im.WithEdit(r.scenario.Edits, e)
	}
	return nil
}
