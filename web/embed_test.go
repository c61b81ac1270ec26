package web

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

var embeds = []string{"/embed/en/ordering", "/embed/zh/polling", "/embed/en/offline/book/inbox", "/embed/zh/ordering/book/by-seq?at=end",
	"/embed/en/polling/hole/long-poll?show=diagram_controls", "/embed/zh/offline?show=screens", "/embed/en/ordering/book/by-id?edits=lose-push-A2-ben&with=by-seq_plain"}

// TestShowLeavesOut checks that a part that is not asked for is not in the page, and that a part that is, is.
func TestShowLeavesOut(t *testing.T) {
	h := site()
	marks := map[string]string{"diagram": "diagram", "screens": "col-0", "sentences": "sentence", "controls": "move-start", "table": "metrics",
		"why": "ask", "changes": "break", "guess": "guess", "tasks": "challenges"}
	has := func(address, id string) bool {
		return len(elements(document(t, get(h, address).Body.String()), func(n *html.Node) bool { return attr(n, "id") == id })) > 0
	}
	for name, id := range marks {
		only := "/embed/en/ordering?show=" + name
		for other, otherID := range marks {
			if has(only, otherID) != (name == other) {
				t.Errorf("%s: #%s is there %v", only, id, name != other)
			}
		}
		if !has(only, "happened") {
			t.Errorf("%s: no events for the player", only)
		}
	}
	if page := get(h, "/embed/en/ordering?show=diagram").Body.String(); strings.Contains(page, "sends B1") {
		t.Error("there are sentences though none are asked for")
	}
}

// TestEmbedStreams checks that the stream of an embed brings what a fresh load shows, and nothing that its page has no place for.
func TestEmbedStreams(t *testing.T) {
	server := httptest.NewServer(site())
	defer server.Close()
	for _, address := range embeds {
		page := document(t, get(site(), address).Body.String())
		var ids []string
		for _, n := range elements(page, func(n *html.Node) bool { return attr(n, "id") != "" }) {
			ids = append(ids, attr(n, "id"))
		}
		for _, p := range streamOf(t, server, address) {
			if id := strings.TrimPrefix(p.selector, "#"); !slices.Contains(ids, id) {
				t.Errorf("%s: the stream sends #%s, which is not on the page", address, id)
			}
		}
	}
}

// TestEmbedLinksStay checks that all links of an embed lead to the same embed, but for the one to the full page.
func TestEmbedLinksStay(t *testing.T) {
	h := site()
	page := document(t, get(h, "/embed/en/ordering/book/by-seq?show=diagram_sentences_controls_protocols&theme=dark&from=2s").Body.String())
	for _, link := range links(page) {
		if attr(byID(t, page, "full"), "href") == link {
			continue
		}
		if !strings.HasPrefix(link, "/embed/") || !strings.Contains(link, "show=diagram_sentences_controls_protocols&theme=dark&from=2s") {
			t.Errorf("a link to %s", link)
		}
		if w := get(h, strings.TrimSuffix(link, "#stage")); w.Code != http.StatusOK {
			t.Errorf("%s: status %d", link, w.Code)
		}
	}
	if got := attr(byID(t, page, "full"), "href"); got != "/en/ordering/book/by-seq?at=2s" {
		t.Errorf("the full page is %s", got)
	}
	if got := text(byID(t, page, "clock")); got != "2 s" {
		t.Errorf("it opens at %s", got)
	}
}

func TestEmbedParameters(t *testing.T) {
	h := site()
	for query, offer := range map[string]string{
		"show=diagram_nothing": "/embed/en/ordering",
		"theme=pink":           "/embed/en/ordering",
		"autoplay=maybe":       "/embed/en/ordering",
		"loop=1&autoplay=on":   "/embed/en/ordering?autoplay=on",
		"from=9s&to=4s":        "/embed/en/ordering",
		"from=1000h":           "/embed/en/ordering",
		"to=later&from=1s":     "/embed/en/ordering?from=1s",
		"from=end":             "/embed/en/ordering",
		"what=1":               "/embed/en/ordering",
	} {
		w := get(h, "/embed/en/ordering?"+query)
		page := document(t, w.Body.String())
		if all := links(byID(t, page, "main")); w.Code != http.StatusBadRequest || len(all) != 1 || all[0] != offer {
			t.Errorf("%s: status %d, offers %s", query, w.Code, all)
		}
		if len(elements(page, func(n *html.Node) bool { return attr(n, "class") == "site" })) > 0 {
			t.Errorf("%s: the problem comes with the whole site", query)
		}
	}
	// Only an embed has them.
	if w := get(h, "/en/ordering?show=diagram"); w.Code != http.StatusBadRequest {
		t.Errorf("a page takes show: %d", w.Code)
	}
	// They are written in one way.
	w := get(h, "/embed/en/ordering?show=controls,diagram&theme=auto&autoplay=off&to=end")
	if got := w.Header().Get("Location"); w.Code != http.StatusSeeOther || got != "/embed/en/ordering?show=diagram_controls" {
		t.Errorf("status %d to %s", w.Code, got)
	}
}

// TestWhoMayFrame checks that only a run alone can be framed, and only by those that a flag names.
func TestWhoMayFrame(t *testing.T) {
	log := slog.New(slog.DiscardHandler)
	for _, c := range []struct {
		origins   []string
		ancestors string
	}{{nil, "'self'"}, {[]string{"*"}, "'self' *"}, {[]string{"https://book.example", "http://localhost:*"}, "'self' https://book.example http://localhost:*"}} {
		h := NewHandler(Config{Log: log, EmbedOrigins: c.origins})
		for address, want := range map[string]string{"/en/ordering": "'none'", "/en": "'none'", "/healthz": "'none'", "/embed/en/ordering": c.ancestors,
			"/embed/en/ordering?show=nothing": c.ancestors, "/embed/en/none": c.ancestors} {
			_, got, _ := strings.Cut(get(h, address).Header().Get("Content-Security-Policy"), "frame-ancestors ")
			if got != want {
				t.Errorf("%v: %s can be framed by %s", c.origins, address, got)
			}
		}
	}
}
