package browser

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"imscope/web"
)

// A book is a site on an origin of its own that embeds runs: a stand-in for that of a book, in testdata/book. Its policy is strict: it
// allows its own files, and of imscope the script and the frames.
type book struct {
	*tab
	url, imscope string
	streams      *atomic.Int64 // that readers have opened
}

func openBook(t *testing.T, o options, name string) *book {
	t.Helper()
	if _, err := os.Stat("../../static/dist/embed.js"); err != nil {
		lacking(t, "no embed.js: run node static/build.mjs")
	}
	b := &book{streams: new(atomic.Int64)}
	site := web.Handler(slog.New(slog.DiscardHandler))
	b.imscope = startServer(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/stream/") {
			b.streams.Add(1)
		}
		site.ServeHTTP(w, r)
	}))
	b.url = startServer(t, bookSite(b.imscope))
	b.tab = newTab(t, o)
	b.open(b.url + "/" + name)
	return b
}

// bookSite serves the pages of the book.
func bookSite(imscope string) http.Handler {
	policy := fmt.Sprintf("default-src 'none'; style-src 'self'; script-src 'self' %[1]s/embed.js; frame-src %[1]s/embed/; base-uri 'none'", imscope)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := path.Base(r.URL.Path)
		if name == "/" {
			name = "index.html"
		}
		file, err := os.ReadFile("testdata/book/" + name)
		if err != nil {
			w.WriteHeader(http.StatusNoContent) // of the icon, for which nobody asked
			return
		}
		w.Header().Set("Content-Security-Policy", policy)
		http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(bytes.ReplaceAll(file, []byte("{{imscope}}"), []byte(imscope))))
	})
}

// within evaluates an expression in the frame of an embed, numbered in the order of the page.
func within[T any](b *book, number int, js string) T {
	b.t.Helper()
	return run(b.tab, chromedp.Action[T](func(ctx context.Context, target *chromedp.Target) (value T, err error) {
		for {
			value, err = evaluateIn[T](ctx, target, number, js)
			if err == nil || ctx.Err() != nil || !strings.Contains(err.Error(), "Cannot find context") {
				return value, err
			}
			// The frame has gone to another page meanwhile.
		}
	}))
}

func evaluateIn[T any](ctx context.Context, target *chromedp.Target, number int, js string) (value T, err error) {
	tree, err := cdp.Call(ctx, target, page.GetFrameTree, cdp.Empty{})
	if err != nil {
		return value, err
	}
	if number >= len(tree.FrameTree.ChildFrames) {
		return value, fmt.Errorf("there are %d frames", len(tree.FrameTree.ChildFrames))
	}
	world, err := cdp.Call(ctx, target, page.CreateIsolatedWorld, page.CreateIsolatedWorldParams{FrameID: tree.FrameTree.ChildFrames[number].Frame.ID})
	if err != nil {
		return value, err
	}
	answer, err := cdp.Call(ctx, target, runtime.Evaluate, runtime.EvaluateParams{Expression: js, ContextID: world.ExecutionContextID, ReturnByValue: new(true)})
	if err != nil {
		return value, err
	}
	if answer.ExceptionDetails != nil {
		return value, fmt.Errorf("%s: %s", js, answer.ExceptionDetails.Text)
	}
	return value, json.Unmarshal(answer.Result.Value, &value)
}

// becomes waits until an expression in an embed, made a string, is want.
func (b *book) becomes(number int, js, want string) {
	b.t.Helper()
	var got string
	for deadline := time.Now().Add(5 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		// Between two pages there is none.
		if got = within[string](b, number, "(() => { try { return String("+js+") } catch (e) { return String(e) } })()"); got == want {
			return
		}
	}
	b.t.Errorf("embed %d: %s\n got %q\nwant %q", number, js, got, want)
}

const allSeen = `[...document.querySelectorAll('imscope-lab')].every((lab) => lab.frame?.className === '')`

// TestBook goes through the page of a book with two embeds, as its reader does.
func TestBook(t *testing.T) {
	b := openBook(t, options{Width: 1000, Height: 900}, "")
	b.waitFor(allSeen)
	clock := "document.querySelector('#clock').textContent"
	b.becomes(0, clock, "2 s")
	b.becomes(1, "!!document.querySelector('.diagram') + ' ' + !!document.querySelector('.screens')", "true false")
	b.shot("book-light")

	t.Log("the height is that of the run, and follows it")
	tall := "document.querySelector('#order').frame.clientHeight"
	fits := func() {
		t.Helper()
		b.becomes(0, "innerHeight - Math.ceil(document.body.getBoundingClientRect().height)", "0")
	}
	fits()
	wide := evaluate[int](b.tab, tall)
	b.apply(options{Width: 380, Height: 900})
	fits()
	if narrow := evaluate[int](b.tab, tall); narrow <= wide {
		t.Errorf("it is %d px tall on a narrow page and %d on a wide one", narrow, wide)
	}
	if got := evaluate[int](b.tab, "document.querySelector('#asking').frame.clientHeight"); got != 520 {
		t.Errorf("what has a height is %d px tall", got)
	}
	b.shot("book-360")
	b.apply(options{Width: 1000, Height: 900})
	fits()

	t.Log("links of the prose lead to moments, and to other runs")
	click := func(id string) { evaluate[int](b.tab, "document.querySelector('#"+id+"').click(), 0") }
	click("late")
	b.becomes(0, clock, "6.24 s")
	click("early")
	b.becomes(0, clock, "3.62 s")
	click("poll")
	b.becomes(1, clock, "4.1 s")
	if n := b.streams.Load(); n != 0 {
		t.Errorf("%d streams were opened for moments of runs that are there", n)
	}
	click("other")
	b.becomes(0, "document.querySelector('#stage').dataset.link.replace(/show=[^&]*&?/, '')", "/embed/en/ordering?at=6.24s")
	if n := b.streams.Load(); n != 1 {
		t.Errorf("%d streams were opened for another run", n)
	}

	t.Log("colours and language are those of the page")
	dark := "getComputedStyle(document.documentElement).colorScheme"
	b.becomes(0, dark, "light")
	click("theme")
	b.becomes(0, dark, "dark")
	b.becomes(1, dark, "dark")
	b.shot("book-dark")
	click("lang")
	b.becomes(0, "document.documentElement.lang + ' ' + "+clock, "zh-Hans 6.24 秒")
	b.becomes(1, "document.documentElement.lang + ' ' + "+clock, "zh-Hans 4.1 秒")
	b.becomes(1, dark, "dark")
	b.waitFor(allSeen)
	b.shot("book-dark-zh")
	if got := evaluate[string](b.tab, "location.pathname"); got != "/" {
		t.Errorf("the page itself went to %s", got)
	}
	click("late")
	b.becomes(0, clock, "6.24 秒")
}

// TestBookWithoutScript checks that an embed leaves what its element holds, and that marked links are links.
func TestBookWithoutScript(t *testing.T) {
	b := openBook(t, options{NoScript: true, ReducedMotion: true}, "")
	if got := evaluate[bool](b.tab, "document.querySelector('#order a').checkVisibility()"); !got {
		t.Error("its content is not seen")
	}
	b.follow("#late")
	if got := evaluate[string](b.tab, "document.querySelector('#clock').textContent"); got != "6.24 s" {
		t.Errorf("the link leads to %s", got)
	}
}

// TestBookIsNotMisled checks that the two sides listen to nobody else.
func TestBookIsNotMisled(t *testing.T) {
	b := openBook(t, options{Width: 1000, Height: 900}, "")
	b.waitFor(allSeen)
	tall := evaluate[int](b.tab, "document.querySelector('#order').frame.clientHeight")
	evaluate[int](b.tab, `(() => {
		window.postMessage({imscope: 'height', height: 9}, '*') // from the page itself
		document.querySelector('#order').frame.contentWindow.postMessage({imscope: 'go', to: 'javascript:alert(1)'}, '*')
		document.querySelector('#order').frame.contentWindow.postMessage({imscope: 'page', theme: '<b>', lang: 7}, '*')
		return 0
	})()`)
	within[int](b, 0, `(parent.postMessage({imscope: 'height', height: 1e9}, '*'), 0)`) // out of all bounds
	b.waitFor("document.querySelector('#order').frame.clientHeight === 4000")
	within[int](b, 0, fmt.Sprintf(`(parent.postMessage({imscope: 'height', height: %d}, '*'), 0)`, tall))
	b.waitFor(fmt.Sprintf("document.querySelector('#order').frame.clientHeight === %d", tall))
	b.becomes(0, "document.documentElement.dataset.theme", "light")
	// Where the host does not answer, it scrolls inside.
	b.open(b.imscope + "/embed/en/ordering")
	evaluate[int](b.tab, "document.querySelector('#lab') ? 0 : 1")
	if got := evaluate[string](b.tab, "getComputedStyle(document.documentElement).overflow"); got != "visible" {
		t.Errorf("alone, it does not scroll: %s", got)
	}
}

// TestEightEmbeds checks that eight of them on one page are drawn, over the six connections of HTTP/1.1, that the page does not shift under
// its reader, and that they do nothing until somebody does something.
func TestEightEmbeds(t *testing.T) {
	b := openBook(t, options{Width: 1000, Height: 900}, "site.css")
	const counting = `
		window.ran = 0; const note = () => document.documentElement && (document.documentElement.dataset.ran = window.ran)
		for (const name of ['setTimeout', 'setInterval', 'requestAnimationFrame', 'requestIdleCallback']) {
			const own = window[name]
			window[name] = (...all) => (window.ran++, note(), own(...all))
		}
		window.shift = 0
		new PerformanceObserver((list) => { for (const {value} of list.getEntries()) window.shift += value }).observe({type: 'layout-shift', buffered: true})`
	b.do(chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		if _, err := cdp.Call(ctx, target, page.Enable, page.EnableParams{}); err != nil {
			return err
		}
		_, err := cdp.Call(ctx, target, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: counting})
		return err
	}))
	start := time.Now()
	b.open(b.url + "/eight.html")
	b.waitFor("document.querySelector('imscope-lab').frame.className === ''")
	if got := evaluate[string](b.tab, "document.querySelectorAll('imscope-lab')[7].frame.className"); got != "waits" {
		t.Error("the last is loaded before anybody comes near it")
	}
	for n := range 8 { // they load when they are near
		evaluate[int](b.tab, fmt.Sprintf("document.querySelectorAll('imscope-lab')[%d].scrollIntoView(), 0", n))
		b.waitFor(fmt.Sprintf("document.querySelectorAll('imscope-lab')[%d].frame.className === ''", n))
		b.becomes(n, "document.querySelectorAll('#happened > li').length > 3 && !document.querySelector('#player').hidden && document.documentElement.lang", "zh-Hans")
	}
	t.Logf("eight embeds after %d ms", time.Since(start).Milliseconds())
	evaluate[int](b.tab, "scrollTo(0, 0), 0")
	time.Sleep(300 * time.Millisecond)
	ran := func() (all string) {
		for n := range 8 {
			all += within[string](b, n, "String(document.documentElement.dataset.ran ?? '')")
		}
		return all + evaluate[string](b.tab, "String(window.ran)")
	}
	before := ran()
	time.Sleep(700 * time.Millisecond)
	if after := ran(); after != before {
		t.Errorf("idle, timers run: %s, then %s", before, after)
	}
	if n := b.streams.Load(); n != 0 {
		t.Errorf("%d streams are open though nobody has done anything", n)
	}
	if shift := evaluate[float64](b.tab, "window.shift"); shift != 0 {
		t.Errorf("the page has shifted by %v", shift)
	}
	// One that plays leaves the others alone.
	within[int](b, 0, "(document.querySelector('#play').click(), 0)")
	b.becomes(0, "document.querySelectorAll('#happened > li:not([hidden])').length > 1", "true")
	b.becomes(1, "document.querySelectorAll('#happened > li:not([hidden])').length > 1", "false")
	b.shot("eight")
}
