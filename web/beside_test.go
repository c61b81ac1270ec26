package web

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// estimatingReaders is how many are at their estimates at once.
const estimatingReaders = 10

// besideViews is how many page views a 99th percentile is taken of.
const besideViews = 300

// estimated are the runs whose estimates are counted: the most usual ones, and those that take the most memory.
var estimated = []string{"ordering/random/by-id", "offline/book/inbox"}

// BenchmarkPageBesideEstimates measures how long a reader waits for a page while ten others have their estimates counted, and, before, for
// the same page with nobody else there.
func BenchmarkPageBesideEstimates(b *testing.B) {
	for _, run := range estimated {
		b.Run(run, func(b *testing.B) { benchmarkBeside(b, run) })
	}
}

func benchmarkBeside(b *testing.B, run string) {
	server := httptest.NewServer(site())
	defer server.Close()
	views := func() (took []time.Duration) {
		for range besideViews {
			time.Sleep(20 * time.Millisecond) // one looks at a page before one asks for the next
			start := time.Now()
			fetchAll(b, b.Context(), server.URL+"/en/ordering/book/by-seq?at=6.24s")
			took = append(took, time.Since(start))
		}
		return took
	}
	var alone, beside []time.Duration
	var ended atomic.Int64
	for b.Loop() {
		alone = append(alone, views()...)
		ctx, leave := context.WithCancel(b.Context())
		var readers sync.WaitGroup
		for reader := range estimatingReaders {
			readers.Go(func() {
				for n := 0; ctx.Err() == nil; n++ {
					fetchAll(b, ctx, estimateOf(server, run, reader, n))
					ended.Add(1)
				}
			})
		}
		time.Sleep(nextFigures) // all have begun
		beside = append(beside, views()...)
		leave()
		readers.Wait()
	}
	for _, percent := range []int{50, 99} {
		without, with := quantile(alone, percent), quantile(beside, percent)
		b.ReportMetric(without.Seconds()*1e3, fmt.Sprintf("ms-alone-p%d", percent))
		b.ReportMetric(with.Seconds()*1e3, fmt.Sprintf("ms-beside-p%d", percent))
		b.ReportMetric(with.Seconds()/without.Seconds(), fmt.Sprintf("beside/alone-p%d", percent))
	}
	b.ReportMetric(float64(ended.Load())/float64(b.N), "estimates") // how many readers had theirs meanwhile
	b.ReportMetric(0, "ns/op")                                      // is mostly pauses
}

// BenchmarkEstimatesTogether measures how long ten readers wait for their first figures and for all of them when nobody looks at pages.
func BenchmarkEstimatesTogether(b *testing.B) {
	for _, run := range estimated {
		b.Run(run, func(b *testing.B) { benchmarkTogether(b, run) })
	}
}

func benchmarkTogether(b *testing.B, run string) {
	server := httptest.NewServer(site())
	defer server.Close()
	var first [estimatingReaders]time.Duration
	for n := 0; b.Loop(); n++ {
		var readers sync.WaitGroup
		for reader := range estimatingReaders {
			readers.Go(func() {
				first[reader] = max(first[reader], fetchAll(b, b.Context(), estimateOf(server, run, reader, n)))
			})
		}
		readers.Wait()
	}
	b.ReportMetric(slices.Max(first[:]).Seconds()*1e3, "ms-first")
	b.ReportMetric(float64(b.N*estimatingReaders)/b.Elapsed().Seconds(), "estimates/s")
}

// estimateOf is the stream of a reader's n-th estimate; no two are of the same run.
func estimateOf(server *httptest.Server, run string, reader, n int) string {
	return fmt.Sprintf("%s/stream/en/%s/often?seed=%d", server.URL, run, 100+reader+n*estimatingReaders)
}

// fetchAll reads an answer to its end, or until ctx ends, and tells when its first byte came.
func fetchAll(b *testing.B, ctx context.Context, address string) (first time.Duration) {
	start := time.Now()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		b.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(request)
	if err == nil {
		_, err = answer.Body.Read(make([]byte, 1))
		first = time.Since(start)
		if err == nil {
			_, err = io.Copy(io.Discard, answer.Body)
		}
		answer.Body.Close()
	}
	if ctx.Err() == nil && (err != nil || answer.StatusCode != http.StatusOK) {
		b.Errorf("%s: %v", address, err)
	}
	return first
}

// quantile is the nearest-rank quantile.
func quantile(all []time.Duration, percent int) time.Duration {
	sorted := slices.Sorted(slices.Values(all))
	return sorted[max(1, (len(sorted)*percent+99)/100)-1]
}
