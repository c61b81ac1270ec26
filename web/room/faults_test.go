package room

import (
	"bufio"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestTwoProcesses checks that two that share a NATS server serve one room: followers, numbers and answers of both are one class.
func TestTwoProcesses(t *testing.T) {
	url, _ := natsServer(t, t.TempDir(), 0)
	one, two := open(t, Config{NATS: url, Beat: 100 * time.Millisecond}), open(t, Config{NATS: url, Beat: 100 * time.Millisecond})
	c := newClass(t, one)
	here, there, desk := c.follow(one), c.follow(two), c.desk(one)
	c.at("3s")
	until(t, here, "the clock", at("3s"))
	until(t, there, "the clock in the other process", at("3s"))
	until(t, desk, "both followers", func(u Update) bool { return u.Here == 2 })

	c.ask(Question{ID: "q", Chapter: true, Choices: 2, Open: true})
	for n, rs := range []*Rooms{one, two} {
		if err := rs.Answer(t.Context(), c.Code, "q", token(n), strconv.Itoa(n)); err != nil {
			t.Fatal(err)
		}
	}
	until(t, desk, "both answers", func(u Update) bool { return u.Answers == 2 })
	c.ask(Question{ID: "q", Chapter: true, Choices: 2, Revealed: true})
	until(t, there, "the histogram", func(u Update) bool { return u.Tally != nil && u.Tally.Options[0] == 1 && u.Tally.Options[1] == 1 })

	// One who drives through the other process carries the same version.
	if _, version, err := two.Drive(t.Context(), c.Presenter, c.version, nothing); err != nil || version <= c.version {
		t.Errorf("driving through the other process: %v", err)
	}
	var late *LateError
	if _, _, err := one.Drive(t.Context(), c.Presenter, c.version, nothing); !errors.As(err, &late) {
		t.Errorf("a late command in this one: %v", err)
	}
	two.conn.Close() // as when the process dies: it says nothing any more
	until(t, desk, "the followers of a process that died", func(u Update) bool { return u.Here == 1 })
}

// TestRace checks that of many who command at the same version one is obeyed.
func TestRace(t *testing.T) {
	c := newClass(t, open(t, Config{}))
	c.at("1s")
	var done sync.WaitGroup
	var mu sync.Mutex
	obeyed := 0
	for n := range 8 {
		done.Go(func() {
			_, _, err := c.Drive(t.Context(), c.Presenter, c.version, func(s *State) error { s.At = fmt.Sprintf("%ds", n+2); return nil })
			var late *LateError
			if err == nil {
				mu.Lock()
				obeyed++
				mu.Unlock()
			} else if !errors.As(err, &late) {
				t.Error(err)
			}
		})
	}
	done.Wait()
	if obeyed != 1 {
		t.Errorf("%d commands were obeyed", obeyed)
	}
}

// TestServerAway checks that while the NATS server is away everybody is told, and nobody waits or fails, and that then all catch up.
func TestServerAway(t *testing.T) {
	dir := t.TempDir()
	address, s := natsServer(t, dir, 0)
	rs := open(t, Config{NATS: address, Beat: 100 * time.Millisecond})
	other := open(t, Config{NATS: address})
	c := newClass(t, rs)
	c.at("1s")
	f, desk := c.follow(rs), c.desk(rs)
	until(t, f, "the clock", at("1s"))
	stop(s)
	until(t, desk, "the presenter sees that the class is cut off", func(u Update) bool { return !u.Live })
	if u := until(t, f, "the class stays", func(u Update) bool { return !u.Live }); u.State.At != "1s" || u.Gone {
		t.Errorf("it stays with %+v", u)
	}
	start := time.Now()
	if _, _, err := c.Drive(t.Context(), c.Presenter, c.version, nothing); !errors.Is(err, ErrCutOff) {
		t.Errorf("driving while it is away: %v", err)
	}
	if err := c.Answer(t.Context(), c.Code, "q", token(1), "1"); !errors.Is(err, ErrCutOff) {
		t.Errorf("answering while it is away: %v", err)
	}
	late := c.follow(rs) // the class goes on with what it has
	until(t, late, "a late joiner", at("1s"))
	if took := time.Since(start); took > time.Second {
		t.Errorf("that took %v", took)
	}

	u, _ := url.Parse(address)
	port, _ := strconv.Atoi(u.Port())
	natsServer(t, dir, port)
	for until := time.Now().Add(10 * time.Second); !other.Connected(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(until) {
			t.Fatal("it is not found again")
		}
	}
	if _, version, err := other.Drive(t.Context(), c.Presenter, c.version, func(s *State) error { s.At = "2s"; return nil }); err != nil {
		t.Fatal(err)
	} else {
		c.version = version
	}
	until(t, f, "what happened meanwhile", func(u Update) bool { return u.Live && u.State.At == "2s" })
	until(t, desk, "the presenter sees that the class is back", func(u Update) bool { return u.Live && u.State.At == "2s" })
	for until := time.Now().Add(10 * time.Second); !rs.Connected(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(until) {
			t.Fatal("it is not found again")
		}
	}
	c.at("3s")
	until(t, f, "the clock goes on", at("3s"))
}

// TestKilled checks that what was confirmed is there after a process was killed in mid-class: the room, its state, its lesson and answers.
func TestKilled(t *testing.T) {
	dir := t.TempDir()
	child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestChild$")
	child.Env = append(os.Environ(), "ROOM_TEST_DIR="+dir)
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	var c Presenter
	var moment string
	var answers int
	for lines.Scan() {
		word, rest, _ := strings.Cut(lines.Text(), " ")
		switch word {
		case "room":
			c.Code, c.Secret, _ = strings.Cut(rest, " ")
		case "at":
			moment = rest
		case "answer":
			answers++
		}
		if answers == 200 {
			break
		}
	}
	_ = child.Process.Kill()
	for lines.Scan() { // what it confirmed before it died
		word, rest, _ := strings.Cut(lines.Text(), " ")
		switch word {
		case "at":
			moment = rest
		case "answer":
			answers++
		}
	}
	_ = child.Wait()
	if answers < 200 {
		t.Fatalf("the child got as far as %d answers", answers)
	}

	rs := open(t, Config{Dir: dir})
	s, version, lesson, err := rs.Inspect(t.Context(), c)
	if err != nil || version == 0 {
		t.Fatal(err)
	}
	was, _ := strconv.Atoi(strings.TrimSuffix(moment, "s"))
	is, _ := strconv.Atoi(strings.TrimSuffix(s.At, "s"))
	if is != was && is != was+1 || lesson != "a lesson" || s.Question == nil {
		t.Errorf("confirmed was %s; there is %+v, lesson %q", moment, s, lesson)
	}
	if tally, err := rs.Tally(t.Context(), c.Code); err != nil || tally.Answers < answers || tally.Answers > answers+1 {
		t.Errorf("confirmed were %d answers; there are %d, %v", answers, tally.Answers, err)
	}
	if given, err := rs.Given(t.Context(), c.Code, "q", token(7)); given != "1" || err != nil {
		t.Errorf("the answer of a browser is %q, %v", given, err)
	}
}

// TestChild is the process that TestKilled kills.
func TestChild(t *testing.T) {
	dir := os.Getenv("ROOM_TEST_DIR")
	if dir == "" {
		t.Skip("only as a child of TestKilled")
	}
	c := newClass(t, open(t, Config{Dir: dir}))
	fmt.Println("room", c.Code, c.Secret)
	c.ask(Question{ID: "q", Chapter: true, Choices: 2, Open: true})
	for n := 0; ; n++ {
		c.at(fmt.Sprintf("%ds", n))
		fmt.Printf("at %ds\n", n)
		c.answer("q", token(n), strconv.Itoa(n%2))
		fmt.Println("answer", n)
	}
}

// TestFolderInUse checks that two processes do not write to one folder.
func TestFolderInUse(t *testing.T) {
	dir := t.TempDir()
	rs := open(t, Config{Dir: dir})
	if _, err := Open(t.Context(), Config{Dir: dir}); !errors.Is(err, ErrDirInUse) {
		t.Errorf("a second one: %v", err)
	}
	rs.Close()
	open(t, Config{Dir: dir})
}

func TestNoServer(t *testing.T) {
	url, s := natsServer(t, t.TempDir(), 0)
	stop(s)
	if _, err := Open(t.Context(), Config{NATS: url}); err == nil {
		t.Error("it connects to nothing")
	}
}
