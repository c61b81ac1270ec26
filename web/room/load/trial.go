//go:build linux

package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// trial is a server with its followers.
type trial struct {
	kind             string
	rooms, followers int
	server, client   *exec.Cmd
	address          string
	in               io.WriteCloser // commands to the followers
	out              *bufio.Scanner // and their reports
	empty            float64        // KB of the server before anybody followed
	full             float64        // the most KB after a turn
	cpu              time.Duration
	deliveries       int64
	clock, run       histogram
	missed           int // followers that did not reach the last state of a turn
	perTurn          []float64
	change           int
}

// report is what the followers tell after a turn.
type report struct {
	Deliveries int64
	Clock, Run histogram
	Missed     int
}

func newTrial(kind string, rooms, followers int) *trial {
	t := &trial{kind: kind, rooms: rooms, followers: followers}
	t.server = exec.Command(os.Args[0], "serve", kind+","+strconv.Itoa(rooms))
	lines, _ := t.start(t.server)
	t.address = next(lines)
	t.empty = t.resident()
	t.client = exec.Command(os.Args[0], "follow")
	t.out, t.in = t.start(t.client)
	fmt.Fprintf(t.in, "%s %s %d %d\n", t.address, kind, rooms, followers)
	if got := next(t.out); got != "ready" {
		log.Fatalf("%s: the followers said %q", kind, got)
	}
	return t
}

func (t *trial) start(c *exec.Cmd) (*bufio.Scanner, io.WriteCloser) {
	c.Stderr = os.Stderr
	out, err := c.StdoutPipe()
	if err != nil {
		log.Fatal(err)
	}
	in, err := c.StdinPipe()
	if err != nil {
		log.Fatal(err)
	}
	if err := c.Start(); err != nil {
		log.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 1<<20)
	return lines, in
}

func next(lines *bufio.Scanner) string {
	if !lines.Scan() {
		log.Fatal("a process ended too early")
	}
	return lines.Text()
}

func (t *trial) stop() {
	for _, c := range []*exec.Cmd{t.client, t.server} {
		_ = c.Process.Kill()
		_ = c.Wait()
	}
}

// turn changes all rooms 20 times, and waits until all followers have the last change, or for 10 s.
func (t *trial) turn() {
	before := t.used()
	last := ""
	ticker := time.NewTicker(pause)
	defer ticker.Stop()
	for range runEvery {
		<-ticker.C
		t.change++
		kind := "c"
		if t.change%runEvery == runEvery/2 { // changes of the clock come after it in the same turn
			kind = "r"
		}
		for room := range t.rooms {
			last = moment(kind, now())
			answer, err := http.Post(fmt.Sprintf("http://%s/drive?room=%d&at=%s&change=%d", t.address, room, last, t.change), "", nil)
			if err != nil {
				log.Fatal(err)
			}
			_, _ = io.Copy(io.Discard, answer.Body)
			_ = answer.Body.Close()
			if answer.StatusCode != http.StatusOK {
				log.Fatalf("%s: %s", t.kind, answer.Status)
			}
		}
	}
	fmt.Fprintf(t.in, "report %d\n", t.rooms)
	var r report
	if err := json.Unmarshal([]byte(next(t.out)), &r); err != nil {
		log.Fatal(err)
	}
	spent := t.used() - before
	t.cpu += spent
	t.deliveries += r.Deliveries
	t.perTurn = append(t.perTurn, float64(spent.Microseconds())/float64(max(1, r.Deliveries)))
	t.clock.add(&r.Clock)
	t.run.add(&r.Run)
	t.missed += r.Missed
	t.full = max(t.full, t.resident())
}

// used is the CPU time of the server so far.
func (t *trial) used() time.Duration {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", t.server.Process.Pid))
	if err != nil {
		log.Fatal(err)
	}
	_, after, _ := strings.Cut(string(data), ") ")
	fields := strings.Fields(after)
	user, _ := strconv.Atoi(fields[11])
	system, _ := strconv.Atoi(fields[12])
	return time.Duration(user+system) * 10 * time.Millisecond // a hundred ticks a second, on every Linux
}

// resident is the memory of the server, in KB.
func (t *trial) resident() float64 {
	data, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", t.server.Process.Pid))
	_, after, _ := strings.Cut(string(data), "VmRSS:")
	kb, _ := strconv.Atoi(strings.Fields(after)[0])
	return float64(kb)
}

// memory is KB a follower.
func (t *trial) memory() float64 { return (t.full - t.empty) / float64(t.rooms*t.followers) }

// cpuEach is µs a delivery.
func (t *trial) cpuEach() float64 {
	return float64(t.cpu.Microseconds()) / float64(max(1, t.deliveries))
}

func (t *trial) print() {
	reached := "all"
	if t.missed > 0 {
		reached = fmt.Sprintf("%d not", t.missed)
	}
	fmt.Printf("%-34s %5.0f ms %5.0f ms %5.0f ms %8.1f %10.1f %9s\n", names[t.kind], t.clock.quantile(0.5), t.clock.quantile(0.99), t.run.quantile(0.99), t.memory(),
		t.cpuEach(), reached)
}

var names = map[string]string{"ours": "this engine", "channels": "a goroutine and a channel each", "centrifuge": "centrifuge, SSE"}
