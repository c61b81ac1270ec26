package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/mattn/go-isatty"
)

// barEvery is how often a bar is drawn.
const barEvery = 100 * time.Millisecond

// follow draws how far something is until the returned function is called, which wipes the bar away. Where w is no terminal it draws
// nothing.
func follow(w io.Writer, what string, progress func() (done, of int64)) (end func()) {
	if f, ok := w.(*os.File); !ok || !isatty.IsTerminal(f.Fd()) {
		return func() {}
	}
	stop, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		ticks := time.NewTicker(barEvery)
		defer ticks.Stop()
		for start := time.Now(); ; {
			select {
			case <-ticks.C:
				done, of := progress()
				fmt.Fprint(w, "\r\x1b[K"+bar(what, done, of, time.Since(start)))
			case <-stop:
				fmt.Fprint(w, "\r\x1b[K")
				return
			}
		}
	}()
	return func() { close(stop); <-ended }
}

// bar is one line: what is done of it, and how long the rest takes if it goes on like this.
func bar(what string, done, of int64, took time.Duration) string {
	const width = 40
	full := int(width * done / of)
	line := fmt.Sprintf("%s [%s%s] %d%%", what, strings.Repeat("#", full), strings.Repeat("·", width-full), 100*done/of)
	if done > 0 {
		line += fmt.Sprintf(", %.0f s left", took.Seconds()*float64(of-done)/float64(done))
	}
	return line
}
