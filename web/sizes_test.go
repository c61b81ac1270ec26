package web

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// TestSizes checks what a first visit to the book's run costs: all that the HTML, the style sheet and the scripts ask for, compressed.
func TestSizes(t *testing.T) {
	h := site()
	further := regexp.MustCompile(`url\(|@import|\bimport\s*["'(]`) // what style sheets and scripts would fetch
	for _, address := range []string{"/en/ordering", "/zh/ordering", "/en/ordering/book/by-seq?at=end", "/zh/ordering/book/by-seq?at=end", "/en/polling", "/zh/polling", "/en/offline", "/zh/offline"} {
		w := get(h, address, "Accept-Encoding", "gzip")
		plain, all := w.Body.Len(), w.Body.Len()
		requests, scripted := 1, 0
		for _, n := range elements(document(t, get(h, address).Body.String()), loads) {
			path := attr(n, "src") + attr(n, "href")
			if !strings.HasPrefix(path, "/static/") {
				t.Errorf("%s asks for %s", address, path)
				continue
			}
			file := get(h, path)
			if file.Code != http.StatusOK || further.Match(file.Body.Bytes()) {
				t.Errorf("%s: status %d, or it asks for more", path, file.Code)
			}
			size := get(h, path, "Accept-Encoding", "gzip").Body.Len()
			all += size
			if n.DataAtom == atom.Script {
				scripted++
			} else {
				plain += size
				requests++
			}
		}
		t.Logf("%s: %d bytes in %d requests, with scripts %d in %d", address, plain, requests, all, requests+scripted)
		if plain > 25_000 || requests > 5 {
			t.Errorf("%s: %d bytes in %d requests without scripts", address, plain, requests)
		}
		if all > 45_000 || requests+scripted > 6 {
			t.Errorf("%s: %d bytes in %d requests with scripts", address, all, requests+scripted)
		}
	}
	if len(scripts()) < 2 {
		t.Skip("the scripts were not built; npm test builds them")
	}
}

// loads reports whether a browser loads something for n.
func loads(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Link:
		rel := attr(n, "rel")
		return rel != "canonical" && rel != "alternate"
	case atom.Script, atom.Img, atom.Iframe, atom.Source, atom.Video, atom.Audio, atom.Object, atom.Embed:
		return true
	}
	return false
}

// TestEmbedCosts checks what embeds cost the reader of a page that has them: the script of that page, the first of them, a further one.
func TestEmbedCosts(t *testing.T) {
	if len(scripts()) < 2 {
		t.Skip("the scripts were not built; npm test builds them")
	}
	h := site()
	script := get(h, "/embed.js")
	if n := script.Body.Len(); script.Code != http.StatusOK || n > 3<<10 {
		t.Errorf("embed.js: status %d, %d bytes", script.Code, n)
	}
	packed := get(h, "/embed.js", "Accept-Encoding", "gzip").Body.Len()
	for _, address := range embeds {
		page := get(h, address, "Accept-Encoding", "gzip").Body.Len()
		all := packed + page
		for _, n := range elements(document(t, get(h, address).Body.String()), loads) {
			all += get(h, attr(n, "src")+attr(n, "href"), "Accept-Encoding", "gzip").Body.Len()
		}
		t.Logf("%s: %d bytes the first time, %d more for a further one", address, all, page)
		if all > 45_000 || page > 10_000 {
			t.Errorf("%s costs %d bytes the first time, %d more for a further one", address, all, page)
		}
	}
}
