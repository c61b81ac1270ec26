package browser

import (
	"bytes"
	"fmt"
	"image/png"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// document serves a page that axe has nothing to say against, with the body
// given and a content security policy as strict as there is.
func document(body string) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'")
		fmt.Fprintf(w, `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>off</title>
<link rel="stylesheet" href="/style.css"></head><body><main><h1>A page</h1>%s</main></body></html>`, body)
	})
	mux.HandleFunc("GET /favicon.ico", func(http.ResponseWriter, *http.Request) {})
	mux.HandleFunc("GET /style.css", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/css")
		io.WriteString(w, `main { min-height: 2000px } .faint { color: #ccc; background: #fff }`)
	})
	mux.HandleFunc("GET /script.js", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/javascript")
		io.WriteString(w, r.FormValue("run"))
	})
	return mux
}

func TestHarnessOpensFollowsAndShoots(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("IMSCOPE_SHOTS", dir)
	url := startServer(t, document(`<p><a href="/none">nowhere</a></p>`))
	page := newTab(t, options{Width: 360, Height: 740})
	page.expect("status of 404")
	if status := page.open(url); status != http.StatusOK {
		t.Errorf("status %d", status)
	}
	if got := evaluate[string](page, "document.querySelector('h1').textContent"); got != "A page" {
		t.Errorf("heading %q", got)
	}
	page.shot("whole")
	file, err := os.ReadFile(filepath.Join(dir, "whole.png"))
	if err != nil {
		t.Fatal(err)
	}
	picture, err := png.DecodeConfig(bytes.NewReader(file))
	if err != nil || picture.Width != 360 || picture.Height < 2000 {
		t.Errorf("the picture is %d × %d: %v", picture.Width, picture.Height, err)
	}
	page.follow("a")
	page.waitFor("location.pathname == '/none'")
}

func TestHarnessAppliesOptions(t *testing.T) {
	url := startServer(t, document(`<script src="/script.js?run=document.title='on'"></script><noscript><p>no script</p></noscript>`))
	const js = `[
		innerWidth + "x" + innerHeight,
		matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light",
		matchMedia("(prefers-reduced-motion: reduce)").matches ? "still" : "moving",
		matchMedia("print").matches ? "print" : "screen",
		document.title,
		document.body.innerText.includes("no script") ? "noscript" : "script",
	].join(" ")`
	page := newTab(t, options{NoScript: true, Print: true, Dark: true})
	for _, c := range []struct {
		options options
		want    string
	}{
		{options{}, "1280x800 light moving screen on script"},
		{options{Width: 360, Height: 740, Dark: true}, "360x740 dark moving screen on script"},
		{options{ReducedMotion: true, Print: true}, "1280x800 light still print on script"},
		{options{NoScript: true}, "1280x800 light moving screen off noscript"},
	} {
		page.apply(c.options)
		page.open(url)
		if got := evaluate[string](page, js); got != c.want {
			t.Errorf("%+v gives %s, not %s", c.options, got, c.want)
		}
	}
}

func TestHarnessFindsViolations(t *testing.T) {
	good := startServer(t, document("<p>Nothing wrong here.</p>"))
	bad := startServer(t, document(`<p class="faint">faint</p><input><noscript>no script</noscript>`))
	for _, o := range []options{{}, {NoScript: true}} {
		page := newTab(t, o)
		page.open(good)
		axe(t, page)
		page.open(bad)
		var ids []string
		for _, v := range violations(t, page) {
			ids = append(ids, v.ID)
			if len(v.Nodes) != 1 || !strings.Contains(v.String(), "Fix any of the following") {
				t.Errorf("this tells too little: %v", v)
			}
		}
		if want := []string{"color-contrast", "label"}; !slices.Equal(ids, want) {
			t.Errorf("axe found %v, not %v", ids, want)
		}
		if o.NoScript {
			page.waitFor("document.body.innerText.includes('no script')")
		}
	}
}

func TestHarnessNoticesProblems(t *testing.T) {
	body := `<p style="color: red">inline</p><img src="/none.png" alt="none">`
	for _, js := range []string{
		"console.error('an error',42)", "console.warn('a warning')", "console.log('harmless')",
		"throw new Error('thrown')", "Promise.reject('rejected')", "fetch('/none.json')",
		"const%20gone=new%20AbortController();fetch('/given-up',{signal:gone.signal}).catch(()=>0);gone.abort()",
	} {
		body += fmt.Sprintf(`<script src="/script.js?run=%s"></script>`, js)
	}
	url := startServer(t, document(body))
	page := newTab(t, options{})
	page.open(url)
	page.waitFor("performance.getEntriesByName(location.origin + '/none.json').length")

	expected := []string{
		"an error 42", "a warning", "Error: thrown", "rejected", "none.png", "none.json", "Content Security Policy",
	}
	if got := page.complaints(); len(got) != len(expected) {
		t.Errorf("%d complaints, not %d: %q", len(got), len(expected), got)
	}
	// The test passes only if each of them was one of the complaints.
	for _, part := range expected {
		page.expect(part)
	}
}

func TestHarnessComplains(t *testing.T) {
	problems, expected := []string{"error: a", "error: b"}, []string{"a", "c"}
	want := []string{"the page has a problem: error: b", "the page never had the expected problem: c"}
	if got := complaints(problems, expected); !slices.Equal(got, want) {
		t.Errorf("%q, not %q", got, want)
	}
}
