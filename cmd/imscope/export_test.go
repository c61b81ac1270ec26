package main

import (
	"io"
	"strings"
	"testing"
)

// TestExportFlags checks that export says which flag is wrong before it writes anything.
func TestExportFlags(t *testing.T) {
	for args, says := range map[string]string{"": "--out", "--out x --lang fr": "fr", "--out x --chapter none": "none", "--out x --live here": "live", "--out x --public-url ftp://a": "public-url", "--out x --what 1": "--what", "more --out x": "more"} {
		err := run(t.Context(), append([]string{"export"}, strings.Fields(args)...), io.Discard, io.Discard)
		if exitCode(err, io.Discard) != 2 || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", args, err)
		}
	}
}
