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
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

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
			for _, n := range elements(document(t, string(data)), func(n *html.Node) bool { return n.DataAtom != atom.Base }) {
				for _, key := range []string{"href", "src", "action", "data-link", "data-on:run", "content"} {
					if value := attr(n, key); strings.HasPrefix(value, "/") || strings.Contains(value, "://") || strings.Contains(value, "@get") {
						t.Errorf("%s: %s=%q", name, key, value)
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
	if files["en/index.html"] != nil || files["zh/polling/index.html"] != nil {
		t.Error("there is more than was asked for")
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
