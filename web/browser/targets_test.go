package browser

import (
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"imscope/sim/protocol"
	"imscope/templates"
	"imscope/web"
)

// What a reader can do without the engine is tested on two targets: the server, and an export of it that lies below a folder of a plain
// file server. What only the engine can do is tested on the export for saying so.

// A target is a place where the pages are.
type target struct {
	name     string
	exported bool
}

var targets = []target{{"served", false}, {"exported", true}}

// subFolder is where on its host the export lies.
const subFolder = "/lab/imscope/"

// exported makes the export of everything, once; exportTime is how long that took.
var exported = sync.OnceValues(func() (string, error) {
	dir := filepath.Join(scratch, "export")
	start := time.Now()
	_, err := web.Export(chromium, web.ExportConfig{Dir: dir, Langs: templates.Langs, Chapters: protocol.Catalog})
	exportTime = time.Since(start)
	return dir, err
})

var exportTime time.Duration

// path is where a target has what the server has at an address.
func (g target) path(address string) string {
	if !g.exported {
		return address
	}
	path, query, _ := strings.Cut(strings.TrimPrefix(address, "/"), "?")
	if query != "" {
		query = "?" + query
	}
	return subFolder + path + "/" + query
}

// open opens a page of a target.
func (g target) open(t *testing.T, o options, address string) *player {
	t.Helper()
	if _, err := os.Stat("../../static/dist/export.js"); err != nil {
		lacking(t, "no client: run node static/build.mjs")
	}
	if !g.exported {
		return openPlayer(t, o, address)
	}
	if chromiumPath() == "" {
		lacking(t, "no Chromium on this machine")
	}
	dir, err := exported()
	if err != nil {
		t.Fatal(err)
	}
	return openPlayerAt(t, o, http.StripPrefix(strings.TrimSuffix(subFolder, "/"), http.FileServer(http.Dir(dir))), g.path(address))
}

// at is the address of the page, as the server would write it.
func (g target) at(p *player) string {
	p.t.Helper()
	address := strings.TrimPrefix(p.address(), strings.TrimSuffix(subFolder, "/"))
	if g.exported {
		address = strings.TrimSuffix(strings.Replace(address, "/?", "?", 1), "/")
	}
	return address
}

// shown is what a page shows of a moment, without its links.
var withoutLinks = regexp.MustCompile(`(?m)^(moves|links|link): .*\n`)

// reference is what the server shows at an address, drawn in the page.
func reference(p *player, address string) string {
	p.t.Helper()
	w := httptest.NewRecorder()
	web.Handler(slog.New(slog.DiscardHandler)).ServeHTTP(w, httptest.NewRequest(http.MethodGet, address, nil))
	if w.Code != http.StatusOK {
		p.t.Fatalf("%s: status %d", address, w.Code)
	}
	return withoutLinks.ReplaceAllString(evaluate[string](p.tab, fmt.Sprintf("moment(new DOMParser().parseFromString(%q, 'text/html'))", w.Body.String())), "")
}

// shows is what the page shows once all of it is there.
func (p *player) shows() string {
	p.t.Helper()
	if !p.options.NoScript {
		p.waitFor("!$('#more[data-more]')")
		p.js("await frames2()")
	}
	return withoutLinks.ReplaceAllString(evaluate[string](p.tab, "moment(document)"), "")
}

func TestTargets(t *testing.T) {
	for _, g := range targets {
		t.Run(g.name, func(t *testing.T) {
			t.Run("moments", func(t *testing.T) { targetMoments(t, g) })
			t.Run("runs", func(t *testing.T) { targetRuns(t, g) })
			t.Run("page", func(t *testing.T) { targetPage(t, g) })
			t.Run("embed", func(t *testing.T) { targetEmbed(t, g) })
			t.Run("without script", func(t *testing.T) { targetWithoutScript(t, g) })
		})
	}
}

// targetMoments steps through runs, and opens moments of them by their addresses.
func targetMoments(t *testing.T, g target) {
	for _, run := range []string{"/en/ordering/book/by-seq", "/zh/polling/hole/long-poll", "/zh/offline/book/inbox"} {
		p := g.open(t, options{}, run)
		moments := evaluate[[]string](p.tab, "[...document.querySelectorAll('#happened a')].map((a) => a.getAttribute('href').match(/at=([^&#]*)/)?.[1] ?? '')")
		for i, moment := range moments {
			if i%5 != 1 && i != len(moments)-1 {
				continue
			}
			p.click(fmt.Sprintf("#happened > li:nth-child(%d) a", i+1))
			address := run
			if moment != "" {
				address += "?at=" + moment
			}
			sameAs(t, g.name+" "+address, p.shows(), reference(p, address))
			if got := g.at(p); got != address {
				t.Errorf("the address is %s, not %s", got, address)
			}
		}
		// Played, it comes to its end.
		p.click("#move-start")
		p.rush()
		p.click("#play")
		p.waitFor("$('#happened > li:last-child')?.matches('[aria-current]')")
		p.is("$('#play').textContent === $('#play').dataset.again", "true")
		p.load(g.path(run + "?at=end")) // in a fresh page
		sameAs(t, g.name+" "+run+"?at=end", p.shows(), reference(p, run+"?at=end"))
	}
}

// targetRuns goes on to other runs, and back.
func targetRuns(t *testing.T, g target) {
	p := g.open(t, options{}, "/en/ordering?at=6.24s")
	choose := func(label, name string) {
		t.Helper()
		link := fmt.Sprintf("[...document.querySelectorAll('.tabs[aria-label=%q] a')].find((a) => a.textContent === %q)", label, name)
		p.waitFor("!!" + link) // a run's picture comes before what else is offered for it
		p.js(link + ".click()")
	}
	choose("Protocol", "By seq, fetch on a gap")
	p.is("$('.tabs [aria-current]').textContent", "By seq, fetch on a gap")
	p.is("$('#clock').textContent", "6.24 s")
	sameAs(t, g.name+" another protocol", p.shows(), reference(p, "/en/ordering/book/by-seq?at=6.24s"))
	if got := g.at(p); got != "/en/ordering/book/by-seq?at=6.24s" {
		t.Errorf("the address is %s", got)
	}
	choose("Scenario", "Three phones")
	p.is("document.querySelectorAll('.tabs[aria-label=Scenario] [aria-current]')[0].textContent", "Three phones")
	p.js("await written(); history.back()")
	p.is("document.querySelectorAll('.tabs[aria-label=Scenario] [aria-current]')[0].textContent", "The book’s run")
	p.is("$('#clock').textContent", "6.24 s")
	choose("Beside it", "By arrival")
	p.is("document.querySelectorAll('.diagram').length", "2")
	p.is("$('#clock').textContent", "6.24 s")
	sameAs(t, g.name+" two runs", p.shows(), reference(p, "/en/ordering/book/by-seq?with=arrival&at=6.24s"))
	choose("Beside it", "By id")
	p.is("document.querySelectorAll('.diagram').length", "3")
	p.is("$('#stage').querySelectorAll('.side-screens > section').length", "3")
	p.click("#move-end")
	p.is("$('#happened > li:last-child')?.matches('[aria-current]')", "true")
	// The language keeps run and moment.
	p.follow("#language")
	p.js(tellMoment)
	p.is("document.documentElement.lang + document.querySelectorAll('.diagram').length", "zh-Hans3")
	p.is("$('#happened > li:last-child')?.matches('[aria-current]')", "true")
	if got := g.at(p); strings.HasPrefix(got, "/en/") {
		t.Errorf("the address is %s", got)
	}
}

// targetPage does what the rest of a page offers: the guess, the sliders; and where there is no engine, it is told of it.
func targetPage(t *testing.T, g target) {
	p := g.open(t, options{}, "/en/ordering")
	p.js("window.sum = () => $('.formula strong').textContent; window.before = sum(); const s = $('#sums input'); s.value = s.max; s.dispatchEvent(new Event('input', {bubbles: true}))")
	p.is("sum() !== before", "true")
	p.js("$('#guess input[value=lines]').click(); $('#guess button').click()")
	p.waitFor("$('.verdict') && !$('#more[data-more]')")
	p.rush()
	p.waitFor("$('#happened > li:last-child').matches('[aria-current]')")
	p.is("!!$('.verdict:not([hidden])')?.checkVisibility({visibilityProperty: true}) + ' ' + $('.verdict').matches('.right')", "true "+evaluate[string](p.tab, "String($('.verdict').matches('.right'))"))
	if g.exported {
		engineTold(t, p)
	}
	axe(t, p.tab)
	sideways(t, p.tab, g.name)
}

// engineTold tries what only the engine can do: an edit, another seed, a reason.
func engineTold(t *testing.T, p *player) {
	before := p.address()
	for what, do := range map[string]string{
		"an edit":  "$('.acts [data-edit]').click()",
		"a reason": "$('#ask').click()",
		"a knob":   "$('.controls').open = true; $('.controls [name=latency]').value = '250ms'; $('.controls button').click()",
		"counting": "$('#often a').click()",
	} {
		p.js(do)
		p.waitFor("$('dialog[open]')")
		if got := p.text("dialog"); !strings.Contains(got, "engine") {
			t.Errorf("%s: it says %s", what, got)
		}
		p.click("dialog button")
		p.waitFor("!$('dialog')")
	}
	if got := p.address(); got != before {
		t.Errorf("the address has become %s", got)
	}
}

// targetEmbed opens a run alone, with what its address says.
func targetEmbed(t *testing.T, g target) {
	p := g.open(t, options{}, "/embed/en/ordering/book/by-seq?show=diagram_controls_table&theme=dark&from=3.62s&to=6.24s")
	p.is("$('#clock').textContent", "3.62 s")
	p.is("[!!$('.diagram'), !!$('#metrics'), !!$('.screens'), !!$('#sentence'), !!$('.story')].join()", "true,true,false,false,false")
	p.is("getComputedStyle(document.documentElement).colorScheme", "dark")
	p.rush()
	p.click("#play")
	p.is("$('#play').textContent === $('#play').dataset.again && $('#clock').textContent", "6.24 s")
	p.is("new URL($('#full').href).pathname.replace(/\\/$/, '').endsWith('/en/ordering/book/by-seq') + new URL($('#full').href).search", "true?at=6.24s")
	p.load(g.path("/embed/zh/polling"))
	p.is("[!!$('.diagram'), !!$('#metrics'), !!$('.screens'), !!$('#sentence'), !!$('.story')].join()", "true,false,true,true,false")
	sideways(t, p.tab, g.name)
}

func targetWithoutScript(t *testing.T, g target) {
	p := g.open(t, options{NoScript: true, ReducedMotion: true}, "/zh/ordering/book/by-seq")
	sameAs(t, g.name, p.shows(), reference(p, "/zh/ordering/book/by-seq"))
	if got := evaluate[string](p.tab, "[!!$('#player').checkVisibility(), !!$('#play').checkVisibility()].join()"); got != "false,false" {
		t.Errorf("the player is there: %s", got)
	}
	axe(t, p.tab)
}

// TestExportEmbedded checks that a page of somebody else can embed an export as it can a server.
func TestExportEmbedded(t *testing.T) {
	dir, err := exported()
	if err != nil {
		t.Fatal(err)
	}
	host := startServer(t, http.StripPrefix(strings.TrimSuffix(subFolder, "/"), http.FileServer(http.Dir(dir))))
	imscope := host + strings.TrimSuffix(subFolder, "/")
	page := fmt.Sprintf(`<!doctype html><html lang="en"><title>A page</title><link rel="icon" href="data:,"><script src="%[1]s/embed.js"></script>
		<a data-imscope href="%[1]s/en/ordering/book/by-seq/?at=6.24s">at 6.24 s</a><imscope-lab chapter="ordering" protocol="by-seq" show="diagram_controls">nothing yet</imscope-lab>`, imscope)
	b := &book{imscope: imscope}
	b.url = startServer(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, page)
	}))
	b.tab = newTab(t, options{})
	b.open(b.url)
	b.waitFor(allSeen)
	b.becomes(0, "!!document.querySelector('.diagram') + ' ' + !!document.querySelector('.screens')", "true false")
	evaluate[int](b.tab, "document.querySelector('a').click(), 0")
	b.becomes(0, "document.querySelector('#clock').textContent", "6.24 s")
	evaluate[int](b.tab, "(document.documentElement.lang = 'zh', 0)")
	b.becomes(0, "document.documentElement.lang + document.querySelector('#clock').textContent", "zh-Hans6.24 秒")
}

// TestExportIsWhole tells how long the export of everything takes, and checks that all links in it lead to a file of it.
func TestExportIsWhole(t *testing.T) {
	dir, err := exported()
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("everything in %.1f s", exportTime.Seconds())
	files := map[string]bool{}
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			name, _ := filepath.Rel(dir, path)
			files[filepath.ToSlash(name)] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	var links int
	for name := range files {
		if !strings.HasSuffix(name, ".html") {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		text := string(data)
		base := strings.Repeat("../", strings.Count(name, "/"))
		if base != "" && !strings.Contains(text, `<base href="`+base+`">`) {
			t.Errorf("%s lacks its base %s", name, base)
		}
		for link := range linksOf(text) {
			links++
			u, err := url.Parse(link)
			if err != nil || u.IsAbs() || strings.HasPrefix(u.Path, "/") {
				t.Errorf("%s: a link to %s", name, link)
				continue
			}
			if u.Path == base {
				continue
			}
			to := u.Path
			if to == "" || strings.HasSuffix(to, "/") {
				to += "index.html"
			}
			if !files[to] {
				t.Errorf("%s: a link to %s, where nothing is", name, link)
			}
			if u.Fragment == "engine" && !strings.Contains(text, `id="engine"`) && !strings.HasPrefix(name, "embed/") {
				t.Errorf("%s does not say what the engine is", name)
			}
		}
		if t.Failed() {
			return
		}
	}
	t.Logf("%d links in %d files", links, len(files))
}

// linksOf are the different links of a page, those to moments of one run taken for one. There are thousands in a long run, and hundreds of
// megabytes of them in all.
func linksOf(page string) map[string]bool {
	all := map[string]bool{}
	for _, attribute := range []string{` href="`, ` src="`, ` action="`} {
		for rest := page; ; {
			var found bool
			if _, rest, found = strings.Cut(rest, attribute); !found {
				break
			}
			link, _, _ := strings.Cut(rest, `"`)
			run, _, _ := strings.Cut(link, "?at=")
			all[run] = true
		}
	}
	return all
}
