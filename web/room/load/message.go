package main

import (
	"bytes"
	"compress/flate"
	"fmt"
	"math/rand/v2"
	"time"
)

// clockEvent is a change of the clock as ours sends it, compressed streams and all; kind and micros say what was changed when.
func clockEvent(kind string, micros int64) string {
	return fmt.Sprintf("event: datastar-patch-signals\ndata: signals {\"room\":{\"v\":12345,\"at\":\"%s\",\"play\":true,\"speed\":1,\"age\":0,\"blank\":false,\"live\":true,\"gone\":false}}\n\n          ",
		moment(kind, micros))
}

// moment says when a key was pressed, and for what: c the clock, r the run.
func moment(kind string, micros int64) string { return fmt.Sprintf("%s%016d", kind, micros) }

func now() int64 { return time.Now().UnixMicro() }

// runEvents stands for a run as it is drawn: as long, and as easy to compress, as the page of a chapter.
var runEvents = func() []byte {
	draw := rand.New(rand.NewPCG(1, 2))
	var b bytes.Buffer
	b.WriteString("event: datastar-patch-elements\ndata: elements <div id=\"stage\">")
	for n := 0; b.Len() < 60_000; n++ {
		fmt.Fprintf(&b, `<g id="leg-%d" class="leg lost" style="--at:%.2f;--end:%.2f"><path d="M%d %dL%d %d"/><title>Ana sends A%d, lost</title></g>`, n, draw.Float64()*20,
			draw.Float64()*20, draw.IntN(900), draw.IntN(600), draw.IntN(900), draw.IntN(600), n)
	}
	b.WriteString("</div>\n\n")
	return b.Bytes()
}()

// runBytes is that compressed.
var runBytes = func() []byte {
	var b bytes.Buffer
	z, _ := flate.NewWriter(&b, flate.DefaultCompression)
	_, _ = z.Write(runEvents)
	_ = z.Flush()
	return b.Bytes()
}()
