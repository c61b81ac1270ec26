package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"imscope/sim/im"
)

// TestRunFile plays a scenario from a file, with a flag and an edit besides, and compares it with the same run told by flags.
func TestRunFile(t *testing.T) {
	s, _ := im.FindScenario(im.OrderingChapter, "book")
	s.Edits = []im.Edit{{Verb: im.Drop, Msg: im.MessageID{Sender: im.Ana, N: 4}}}
	file := filepath.Join(t.TempDir(), "lesson.txt")
	text := strings.ReplaceAll("# a lesson\n"+im.WriteText(&s, "by-seq"), "\n", "\r\n")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	got, errs, _ := try(t, "run --file "+file+" --latency 50ms --edits lose-push-B2-ana")
	want, _, _ := try(t, "run ordering --protocol by-seq --latency 50ms --edits drop-A4_lose-push-B2-ana")
	if got != want || !strings.Contains(got, "push B2, lost") || strings.Contains(got, "sends A4") {
		t.Errorf("%s\n%s\nnot the same as\n%s", errs, got, want)
	}
	for content, want := range map[string]string{
		"chapter ordering\nsend A1\nlose tea": "lesson.txt:2:8: the end of the line where should be a time",
		"chapter ordering\nprotocol by-luck":  "lesson.txt:2: ",
		"scenario book":                       "lesson.txt:1:1: \"scenario\" where should be the chapter",
	} {
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, errs, code := try(t, "run --file "+file); code != 2 || !strings.Contains(errs, want) {
			t.Errorf("%q: exit %d, %s", content, code, errs)
		}
	}
}
