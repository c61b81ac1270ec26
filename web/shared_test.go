package web

import (
	"log/slog"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// shared is what a page says to whoever shows a preview of it.
func shared(doc *html.Node) map[string]string {
	all := map[string]string{}
	for _, n := range elements(doc, isTag(atom.Meta)) {
		if name, ok := strings.CutPrefix(attr(n, "property"), "og:"); ok {
			all[name] = attr(n, "content")
		}
	}
	return all
}

// TestSharedLinks checks that every page has a title, a summary and an address for previews, and a picture where there is a run; and
// that these addresses are absolute: those of the flag, or of the request.
func TestSharedLinks(t *testing.T) {
	const public = "https://imscope.example/lab"
	for origin, c := range map[string]Config{"http://example.com": {}, public: {PublicURL: public}} {
		c.Log = slog.New(slog.DiscardHandler)
		h := NewHandler(c)
		for _, address := range []string{"/en", "/zh/ordering", "/en/polling/hole/long-poll?at=end", "/zh/offline"} {
			og := shared(document(t, get(h, address).Body.String()))
			if og["title"] == "" || og["description"] == "" || og["type"] != "website" {
				t.Errorf("%s: %v", address, og)
			}
			if want := origin + strings.TrimSuffix(address, "?at=end"); og["url"] != want {
				t.Errorf("%s: its address is %s, not %s", address, og["url"], want)
			}
			if image := og["image"]; address != "/en" && !strings.HasPrefix(image, origin+"/") {
				t.Errorf("%s: its picture is %q", address, image)
			}
		}
	}
}
