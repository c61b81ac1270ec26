package web

import (
	"crypto/sha256"
	"fmt"
	"os"
	"testing"
)

func TestZZDump(t *testing.T) {
	if os.Getenv("DUMP") == "" {
		t.Skip()
	}
	h := site()
	f, _ := os.Create(os.Getenv("DUMP"))
	defer f.Close()
	dump := func(l Link) {
		w := get(h, l.String())
		fmt.Fprintf(f, "%d %x %s\n", w.Code, sha256.Sum256(w.Body.Bytes()), l)
	}
	everyLink(func(l Link) {
		dump(l)
		dump(l.at(At{Time: 6240e6}))
	})
	for seed := range uint64(150) {
		l := oddLink(seed)
		dump(l)
		l.At = At{Time: l.Scenario.End() / 2}
		dump(l)
	}
}
