package web

import (
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// serve starts a server of its own on a free port. What stop returns is what Serve did.
func serve(t *testing.T, log slog.Handler) (address string, stop func() error) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	ready, done := make(chan net.Addr, 1), make(chan error, 1)
	go func() {
		done <- Serve(ctx, Config{Addr: "127.0.0.1:0", Log: slog.New(log), Ready: func(a net.Addr) { ready <- a }})
	}()
	select {
	case a := <-ready:
		address = a.String()
	case err := <-done:
		t.Fatal(err)
	}
	return address, func() error {
		cancel()
		select {
		case err := <-done:
			return err
		case <-time.After(10 * time.Second):
			t.Fatal("the server does not stop")
			return nil
		}
	}
}

// TestServeStops checks that the server, when it is told to stop, lets a stream that is read come to its end, and does not wait for ever
// for one that is not.
func TestServeStops(t *testing.T) {
	defer func(d time.Duration) { shutdownTime = d }(shutdownTime)
	log := newStreamLog()
	address, stop := serve(t, log)
	if answer, err := http.Get("http://" + address + "/healthz"); err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("%v %v", answer, err)
	}
	c := askStream(t, address, longStream)
	if _, err := io.CopyN(io.Discard, c, 4000); err != nil {
		t.Fatal(err)
	}
	rest := make(chan int64)
	go func() {
		n, _ := io.Copy(io.Discard, c)
		rest <- 4000 + n
	}()
	if err := stop(); err != nil {
		t.Errorf("the server stopped: %v", err)
	}
	if n, sent := <-rest, log.within(t, time.Second); n < sent {
		t.Errorf("the stream was cut after %d bytes of %d", n, sent)
	}
	if c, err := net.Dial("tcp", address); err == nil {
		c.Close()
		t.Error("the server has stopped, and takes connections")
	}

	shutdownTime = 50 * time.Millisecond
	address, stop = serve(t, log)
	beginStream(t, address, "/en/ordering/random/by-seq?phones=5&messages=120&loss=0.3", 4000) // nobody reads on
	if err := stop(); err != nil {
		t.Errorf("the server stopped while a stream was open: %v", err)
	}
	log.within(t, 5*time.Second)
}

func TestServeSaysWhyNot(t *testing.T) {
	address, stop := serve(t, newStreamLog())
	err := Serve(t.Context(), Config{Addr: address, Log: slog.New(newStreamLog())})
	if err == nil || !strings.Contains(err.Error(), address) {
		t.Errorf("a second server on %s: %v", address, err)
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
}
