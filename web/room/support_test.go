package room

import (
	"context"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// open opens rooms that end with the test.
func open(t testing.TB, c Config) *Rooms {
	t.Helper()
	c.Log = slog.New(slog.DiscardHandler)
	rs, err := Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(rs.Close)
	return rs
}

// natsServer runs a server that several Rooms share. Port 0 takes a free one.
func natsServer(t testing.TB, dir string, port int) (url string, s *server.Server) {
	t.Helper()
	if port == 0 {
		port = server.RANDOM_PORT
	}
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: port, JetStream: true, StoreDir: dir, NoLog: true, NoSigs: true})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() { stop(s) })
	if !s.ReadyForConnections(10 * time.Second) {
		t.Fatal("the NATS server did not start")
	}
	return s.ClientURL(), s
}

func stop(s *server.Server) {
	s.Shutdown()
	s.WaitForShutdown()
}

// class is a room and its presenter.
type class struct {
	*testing.T
	*Rooms
	Presenter
	version uint64
}

const link = "/ordering/book/by-seq"

// newClass opens a room.
func newClass(t *testing.T, rs *Rooms) *class {
	t.Helper()
	c := &class{T: t, Rooms: rs, Presenter: Presenter{Window: "window-one"}}
	var err error
	if c.Code, c.Secret, err = rs.Create(t.Context(), State{Link: link, Speed: 1, Step: -1}, "a lesson"); err != nil {
		t.Fatal(err)
	}
	if _, c.version, err = rs.Get(t.Context(), c.Code); err != nil {
		t.Fatal(err)
	}
	return c
}

// drive changes the state.
func (c *class) drive(change func(*State)) {
	c.Helper()
	_, version, err := c.Rooms.Drive(c.Context(), c.Presenter, c.version, func(s *State) error { change(s); return nil })
	if err != nil {
		c.Fatal(err)
	}
	c.version = version
}

func (c *class) at(moment string) {
	c.Helper()
	c.drive(func(s *State) { s.At = moment })
}

func (c *class) ask(q Question) {
	c.Helper()
	c.drive(func(s *State) { s.Question = &q })
}

func (c *class) answer(question, token, answer string) {
	c.Helper()
	if err := c.Rooms.Answer(c.Context(), c.Code, question, token, answer); err != nil {
		c.Fatal(err)
	}
}

// follow follows until the test ends.
func (c *class) follow(rs *Rooms) *Follower {
	c.Helper()
	f, err := rs.Follow(c.Context(), c.Code)
	if err != nil {
		c.Fatal(err)
	}
	c.Cleanup(f.Close)
	return f
}

func (c *class) desk(rs *Rooms) *Follower {
	c.Helper()
	f, err := rs.FollowDesk(c.Context(), c.Presenter)
	if err != nil {
		c.Fatal(err)
	}
	c.Cleanup(f.Close)
	return f
}

// until reads updates until one is as it should be.
func until(t testing.TB, f *Follower, what string, ok func(Update) bool) Update {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	for {
		u, err := f.Next(ctx)
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		if ok(u) {
			return u
		}
	}
}

func at(moment string) func(Update) bool {
	return func(u Update) bool { return u.State.At == moment }
}

func token(n int) string { return fmt.Sprintf("token-of-browser-%d", n) }
