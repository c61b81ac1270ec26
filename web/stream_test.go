package web

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/net/html"

	"imscope/templates"
)

// patch is one event of a stream.
type patch struct {
	selector, mode, namespace, elements string
}

// patches reads the events of a stream to its end.
func patches(t *testing.T, r io.Reader) (all []patch) {
	t.Helper()
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 16<<20)
	var p patch
	for lines.Scan() {
		switch name, value, _ := strings.Cut(strings.TrimPrefix(lines.Text(), "data: "), " "); name {
		case "event:":
			if value != "datastar-patch-elements" {
				t.Fatalf("an event %s", value)
			}
			p = patch{mode: "outer", namespace: "html"}
		case "selector":
			p.selector = value
		case "mode":
			p.mode = value
		case "namespace":
			p.namespace = value
		case "elements":
			p.elements += value
		case "":
			if p.selector != "" {
				all = append(all, p)
			}
			p = patch{}
		default:
			t.Fatalf("a line %q", lines.Text())
		}
	}
	if lines.Err() != nil {
		t.Fatal(lines.Err())
	}
	return all
}

// streamOf reads the stream of a link.
func streamOf(t *testing.T, server *httptest.Server, link string) []patch {
	t.Helper()
	answer, err := server.Client().Get(server.URL + "/stream" + link)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if kind := answer.Header.Get("Content-Type"); answer.StatusCode != http.StatusOK || kind != "text/event-stream" {
		t.Fatalf("%s: status %d, %s", link, answer.StatusCode, kind)
	}
	return patches(t, answer.Body)
}

// everySecond checks that the official client, which takes every second node of a drawing's patch, takes all that matters.
func everySecond(t *testing.T, p patch) {
	t.Helper()
	svg := elements(document(t, "<svg>"+p.elements+"</svg>"), func(n *html.Node) bool { return n.Data == "svg" })[0]
	i := 0
	for n := range svg.ChildNodes() {
		if i%2 == 1 && n.Type == html.ElementNode {
			t.Errorf("the official client passes over node %d of %s: %s", i, p.selector, p.elements)
		}
		i++
	}
}

// assemble puts the patches of a stream together, as text: each element that replaces one, with what is appended to those in it.
func assemble(t *testing.T, all []patch) string {
	t.Helper()
	var ids []string
	outer, appended := map[string]string{}, map[string]string{}
	for _, p := range all {
		id := strings.TrimPrefix(p.selector, "#")
		drawn := slices.Contains([]string{"breaks", "ticks", "waits", "legs", "dots", "blocks", "asked"}, strings.TrimRight(id, "-12"))
		switch {
		case p.mode == "append" && drawn == (p.namespace == "svg"):
			if drawn {
				everySecond(t, p)
			}
			appended[id] += p.elements
		case p.mode == "outer" && p.namespace == "html":
			if outer[id] == "" {
				ids = append(ids, id)
			}
			outer[id] = p.elements
		default:
			t.Fatalf("a patch %s %s %s", p.selector, p.mode, p.namespace)
		}
	}
	var b strings.Builder
	for _, id := range ids {
		if id != "more" && id != "why" { // they lie in the stage
			b.WriteString(outer[id])
		}
	}
	whole := strings.Replace(b.String(), `<div id="why" aria-live="polite"></div>`, outer["why"], 1)
	for id, elements := range appended {
		at := strings.Index(whole, `id="`+id+`"`)
		if at < 0 {
			t.Fatalf("there is no #%s", id)
		}
		at = endOf(whole, at)
		whole = whole[:at] + elements + whole[at:]
	}
	streaming := regexp.MustCompile(`<span id="more" hidden data-more="(run|rest)"></span>`)
	if len(streaming.FindAllString(whole, -1)) != 1 {
		t.Fatal("it does not say that more is to come")
	}
	return streaming.ReplaceAllLiteralString(whole, outer["more"])
}

// endOf finds where the end tag begins of an element within whose start tag at lies.
func endOf(text string, at int) int {
	name := regexp.MustCompile(`^\w+`).FindString(text[strings.LastIndexByte(text[:at], '<')+1:])
	depth := 0
	for _, tag := range regexp.MustCompile(`</?`+name+`\b`).FindAllStringIndex(text[at:], -1) {
		if text[at+tag[0]+1] != '/' {
			depth++
		} else if depth--; depth < 0 {
			return at + tag[0]
		}
	}
	return -1
}

// TestStreamGivesThePage checks that the patches of a stream, put together, give what a fresh load of the same link shows, but for what
// the player sets: the moment.
func TestStreamGivesThePage(t *testing.T) {
	server := httptest.NewServer(site())
	defer server.Close()
	check := func(l Link) {
		got := document(t, assemble(t, streamOf(t, server, l.String())))
		replace(t, got, "edits")
		if len(l.Beside) > 0 {
			replace(t, got, "partings")
		}
		want := document(t, get(server.Config.Handler, l.String()).Body.String())
		for _, id := range []string{"guess", "stage", "metrics", "language", "often", "find", "estimates"} {
			g, w := settled(t, byID(t, got, id)), settled(t, byID(t, want, id))
			if g == w {
				continue
			}
			i := 0
			for i < min(len(g), len(w)) && g[i] == w[i] {
				i++
			}
			t.Fatalf("%v: #%s is\n…%s…, on the page\n…%s…", l, id, g[max(0, i-100):min(len(g), i+100)], w[max(0, i-100):min(len(w), i+100)])
		}
	}
	everyLink(func(l Link) {
		if l.Lang == templates.English && !long(&l.Scenario) && !raceOn {
			check(l)
		}
	})
	for _, address := range []string{
		"/zh/ordering/book/by-seq?at=6.24s~0", "/en/ordering?edits=send-a1-6.3s_send-b1-7s&at=6.3s&guess=lines&took=50", "/en/ordering/random/by-seq?phones=5&loss=0.3&reorder=on&fetchloss=on&at=5s",
		"/zh/ordering/random/by-id?loss=0.5&ids=off&dedupe=off&reopen=ben&at=end&guess=same", "/zh/polling/hole/push?at=4s", "/en/ordering",
		"/en/ordering/book/by-seq?edits=lose-push-B2-ana_lose-ask-ana-1&with=arrival_plain&at=end", "/zh/polling/hole/poll-id?with=poll-token_push&at=end", "/en/offline/book/inbox?with=global-id&at=end",
		"/zh/ordering?at=end&why=ben.A2_end", "/en/ordering?at=6s&why=inverted_end", "/en/polling/hole?at=end&why=step_4.2s", "/en/offline/race/global-id?at=end&why=missing_end",
	} {
		check(mustLink(t, address))
	}
}

// replace puts an element that was sent a second time in the place of the first, as the client does.
func replace(t *testing.T, root *html.Node, id string) {
	both := elements(root, func(n *html.Node) bool { return attr(n, "id") == id })
	if len(both) != 2 {
		t.Fatalf("#%s was sent %d times", id, len(both))
	}
	old, last := both[0], both[1]
	last.Parent.RemoveChild(last)
	old.Parent.InsertBefore(last, old)
	old.Parent.RemoveChild(old)
}

// settled writes an element without what depends on the moment.
func settled(t *testing.T, n *html.Node) string {
	drop := func(n *html.Node, names ...string) {
		n.Attr = slices.DeleteFunc(n.Attr, func(a html.Attribute) bool { return slices.Contains(names, a.Key) })
	}
	empty := func(n *html.Node) {
		for n.FirstChild != nil {
			n.RemoveChild(n.FirstChild)
		}
	}
	for _, d := range elements(n, func(*html.Node) bool { return true }) {
		drop(d, "hidden", "aria-current")
		id, class := attr(d, "id"), attr(d, "class")
		switch {
		case strings.HasPrefix(id, "diagram"):
			drop(d, "style") // --h
		case id == "blocks":
			drop(d, "viewbox", "viewBox")
		case id == "heat":
			for cell := range d.ChildNodes() {
				drop(cell, "class")
			}
		case id == "break-rows":
			empty(d)
		case id == "parts":
			drop(d, "data-lit")
		case strings.HasPrefix(id, "now-line"):
			drop(d, "transform")
		case strings.HasPrefix(id, "move-"):
			drop(d, "href", "role", "aria-disabled")
		case id == "clock", id == "sentence", d.Data == "td":
			empty(d)
		case class == "act":
			drop(d, "href")
		case strings.HasPrefix(id, "col-"): // the order of a column's lines is the player's
			items := slices.Collect(d.ChildNodes())
			slices.SortFunc(items, func(a, b *html.Node) int { return strings.Compare(attr(a, "data-i"), attr(b, "data-i")) })
			empty(d)
			for _, item := range items {
				d.AppendChild(item)
			}
			for _, link := range elements(d, func(n *html.Node) bool { return attr(n, "data-why") != "" }) { // those of other lines, too
				link.Parent.InsertBefore(&html.Node{Type: html.TextNode, Data: text(link)}, link)
				link.Parent.RemoveChild(link)
			}
		}
	}
	var b bytes.Buffer
	if err := html.Render(&b, n); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestStreamComesInTime checks the rhythm: the run before its first event first, then the first event, the table that can wait until
// something is seen, the next events each by itself, and later ones some at a time.
func TestStreamComesInTime(t *testing.T) {
	server := httptest.NewServer(site())
	defer server.Close()
	var begin []string
	var each []int
	for _, p := range streamOf(t, server, "/en/ordering/random/by-seq?phones=4&messages=60&loss=0.2") {
		switch n := strings.Count(p.elements, "<li "); {
		case p.mode == "outer" && len(each) < 2:
			begin = append(begin, p.selector)
		case p.selector == "#happened":
			if each = append(each, n); len(each) == 1 {
				begin = append(begin, p.selector)
			}
		}
	}
	if want := []string{"#stage", "#happened", "#metrics"}; !slices.Equal(begin, want) {
		t.Errorf("it begins with %q", begin)
	}
	if len(each) < firstPatches+2 || slices.Max(each[:firstPatches]) != 1 || slices.Max(each) > perPatch || slices.Max(each) < perPatch/4 {
		t.Errorf("events to a patch: %v", each)
	}
}

// TestStreamTellsProblems checks that an address which does not work is told in the place of the page.
func TestStreamTellsProblems(t *testing.T) {
	server := httptest.NewServer(site())
	defer server.Close()
	for address, want := range map[string]string{
		"/en/ordering?loss=2":     "0 … 0.9",
		"/zh/ordering?colour=red": "不是这个页面的参数",
		"/en/ordering/none":       `href="/en/ordering/trio"`,
		"/en/none":                "There is no chapter called “none”",
		"/fr/ordering":            "There is nothing at this address",
		"/zh/ordering/random/by-seq?phones=5&messages=120&loss=0.9&rto=50ms": "这次运行太长，一页放不下",
	} {
		all := streamOf(t, server, address)
		if last := all[len(all)-1]; last.selector != "#main" || last.mode != "inner" || !strings.Contains(last.elements, want) {
			t.Errorf("%s: the last patch is %+v", address, last)
		}
	}
}

// streamLog is a log that tells of each stream that has ended how many bytes it sent.
type streamLog struct {
	slog.Handler
	ended chan int64
}

func newStreamLog() *streamLog {
	return &streamLog{slog.NewTextHandler(io.Discard, nil), make(chan int64, 1000)}
}

func (l *streamLog) Handle(_ context.Context, r slog.Record) error {
	var url string
	var sent int64
	r.Attrs(func(a slog.Attr) bool {
		switch a.Key {
		case "url":
			url = a.Value.String()
		case "bytes":
			sent = a.Value.Int64()
		}
		return true
	})
	if strings.HasPrefix(url, "/stream/") {
		l.ended <- sent
	}
	return nil
}

// within waits for a stream to end.
func (l *streamLog) within(t *testing.T, d time.Duration) (sent int64) {
	t.Helper()
	select {
	case sent = <-l.ended:
	case <-time.After(d):
		t.Fatalf("the stream did not end within %v", d)
	}
	return sent
}

// narrow makes connections that hold next to nothing back, so that the server feels at once when nobody reads.
type narrow struct{ net.Listener }

func (n narrow) Accept() (net.Conn, error) {
	c, err := n.Listener.Accept()
	if err == nil {
		err = c.(*net.TCPConn).SetWriteBuffer(1)
	}
	return c, err
}

func narrowServer(t *testing.T) (address string, log *streamLog) {
	log = newStreamLog()
	server := httptest.NewUnstartedServer(Handler(slog.New(log)))
	server.Listener = narrow{server.Listener}
	server.Start()
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	return server.Listener.Addr().String(), log
}

// askStream asks for a compressed stream, on a connection of its own.
func askStream(t *testing.T, address, link string) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	fmt.Fprintf(c, "GET /stream%s HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\nConnection: close\r\n\r\n", link)
	return c
}

// beginStream asks for a stream and reads so many bytes of the answer, and no more.
func beginStream(t *testing.T, address, link string, bytes int64) net.Conn {
	t.Helper()
	c := askStream(t, address, link)
	if err := c.(*net.TCPConn).SetReadBuffer(1); err != nil {
		t.Fatal(err)
	}
	if n, err := io.CopyN(io.Discard, c, bytes); err != nil {
		t.Fatalf("after %d bytes of the stream: %v", n, err)
	}
	return c
}

// wholeStream is the size of a stream.
func wholeStream(t *testing.T, address, link string) int64 {
	t.Helper()
	n, err := io.Copy(io.Discard, askStream(t, address, link))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

const longStream = "/en/ordering/random/by-seq?messages=300&at=end"

// TestStreamEndsWithItsReader checks that a run is played no further when its reader has left, or has not read for too long. Who reads
// slowly gets it all.
func TestStreamEndsWithItsReader(t *testing.T) {
	defer func(d time.Duration) { patience = d }(patience)
	patience = 500 * time.Millisecond
	address, log := narrowServer(t)
	whole := wholeStream(t, address, longStream)
	log.within(t, time.Second)

	slow := askStream(t, address, longStream)
	if err := slow.(*net.TCPConn).SetReadBuffer(16 << 10); err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	var got bytes.Buffer
	for err := error(nil); err == nil; _, err = io.CopyN(&got, slow, 8000) {
		time.Sleep(patience / 8)
	}
	log.within(t, time.Second)
	if took := time.Since(start); !strings.HasSuffix(got.String(), "\r\n0\r\n\r\n") || took < 2*patience {
		t.Errorf("a slow reader got %d bytes of %d in %v", got.Len(), whole, took)
	}

	beginStream(t, address, longStream, 4000).Close()
	if sent := log.within(t, 5*time.Second); sent > whole/2 {
		t.Errorf("the reader left, and the stream sent %d bytes of %d", sent, whole)
	}
	start = time.Now()
	beginStream(t, address, longStream, 4000)
	sent := log.within(t, 10*time.Second)
	if took := time.Since(start); sent > whole/2 || took < patience {
		t.Errorf("the reader did not read on, and the stream sent %d bytes of %d in %v", sent, whole, took)
	}
}

// slowReader reads nearly all of a stream, and then keeps whoever writes more waiting until it is let go.
type slowReader struct {
	header http.Header
	taken  int
	takes  map[string]int // by encoding
	full   func()         // called when it has taken them
	gone   chan struct{}
}

func (r *slowReader) Header() http.Header              { return r.header }
func (r *slowReader) WriteHeader(int)                  {}
func (r *slowReader) Flush()                           {}
func (r *slowReader) SetWriteDeadline(time.Time) error { return nil }
func (r *slowReader) Write(p []byte) (int, error) {
	r.taken += len(p)
	if takes, limited := r.takes[r.header.Get("Content-Encoding")]; !limited || r.taken < takes {
		return len(p), nil
	}
	r.full()
	<-r.gone
	return 0, io.ErrClosedPipe
}

// TestManyStreams keeps 200 streams waiting close to their end, where each has its whole run in memory.
func TestManyStreams(t *testing.T) {
	const streams = 200
	h := site()
	read := func(r *slowReader, encodings string) int {
		ask := httptest.NewRequest(http.MethodGet, "/stream/en/ordering/random/by-seq", nil)
		ask.Header.Set("Accept-Encoding", encodings)
		r.header = http.Header{}
		h.ServeHTTP(r, ask)
		return r.taken
	}
	most := map[string]int{"gzip": read(&slowReader{}, "gzip") - 1000, "": read(&slowReader{}, "") - 10_000}

	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	var full, over sync.WaitGroup
	gone := make(chan struct{})
	full.Add(streams)
	for range streams {
		over.Go(func() { read(&slowReader{takes: most, full: sync.OnceFunc(full.Done), gone: gone}, "gzip") })
	}
	full.Wait()
	runtime.GC()
	runtime.ReadMemStats(&after)
	close(gone)
	over.Wait()
	grown := (int64(after.HeapAlloc) - int64(before.HeapAlloc)) / 1_000_000
	t.Logf("%d streams of %v bytes hold %d MB", streams, most, grown)
	if grown > 100 || grown < 1 {
		t.Errorf("%d streams hold %d MB", streams, grown)
	}
	if len(zips) != cap(zips) {
		t.Errorf("of %d compressors %d came back", cap(zips), len(zips))
	}
}
