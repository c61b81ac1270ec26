package web

import (
	"cmp"
	"compress/gzip"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"imscope/templates"
)

// links lists where the links in n lead.
func links(n *html.Node) (out []string) {
	for _, a := range elements(n, isTag(atom.A)) {
		if href := attr(a, "href"); href != "" {
			out = append(out, href)
		}
	}
	return out
}

// TestBadParameters checks that a page says, in the reader's language, which parameter is wrong and how it can be, and that the link to
// the rest of the address works and keeps what was right.
func TestBadParameters(t *testing.T) {
	h := site()
	for _, c := range []struct {
		address string
		says    string // name and range
		rest    string // what the link leads to, after the language
	}{
		{"/ordering?loss=2", "loss 0 … 0.9", "/ordering"},
		{"/ordering?loss=-0.1&at=6.24s", "loss 0 … 0.9", "/ordering?at=6.24s"},
		{"/ordering/book/by-seq?seed=x", "seed 0 … 9007199254740991", "/ordering/book/by-seq"},
		{"/ordering/random?phones=10&loss=0.2", "phones 2 … 5", "/ordering/random?loss=0.2"},
		{"/ordering/random?messages=301", "messages 1 … 300", "/ordering/random?messages=300"},
		{"/ordering/random?messages=300&phones=3", "messages 1 … 200", "/ordering/random?phones=3&messages=200"},
		{"/ordering/random?messages=100000000&gap=1h", "messages 1 … 300", "/ordering/random?messages=300&gap=3600s"},
		{"/ordering/random?length=1000h", "length 1s … 300s", "/ordering/random?length=300s"},
		{"/ordering/random?latency=11s", "latency 0s … 10s", "/ordering/random"},
		{"/ordering/random?reopen=dana", "reopen none, ana, ben", "/ordering/random"},
		{"/ordering?ids=maybe", "ids on, off", "/ordering"},
		{"/ordering?at=73s&loss=0.1", "at 0s … 72s, end", "/ordering?loss=0.1"},
		{"/ordering?at=6.24s~2&guess=same", "at 0s … 72s, end", "/ordering?at=6.24s&guess=same"},
		{"/ordering?at=soon", "at 0s … 72s, end", "/ordering"},
		{"/ordering?guess=maybe", "guess same, order, lines", "/ordering"},
		{"/ordering?edits=" + strings.Repeat("x", 9000), "edits", "/ordering"},
		{"/ordering?took=0", "took 1 … 500", "/ordering"},
		{"/ordering?rate=NaN", "rate 0.05 … 2", "/ordering"},
		{"/ordering?colour=red", "colour", "/ordering"},
		{"/ordering?phones=3", "phones", "/ordering"}, // a scripted run has the phones it has
		{"/ordering?loss=2&seed=x&latency=1s&%C3%A9=1", "loss 0 … 0.9, seed 0 … 9007199254740991, é", "/ordering?latency=1s"},
	} {
		for _, lang := range templates.Langs {
			w := get(h, "/"+lang.Code()+c.address)
			page := document(t, w.Body.String())
			main := byID(t, page, "main")
			if w.Code != http.StatusBadRequest || attr(elements(page, isTag(atom.Html))[0], "lang") != lang.Tag() {
				t.Errorf("%s %s: status %d", lang.Code(), c.address, w.Code)
			}
			for _, says := range strings.Split(c.says, ", ") {
				name, valid, hasRange := strings.Cut(says, " ")
				if !strings.Contains(text(main), name) || hasRange && !strings.Contains(text(main), valid) {
					t.Errorf("%s %s: the page does not say %q: %s", lang.Code(), c.address, says, text(main))
				}
			}
			offers := links(main)
			if want := "/" + lang.Code() + c.rest; len(offers) != 1 || offers[0] != want {
				t.Errorf("%s %s: the page offers %q, not %s", lang.Code(), c.address, offers, want)
				continue
			}
			if w := get(h, fileAddress("/figure/"+lang.Code(), c.address, "svg")); w.Code != http.StatusBadRequest ||
				!slices.Equal(links(byID(t, document(t, w.Body.String()), "main")), []string{fileAddress("/figure", offers[0], "svg")}) {
				t.Errorf("%s %s: the picture has status %d", lang.Code(), c.address, w.Code)
			}
			if lang == templates.Chinese {
				continue // it is the same link
			}
			if again := get(h, offers[0]); again.Code != http.StatusOK {
				t.Errorf("%s %s: what the page offers has status %d", lang.Code(), c.address, again.Code)
			}
		}
	}
}

// TestTooLong checks that a run which no page could draw is refused in time, with a link that works.
func TestTooLong(t *testing.T) {
	h := site()
	for _, address := range []string{"/en/ordering/trio/by-seq?latency=10s&rto=50ms&dedupe=off", "/zh/ordering/random/by-seq?phones=5&messages=120&loss=0.9&rto=50ms", "/en/ordering/random?messages=300&latency=10s&rto=50ms&dedupe=off"} {
		for _, kind := range []string{"", "/figure"} {
			page := address
			if kind != "" {
				page = fileAddress("", address, "svg")
			}
			w := get(h, kind+page)
			offers := links(byID(t, document(t, w.Body.String()), "main"))
			if w.Code != http.StatusBadRequest || len(offers) != 1 {
				t.Errorf("%s%s: status %d, offers %q", kind, address, w.Code, offers)
				continue
			}
			if again := get(h, offers[0]); again.Code != http.StatusOK {
				t.Errorf("%s%s: what the page offers, %s, has status %d", kind, address, offers[0], again.Code)
			}
		}
	}
}

// TestNotFound checks that a page says what there is instead of what was asked for, each a link that works.
func TestNotFound(t *testing.T) {
	h := site()
	for address, want := range map[string][]string{
		"/en/nothing":                   {"/en/ordering"},
		"/zh/ordering/nothing":          {"/zh/ordering", "/zh/ordering/trio", "/zh/ordering/random"},
		"/en/ordering/trio/nothing":     {"/en/ordering/trio", "/en/ordering/trio/by-id", "/en/ordering/trio/by-seq"},
		"/en/ordering/book/by-seq/more": {"/en", "/en/ordering"},
		"/fr":                           {"/en", "/en/ordering"},
		"/fr/ordering":                  {"/en", "/en/ordering"},
		"/nothing/at/all/here/or/there": {"/en", "/en/ordering"},
		"/figure/en/ordering/none.svg":  {"/figure/en/ordering.svg", "/figure/en/ordering/trio.svg", "/figure/en/ordering/random.svg"},
		"/en/<b>&\"":                    {"/en/ordering"},
	} {
		w := get(h, (&url.URL{Path: address}).String())
		main := byID(t, document(t, w.Body.String()), "main")
		got := links(main)
		for _, href := range want {
			if w.Code != http.StatusNotFound || !slices.Contains(got, href) {
				t.Errorf("%s: status %d, links to %q, not to %s", address, w.Code, got, href)
			}
		}
		for _, href := range got {
			if again := get(h, href); again.Code != http.StatusOK {
				t.Errorf("%s: %s has status %d", address, href, again.Code)
			}
		}
	}
	for header, want := range map[string]string{"zh-CN,zh;q=0.9,en;q=0.8": "zh-Hans", "de": "en", "": "en", "zh-TW;q=0.1, fr": "zh-Hans", "<>;;=": "en"} {
		page := document(t, get(h, "/fr/ordering", "Accept-Language", header).Body.String())
		if got := attr(elements(page, isTag(atom.Html))[0], "lang"); got != want {
			t.Errorf("a reader of %q gets %s", header, got)
		}
		w := get(h, "/", "Accept-Language", header)
		if to := w.Header().Get("Location"); w.Code != http.StatusFound || !strings.HasPrefix(want, to[1:]) || w.Header().Get("Vary") != "Accept-Language" {
			t.Errorf("a reader of %q is led to %s with %d", header, to, w.Code)
		}
	}
	if w := get(h, "/static/nothing.css"); w.Code != http.StatusNotFound || w.Header().Get("Cache-Control") != "" {
		t.Errorf("no such file: %d, %v", w.Code, w.Header())
	}
}

// TestCanonicalRedirect checks that what a form sends, defaults and all, leads to the one address of that page.
func TestCanonicalRedirect(t *testing.T) {
	h := site()
	for address, want := range map[string]string{
		"/en/ordering?seed=1&latency=100ms&loss=0&rto=1s&attempts=0&gapwait=500ms&write=0s&reopen=none&at=end": "/en/ordering?at=end",
		"/en/ordering?at=end&loss=0.10":       "/en/ordering?loss=0.1&at=end",
		"/zh/ordering/random/by-id?guess=":    "/zh/ordering/random/by-id",
		"/en/ordering?loss=0.1&loss=0.2":      "/en/ordering?loss=0.1",
		"/en/ordering?a;b&%zz":                "/en/ordering",
		"/en/ordering/book/arrival?at=6240ms": "/en/ordering?at=6.24s",
	} {
		for _, method := range []string{http.MethodGet, http.MethodHead} {
			w := ask(h, method, address)
			if w.Code != http.StatusSeeOther || w.Header().Get("Location") != want {
				t.Errorf("%s %s leads to %s with %d, not to %s", method, address, w.Header().Get("Location"), w.Code, want)
			}
		}
		if w := get(h, want); w.Code != http.StatusOK {
			t.Errorf("%s: status %d", want, w.Code)
		}
	}
}

// TestEveryLinkWorks follows every link and every form of the chapter's page: none leads to an error, and none, but a form, to a
// redirect.
func TestEveryLinkWorks(t *testing.T) {
	h := site()
	seen := map[string]bool{}
	for _, address := range []string{"/en", "/en/ordering/book/by-seq?at=6.24s", "/zh/ordering/random/by-id?phones=3&loss=0.2&at=5s&send=a1-5s&guess=order&took=7", "/en/ordering/trio?at=end&write=50ms"} {
		page := document(t, get(h, address).Body.String())
		for _, href := range links(page) {
			href, id, _ := strings.Cut(href, "#")
			if id != "" {
				href = cmp.Or(href, address)
			}
			if seen[href+"#"+id] {
				continue
			}
			seen[href+"#"+id] = true
			w := get(h, href)
			if w.Code != http.StatusOK && href != "/" {
				t.Errorf("%s: %s has status %d", address, href, w.Code)
			} else if id != "" {
				byID(t, document(t, w.Body.String()), id)
			}
		}
		for _, form := range elements(page, isTag(atom.Form)) {
			values := url.Values{}
			for _, field := range elements(form, func(n *html.Node) bool { return hasAttr(n, "name") }) {
				switch kind := attr(field, "type"); {
				case field.DataAtom == atom.Select:
					for _, o := range elements(field, isTag(atom.Option)) {
						if hasAttr(o, "selected") {
							values.Add(attr(field, "name"), attr(o, "value"))
						}
					}
				case kind != "checkbox" && kind != "radio" || hasAttr(field, "checked"):
					values.Add(attr(field, "name"), attr(field, "value"))
				}
			}
			action, _, _ := strings.Cut(attr(form, "action"), "#")
			w := get(h, action+"?"+values.Encode())
			if to := w.Header().Get("Location"); w.Code == http.StatusSeeOther {
				w = get(h, to)
			}
			if w.Code != http.StatusOK {
				t.Errorf("%s: a form as it stands, %s?%s, has status %d", address, action, values.Encode(), w.Code)
			}
		}
	}
}

// TestHeaders checks what every kind of answer carries.
func TestHeaders(t *testing.T) {
	h := site()
	want := map[string]string{
		"Content-Security-Policy": "default-src 'none'; style-src 'self'; style-src-attr 'unsafe-inline'; script-src 'self' 'unsafe-eval'; img-src 'self' data:; " +
			"connect-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
		"X-Content-Type-Options":     "nosniff",
		"Referrer-Policy":            "strict-origin-when-cross-origin",
		"Cross-Origin-Opener-Policy": "same-origin",
		"Permissions-Policy":         "camera=(), microphone=(), geolocation=()",
	}
	for address, kind := range map[string]string{
		"/": "text/html; charset=utf-8", "/en": "text/html; charset=utf-8", "/zh/ordering": "text/html; charset=utf-8", "/en/ordering?loss=2": "text/html; charset=utf-8",
		"/en/none": "text/html; charset=utf-8", "/healthz": "text/plain; charset=utf-8", "/static/app.css": "text/css; charset=utf-8", "/static/icon.svg": "image/svg+xml",
		"/static/none": "text/plain; charset=utf-8", "/figure/en/ordering.svg": "image/svg+xml; charset=utf-8", "/en/ordering?seed=01": "text/html; charset=utf-8",
	} {
		for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodPost} {
			w := ask(h, method, address)
			for name, value := range want {
				if got := w.Header().Get(name); got != value {
					t.Errorf("%s %s: %s is %q", method, address, name, got)
				}
			}
			if method == http.MethodPost {
				if w.Code != http.StatusMethodNotAllowed {
					t.Errorf("POST %s: status %d", address, w.Code)
				}
			} else if got := w.Header().Get("Content-Type"); got != kind && address != "/" {
				t.Errorf("%s %s is %s", method, address, got)
			}
		}
	}
	for name := range maps.Keys(get(h, "/en").Header()) {
		if strings.HasPrefix(name, "Server") || strings.HasPrefix(name, "X-Powered") || name == "Set-Cookie" {
			t.Errorf("the answer carries %s", name)
		}
	}
}

// TestHead checks that HEAD tells of a page what GET does, and sends none of it.
func TestHead(t *testing.T) {
	h := site()
	for _, address := range []string{"/en", "/en/ordering/book/by-seq?at=end", "/en/ordering?loss=2", "/en/none", "/healthz", "/figure/en/ordering.svg", "/static/app.css"} {
		a, b := get(h, address), ask(h, http.MethodHead, address)
		if a.Code != b.Code || a.Header().Get("ETag") != b.Header().Get("ETag") || a.Header().Get("Cache-Control") != b.Header().Get("Cache-Control") {
			t.Errorf("%s: GET %d %v, HEAD %d %v", address, a.Code, a.Header(), b.Code, b.Header())
		}
	}
}

// TestCaching checks that a page is sent again only when it has changed, and a file with its fingerprint only once.
func TestCaching(t *testing.T) {
	h := site()
	for _, address := range []string{"/en", "/en/ordering/book/by-seq?at=6.24s", "/static/app.css"} {
		w := get(h, address, "Accept-Encoding", "gzip")
		tag := w.Header().Get("ETag")
		if tag == "" || w.Code != http.StatusOK {
			t.Fatalf("%s: status %d, ETag %q", address, w.Code, tag)
		}
		if w := get(h, address, "Accept-Encoding", "gzip", "If-None-Match", tag); w.Code != http.StatusNotModified || w.Body.Len() > 0 || w.Header().Get("ETag") != tag {
			t.Errorf("%s, known already: status %d, %d bytes", address, w.Code, w.Body.Len())
		}
		if w := get(h, address, "If-None-Match", `W/"other"`); w.Code != http.StatusOK {
			t.Errorf("%s, known as something else: status %d", address, w.Code)
		}
	}
	if a, b := get(h, "/en/ordering?at=6.24s"), get(h, "/en/ordering?at=6.94s"); a.Header().Get("ETag") == b.Header().Get("ETag") {
		t.Error("two moments have one ETag")
	}
	if got := get(h, "/en/ordering").Header().Get("Cache-Control"); got != "no-cache" {
		t.Errorf("a page: %s", got)
	}
	page := document(t, get(h, "/en").Body.String())
	for _, n := range elements(page, func(n *html.Node) bool { return n.DataAtom == atom.Script || attr(n, "rel") == "stylesheet" }) {
		path := attr(n, "src") + attr(n, "href")
		if got := get(h, path).Header().Get("Cache-Control"); got != "public, max-age=31536000, immutable" {
			t.Errorf("%s: %s", path, got)
		}
	}
	for _, path := range []string{"/static/app.css", "/static/app.css?v=old"} {
		if got := get(h, path).Header().Get("Cache-Control"); got != "public, max-age=3600" {
			t.Errorf("%s: %s", path, got)
		}
	}
}

// TestGzip checks that what is text is sent compressed to those who take it, and is the same then.
func TestGzip(t *testing.T) {
	h := site()
	for _, address := range []string{"/en", "/en/ordering?loss=2", "/en/none", "/static/app.css", "/static/icon.svg", "/figure/en/ordering.svg"} {
		plain, packed := get(h, address), get(h, address, "Accept-Encoding", "gzip")
		if packed.Header().Get("Content-Encoding") != "gzip" || !strings.Contains(packed.Header().Get("Vary"), "Accept-Encoding") || packed.Body.Len() >= plain.Body.Len() {
			t.Errorf("%s: %d bytes, packed %d: %v", address, plain.Body.Len(), packed.Body.Len(), packed.Header())
			continue
		}
		r, err := gzip.NewReader(packed.Body)
		if err != nil {
			t.Fatal(err)
		}
		unpacked, err := io.ReadAll(r)
		if err != nil || string(unpacked) != plain.Body.String() {
			t.Errorf("%s is another when packed (%v)", address, err)
		}
	}
}

// TestOtherSitesCannotPost checks that a page of another site can make a browser change nothing here, be there something to change.
func TestOtherSitesCannotPost(t *testing.T) {
	h := site()
	for site, want := range map[string]int{"cross-site": http.StatusForbidden, "same-site": http.StatusForbidden, "same-origin": http.StatusMethodNotAllowed, "none": http.StatusMethodNotAllowed} {
		if w := ask(h, http.MethodPost, "/en/ordering", "Sec-Fetch-Site", site); w.Code != want {
			t.Errorf("a POST that is %s: status %d", site, w.Code)
		}
	}
	if w := ask(h, http.MethodPost, "/en/ordering", "Origin", "https://elsewhere.example"); w.Code != http.StatusForbidden {
		t.Errorf("a POST from elsewhere: status %d", w.Code)
	}
	if w := get(h, "/en/ordering", "Sec-Fetch-Site", "cross-site"); w.Code != http.StatusOK {
		t.Errorf("a link from elsewhere: status %d", w.Code)
	}
}

func TestHealth(t *testing.T) {
	if w := get(site(), "/healthz"); w.Code != http.StatusOK || w.Body.String() != "ok\n" {
		t.Errorf("%d %q", w.Code, w.Body)
	}
}

// TestNoAddressIsAnError sends the site addresses that are long, broken, or drawn from the pieces of right ones. Whatever it answers, it
// is not an error of its own, and every page is a whole one.
func TestNoAddressIsAnError(t *testing.T) {
	h := site()
	r := rand.New(rand.NewPCG(7, 7))
	pick := func(all ...string) string { return all[r.IntN(len(all))] }
	garbage := func() string {
		b := make([]byte, r.IntN(12))
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		return string(b)
	}
	value := func() string {
		return pick("0", "1", "-1", "2.5", "0.9", "1e9", "1s", "50ms", "10s", "-1s", "6.24s~0", "6.24s~9", "end", "on", "off", "ana", "none", "x", "same", "lines",
			"a1-1s", "a1-1s_b1-2s", "a1-1s_a1-1s", "9223372036854775807", "18446744073709551616", "NaN", "∞", "", garbage(), fmt.Sprint(r.Int64()))
	}
	names := []string{"seed", "phones", "messages", "length", "gap", "latency", "loss", "rto", "attempts", "gapwait", "write", "reorder", "fetchloss", "ids", "ack", "dedupe",
		"reopen", "send", "edits", "at", "guess", "rate", "trip", "took", "users", "datastar"}
	statuses := map[int]int{}
	try := func(address string) {
		u, err := url.ParseRequestURI(address)
		if err != nil {
			return // net/http refuses it
		}
		w := get(h, u.RequestURI())
		statuses[w.Code]++
		if w.Code >= 500 || w.Code < 200 {
			t.Errorf("%q: status %d", address, w.Code)
		}
		if body := w.Body.String(); strings.HasPrefix(body, "<!doctype") && !strings.HasSuffix(body, "</html>") {
			t.Errorf("%q: the page ends with %q", address, body[max(0, len(body)-20):])
		}
	}
	n := 10_000
	if raceOn {
		n /= 10
	}
	for range n {
		path := pick("", "", "", "/picture", "/figure", "/embed") + "/" + pick("en", "zh", "en", "zh", "en", "zh", "fr", "", garbage()) +
			pick("", "/ordering", "/ordering/book/by-seq", "/ordering/book/by-id", "/ordering/trio/arrival", "/ordering/random", "/ordering/random/by-seq", "/ordering/none",
				"/ordering/book/none", "/polling", "/polling/book/push", "/polling/hole/poll-time", "/polling/"+garbage(), "/"+garbage())
		query := url.Values{}
		for range r.IntN(5) {
			query.Add(pick(append(names, garbage())...), value())
		}
		raw := query.Encode()
		if r.IntN(20) == 0 {
			raw += "&" + strings.Map(func(c rune) rune {
				if c <= ' ' || c >= 0x7f {
					return '%'
				}
				return c
			}, garbage())
		}
		try((&url.URL{Path: path, RawQuery: raw}).String())
	}
	try("/en/ordering?send=" + strings.Repeat("a1-1s_", 4000))
	try("/en/ordering?" + strings.Repeat("a=b&", 6000))
	try("/" + strings.Repeat("en/", 5000))
	try("/en/" + strings.Repeat("%00", 5000))
	try("/static/../static.go")
	t.Log(statuses)
	for _, status := range []int{http.StatusOK, http.StatusSeeOther, http.StatusBadRequest, http.StatusNotFound} {
		if statuses[status] < n/300 { // or the addresses were not as mixed as they should be
			t.Errorf("%d answers had status %d", statuses[status], status)
		}
	}
}
