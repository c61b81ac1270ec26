package web

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"imscope/sim/im"
)

// follow opens an address of the site and returns the stage of its page.
func follow(t *testing.T, address string) *html.Node {
	t.Helper()
	address, _, _ = strings.Cut(address, "#")
	return byID(t, document(t, get(site(), address).Body.String()), "stage")
}

// offers are the links of the edits that a stage offers, by their words.
func offers(stage *html.Node) map[string]string {
	all := map[string]string{}
	for _, a := range elements(stage, func(n *html.Node) bool { return attr(n, "data-edit") != "" && attr(n, "href") != "" }) {
		all[attr(a, "data-edit")] = attr(a, "href")
	}
	return all
}

// TestBreakByHand follows, without script, the links by which a reader breaks a run at a moment, and takes it back.
func TestBreakByHand(t *testing.T) {
	const before = "/en/ordering/book/by-seq?at=5.71s"
	at := strings.Replace(before, "5.71s", "5.61s", 1)
	offered := offers(follow(t, at))
	for _, want := range []string{"stall-A2-1s", "rollback-A2", "lose-ack-A2", "delay-ack-A2-200ms", "deliver-push-A2-ben", "restart-5.61s", "send-a1-{t}", "off-ben-{t}-{t+2s}"} {
		if offered[want] == "" {
			t.Errorf("%s is not offered", want)
		}
	}
	broken := follow(t, offered["deliver-push-A2-ben"])
	if got := text(byID(t, broken, "sentence")); !strings.Contains(got, "Under way: the ACK to Ana, the push to Ben.") {
		t.Errorf("the push is not delivered: %s", got)
	}
	edits := byID(t, broken, "edits")
	if !strings.Contains(text(edits), "the push of A2 to Ben arrives") || links(edits)[0] != at+"#stage" {
		t.Errorf("the edit is not listed, or not taken back: %s, %s", text(edits), links(edits)[0])
	}
	if more := offers(broken); strings.Count(more["lose-push-A2-ben"], "push-A2-ben") != 1 {
		t.Errorf("losing it again would say %q", more["lose-push-A2-ben"])
	}
}

// TestNextByHand checks that messages sent by hand are named one after another, and that there is an end to edits.
func TestNextByHand(t *testing.T) {
	if next := offers(follow(t, "/en/ordering?edits=send-b1-6.3s&at=6.3s")); !strings.Contains(next["send-b2-{t}"], "?edits=send-b1-6.3s_send-b2-6.3s&at=6.3s") {
		t.Errorf("the next would be %v", next)
	}
	full := "/en/ordering?edits=send-a1-1s"
	for n := 2; n <= im.MaxEdits; n++ {
		full += fmt.Sprintf("_send-a%d-1s", n)
	}
	if next := offers(follow(t, full)); len(next) > 0 {
		t.Errorf("after %d edits there are more: %v", im.MaxEdits, next)
	}
}

// TestIdleEdits checks what a page says of edits that its run has nothing of, and of those that cannot be read.
func TestIdleEdits(t *testing.T) {
	const address = "/en/ordering/book/arrival?edits=lose-ask-ben-3_lose-push-A3-ben_loose-A1&at=end"
	stage := follow(t, address)
	edits := text(byID(t, stage, "edits"))
	for _, want := range []string{"Ben’s fetch from #3 on is lost – nothing of the kind happens in this run", "loose A1", "“loose” stands there"} {
		if !strings.Contains(edits, want) {
			t.Errorf("%q is not said: %s", want, edits)
		}
	}
	if strings.Contains(edits, "A3 to Ben is lost –") {
		t.Errorf("an edit that applies is said not to: %s", edits)
	}
	if got := text(byID(t, stage, "col-2")); strings.Contains(got, "A3 1019") {
		t.Errorf("the rest of the edits does nothing: Ben has A3, %s", got)
	}
	bySeq := follow(t, strings.Replace(address, "arrival", "by-seq", 1))
	if got := text(byID(t, bySeq, "edits")); strings.Contains(got, "nothing of the kind") {
		t.Errorf("under the protocol that fetches: %s", got)
	}
}

// TestOlderLinks checks that links which say send open as they did.
func TestOlderLinks(t *testing.T) {
	if got := get(site(), "/en/ordering?send=a1-6.3s_b1-7s").Header().Get("Location"); got != "/en/ordering?edits=send-a1-6.3s_send-b1-7s" {
		t.Errorf("an older link leads to %q", got)
	}
}

// TestManyEditsInALink checks that a link with 50 edits, a leg or an absence each, is short and opens.
func TestManyEditsInALink(t *testing.T) {
	l := Link{Chapter: chapters[0], Protocol: chapters[0].Protocols[2], Scenario: im.Scenarios(chapters[0].Name)[2]}
	var steps im.Trace
	if err := im.Run(t.Context(), &l.Scenario, l.Protocol.New(), &steps); err != nil {
		t.Fatal(err)
	}
	for i := range steps {
		if steps[i].Data.Kind == im.Left && len(l.Scenario.Edits) < 40 {
			l.Scenario.Edits = im.WithEdit(l.Scenario.Edits, im.Edit{Verb: im.Delay, Leg: im.LegOf(&steps[i]), At: 1234 * im.Millisecond})
		}
	}
	for n := range 10 {
		from := im.Time(n)*im.Second + 123*im.Millisecond
		l.Scenario.Edits = im.WithEdit(l.Scenario.Edits, im.Edit{Verb: im.Off, Phone: im.Ben, At: from, Until: from + 456*im.Millisecond})
	}
	address := l.String()
	if len(l.Scenario.Edits) != 50 || len(address) >= 2000 {
		t.Errorf("a link with %d edits has %d characters", len(l.Scenario.Edits), len(address))
	}
	if w := get(site(), address); w.Code != 200 {
		t.Errorf("it has status %d", w.Code)
	}
}
