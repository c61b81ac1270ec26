//go:build linux

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"log"
	"net"
	"net/url"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// raiseFiles lets the process open as many files as it may.
func raiseFiles() {
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit) == nil {
		limit.Cur = limit.Max
		_ = syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit)
	}
}

// follower is a connection, of which only the last moment is looked for in what it brings.
type follower struct {
	fd   int
	room int
	last string
	tail []byte // the end of what came, if a moment may begin in it
}

// crowd is all followers of a process. One thread reads them all: what reading costs is not to hide what sending costs.
type crowd struct {
	all   map[int32]*follower
	epoll int
	report
	last []string // the newest moment of each room
}

// follow is the process of the followers. Its first line says whom to follow; each line after that asks for a report.
func follow() {
	in := bufio.NewScanner(os.Stdin)
	in.Scan()
	var address, kind string
	var rooms, followers int
	if _, err := fmt.Sscan(in.Text(), &address, &kind, &rooms, &followers); err != nil {
		log.Fatal(err)
	}
	c := &crowd{all: make(map[int32]*follower), last: make([]string, rooms)}
	var err error
	if c.epoll, err = syscall.EpollCreate1(0); err != nil {
		log.Fatal(err)
	}
	for n := range rooms * followers {
		c.connect(address, kind, n%rooms)
		if n%200 == 0 {
			c.read(0)
		}
	}
	for quiet := 0; quiet < 5; { // their snapshots
		if c.read(100) == 0 {
			quiet++
		} else {
			quiet = 0
		}
	}
	c.report = report{}
	fmt.Println("ready")
	asked := make(chan bool)
	go func() {
		for in.Scan() {
			asked <- true
		}
		os.Exit(0)
	}()
	for {
		select {
		case <-asked:
			c.tell()
		default:
			c.read(20)
		}
	}
}

// connect opens a stream.
func (c *crowd) connect(address, kind string, room int) {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		log.Fatal(err)
	}
	path := "/follow?room=" + strconv.Itoa(room)
	if kind == "centrifuge" {
		path += "&cf_connect=" + url.QueryEscape(`{"id":1,"connect":{}}`)
	}
	fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: %s\r\nAccept: text/event-stream\r\nAccept-Encoding: gzip, deflate, br\r\n"+
		"Accept-Language: en\r\nUser-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36\r\n\r\n", path, address)
	file, err := conn.(*net.TCPConn).File() // a descriptor that Go does not read
	if err != nil {
		log.Fatal(err)
	}
	_ = conn.Close()
	fd, err := syscall.Dup(int(file.Fd()))
	_ = file.Close()
	if err == nil {
		err = syscall.SetNonblock(fd, true)
	}
	if err == nil {
		err = syscall.EpollCtl(c.epoll, syscall.EPOLL_CTL_ADD, fd, &syscall.EpollEvent{Events: syscall.EPOLLIN, Fd: int32(fd)})
	}
	if err != nil {
		log.Fatal(err)
	}
	c.all[int32(fd)] = &follower{fd: fd, room: room}
}

var (
	events [1024]syscall.EpollEvent
	buffer [256 << 10]byte
)

// read reads whatever is there, once, and returns of how many.
func (c *crowd) read(wait int) int {
	n, _ := syscall.EpollWait(c.epoll, events[:], wait)
	for _, e := range events[:max(0, n)] {
		f := c.all[e.Fd]
		got, err := syscall.Read(f.fd, buffer[:])
		if got <= 0 {
			if err == syscall.EAGAIN || err == syscall.EINTR {
				continue
			}
			log.Fatalf("a stream was cut: %v", err)
		}
		c.take(f, buffer[:got])
	}
	return n
}

var mark = []byte(`"at":"`)

const momentLength = 17

// take looks for the newest moment in what came.
func (c *crowd) take(f *follower, data []byte) {
	if len(f.tail) > 0 {
		data = append(f.tail, data...)
		f.tail = nil
	}
	i := bytes.LastIndex(data, mark)
	if i >= 0 && i+len(mark)+momentLength <= len(data) {
		c.arrived(f, string(data[i+len(mark):i+len(mark)+momentLength]))
		data = data[i+len(mark)+momentLength:]
	}
	if n := len(data); n > 0 { // of a moment that came in part
		from := max(0, n-len(mark)-momentLength)
		if i := bytes.LastIndexByte(data[from:], '"'); i >= 0 || bytes.HasSuffix(data, []byte("at")) {
			if j := bytes.Index(data[from:], []byte(`"a`)); j >= 0 {
				f.tail = bytes.Clone(data[from+j:])
			}
		}
	}
}

// arrived counts how long a change took.
func (c *crowd) arrived(f *follower, moment string) {
	if moment == f.last {
		return
	}
	f.last = moment
	if moment[1:] > strings.TrimLeft(c.last[f.room], "cr") {
		c.last[f.room] = moment
	}
	pressed, err := strconv.ParseInt(moment[1:], 10, 64)
	if err != nil {
		return
	}
	c.Deliveries++
	if moment[0] == 'r' {
		c.Run.count(now() - pressed)
	} else {
		c.Clock.count(now() - pressed)
	}
}

// tell waits until all have the same moment, or for 10 s, and reports.
func (c *crowd) tell() {
	for until := time.Now().Add(10 * time.Second); time.Now().Before(until); {
		if c.read(200) == 0 && c.missed() == 0 {
			break
		}
	}
	c.Missed = c.missed()
	line, _ := json.Marshal(c.report)
	fmt.Println(string(line))
	c.report = report{}
}

func (c *crowd) missed() (n int) {
	for _, f := range c.all {
		if f.last != c.last[f.room] {
			n++
		}
	}
	return n
}
