package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestLessons checks that samples are good, and that what is wrong is listed with its place.
func TestLessons(t *testing.T) {
	sample, _, code := try(t, "lesson sample polling")
	if code != 0 {
		t.Fatal("no sample")
	}
	good, bad := filepath.Join(t.TempDir(), "good.txt"), filepath.Join(t.TempDir(), "bad.txt")
	for name, text := range map[string]string{good: sample, bad: "at /polling/hole?at=2s\nat /polling/whole\n"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if stdout, stderr, code := try(t, "lesson check "+good); code != 0 || !strings.Contains(stdout, "good: ") {
		t.Errorf("exit %d: %s%s", code, stdout, stderr)
	}
	stdout, _, code := try(t, "lesson check "+good+" "+bad)
	if code != 1 || !strings.Contains(stdout, bad+":2:13: “whole”: there is only: book, off") {
		t.Errorf("exit %d: %s", code, stdout)
	}
}
