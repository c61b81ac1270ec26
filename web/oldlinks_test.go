package web

import (
	"flag"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

var update = flag.Bool("update", false, "write the digests of testdata/links.txt anew")

const linksFile = "testdata/links.txt"

// TestOldLinks checks that every link of testdata/links.txt still opens as the picture that it opened as when it was noted. Links are
// printed, sent and bookmarked, so entries are only ever added. -update notes the digests of new ones, and of pictures that are drawn in
// another way on purpose: look at those first.
func TestOldLinks(t *testing.T) {
	file, err := os.ReadFile(linksFile)
	if err != nil {
		t.Fatal(err)
	}
	h := site()
	lines := strings.Split(strings.TrimSuffix(string(file), "\n"), "\n")
	var seen []string
	for i, line := range lines {
		fields := strings.Fields(line)
		if len(fields) == 0 || fields[0] == "#" {
			continue
		}
		link := fields[0]
		if slices.Contains(seen, link) {
			t.Errorf("%s is there twice", link)
		}
		seen = append(seen, link)
		now := strings.Join([]string{link, digest(t, h, fileAddress("/figure", link, "svg"), func(body string) string { return body }),
			digest(t, h, link, func(body string) string { return visible(byID(t, document(t, body), "stage")) })}, " ")
		if now != line && !*update {
			t.Errorf("the link is now\n%s, and was\n%s", now, line)
		}
		lines[i] = now
	}
	if len(seen) < 30 {
		t.Errorf("only %d links", len(seen))
	}
	if *update {
		if err := os.WriteFile(linksFile, []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// digest is the fingerprint of a part of what the site answers to an address, which must not lead elsewhere.
func digest(t *testing.T, h http.Handler, address string, part func(body string) string) string {
	w := get(h, address)
	if w.Code != http.StatusOK {
		t.Errorf("%s: status %d", address, w.Code)
		return "-"
	}
	return fingerprint([]byte(part(w.Body.String())))
}

// visible is the text of n without what is hidden at the page's moment.
func visible(n *html.Node) string {
	var b strings.Builder
	var walk func(*html.Node)
	walk = func(n *html.Node) {
		switch {
		case n.Type == html.TextNode:
			b.WriteString(n.Data)
		case n.Type == html.ElementNode && hasAttr(n, "hidden"), attr(n, "id") == "ask", hasAttr(n, "data-dialog"): // to ask why, or to embed it, is no part of the picture
			return
		}
		for c := range n.ChildNodes() {
			walk(c)
		}
	}
	walk(n)
	return strings.Join(strings.Fields(b.String()), " ")
}
