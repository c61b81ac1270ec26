package browser

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
)

// A violation is one rule of axe that the page breaks, and where.
type violation struct {
	ID, Impact, Help string
	Nodes            []struct {
		Target  []any // selectors
		Summary string
	}
}

func (v violation) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s (%s): %s", v.ID, v.Impact, v.Help)
	for _, n := range v.Nodes {
		fmt.Fprintf(&b, "\n  %v\n    %s", n.Target, strings.ReplaceAll(n.Summary, "\n", "\n    "))
	}
	return b.String()
}

// axe fails the test for every rule of axe-core that the page breaks. No rule is
// switched off.
func axe(t *testing.T, tb *tab) {
	t.Helper()
	for _, v := range violations(t, tb) {
		t.Errorf("axe: %v", v)
	}
}

var axeSource = sync.OnceValues(func() ([]byte, error) {
	return os.ReadFile("../../node_modules/axe-core/axe.min.js")
})

func violations(t *testing.T, tb *tab) []violation {
	t.Helper()
	source, err := axeSource()
	if err != nil {
		lacking(t, "no axe-core on this machine; npm test installs it")
	}
	if tb.options.NoScript {
		// axe needs timers. Scripts that come to life now leave the page alone:
		// its own were passed over when it was read, and what stands in its
		// noscript stays. (What stands there axe does not look at, ever.)
		tb.do(scripting(true))
		defer tb.do(scripting(false))
	}
	return evaluate[[]violation](tb, string(source)+`;
axe.run(document, {resultTypes: ["violations"]}).then(result => result.violations.map(v => ({
	id: v.id, impact: v.impact, help: v.help,
	nodes: v.nodes.map(n => ({target: n.target, summary: n.failureSummary})),
})))`)
}
