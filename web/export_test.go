package web

import (
	"bytes"
	"compress/gzip"
	"encoding/xml"
	"errors"
	"image/png"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"imscope/sim/im"
	"imscope/sim/protocol"
	"imscope/templates"
)

// exportOrdering exports one chapter, and returns its files by name.
func exportOrdering(t *testing.T, c ExportConfig) map[string][]byte {
	t.Helper()
	if exportScript() == "" {
		t.Skip("the scripts were not built; npm test builds them")
	}
	chapter, _ := protocol.FindChapter("ordering")
	c.Dir, c.Chapters = t.TempDir(), []protocol.Chapter{chapter}
	if _, err := Export(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	err := filepath.WalkDir(c.Dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, _ := filepath.Rel(c.Dir, path)
		files[filepath.ToSlash(name)], err = os.ReadFile(path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// TestExportIsTheSame checks that an export is byte for byte the same each time, previews too.
func TestExportIsTheSame(t *testing.T) {
	c := ExportConfig{Langs: templates.Langs, PublicURL: "https://book.example/lab", Live: "https://live.example"}
	a, b := exportOrdering(t, c), exportOrdering(t, c)
	if len(a) != len(b) {
		t.Errorf("%d files, then %d", len(a), len(b))
	}
	for name, data := range a {
		if !bytes.Equal(data, b[name]) {
			t.Errorf("%s is another the second time", name)
		}
	}
	// What has to be absolute is; what needs the engine leads there.
	og := shared(document(t, string(a["zh/ordering/book/by-seq/index.html"])))
	picture := "figure/zh/ordering/book/by-seq.svg"
	if _, err := exec.LookPath("rsvg-convert"); err == nil {
		picture = strings.TrimSuffix(picture, ".svg") + ".png"
	}
	if og["url"] != c.PublicURL+"/zh/ordering/book/by-seq/" || og["image"] != c.PublicURL+"/"+picture || a[picture] == nil {
		t.Errorf("a shared link shows %v", og)
	}
	if page := string(a["en/ordering/index.html"]); !strings.Contains(page, `href="https://live.example/en/ordering"`) || !strings.Contains(page, `data-live="https://live.example"`) {
		t.Error("the page does not lead to the engine")
	}
}

// TestExportStandsAlone checks that without flags nothing in an export is absolute, that its figures are valid, and that its embeds are small.
func TestExportStandsAlone(t *testing.T) {
	files := exportOrdering(t, ExportConfig{Langs: []templates.Lang{templates.Chinese}})
	for name, data := range files {
		switch filepath.Ext(name) {
		case ".html":
			page := document(t, string(data))
			if base := elements(page, isTag(atom.Base)); name != "index.html" && (len(base) != 1 || attr(base[0], "href") != strings.Repeat("../", strings.Count(name, "/"))) {
				t.Errorf("%s: its links do not begin at the top", name)
			}
			for _, n := range elements(page, func(n *html.Node) bool { return n.DataAtom != atom.Base }) {
				for _, key := range []string{"href", "src", "action", "data-link", "data-on:run", "content"} {
					if value := attr(n, key); strings.HasPrefix(value, "/") || strings.Contains(value, "://") || strings.Contains(value, "@get") {
						t.Errorf("%s: %s=%q", name, key, value)
					}
					if key != "content" && key != "data-on:run" && !leadsToFile(files, attr(n, key)) {
						t.Errorf("%s: %s=%q, where nothing is", name, key, attr(n, key))
					}
				}
			}
		case ".svg":
			for d := xml.NewDecoder(bytes.NewReader(data)); ; {
				if _, err := d.Token(); errors.Is(err, io.EOF) {
					break
				} else if err != nil {
					t.Errorf("%s: %v", name, err)
					break
				}
			}
		}
		if strings.HasPrefix(name, "embed/") && !strings.Contains(name, "random") {
			var packed bytes.Buffer
			z, _ := gzip.NewWriterLevel(&packed, 9)
			_, _ = z.Write(data)
			_ = z.Close()
			if packed.Len() > 10_000 {
				t.Errorf("%s costs %d bytes", name, packed.Len())
			}
		}
	}
	for _, name := range []string{"index.html", "embed.js", "zh/index.html", "zh/ordering/trio/by-id/index.html", "zh/ordering/book/by-seq/with-by-id/index.html", "embed/zh/ordering/index.html", "figure/zh/ordering.svg", "static/icon.svg"} {
		if files[name] == nil {
			t.Errorf("there is no %s", name)
		}
	}
	if embed := string(files["embed.js"]); !strings.Contains(embed, "}/?${") || strings.Contains(embed, "}?${") {
		t.Error("embed.js does not ask for folders")
	}
	if files["en/index.html"] != nil || files["zh/polling/index.html"] != nil {
		t.Error("there is more than was asked for")
	}
}

// leadsToFile reports whether a file is where an address leads, counted from the top of the export.
func leadsToFile(files map[string][]byte, address string) bool {
	path, _, _ := strings.Cut(address, "#")
	path, _, _ = strings.Cut(path, "?")
	if path == "" || strings.HasSuffix(path, "/") {
		path += "index.html"
	}
	return files[path] != nil
}

// TestExportHasEveryRun checks that in an export of everything every run is alone, beside each other protocol, and beside each two, and
// that from each the tabs lead to others of the export, not to the engine.
func TestExportHasEveryRun(t *testing.T) {
	x := &exporter{ExportConfig: ExportConfig{Langs: templates.Langs, Chapters: protocol.Catalog}, runs: map[string]string{}, site: site()}
	pages, figures, err := x.list(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	folders := map[string]bool{}
	for _, page := range pages {
		if folders[page.dir] {
			t.Errorf("two pages are in %s", page.dir)
		}
		folders[page.dir] = true
	}
	together := map[string]int{} // how many ways there are to put so many runs beside one, by the run
	for _, page := range pages {
		l, ok := readLink(page.address)
		if !ok { // a start page, or an embed
			continue
		}
		run := l.with(func(l *Link) { l.Beside = nil }).String()
		together[run]++
		if len(l.Beside) == 0 && (!folders["embed/"+page.dir] || !slices.Contains(figures, run)) {
			t.Errorf("%s has no embed or no figure", run)
		}
		tabs := append(protocolTabs(l), compareTabs(l)...)
		if !strings.Contains(page.address, "too-far") { // which the other absences would keep
			tabs = append(tabs, scenarioTabs(l)...)
		}
		for _, tab := range tabs {
			if _, ok := x.newRewriter(page).to(tab.Href); !ok {
				t.Errorf("%s: there is no %s", page.address, tab.Href)
			}
		}
	}
	for run, n := range together {
		l, _ := readLink(run)
		others := len(l.Chapter.Protocols) - 1
		if want := 1 + others + others*(others-1)/2; n != want {
			t.Errorf("%s is there %d times, not %d", run, n, want)
		}
	}
	for _, lang := range templates.Langs {
		for _, chapter := range protocol.Catalog {
			for _, s := range im.Scenarios(chapter.Name) {
				for _, e := range chapter.Protocols {
					if run := (Link{Lang: lang, Chapter: chapter, Scenario: s, Protocol: e}).String(); together[run] == 0 {
						t.Errorf("there is no %s", run)
					}
				}
			}
		}
	}
}

// TestPreviewOfALongRun checks that a long run, whose figure is higher than any picture may be, has a preview like all others.
func TestPreviewOfALongRun(t *testing.T) {
	program, err := exec.LookPath("rsvg-convert")
	if err != nil {
		t.Skip("no rsvg-convert on this machine")
	}
	x := &exporter{ExportConfig: ExportConfig{Dir: t.TempDir(), PublicURL: "https://book.example/lab"}, site: site(), draw: program}
	const run = "/en/polling/random/push"
	if err := x.figure(t.Context(), run); err != nil {
		t.Fatal(err)
	}
	figure, err := os.ReadFile(filepath.Join(x.Dir, figureFile(run)))
	if err != nil || heightOf(string(figure)) <= highestPreview {
		t.Errorf("the figure is %d high, %v; is it not a long run?", heightOf(string(figure)), err)
	}
	file, err := os.Open(filepath.Join(x.Dir, "figure/en/polling/random/push.png"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if c, err := png.DecodeConfig(file); err != nil || c.Height > highestPreview || c.Height < 300 {
		t.Errorf("the preview is %d × %d: %v", c.Width, c.Height, err)
	}
}
