package browser

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/chromedp/chromedp"

	"imscope/web"
)

const (
	// farApart is by how much a channel of a pixel may differ between two programs before the pixel counts: edges are smoothed differently.
	farApart = 64
	// mayDiffer is the share of pixels that may count.
	mayDiffer = 0.0005
)

// TestFiguresLookAlike draws figures with Chromium and with rsvg-convert, without their text, whose fonts are those of the program, and
// compares the pixels.
func TestFiguresLookAlike(t *testing.T) {
	if _, err := exec.LookPath("rsvg-convert"); err != nil {
		lacking(t, "no rsvg-convert on this machine")
	}
	site := web.Handler(slog.New(slog.DiscardHandler))
	texts := regexp.MustCompile(`<text[^>]*>[^<]*</text>`)
	for i, address := range []string{"/figure/en/ordering/book/by-seq.svg?at=6.24s", "/figure/zh/ordering.svg?look=dark&strip=1.55s_3.7s_6.98s_end",
		"/figure/en/offline/book/inbox.svg?look=print&at=end", "/figure/zh/polling/hole.svg?at=4.1s", "/figure/en/ordering/trio.svg?look=print&at=end"} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			w := httptest.NewRecorder()
			site.ServeHTTP(w, httptest.NewRequest(http.MethodGet, address, nil))
			if w.Code != http.StatusOK {
				t.Fatalf("%s: status %d", address, w.Code)
			}
			keep(t, fmt.Sprintf("figure-%d.svg", i), w.Body.Bytes())
			bare := texts.ReplaceAll(w.Body.Bytes(), nil)
			a, b := byChromium(t, bare), byRsvg(t, bare)
			if a.Bounds().Size() != b.Bounds().Size() {
				t.Fatalf("%s: Chromium draws %v, rsvg-convert %v", address, a.Bounds().Size(), b.Bounds().Size())
			}
			share := difference(a, b)
			t.Logf("%s: %.4f%% of the pixels differ", address, share*100)
			if share > mayDiffer {
				t.Errorf("%s: %.3f%% of the pixels differ", address, share*100)
			}
		})
	}
}

// keep leaves a file in the folder of IMSCOPE_SHOTS.
func keep(t *testing.T, name string, data []byte) {
	if dir := os.Getenv("IMSCOPE_SHOTS"); dir != "" {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			t.Log(err)
		}
	}
}

func byRsvg(t *testing.T, svg []byte) image.Image {
	t.Helper()
	command := exec.CommandContext(t.Context(), "rsvg-convert", "--format", "png")
	command.Stdin = bytes.NewReader(svg)
	out, err := command.Output()
	if err != nil {
		t.Fatalf("rsvg-convert: %v", err)
	}
	return decode(t, out)
}

func byChromium(t *testing.T, svg []byte) image.Image {
	t.Helper()
	size := regexp.MustCompile(`width="(\d+)" height="(\d+)"`).FindSubmatch(svg)
	var width, height int
	fmt.Sscan(string(size[1]), &width)
	fmt.Sscan(string(size[2]), &height)
	url := startServer(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "image/svg+xml")
		_, _ = w.Write(svg)
	}))
	tb := newTab(t, options{Width: width, Height: height})
	tb.open(url)
	return decode(t, run(tb, chromedp.FullScreenshot(100)))
}

func decode(t *testing.T, data []byte) image.Image {
	t.Helper()
	picture, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return picture
}

// difference is the share of pixels that are far apart.
func difference(a, b image.Image) float64 {
	size := a.Bounds().Size()
	var far int
	for y := range size.Y {
		for x := range size.X {
			r1, g1, b1, _ := a.At(a.Bounds().Min.X+x, a.Bounds().Min.Y+y).RGBA()
			r2, g2, b2, _ := b.At(b.Bounds().Min.X+x, b.Bounds().Min.Y+y).RGBA()
			if apart(r1, r2) || apart(g1, g2) || apart(b1, b2) {
				far++
			}
		}
	}
	return float64(far) / float64(size.X*size.Y)
}

func apart(a, b uint32) bool { return max(a, b)-min(a, b) > farApart<<8 }
