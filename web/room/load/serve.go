//go:build linux

package main

import (
	"context"
	"fmt"
	"log"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/centrifugal/centrifuge"

	"imscope/web/room"
)

// contestant sends what a presenter does to those who follow.
type contestant interface {
	// drive changes a room; moment begins with r for another run, and with c for the clock alone.
	drive(number int, moment string, change int) error
	follow(w http.ResponseWriter, r *http.Request, number int)
}

// serve is the process of a server: its kind, a comma, and how many rooms it has.
func serve(what string) {
	kind, count, _ := strings.Cut(what, ",")
	rooms, _ := strconv.Atoi(count)
	var c contestant
	switch kind {
	case "ours":
		c = newOurs(rooms)
	case "channels":
		c = &channels{followers: make([]map[chan []byte]bool, rooms)}
	default:
		c = newLibrary()
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/drive", func(w http.ResponseWriter, r *http.Request) {
		number, _ := strconv.Atoi(r.FormValue("room"))
		change, _ := strconv.Atoi(r.FormValue("change"))
		if err := c.drive(number, r.FormValue("at"), change); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
		}
	})
	mux.HandleFunc("/follow", func(w http.ResponseWriter, r *http.Request) {
		number, _ := strconv.Atoi(r.FormValue("room"))
		c.follow(w, r, number)
	})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(listener.Addr())
	log.Fatal(http.Serve(listener, mux))
}

// ours is the engine of this package, with its bucket and all, and a view that draws as much as a page.
type ours struct {
	rooms *room.Rooms
	desks []room.Presenter
	seen  []uint64
}

func newOurs(count int) *ours {
	rooms, err := room.Open(context.Background(), room.Config{Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		log.Fatal(err)
	}
	o := &ours{rooms: rooms, seen: make([]uint64, count)}
	for range count {
		p := room.Presenter{Window: "presenter"}
		if p.Code, p.Secret, err = rooms.Create(context.Background(), room.State{Link: "/ordering", Speed: 1}, ""); err != nil {
			log.Fatal(err)
		}
		o.desks = append(o.desks, p)
	}
	for i, p := range o.desks {
		if _, o.seen[i], err = rooms.Get(context.Background(), p.Code); err != nil {
			log.Fatal(err)
		}
	}
	return o
}

func (o *ours) drive(number int, moment string, change int) (err error) {
	_, o.seen[number], err = o.rooms.Drive(context.Background(), o.desks[number], o.seen[number], func(s *room.State) error {
		s.At, s.Playing = moment, true
		if moment[0] == 'r' {
			s.Link = "/ordering?seed=" + strconv.Itoa(change)
		}
		return nil
	})
	return err
}

func (o *ours) follow(w http.ResponseWriter, r *http.Request, number int) {
	f, err := o.rooms.Follow(r.Context(), o.desks[number].Code)
	if err != nil {
		http.Error(w, err.Error(), http.StatusConflict)
		return
	}
	defer f.Close()
	_ = o.rooms.Stream(w, r, f, stub)
}

var stub = room.View{Kind: "class", Lang: "en", Draw: func(_ context.Context, part room.Part, _ room.Update) ([]byte, error) {
	if part == room.Run {
		return runEvents, nil
	}
	return nil, nil
}}

// bytesOf is what ours sends for a change.
func bytesOf(moment string) []byte {
	micros, _ := strconv.ParseInt(moment[1:], 10, 64)
	clock := clockEvent(moment[:1], micros)
	if moment[0] == 'r' {
		return append(runBytes[:len(runBytes):len(runBytes)], clock...)
	}
	return []byte(clock)
}

// channels is what most would write: a goroutine and a channel a follower, who misses what does not fit.
type channels struct {
	mu        sync.Mutex
	followers []map[chan []byte]bool
}

func (c *channels) drive(number int, moment string, _ int) error {
	data := bytesOf(moment)
	c.mu.Lock()
	defer c.mu.Unlock()
	for f := range c.followers[number] {
		select {
		case f <- data:
		default:
		}
	}
	return nil
}

func (c *channels) follow(w http.ResponseWriter, r *http.Request, number int) {
	f := make(chan []byte, 16)
	c.mu.Lock()
	if c.followers[number] == nil {
		c.followers[number] = make(map[chan []byte]bool)
	}
	c.followers[number][f] = true
	c.mu.Unlock()
	defer func() {
		c.mu.Lock()
		delete(c.followers[number], f)
		c.mu.Unlock()
	}()
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-cache")
	rc := http.NewResponseController(w)
	data := bytesOf(moment("r", now()))
	for {
		if _, err := w.Write(data); err != nil {
			return
		}
		if rc.Flush() != nil {
			return
		}
		select {
		case data = <-f:
		case <-r.Context().Done():
			return
		}
	}
}

// library is centrifuge with what it sets by itself.
type library struct {
	node *centrifuge.Node
	sse  *centrifuge.SSEHandler
}

const channel = "room"

func newLibrary() *library {
	node, err := centrifuge.New(centrifuge.Config{})
	if err != nil {
		log.Fatal(err)
	}
	node.OnConnecting(func(context.Context, centrifuge.ConnectEvent) (centrifuge.ConnectReply, error) {
		return centrifuge.ConnectReply{Credentials: &centrifuge.Credentials{}, Subscriptions: map[string]centrifuge.SubscribeOptions{channel: {}}}, nil
	})
	node.OnConnect(func(*centrifuge.Client) {})
	if err := node.Run(); err != nil {
		log.Fatal(err)
	}
	// Nobody answers its pings here.
	return &library{node, centrifuge.NewSSEHandler(node, centrifuge.SSEConfig{PingPongConfig: centrifuge.PingPongConfig{PingInterval: 25 * time.Second, PongTimeout: -1}})}
}

func (l *library) drive(_ int, moment string, _ int) error {
	const around = len(`data: {"push":{"channel":"room","pub":{"data":{"at":"","pad":""}}}}` + "\n\n")
	pad := strings.Repeat("x", len(bytesOf(moment))-around-len(moment))
	_, err := l.node.Publish(channel, fmt.Appendf(nil, `{"at":"%s","pad":"%s"}`, moment, pad))
	return err
}

func (l *library) follow(w http.ResponseWriter, r *http.Request, _ int) { l.sse.ServeHTTP(w, r) }
