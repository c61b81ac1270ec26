// Package room lets a class follow a presenter. A room is a few keys in a NATS JetStream key-value bucket; every process that has
// followers in it watches them, and any number of processes serve one room.
//
// Nothing is kept about the audience but what it answered, under a random token that its browser made up. A room that nobody drives or
// follows for Config.Keep is removed with all that is in it.
//
// The pages are not here: package web gives a View that draws, and gets streams of events.
package room

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-chi/httprate"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Config says where rooms are kept, and how many.
type Config struct {
	// NATS is the URL of a NATS server with JetStream, 2.11 or later. If it is empty, one runs inside this process, without a port.
	NATS string
	// Dir is the folder of the server inside; only one process can use it. If it is empty, a temporary one is used, and removed by Close.
	Dir string
	// Keep is how long a room is kept after it was last driven or followed; 24 h if it is 0.
	Keep time.Duration
	// Sweep is how often rooms are looked through for those to remove; 10 min if it is 0.
	Sweep time.Duration
	// Beat is how often a stream says that it is alive; 15 s if it is 0. What a process says of its followers holds for three beats.
	Beat time.Duration
	// Patience is how long a follower may not read what is sent to it before its stream ends; 10 s if it is 0.
	Patience time.Duration
	// Limits that are 0 take the value of DefaultLimits.
	Limits Limits
	// Address tells requests of different people apart, as far as that can be done. If it is nil, it is the address that connected, an IPv6
	// one by its first 64 bits; behind a proxy that would be the proxy's.
	Address func(*http.Request) string
	Log     *slog.Logger // slog.Default() if it is nil
}

// complete fills in what was left out.
func (c *Config) complete() {
	orDefault(&c.Keep, 24*time.Hour)
	orDefault(&c.Sweep, 10*time.Minute)
	orDefault(&c.Beat, 15*time.Second)
	orDefault(&c.Patience, 10*time.Second)
	c.Limits.complete()
	if c.Address == nil {
		c.Address = remoteAddress
	}
	if c.Log == nil {
		c.Log = slog.Default()
	}
}

func orDefault[T comparable](v *T, def T) {
	var zero T
	if *v == zero {
		*v = def
	}
}

// Rooms are the rooms that this process serves. Its methods can be called by many goroutines.
type Rooms struct {
	config    Config
	process   string         // names this process in keys; new each time
	inside    *server.Server // nil with Config.NATS
	dir       *folder        // nil with Config.NATS
	conn      *nats.Conn
	js        jetstream.JetStream
	kv        jetstream.KeyValue
	connected atomic.Bool
	wrong     *httprate.RateLimiter // wrong codes, by address
	created   *httprate.RateLimiter // new rooms, by address
	known     knownPairs
	counting  sync.Mutex // guards followers
	followers int        // of all rooms in this process
	ctx       context.Context
	stop      context.CancelCauseFunc
	running   sync.WaitGroup

	mu    sync.Mutex
	hubs  map[string]*hub // by code
	ended bool            // EndStreams was called
}

// Open starts or finds the server and its bucket. The error says which of them failed; ErrDirInUse if another process uses Dir.
func Open(ctx context.Context, config Config) (*Rooms, error) {
	config.complete()
	rs := &Rooms{config: config, process: randomText(8), hubs: make(map[string]*hub)}
	rs.ctx, rs.stop = context.WithCancelCause(context.Background())
	rs.slowDown()
	if err := rs.connect(ctx); err != nil {
		rs.disconnect()
		return nil, err
	}
	rs.running.Go(rs.beat)
	rs.running.Go(rs.sweep)
	return rs, nil
}

// Connected reports whether the server of the rooms can be reached. While it cannot, nobody can drive or answer, and followers keep what
// they have.
func (rs *Rooms) Connected() bool { return rs.connected.Load() }

// EndStreams ends all streams and refuses new ones, for a server that shuts down: browsers connect again to the next.
func (rs *Rooms) EndStreams() {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	rs.ended = true
	for _, h := range rs.hubs {
		h.poke()
	}
}

// Close ends the streams, and lets go of the server.
func (rs *Rooms) Close() {
	rs.EndStreams()
	rs.mu.Lock()
	hubs := make([]*hub, 0, len(rs.hubs))
	for _, h := range rs.hubs {
		hubs = append(hubs, h)
	}
	rs.mu.Unlock()
	for _, h := range hubs {
		h.leave()
	}
	rs.stop(ErrEnded)
	rs.running.Wait()
	rs.disconnect()
}

// beat is the one clock of all that is done from time to time: streams say that they are alive, this process that it has followers, and
// rooms that nobody here looks at any more are let go.
func (rs *Rooms) beat() {
	ticker := time.NewTicker(rs.config.Beat)
	defer ticker.Stop()
	for {
		select {
		case <-rs.ctx.Done():
			return
		case <-ticker.C:
		}
		rs.mu.Lock()
		for code, h := range rs.hubs {
			if h.users == 0 && h.idle {
				delete(rs.hubs, code)
				h.stop(errIdle)
				continue
			}
			h.idle = h.users == 0
			h.beat.Add(1)
			h.poke()
		}
		rs.mu.Unlock()
	}
}

var errIdle = errors.New("nobody looks at the room")

// hub returns the hub of a room, which exists from the first who looks at it here to a beat or two after the last. The caller must let
// it go.
func (rs *Rooms) hub(ctx context.Context, code string) (*hub, error) {
	for {
		h, err := rs.takeHub(ctx, code)
		if err != nil {
			return nil, err
		}
		select {
		case <-h.ready:
			if now := h.class.Load(); now.update.Gone {
				rs.release(h)
				return nil, ErrUnknownRoom
			}
			return h, nil
		case <-h.ctx.Done(): // it came too late for an old hub
			rs.release(h)
			if rs.ctx.Err() != nil {
				return nil, ErrEnded
			}
		case <-ctx.Done():
			rs.release(h)
			return nil, fmt.Errorf("%w: %w", ErrCutOff, ctx.Err())
		}
	}
}

// takeHub finds or starts a hub. Before it starts one it makes sure that there is such a room: wrong codes are to cost little.
func (rs *Rooms) takeHub(ctx context.Context, code string) (*hub, error) {
	rs.mu.Lock()
	h := rs.hubs[code]
	rs.mu.Unlock()
	if h == nil {
		if _, _, err := rs.read(ctx, code); err != nil {
			return nil, err
		}
	}
	rs.mu.Lock()
	defer rs.mu.Unlock()
	if rs.ended {
		return nil, ErrEnded
	}
	if h = rs.hubs[code]; h == nil {
		h = newHub(rs, code)
		rs.hubs[code] = h
		rs.running.Go(h.run)
	}
	h.users++
	h.idle = false
	return h, nil
}

func (rs *Rooms) release(h *hub) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	h.users--
}

// eachHub calls f with every hub.
func (rs *Rooms) eachHub(f func(*hub)) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	for _, h := range rs.hubs {
		f(h)
	}
}
