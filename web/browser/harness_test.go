// Package browser tests the pages in Chromium. This file is the harness:
//
//	url := startServer(t, handler)
//	page := newTab(t, options{Width: 360, Height: 740, Dark: true})
//	page.open(url + "/en/ordering")
//	title := evaluate[string](page, "document.title")
//	axe(t, page)
//	page.shot("ordering-360-dark")
//
// A test fails when its page logs an error or a warning or when a request of it
// fails, unless it said that it expects that. Without Chromium on the machine
// the tests are skipped; with IMSCOPE_BROWSER=required they fail. With
// IMSCOPE_SHOTS=dir they leave their screenshots in dir.
package browser

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// patience is how long one step of a test may take.
const patience = 20 * time.Second

// scratch is a folder that goes with the test binary.
var scratch string

// chromium is the context of the one browser of this test binary. It starts with
// the first tab, on a fresh profile that chromedp removes in the end.
var (
	chromium      context.Context
	startChromium = sync.OnceValue(func() error { return chromedp.Do(chromium) })
)

// The environment of a test binary that is to be a server.
const childAddr, childDir = "IMSCOPE_TEST_ADDR", "IMSCOPE_TEST_DIR"

func TestMain(m *testing.M) {
	if addr := os.Getenv(childAddr); addr != "" {
		panic(serveChild(addr, os.Getenv(childDir)))
	}
	// What Chromium writes outside its profile goes here instead of the home of
	// whoever runs the tests.
	dir, err := os.MkdirTemp("", "imscope-chromium")
	if err != nil {
		panic(err)
	}
	scratch = dir
	// A signal ends the browser, which fails the tests and lets them clean up.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	ctx, closeAllocator := chromedp.NewExecAllocator(ctx, append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(chromiumPath()),
		chromedp.Env("TMPDIR="+dir, "XDG_CONFIG_HOME="+dir),
		chromedp.NoSandbox, // containers often lack the namespaces it is made of
		chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-component-update", true),
		chromedp.Flag("lang", "en-US"), // whatever the language of the machine
	)...)
	var closeChromium context.CancelFunc
	chromium, closeChromium = chromedp.NewContext(ctx)
	code := m.Run()
	closeChromium()
	closeAllocator()
	stop()
	os.RemoveAll(dir)
	os.Exit(code)
}

func chromiumPath() string {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// lacking skips the test for want of something on the machine, or fails it where
// IMSCOPE_BROWSER says that nothing may be lacking.
func lacking(t *testing.T, what string) {
	t.Helper()
	if os.Getenv("IMSCOPE_BROWSER") == "required" {
		t.Fatal(what)
	}
	t.Skip(what)
}

// startServer serves on a free port of this machine until the test ends, and
// returns its address. Start it before the tab: what comes last ends first, and
// a page whose server is gone has requests that fail.
func startServer(t *testing.T, handler http.Handler) string {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(func() {
		server.CloseClientConnections() // a stream would keep Close waiting
		server.Close()
	})
	return server.URL
}

// options of a tab; zero means a light screen of 1280 × 800 with scripts.
type options struct {
	Width, Height int
	Dark          bool
	ReducedMotion bool
	Print         bool // draw as on paper
	NoScript      bool
}

// A tab shares nothing with other tabs but the browser: it has cookies, cache and
// storage of its own. One test may use several, and tests may run in parallel;
// but a step that fails ends the test that made the tab, so subtests make theirs.
type tab struct {
	t        *testing.T
	ctx      context.Context
	options  options
	mu       sync.Mutex
	problems []string
	expected []string
}

func newTab(t *testing.T, o options) *tab {
	t.Helper()
	if chromiumPath() == "" {
		lacking(t, "no Chromium on this machine")
	}
	if err := startChromium(); err != nil {
		t.Fatalf("starting Chromium: %v", err)
	}
	return newTabIn(t, chromium, o, chromedp.WithNewBrowserContext())
}

// another opens a second window of the same reader.
func (tb *tab) another() *tab {
	tb.t.Helper()
	return newTabIn(tb.t, tb.ctx, tb.options)
}

func newTabIn(t *testing.T, parent context.Context, o options, how ...chromedp.ContextOption) *tab {
	t.Helper()
	tb := &tab{t: t}
	ctx, closeTab := chromedp.NewContext(parent, append(how, chromedp.WithListener(tb.listen))...)
	tb.ctx = ctx
	t.Cleanup(func() {
		// The answer to a command comes after all that the page has logged.
		ctx, cancel := context.WithTimeout(tb.ctx, patience)
		defer cancel()
		if err := chromedp.Do(ctx, chromedp.Evaluate[chromedp.Void]("0")); err != nil {
			t.Errorf("the page no longer answers: %v", err)
		}
		for _, line := range tb.complaints() {
			t.Error(line)
		}
		closeTab()
	})
	// The first run opens the tab and must not have a deadline, which would
	// become that of the tab.
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("opening a tab: %v", err)
	}
	tb.apply(o)
	return tb
}

// apply changes the options of an open tab, which takes much less time than a new
// one does. The page sees all at once but NoScript, which counts from the next
// page on.
func (tb *tab) apply(o options) {
	tb.t.Helper()
	tb.options = o
	media := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
		{Name: "prefers-color-scheme", Value: "light"},
		{Name: "prefers-reduced-motion", Value: "no-preference"},
	}}
	if o.Dark {
		media.Features[0].Value = "dark"
	}
	if o.ReducedMotion {
		media.Features[1].Value = "reduce"
	}
	if o.Print {
		media.Media = "print"
	}
	tb.do(
		chromedp.EmulateViewport(int64(cmp.Or(o.Width, 1280)), int64(cmp.Or(o.Height, 800))),
		send(emulation.SetEmulatedMedia, media),
		scripting(!o.NoScript),
	)
}

// send makes an action of a command of the protocol that has no answer.
func send[P any](command cdp.Command[P, cdp.Empty], params P) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, command, params)
		return err
	})
}

// scripting lets the scripts of the page run or not. With scripting off,
// evaluate still works and so do promises, but no timer ever fires.
func scripting(on bool) chromedp.Action[chromedp.Void] {
	return send(emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: !on})
}

// do runs chromedp's actions, such as chromedp.Click(chromedp.CSS("button")), and
// ends the test if one fails.
func (tb *tab) do(actions ...chromedp.Action[chromedp.Void]) {
	tb.t.Helper()
	run(tb, chromedp.Steps(actions...))
}

// run is do for one action that has a result.
func run[T any](tb *tab, action chromedp.Action[T]) T {
	tb.t.Helper()
	ctx, cancel := context.WithTimeout(tb.ctx, patience)
	defer cancel()
	result, err := chromedp.Run(ctx, action)
	if err != nil {
		tb.t.Fatal(err)
	}
	return result
}

// open goes to an address, waits until the page is loaded and returns the status
// of the response.
func (tb *tab) open(url string) int {
	tb.t.Helper()
	tb.leave(chromedp.Navigate(url))
	return evaluate[int](tb, "performance.getEntriesByType('navigation')[0].responseStatus")
}

// follow clicks on a link or a button that leads to a page, and waits until that
// is loaded.
func (tb *tab) follow(css string) {
	tb.t.Helper()
	tb.leave(chromedp.Click(chromedp.CSS(css)))
}

// leave waits until what the action leads to is loaded. It looks for a new
// document, since a page may write its own address while it is being left, as the
// player does, and for chromedp that is the end of the way.
func (tb *tab) leave(action chromedp.Action[chromedp.Void]) {
	tb.t.Helper()
	evaluate[bool](tb, "window.left = true")
	tb.do(action)
	tb.arrives("!window.left")
}

// arrives waits until a page is loaded on which a JavaScript expression is true.
func (tb *tab) arrives(js string) {
	tb.t.Helper()
	for deadline := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		ctx, cancel := context.WithTimeout(tb.ctx, patience)
		// While one page gives way to the next, nobody answers.
		yes, err := chromedp.Run(ctx, chromedp.Evaluate[bool]("document.readyState === 'complete' && !!("+js+")"))
		cancel()
		if err == nil && yes {
			return
		}
		if time.Now().After(deadline) {
			tb.t.Fatalf("this never came true on a new page: %s", js)
		}
	}
}

// evaluate returns the value of a JavaScript expression, or what its promise
// resolves to. The content security policy of the page does not hold for it.
func evaluate[T any](tb *tab, js string) T {
	tb.t.Helper()
	return run(tb, chromedp.Evaluate[T](js, chromedp.EvalAwaitPromise))
}

// waitFor waits until a JavaScript expression is true.
func (tb *tab) waitFor(js string) {
	tb.t.Helper()
	deadline := time.Now().Add(patience)
	for !evaluate[bool](tb, "!!("+js+")") {
		if time.Now().After(deadline) {
			tb.t.Fatalf("this never came true: %s", js)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// shot leaves a picture of the whole page, name.png, in the folder of
// IMSCOPE_SHOTS, which counts from the top of the repository.
func (tb *tab) shot(name string) {
	tb.t.Helper()
	dir := os.Getenv("IMSCOPE_SHOTS")
	if dir == "" {
		return
	}
	if !filepath.IsAbs(dir) {
		dir = filepath.Join("..", "..", dir)
	}
	png := run(tb, chromedp.FullScreenshot(100))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		tb.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name+".png"), png, 0o644); err != nil {
		tb.t.Fatal(err)
	}
}

// expect says that the page is going to have a problem whose text contains part,
// such as "status of 404". The test fails if it has none.
func (tb *tab) expect(part string) {
	tb.mu.Lock()
	defer tb.mu.Unlock()
	tb.expected = append(tb.expected, part)
}

// listen collects the problems of the page. A request that fails is an entry of
// the log as well; one that the page itself gave up is not.
func (tb *tab) listen(event any) {
	var problem string
	switch e := event.(type) {
	case *runtime.EventConsoleAPICalled:
		switch e.Type {
		case runtime.ConsoleAPICalledTypeError, runtime.ConsoleAPICalledTypeWarning, runtime.ConsoleAPICalledTypeAssert:
			problem = fmt.Sprintf("console.%s:", e.Type)
			for _, arg := range e.Args {
				problem += " " + text(arg)
			}
		}
	case *runtime.EventExceptionThrown:
		problem = "exception: " + e.ExceptionDetails.Text
		if e.ExceptionDetails.Exception != nil {
			problem += " " + text(e.ExceptionDetails.Exception)
		}
	case *log.EventEntryAdded:
		if e.Entry.Level == log.EntryLevelError || e.Entry.Level == log.EntryLevelWarning {
			problem = fmt.Sprintf("%s: %s %s", e.Entry.Level, e.Entry.Text, e.Entry.URL)
		}
	}
	if problem != "" {
		tb.mu.Lock()
		defer tb.mu.Unlock()
		tb.problems = append(tb.problems, problem)
	}
}

// text is what a value of JavaScript looks like in a console.
func text(o *runtime.RemoteObject) string {
	var s string
	if json.Unmarshal(o.Value, &s) == nil {
		return s
	}
	return cmp.Or(o.Description, string(o.Value))
}

// complaints are the problems that nobody expected, and the expected ones that
// did not come.
func (tb *tab) complaints() []string {
	tb.mu.Lock()
	defer tb.mu.Unlock()
	return complaints(tb.problems, tb.expected)
}

func complaints(problems, expected []string) []string {
	var lines []string
	for _, problem := range problems {
		if !slices.ContainsFunc(expected, func(part string) bool { return strings.Contains(problem, part) }) {
			lines = append(lines, "the page has a problem: "+problem)
		}
	}
	for _, part := range expected {
		if !slices.ContainsFunc(problems, func(problem string) bool { return strings.Contains(problem, part) }) {
			lines = append(lines, "the page never had the expected problem: "+part)
		}
	}
	return lines
}
