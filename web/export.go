package web

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/net/html"
	"golang.org/x/sync/errgroup"

	"imscope/sim/im"
	"imscope/sim/protocol"
	"imscope/templates"
)

// An export is a folder of files that any web host can serve: the pages as the server would send them, each run in a folder of its own,
// with all links relative. The script of the export takes another run from its page, where the server would stream it. What needs the
// engine is marked, and leads to a live server if there is one.

// ExportConfig says what to export.
type ExportConfig struct {
	Dir       string
	Langs     []templates.Lang
	Chapters  []protocol.Chapter
	PublicURL string // where the folder will be found; empty leaves out what has to be absolute
	Live      string // a server with an engine; empty if there is none
}

// Exported says what an export has written.
type Exported struct {
	Pages, Files, Previews int
	Bytes                  int64
}

// exporter exports.
type exporter struct {
	ExportConfig
	site http.Handler
	runs map[string]string // the folder of each exported run, by its addresses without moment
	draw string            // the program that draws previews; empty if there are to be none

	mu     sync.Mutex      // pages are made side by side
	assets map[string]bool // static files that pages ask for
	done   Exported
}

// exportPage is a page to be written: the address that a server would have it at, and its folder.
type exportPage struct{ address, dir string }

// Export writes the folder. The same flags give the same bytes.
func Export(ctx context.Context, c ExportConfig) (Exported, error) {
	// Little lives longer than its page: at the usual setting the garbage of a page or two would be collected each time.
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	x := &exporter{ExportConfig: c, runs: map[string]string{}, assets: map[string]bool{"dist/export.js": true, "icon.svg": true}}
	if exportScript() == "" {
		return Exported{}, fmt.Errorf("export: the scripts were not built; npm start builds them")
	}
	x.site = NewHandler(Config{Log: slog.New(slog.DiscardHandler), PublicURL: c.PublicURL, exported: true})
	if c.PublicURL != "" {
		x.draw, _ = exec.LookPath("rsvg-convert")
	}
	pages, figures, err := x.list(ctx)
	if err == nil {
		err = x.write(ctx, pages, figures)
	}
	if err != nil {
		return Exported{}, fmt.Errorf("export: %w", err)
	}
	return x.done, nil
}

// save writes a file.
func (x *exporter) save(name string, data []byte) error {
	file := filepath.Join(x.Dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(file, data, 0o644); err != nil {
		return err
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.done.Files++
	x.done.Bytes += int64(len(data))
	return nil
}

// list lists all pages and figures, and gives each run its folder.
func (x *exporter) list(ctx context.Context) (pages []exportPage, figures []string, err error) {
	for _, lang := range x.Langs {
		pages = append(pages, exportPage{"/" + lang.Code(), lang.Code() + "/"})
		for _, chapter := range x.Chapters {
			runs, err := x.runsOf(ctx, lang, chapter)
			if err != nil {
				return nil, nil, err
			}
			for _, l := range runs {
				address := l.String()
				if x.runs[address] != "" {
					continue
				}
				dir := runDir(address)
				x.runs[address], x.runs[l.swapped()] = dir, dir
				pages = append(pages, exportPage{address, dir})
				if len(l.Beside) > 0 {
					continue
				}
				figures = append(figures, address)
				l.Embed = &Embed{Show: exportedShow}
				x.runs[embedPrefix+address] = "embed/" + dir
				pages = append(pages, exportPage{l.String(), "embed/" + dir})
			}
		}
	}
	return pages, figures, nil
}

// exportedShow is what an exported embed has; its script takes out what is not asked for.
const exportedShow = embedDefault | templates.ShowLegend | templates.ShowProtocols | templates.ShowStory | templates.ShowTable

// swapped is the address of the same run with what stands beside it in the other order.
func (l Link) swapped() string {
	l.Beside = slices.Clone(l.Beside)
	slices.Reverse(l.Beside)
	return l.String()
}

// runsOf are the runs of a chapter that are exported: its scenarios and presets, and those to which its text leads, under every protocol,
// each alone, beside each other one and beside each two.
func (x *exporter) runsOf(ctx context.Context, lang templates.Lang, chapter protocol.Chapter) (runs []Link, err error) {
	start := Link{Lang: lang, Chapter: chapter, Scenario: im.Scenarios(chapter.Name)[0], Protocol: chapter.Protocols[0]}
	page, err := x.get(ctx, start.String())
	if err != nil {
		return nil, err
	}
	addresses := textLinks(page)
	for _, tab := range scenarioTabs(start) {
		addresses = append(addresses, tab.Href)
	}
	for _, address := range addresses {
		l, ok := readLink(address)
		if !ok || l.Chapter.Name != chapter.Name || len(l.Scenario.Edits) > 0 {
			continue
		}
		for _, e := range chapter.Protocols {
			for _, beside := range besides(chapter, e.Name) {
				runs = append(runs, Link{Lang: lang, Chapter: chapter, Scenario: l.Scenario, Protocol: e, Beside: beside})
			}
		}
	}
	return runs, nil
}

// besides are what can stand beside a run: nothing, one other protocol, or two in the catalogue's order.
func besides(chapter protocol.Chapter, own string) [][]string {
	all := [][]string{nil}
	others := slices.DeleteFunc(names(chapter.Protocols, func(e protocol.Entry) string { return e.Name }), func(name string) bool { return name == own })
	for i, a := range others {
		all = append(all, []string{a})
		for _, b := range others[i+1:] {
			all = append(all, []string{a, b})
		}
	}
	return all
}

// textLinks are the links of a chapter's page that are not part of its run, nor of what asks for very many.
func textLinks(page string) (all []string) {
	doc, err := html.Parse(strings.NewReader(page))
	if err != nil {
		return nil
	}
	var walk func(*html.Node)
	walk = func(n *html.Node) {
		for _, a := range n.Attr {
			if a.Key == "id" && slices.Contains([]string{"lab", "often", "find", "estimates"}, a.Val) {
				return
			}
			if a.Key == "href" && n.Data == "a" {
				all = append(all, a.Val)
			}
		}
		for c := range n.ChildNodes() {
			walk(c)
		}
	}
	walk(doc)
	return all
}

// runDir is the folder of a run: its path, and what differs from the scenario in a name below that.
func runDir(address string) string {
	path, query, _ := strings.Cut(strings.TrimPrefix(address, "/"), "?")
	if query == "" {
		return path + "/"
	}
	return path + "/" + strings.NewReplacer("=", "-", "&", ".", "%", "-").Replace(query) + "/"
}

// get asks the site for what is at an address.
func (x *exporter) get(ctx context.Context, address string) (string, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return "", err
	}
	w := &keptAnswer{header: http.Header{}, status: http.StatusOK}
	x.site.ServeHTTP(w, r)
	if w.status != http.StatusOK {
		return "", fmt.Errorf("%s: status %d", address, w.status)
	}
	return w.body.String(), nil
}

// keptAnswer keeps an answer.
type keptAnswer struct {
	header http.Header
	status int
	body   strings.Builder
}

func (a *keptAnswer) Header() http.Header         { return a.header }
func (a *keptAnswer) WriteHeader(status int)      { a.status = status }
func (a *keptAnswer) Write(p []byte) (int, error) { return a.body.Write(p) }

// write makes all files, each written as soon as it is made: all of them together are more than a memory should have to hold.
func (x *exporter) write(ctx context.Context, pages []exportPage, figures []string) error {
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(2 * runtime.GOMAXPROCS(0)) // while some wait for the disk, others go on
	for _, page := range pages {
		g.Go(func() error { return x.page(gctx, page) })
	}
	for _, run := range figures {
		g.Go(func() error { return x.figure(gctx, run) })
	}
	if err := g.Wait(); err != nil {
		return err
	}
	x.done.Pages = len(pages)
	if err := x.save("index.html", x.frontPage()); err != nil {
		return err
	}
	return x.addAssets(ctx)
}

// page writes a page.
func (x *exporter) page(ctx context.Context, page exportPage) error {
	answer, err := x.get(ctx, page.address)
	if err != nil {
		return err
	}
	r := x.newRewriter(page)
	data := r.page(answer)
	x.mu.Lock()
	for _, asset := range r.assets {
		x.assets[asset] = true
	}
	x.mu.Unlock()
	return x.save(page.dir+"index.html", data)
}

// figure writes the figure of a run's end, and the preview for shared links.
func (x *exporter) figure(ctx context.Context, run string) error {
	figure, err := x.get(ctx, figureOfRun(run, At{End: true}))
	if err != nil {
		return err
	}
	name := figureFile(run)
	if err := x.save(name, []byte(figure)); err != nil || x.draw == "" {
		return err
	}
	if heightOf(figure) > highestPreview {
		if figure, err = x.get(ctx, figureOfRun(run, At{Time: previewOf})); err != nil {
			return err
		}
	}
	picture, err := x.drawPNG(ctx, figure)
	if err != nil {
		return fmt.Errorf("draw %s: %w", name, err)
	}
	x.mu.Lock()
	x.done.Previews++
	x.mu.Unlock()
	return x.save(strings.TrimSuffix(name, ".svg")+".png", picture)
}

// A preview that is very high shows nobody anything, and takes as long to draw as all else; beyond 32767 rsvg-convert draws none. So that
// of a long run shows only its first seconds.
const (
	highestPreview = 4096
	previewOf      = 20 * im.Second
)

func heightOf(figure string) (height int) {
	_, after, _ := strings.Cut(figure, ` height="`)
	text, _, _ := strings.Cut(after, `"`)
	height, _ = strconv.Atoi(text)
	return height
}

// drawPNG makes of a figure what those take who show shared links.
func (x *exporter) drawPNG(ctx context.Context, figure string) ([]byte, error) {
	command := exec.CommandContext(ctx, x.draw, "--format", "png")
	command.Stdin = strings.NewReader(figure)
	return command.Output()
}

// figureOfRun is the address of the figure of a run at a moment; figureFile is the file of that of its end.
func figureOfRun(run string, at At) string {
	l, _ := readLink(run)
	return l.at(at).inFile("svg").String()
}

func figureFile(run string) string { return "figure/" + strings.TrimSuffix(runDir(run), "/") + ".svg" }

// addAssets adds the static files, and the script for other people's pages.
func (x *exporter) addAssets(ctx context.Context) error {
	for name := range x.assets {
		data, err := x.get(ctx, "/static/"+name)
		if err != nil {
			return err
		}
		if err := x.save("static/"+name, []byte(data)); err != nil {
			return err
		}
	}
	data, err := x.get(ctx, "/embed.js")
	if err != nil {
		return err
	}
	const before, after = "}?${", "}/?${" // here runs are folders
	if strings.Count(data, before) != 1 {
		return fmt.Errorf("embed.js does not put addresses together as it did")
	}
	return x.save("embed.js", []byte(strings.Replace(data, before, after, 1)))
}

// frontPage leads to the languages.
func (x *exporter) frontPage() []byte {
	var b bytes.Buffer
	b.WriteString(`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>imscope</title>`)
	fmt.Fprintf(&b, `<meta http-equiv="refresh" content="0; url=%s/"></head><body><main><h1>imscope</h1>`, x.Langs[0].Code())
	for _, lang := range x.Langs {
		fmt.Fprintf(&b, `<p><a href="%s/" lang="%s">%s</a></p>`, lang.Code(), lang.Tag(), lang.Name())
	}
	b.WriteString("</main></body></html>\n")
	return b.Bytes()
}

// upward leads from a folder of the export to its top.
func upward(dir string) string {
	return path.Join(slices.Repeat([]string{".."}, strings.Count(dir, "/"))...) + "/"
}
