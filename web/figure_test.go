package web

import (
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"golang.org/x/net/html/atom"

	"imscope/sim/im"
)

// fileAddress is the address of a file of a run.
func fileAddress(prefix, address, kind string) string {
	path, query, _ := strings.Cut(address, "?")
	if query != "" {
		query = "?" + query
	}
	return prefix + path + "." + kind + query
}

var figureAddresses = []string{"/en/ordering", "/zh/ordering/book/by-seq?at=6.24s", "/en/ordering/trio?at=end&look=dark", "/zh/polling?at=4.1s&look=print",
	"/en/offline?at=end", "/zh/offline/several/inbox?locks=unordered&at=end", "/en/ordering?strip=1.55s_3.7s_6.98s_end&look=print", "/zh/polling/hole?show=diagram&at=end",
	"/en/ordering/book/by-id?edits=lose-push-A2-ben_off-ben-2s-3s&at=end", "/en/ordering/random/by-seq?loss=0.3&show=screens_sentences&at=end"}

// TestFigures checks that every figure is valid XML that stands by itself: nothing in it is fetched, moves, or leans on a browser.
func TestFigures(t *testing.T) {
	h := site()
	for _, address := range figureAddresses {
		w := get(h, fileAddress("/figure", address, "svg"))
		svg := w.Body.String()
		if w.Code != http.StatusOK || w.Header().Get("Content-Type") != "image/svg+xml; charset=utf-8" {
			t.Fatalf("%s: status %d, %s", address, w.Code, w.Header().Get("Content-Type"))
		}
		var title, desc string
		d := xml.NewDecoder(strings.NewReader(svg))
		for {
			token, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", address, err)
			}
			if start, ok := token.(xml.StartElement); ok && (start.Name.Local == "title" || start.Name.Local == "desc") {
				var said string
				if err := d.DecodeElement(&said, &start); err != nil {
					t.Fatal(err)
				}
				if start.Name.Local == "title" {
					title = said
				} else {
					desc = said
				}
			}
		}
		if title == "" || len(desc) < 20 {
			t.Errorf("%s: title %q, description %q", address, title, desc)
		}
		for _, never := range []string{"var(", "--", "light-dark", "url(", "href", "@import", "animation", "system-ui", "<a ", "NaN"} {
			if strings.Contains(svg, never) {
				t.Errorf("%s: there is %s in it", address, never)
			}
		}
	}
}

// TestOldPictures checks that what pictures were called still opens.
func TestOldPictures(t *testing.T) {
	h := site()
	for address, to := range map[string]string{"/picture/en/ordering": "/figure/en/ordering.svg", "/picture/zh/ordering/book/by-seq?at=6.24s~0": "/figure/zh/ordering/book/by-seq.svg?at=6.24s~0"} {
		w := get(h, address)
		if got := w.Header().Get("Location"); w.Code != http.StatusMovedPermanently || got != to {
			t.Errorf("%s: status %d, to %s", address, w.Code, got)
		}
		if w := get(h, to); w.Code != http.StatusOK {
			t.Errorf("%s: status %d", to, w.Code)
		}
	}
}

func TestFigureParameters(t *testing.T) {
	h := site()
	for query, offer := range map[string]string{"look=pink": "", "show=table": "", "strip=1s_later&look=dark": "?look=dark", "strip=" + strings.Repeat("1s_", 13): "", "theme=dark": ""} {
		w := get(h, "/figure/en/ordering.svg?"+query)
		all := links(byID(t, document(t, w.Body.String()), "main"))
		if w.Code != http.StatusBadRequest || len(all) != 1 || all[0] != "/figure/en/ordering.svg"+offer {
			t.Errorf("%s: status %d, offers %s", query, w.Code, all)
		}
	}
	for _, address := range []string{"/figure/en/ordering", "/figure/en/ordering.png", "/figure/en/ordering.md", "/story/en/ordering.svg", "/figure/en.svg", "/figure/en/none.svg"} {
		if w := get(h, address); w.Code != http.StatusNotFound {
			t.Errorf("%s: status %d", address, w.Code)
		}
	}
}

// TestStories checks the files that are read: the story tells what the page tells, and steps are the same in both forms.
func TestStories(t *testing.T) {
	h := site()
	for _, address := range []string{"/en/ordering/book/by-seq", "/zh/polling/hole", "/en/offline"} {
		story := get(h, fileAddress("/story", address, "md")).Body.String()
		for _, item := range elements(byID(t, document(t, get(h, address+"?at=end").Body.String()), "happened"), isTag(atom.Span)) {
			if !strings.Contains(story, text(item)) {
				t.Errorf("%s: the story lacks %q", address, text(item))
			}
		}
		var lines []im.StepLine
		if err := json.Unmarshal(get(h, fileAddress("/steps", address, "json")).Body.Bytes(), &lines); err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(get(h, fileAddress("/steps", address, "csv")).Body).ReadAll()
		if err != nil || len(lines) < 10 || len(rows) != len(lines)+1 {
			t.Fatalf("%s: %d steps, %d rows: %v", address, len(lines), len(rows), err)
		}
		for i, line := range lines {
			if got, want := strings.Join(rows[i+1], ","), strings.Join(line.Fields(), ","); got != want {
				t.Errorf("%s: row %d is %s, not %s", address, i+1, got, want)
			}
		}
	}
	if len(im.StepColumns) != len(im.LineOf("", 1, new(im.Step)).Fields()) {
		t.Error("columns and fields differ in number")
	}
}

// TestFiguresShowTheirMoment checks that a figure has all that has happened by its moment, and nothing of what comes after.
func TestFiguresShowTheirMoment(t *testing.T) {
	for _, address := range []string{"/en/ordering/book/by-seq?at=3.62s", "/zh/polling/hole/long-poll?at=4.1s", "/en/ordering/random/by-seq?at=5s"} {
		s, err := playAt(t.Context(), mustLink(t, address))
		if err != nil {
			t.Fatal(err)
		}
		now, all, d := s.view.Now, s.view.Diagram, panelOf(s).Diagram
		var dots, legs, waits int
		for _, dot := range all.Dots {
			if dot.At <= now {
				dots++
			}
		}
		for _, leg := range all.Legs {
			if leg.Leaves <= now {
				legs++
			}
		}
		for _, wait := range all.Waits {
			if wait.From <= now {
				waits++
			}
		}
		if len(d.Dots) != dots || len(d.Legs) != legs || len(d.Waits) != waits || dots == 0 || dots == len(all.Dots) || legs == len(all.Legs) {
			t.Errorf("%s: %d of %d dots, %d of %d legs, %d waits; there should be %d, %d, %d", address, len(d.Dots), len(all.Dots), len(d.Legs), len(all.Legs), len(d.Waits), dots, legs, waits)
		}
		svg := get(site(), fileAddress("/figure", address, "svg")).Body.String()
		if got := strings.Count(svg, "<circle"); got < dots || got >= len(all.Dots) {
			t.Errorf("%s: %d circles are drawn for %d dots", address, got, dots)
		}
	}
}
