package web

import (
	"bufio"
	"net/http/httptest"
	"testing"
)

// A page is played and drawn from nothing for every request.

func BenchmarkBookPage(b *testing.B) { benchmarkPage(b, "/en/ordering/book/by-seq?at=6.24s") }

func BenchmarkLargestPage(b *testing.B) {
	benchmarkPage(b, "/en/ordering/random/by-seq?phones=5&messages=120&at=end")
}

func benchmarkPage(b *testing.B, address string) {
	p := pages{style: assetPath("app.css"), scripts: scripts()}
	l := mustLink(b, address)
	b.ReportAllocs()
	for b.Loop() {
		page, err := p.chapterPage(b.Context(), l)
		if err != nil {
			b.Fatal(err)
		}
		if err := l.lesson().page(page).Render(b.Context(), discard{}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/1000/float64(b.N), "ms/page")
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }

// BenchmarkFirstEvent measures from the request of a stream to its first event of the run, on loopback and a kept connection.
func BenchmarkFirstEvent(b *testing.B) {
	server := httptest.NewServer(site())
	defer server.Close()
	b.ReportAllocs()
	for b.Loop() {
		answer, err := server.Client().Get(server.URL + "/stream/en/ordering/random/by-seq")
		if err != nil {
			b.Fatal(err)
		}
		lines := bufio.NewScanner(answer.Body)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() && lines.Text() != "data: selector #happened" {
		}
		b.StopTimer()
		for lines.Scan() { // else the rest would be played beside the next
		}
		answer.Body.Close()
		if lines.Err() != nil {
			b.Fatal(lines.Err())
		}
		b.StartTimer()
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/1000/float64(b.N), "ms/first")
}
