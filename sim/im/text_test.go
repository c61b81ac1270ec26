package im

import (
	"slices"
	"strings"
	"testing"
)

// everyScenario calls f for each scenario of each chapter.
func everyScenario(f func(Scenario)) {
	for _, chapter := range Chapters {
		for _, s := range Scenarios(chapter) {
			f(s)
		}
	}
}

// TestTextOfScenarios checks that the text of each scenario says that scenario and nothing by hand.
func TestTextOfScenarios(t *testing.T) {
	everyScenario(func(s Scenario) {
		text := WriteText(&s, "x")
		got, errs := ParseText(text)
		if len(errs) > 0 || len(got.Scenario.Edits) > 0 || got.Scenario.Name != s.Name || got.Protocol != "x" {
			t.Errorf("%s/%s: %v, %v\n%s", s.Chapter, s.Name, errs, got.Scenario.Edits, text)
		}
	})
}

// TestTextOfEdits checks what a text makes of the book's run: what is changed, taken away, and added.
func TestTextOfEdits(t *testing.T) {
	s := book()
	text := WriteText(&s, "")
	text = strings.Replace(text, "send A3 6.78s", "send A3 7s  # later", 1)
	text = strings.Replace(text, "lose push A2 ben\n", "", 1)
	text = strings.Replace(text, "send B2 3.62s\n", "", 1)
	text = strings.Replace(text, "\n\n", "\nloss=0.25\n\n\toff ben 2s 3s\n", 1)
	got, errs := ParseText(text)
	if len(errs) > 0 {
		t.Fatal(errs[0])
	}
	want := []string{"deliver push A2 ben", "drop B2", "off ben 2s 3s", "send A3 7s"}
	if edits := sortedLines(got.Scenario.Edits); !slices.Equal(edits, want) {
		t.Errorf("got %q, want %q", edits, want)
	}
	if got.Scenario.Loss != 250_000 {
		t.Errorf("the loss is %v", got.Scenario.Loss)
	}
	again, errs := ParseText(WriteText(&got.Scenario, ""))
	if len(errs) > 0 || !slices.Equal(sortedLines(again.Scenario.Edits), want) {
		t.Errorf("read again: %v, %v", errs, again.Scenario.Edits)
	}
}

func sortedLines(edits []Edit) (lines []string) {
	for _, e := range edits {
		lines = append(lines, e.String())
	}
	slices.Sort(lines)
	return lines
}

// TestTextErrors checks that each error is found, all at once, where it is.
func TestTextErrors(t *testing.T) {
	for _, c := range []struct {
		text         string
		line, column int
		word         string
		want         Want
	}{
		{"", 1, 1, "", WantChapter},
		{"# nothing\n\nscenario book", 3, 1, "scenario", WantChapter},
		{"chapter tea", 1, 9, "tea", WantChapter},
		{"chapter ordering\nscenario tea", 2, 10, "tea", WantScenario},
		{"chapter ordering\nloose push A2 ben", 2, 1, "loose", WantStatement},
		{"chapter ordering\nlose  shove A2 ben", 2, 7, "shove", WantLeg},
		{"chapter ordering\nlose push A2", 2, 13, "", WantPhone},
		{"chapter ordering\nlose push A2 carl", 2, 14, "carl", WantPhone},
		{"chapter ordering\nscenario trio\nlose push A2 carl 0", 3, 19, "0", WantNumber},
		{"chapter ordering\nsend C1 1s", 2, 6, "C1", WantMessage},
		{"chapter ordering\nsend A1 soon", 2, 9, "soon", WantTime},
		{"chapter ordering\nsend A1 1h", 2, 9, "1h", WantTime},
		{"chapter ordering\nsend A1 1s 2s # too much", 2, 12, "2s", WantEnd},
		{"chapter ordering\noff ana 3s 2s", 2, 12, "2s", WantLater},
		{"chapter ordering\nloss = 2", 2, 8, "2", WantValue},
		{"chapter ordering\nloss =", 2, 7, "", WantValue},
		{"chapter ordering\nloss 0.1", 2, 1, "loss", WantStatement},
		{"chapter ordering\ninterval=2s", 2, 1, "interval", WantKnob},
		{"chapter offline\nsend A1 2s", 2, 6, "A1", WantMessage},
	} {
		_, errs := ParseText(c.text)
		if len(errs) != 1 {
			t.Errorf("%q: %d errors", c.text, len(errs))
			continue
		}
		if e := errs[0]; e.Line != c.line || e.Column != c.column || e.Word != c.word || e.Want != c.want {
			t.Errorf("%q: got %+v, want %+v", c.text, e, c)
		}
	}
	_, errs := ParseText("chapter ordering\nlose tea\nloss=0.1\nsend A1\ntea")
	var lines []int
	for _, e := range errs {
		lines = append(lines, e.Line)
	}
	if !slices.Equal(lines, []int{2, 4, 5}) {
		t.Errorf("errors in lines %v, want 2, 4 and 5", lines)
	}
}

// FuzzText reads any text without trouble, and what is read without an error says the same when it is written and read again.
func FuzzText(f *testing.F) {
	everyScenario(func(s Scenario) { f.Add(WriteText(&s, "")) })
	f.Add("chapter ordering\nscenario random\nseed=7\ndelay ack A1 2 300ms\nrestart 2s\noff ana 1s 2s\nstall B1 1.5s\nlose range ben 3 2\nskip a1 4")
	f.Fuzz(func(t *testing.T, text string) {
		got, errs := ParseText(text)
		for _, e := range errs {
			if e.Line < 1 || e.Column < 1 || e.Error() == "" {
				t.Errorf("%+v says nothing", e)
			}
		}
		if len(errs) > 0 {
			return
		}
		written := WriteText(&got.Scenario, got.Protocol)
		again, errs := ParseText(written)
		if len(errs) > 0 || WriteText(&again.Scenario, again.Protocol) != written {
			t.Errorf("%q became\n%s, and then %v\n%s", text, written, errs, WriteText(&again.Scenario, again.Protocol))
		}
	})
}

// FuzzEdits reads any part of a link without trouble; what it takes, it writes and reads as the same edits.
func FuzzEdits(f *testing.F) {
	s := trio()
	f.Add("lose-push-A2-ben_send-a1-6.3s_off-carl-1s-2s_delay-message-B1-2-300ms_drop-C1_commit-A1")
	f.Fuzz(func(t *testing.T, text string) {
		edits, _ := ParseEdits(&s, text)
		written := FormatEdits(edits)
		if len(edits) == 0 {
			return
		}
		if again, errs := ParseEdits(&s, written); len(errs) > 0 || !slices.Equal(again, edits) {
			t.Errorf("%q became %q, and then %v, %v", text, written, again, errs)
		}
	})
}
