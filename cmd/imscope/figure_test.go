package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestFigure checks what imscope figure writes: the same at every run, in the form that the file's name says.
func TestFigure(t *testing.T) {
	dir := t.TempDir()
	for name, begins := range map[string]string{"fig.svg": "<svg", "story.md": "# ", "steps.csv": "protocol,step,", "steps.json": "["} {
		file := filepath.Join(dir, name)
		var all [2][]byte
		for i := range all {
			args := strings.Fields("figure ordering --protocol arrival --loss 0.1 --at 6.98s --lang zh -o " + file)
			if err := run(t.Context(), args, io.Discard, io.Discard); err != nil {
				t.Fatal(err)
			}
			var err error
			if all[i], err = os.ReadFile(file); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.HasPrefix(all[0], []byte(begins)) || !bytes.Equal(all[0], all[1]) {
			t.Errorf("%s begins with %.20q; the same again %v", name, all[0], bytes.Equal(all[0], all[1]))
		}
	}
	for args, says := range map[string]string{"--look pink": "look", "--at later": "at", "--strip 1s_never": "strip", "--lang fr": "lang", "--format png": "format", "--show table": "show", "--at 6.24s~9": "at"} {
		err := run(t.Context(), append([]string{"figure", "ordering"}, strings.Fields(args)...), io.Discard, io.Discard)
		if exitCode(err, io.Discard) != 2 || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", args, err)
		}
	}
}
