package main

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"net/http/httptest"
	"strings"
	"testing"

	"imscope/sim/protocol"
	"imscope/web"
)

// tryFind runs imscope find, whose condition has spaces.
func tryFind(t *testing.T, line, where string) (stdout, stderr string, code int) {
	t.Helper()
	var out, errs bytes.Buffer
	err := run(t.Context(), append(strings.Fields("find "+line), "--where", where), &out, &errs)
	code = exitCode(err, &errs)
	return out.String(), errs.String(), code
}

// TestFind checks that the link of what is found leads to that very run.
func TestFind(t *testing.T) {
	const where = "missing_unnoticed >= 1 && inverted_pairs == 0"
	stdout, stderr, code := tryFind(t, "ordering --protocol by-id --format json", where)
	var f struct {
		Found    bool
		Where    string
		Messages int64
		LostLegs int64 `json:"lost_legs"`
		Link     string
	}
	if err := json.Unmarshal([]byte(stdout), &f); err != nil || code != 0 || stderr != "" {
		t.Fatal(err, code, stderr)
	}
	if !f.Found || f.Messages != 1 || f.LostLegs != 1 || f.Where != where || !strings.HasSuffix(f.Link, "&at=end") {
		t.Fatalf("got %s", stdout)
	}
	text, _, _ := tryFind(t, "ordering --protocol by-id", where)
	if !strings.Contains(text, ": 1 message, 1 lost leg\n"+f.Link+"\n") || !strings.Contains(text, "missing, unnoticed           1\n") {
		t.Errorf("got\n%s", text)
	}
	answer := httptest.NewRecorder()
	web.Handler(slog.New(slog.DiscardHandler)).ServeHTTP(answer, httptest.NewRequestWithContext(t.Context(), "GET", f.Link, nil))
	if answer.Code != 200 { // a redirect would say that the link is not canonical
		t.Errorf("%s: status %d", f.Link, answer.Code)
	}
}

func TestNotFound(t *testing.T) {
	stdout, _, code := tryFind(t, "ordering --protocol by-id --seeds 50 --seed 7", "inverted_pairs > 0")
	if code != 0 || !strings.Contains(stdout, "none of 50 runs, seeds from 7 on\n") {
		t.Errorf("exit %d, got\n%s", code, stdout)
	}
	stdout, _, _ = tryFind(t, "ordering --protocol by-id --seeds 50 --format json", "inverted_pairs > 0")
	if !strings.Contains(stdout, `"found":false,"tried":50}`) {
		t.Errorf("got %s", stdout)
	}
}

func TestWrongConditions(t *testing.T) {
	for where, want := range map[string]string{
		"missing >= 1":      "where: line 1, column 1: unknown name missing;",
		"fetches >= 1 ":     "", // fine
		"fetches":           "expected bool",
		"ben[99] == \"A1\"": "line 1, column 4: index out of range",
	} {
		_, stderr, code := tryFind(t, "ordering --protocol by-seq --seeds 100", where)
		if want == "" && code != 0 || want != "" && (code != 2 || strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, want)) {
			t.Errorf("%q: exit %d, said %q", where, code, stderr)
		}
	}
}

// TestFindHelp checks that every question is told, and that it can be asked.
func TestFindHelp(t *testing.T) {
	help, _, _ := try(t, "help find")
	for _, c := range protocol.Catalog {
		if !strings.Contains(help, "\n"+c.Name+":\n") {
			t.Errorf("nothing about %s", c.Name)
		}
	}
	for _, line := range []string{"ordering --question slow", "polling --question idle --messages 10", "offline --question scattered --seeds 100"} {
		if stdout, stderr, code := try(t, "find "+line); code != 0 || !strings.Contains(stdout, "/en/") {
			t.Errorf("%s: exit %d, said %s, got %s", line, code, stderr, stdout)
		}
	}
}
