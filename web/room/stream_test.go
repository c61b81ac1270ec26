package room

import (
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// drawn is a view that tells what it draws, and how often.
type drawn struct{ runs, asks atomic.Int64 }

func (d *drawn) view(lang string) View {
	return View{Kind: "test", Lang: lang, Draw: func(_ context.Context, part Part, u Update) ([]byte, error) {
		if part == Ask {
			d.asks.Add(1)
			if u.State.Question == nil {
				return nil, nil
			}
			return fmt.Appendf(nil, "event: ask\ndata: %s %v\n\n", u.State.Question.ID, u.Tally != nil), nil
		}
		d.runs.Add(1)
		return fmt.Appendf(nil, "event: run\ndata: %s %s %s\n\n", lang, u.State.Link, strings.Repeat("x", 60_000)), nil
	}}
}

// site serves the streams of a class.
func (c *class) site(d *drawn) *httptest.Server {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var f *Follower
		var err error
		if r.URL.Path == "/desk" {
			f, err = c.FollowDesk(r.Context(), c.Presenter)
		} else {
			f, err = c.Rooms.Follow(r.Context(), c.Code)
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusConflict)
			return
		}
		defer f.Close()
		if err := c.Stream(w, r, f, d.view(r.URL.Query().Get("lang"))); err != nil && !errors.Is(err, ErrEnded) && r.Context().Err() == nil {
			c.Log(err)
		}
	}))
	c.Cleanup(func() {
		c.EndStreams()
		s.Close()
	})
	return s
}

// listener reads a stream event by event.
type listener struct {
	t    *testing.T
	body io.Reader
	scan *bufio.Scanner
	size int // of the last event
}

// listen opens a stream; encoding is what it accepts.
func listen(t *testing.T, url, encoding string) *listener {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	t.Cleanup(cancel)
	r, _ := http.NewRequestWithContext(ctx, "GET", url, nil)
	r.Header.Set("Accept-Encoding", encoding)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = answer.Body.Close() })
	l := &listener{t: t, body: answer.Body}
	if answer.Header.Get("Content-Encoding") == "gzip" {
		if l.body, err = gzip.NewReader(answer.Body); err != nil {
			t.Fatal(err)
		}
	}
	l.scan = bufio.NewScanner(l.body)
	l.scan.Buffer(nil, 1<<20)
	l.scan.Split(func(data []byte, eof bool) (int, []byte, error) {
		if i := strings.Index(string(data), "\n\n"); i >= 0 {
			return i + 2, data[:i], nil
		}
		return 0, nil, nil
	})
	return l
}

// wants reads the next event, which must contain all the words.
func (l *listener) wants(words ...string) {
	l.t.Helper()
	if !l.scan.Scan() {
		l.t.Fatalf("no event with %q: %v", words, l.scan.Err())
	}
	text := l.scan.Text()
	l.size = len(text) + 2
	for _, w := range words {
		if !strings.Contains(text, w) {
			l.t.Fatalf("%q is not in %.300s", w, text)
		}
	}
}

func TestStream(t *testing.T) {
	for _, encoding := range []string{"identity", "gzip"} {
		t.Run(encoding, func(t *testing.T) {
			c := newClass(t, open(t, Config{}))
			c.drive(func(s *State) { s.At, s.Playing = "1s", true })
			d := new(drawn)
			site := c.site(d)
			zh, en := listen(t, site.URL+"/?lang=zh", encoding), listen(t, site.URL+"/?lang=en", encoding)
			for _, l := range []*listener{zh, en} {
				l.wants("retry: 1000")
				l.wants("event: run", link)
				l.wants("event: datastar-patch-signals\ndata: signals {", `"at":"1s","play":true,"speed":1,"real":false,"age":`, `"blank":false,"live":true,"gone":false`)
			}
			third := listen(t, site.URL+"/?lang=zh", encoding)
			third.wants("retry")
			third.wants("zh " + link)
			third.wants(`"at":"1s"`)
			if n := d.runs.Load(); n != 2 {
				t.Errorf("the run was drawn %d times for two languages", n)
			}

			c.at("12345678.901234s~1234567890")
			for _, l := range []*listener{zh, en, third} {
				l.wants(`"at":"12345678.901234s~1234567890"`)
				if l.size >= 300 {
					t.Errorf("a change of the clock takes %d bytes", l.size)
				}
			}
			c.ask(Question{ID: "q1", Chapter: true, Choices: 2, Open: true})
			zh.wants("event: ask", "q1 false")
			zh.wants("signals")
			c.drive(func(s *State) { s.Link = "/polling" })
			zh.wants("event: run", "/polling")
			zh.wants("signals")

			c.EndStreams()
			if _, err := io.Copy(io.Discard, zh.body); err != nil { // gzip checks the sum and the length
				t.Errorf("the stream ends with %v", err)
			}
			if zh.scan.Scan() {
				t.Errorf("there is more: %s", zh.scan.Text())
			}
			if err := zh.scan.Err(); err != nil && err != io.ErrUnexpectedEOF {
				t.Errorf("the stream ends with %v", err)
			}
		})
	}
}

func TestDeskStream(t *testing.T) {
	c := newClass(t, open(t, Config{}))
	site := c.site(new(drawn))
	desk := listen(t, site.URL+"/desk", "gzip")
	desk.wants("retry")
	desk.wants("event: run")
	desk.wants(`{"room":`)
	desk.wants(`{"desk":{"here":0,"answers":0,"step":-1,"driver":""}}`)
	listen(t, site.URL, "gzip").wants("retry")
	desk.wants(`"here":1`)
}

func TestHeartbeat(t *testing.T) {
	c := newClass(t, open(t, Config{Beat: 50 * time.Millisecond}))
	l := listen(t, c.site(new(drawn)).URL, "gzip")
	l.wants("retry")
	l.wants("run")
	l.wants("signals")
	l.wants(":")
	l.wants(":")
	c.at("1s")
	for range 50 {
		l.wants("")
		if strings.Contains(l.scan.Text(), `"at":"1s"`) {
			return
		}
	}
	t.Error("the clock did not come")
}

// TestSlowReader checks that who does not read for a while gets the newest state next, and that nothing is kept for it meanwhile.
func TestSlowReader(t *testing.T) {
	c := newClass(t, open(t, Config{Patience: time.Minute}))
	d := new(drawn)
	in, out := net.Pipe() // it holds nothing back: who does not read stops the writer at once
	defer in.Close()
	f := c.follow(c.Rooms)
	var done sync.WaitGroup
	done.Go(func() {
		_ = c.Stream(&pipeWriter{out}, httptest.NewRequestWithContext(t.Context(), "GET", "/", nil), f, d.view("en"))
	})
	fast := c.follow(c.Rooms)
	goroutines := runtime.NumGoroutine()
	for n := range 100 {
		c.at(fmt.Sprintf("%ds", n+1))
	}
	until(t, fast, "the last moment", at("100s"))
	if n := runtime.NumGoroutine(); n > goroutines+2 {
		t.Errorf("%d goroutines more", n-goroutines)
	}
	l := &listener{t: t, scan: bufio.NewScanner(in)}
	var signals []string
	for len(signals) == 0 || !strings.Contains(signals[len(signals)-1], `"at":"100s"`) {
		if !l.scan.Scan() {
			t.Fatal(l.scan.Err())
		}
		if strings.HasPrefix(l.scan.Text(), "data: signals") {
			signals = append(signals, l.scan.Text())
		}
	}
	if len(signals) > 3 {
		t.Errorf("%d states were kept for it: %s", len(signals), signals)
	}
	c.EndStreams()
	go func() { _, _ = io.Copy(io.Discard, in) }()
	done.Wait()
}

// pipeWriter is a response whose connection is a pipe.
type pipeWriter struct{ net.Conn }

func (p *pipeWriter) Header() http.Header { return http.Header{} }
func (p *pipeWriter) WriteHeader(int)     {}
func (p *pipeWriter) Flush()              {}

// TestImpatience checks that a stream ends that is not read for too long.
func TestImpatience(t *testing.T) {
	c := newClass(t, open(t, Config{Patience: 50 * time.Millisecond}))
	in, out := net.Pipe()
	defer in.Close()
	err := c.Stream(&pipeWriter{out}, httptest.NewRequestWithContext(t.Context(), "GET", "/", nil), c.follow(c.Rooms), new(drawn).view("en"))
	var timeout net.Error
	if !errors.As(err, &timeout) || !timeout.Timeout() {
		t.Errorf("it ended with %v", err)
	}
}

// TestFrames checks that any frames in a row are a stream of gzip that ends well.
func TestFrames(t *testing.T) {
	draw := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		w := httptest.NewRecorder()
		o := newOutput(&deadlines{w}, time.Minute, true)
		var want strings.Builder
		for range draw.IntN(12) {
			plain := strings.Repeat(fmt.Sprint(draw.Uint64()), 1+draw.IntN(1+draw.IntN(3000)))
			want.WriteString(plain)
			f := newFrame([]byte(plain))
			o.send(&f)
		}
		if err := o.end(); err != nil {
			t.Fatal(err)
		}
		z, err := gzip.NewReader(w.Body)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(z); err != nil || string(got) != want.String() {
			t.Fatalf("%d bytes of %d: %v", len(got), want.Len(), err)
		}
	}
}

type deadlines struct{ *httptest.ResponseRecorder }

func (*deadlines) SetWriteDeadline(time.Time) error { return nil }

// TestNoLeaks checks that what followed, streamed and closed leaves no goroutine.
func TestNoLeaks(t *testing.T) {
	before := runtime.NumGoroutine()
	t.Run("class", func(t *testing.T) {
		c := newClass(t, open(t, Config{Beat: 20 * time.Millisecond}))
		site := c.site(new(drawn))
		for range 20 {
			listen(t, site.URL, "gzip").wants("retry")
		}
		c.at("1s")
	})
	http.DefaultClient.CloseIdleConnections()
	for until := time.Now().Add(5 * time.Second); runtime.NumGoroutine() > before; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(until) {
			var b [1 << 16]byte
			t.Fatalf("%d goroutines, %d before:\n%s", runtime.NumGoroutine(), before, b[:runtime.Stack(b[:], true)])
		}
	}
}
