// Package web serves the pages: routes, links, the mapping of traces to view models and sentences, and the errors a reader may
// meet. It keeps nothing about a reader: everything is in the address.
package web

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"imscope/web/room"
)

// Config is what a server is made from.
type Config struct {
	Addr string // host:port to listen on; port 0 takes a free one
	Log  *slog.Logger
	// PublicURL is where readers find the site, such as https://example.org, for addresses that have to be absolute. Without it they are
	// those of each request.
	PublicURL string
	// EmbedOrigins are the sites that may show a run in their pages, as a policy writes them: * is any.
	EmbedOrigins []string
	// Rooms are those that a class follows in; nil if there are none to be. Whoever opened them closes them after Serve.
	Rooms    *room.Rooms
	exported bool // the pages are for an export
	// Ready, if set, is called with the address once the server listens.
	Ready func(addr net.Addr)
}

// shutdownTime is how long running requests may take to finish. Tests have less.
var shutdownTime = 5 * time.Second

// Serve serves until ctx ends, then lets running requests finish; those that take too long, such as a stream that nobody reads, are cut.
// The error is nil after such an end.
func Serve(ctx context.Context, c Config) error {
	listener, err := net.Listen("tcp", c.Addr)
	if err != nil {
		return fmt.Errorf("listen on %s: %w", c.Addr, err)
	}
	server := &http.Server{
		Handler:           NewHandler(c),
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       10 * time.Second,
		WriteTimeout:      30 * time.Second,
		IdleTimeout:       time.Minute,
		MaxHeaderBytes:    32 << 10,
		ErrorLog:          slog.NewLogLogger(c.Log.Handler(), slog.LevelWarn),
		BaseContext:       func(net.Listener) context.Context { return context.WithoutCancel(ctx) },
	}
	if c.Rooms != nil {
		server.RegisterOnShutdown(c.Rooms.EndStreams) // else it would wait for them
	}
	if c.Ready != nil {
		c.Ready(listener.Addr())
	}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	stop, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTime)
	defer cancel()
	if err = server.Shutdown(stop); errors.Is(err, context.DeadlineExceeded) {
		err = server.Close()
	}
	if err != nil {
		return fmt.Errorf("stop: %w", err)
	}
	return nil
}
