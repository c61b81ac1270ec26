package room

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"strings"
	"time"
)

// Part is what of a room is drawn by itself.
type Part uint8

// The parts.
const (
	Run Part = iota + 1 // what State.Link leads to
	Ask                 // the question, and its histogram once it is revealed
)

// View is how a stream shows a room. Streams with the same Kind and Lang share what Draw returns.
type View struct {
	Kind string // tells Draws apart
	Lang string // of the reader
	// Draw returns complete server-sent events (Datastar's, each ended by an empty line) that show a part of an update; none is fine. It is
	// called once for each change of the part, Kind and Lang, whoever asks first, with a context that lasts as long as the room is watched
	// here, and must not depend on the reader. What it draws of a run must do for all its moments: the signals that follow say where the
	// clock stands. An error is logged, and nothing is sent.
	Draw func(ctx context.Context, part Part, u Update) ([]byte, error)
}

// retry is how soon a browser is to connect again.
const retry = "retry: 1000\n\n"

// Stream sends a room to a browser until one of them leaves: first a snapshot (the run, the question, the clock), then what changes. A
// change of the clock is one event that sets the signals of clockFrame, below 300 bytes; to a presenter's follower those of deskFrame are
// sent as well. What is sent while the reader takes its time is the newest and no more. Nothing is buffered or compressed for a reader
// alone. The error is nil if the room is gone, ErrEnded if the process shuts down, or what ended it early; there is nothing to answer any
// more in any case. The caller closes the follower.
func (rs *Rooms) Stream(w http.ResponseWriter, r *http.Request, f *Follower, view View) error {
	o := newOutput(w, rs.config.Patience, strings.Contains(r.Header.Get("Accept-Encoding"), "gzip"))
	o.send(&beginning)
	sent := mark{view: view, key: viewKey{view.Kind, view.Lang}}
	for {
		p, err := f.take(r.Context())
		switch {
		case errors.Is(err, ErrUnknownRoom): // which the last event said
			return o.end()
		case errors.Is(err, ErrEnded):
			return cmp.Or(o.end(), err)
		case err != nil:
			return err
		}
		rs.show(o, &sent, f, p)
		if o.err != nil {
			return o.err
		}
	}
}

// mark is how far a stream has come.
type mark struct {
	view     View
	key      viewKey
	run, ask *shared
	clocked  uint64
	content  uint64
	beat     uint64
}

// ageless is how old a clock may be that is sent as it was published: with more, a page would lag behind the class.
const ageless = 500 * time.Millisecond

// show sends what of p the stream has not shown yet.
func (rs *Rooms) show(o *output, sent *mark, f *Follower, p *published) {
	first, wrote := sent.run == nil, false
	if p.run != sent.run && !p.update.Gone {
		o.send(rs.draw(f, sent, p, p.run, Run))
		sent.run, wrote = p.run, true
	}
	if p.ask != sent.ask && !p.update.Gone {
		o.send(rs.draw(f, sent, p, p.ask, Ask))
		sent.ask, wrote = p.ask, true
	}
	if first || p.clocked != sent.clocked {
		clock, now := p.clock, time.Now()
		if p.update.State.Playing && (first || now.Sub(p.made) > ageless) {
			clock = clockFrame(&p.update, now)
		}
		o.send(&clock)
		sent.clocked, wrote = p.clocked, true
	}
	if f.slot == &f.hub.desks && (first || p.content != sent.content) {
		o.send(&p.desk)
		sent.content, wrote = p.content, true
	}
	if !wrote && p.beat != sent.beat {
		o.send(&heartbeat)
		wrote = true
	}
	sent.beat = p.beat
	if wrote {
		o.flush()
	}
}

// draw is the frame of a part, drawn by whoever comes first.
func (rs *Rooms) draw(f *Follower, sent *mark, p *published, part *shared, which Part) *frame {
	return part.frame(sent.key, func() []byte {
		plain, err := sent.view.Draw(f.hub.ctx, which, p.update)
		if err != nil {
			rs.config.Log.Error("a room could not be drawn", "link", p.update.State.Link, "kind", sent.key.kind, "err", err)
			return nil
		}
		return plain
	})
}

var (
	beginning = newFrame([]byte(retry))
	heartbeat = newFrame([]byte(":\n\n")) // a comment
)

// output writes frames to a browser until the first write fails; err says why.
type output struct {
	w        http.ResponseWriter
	rc       *http.ResponseController
	patience time.Duration
	deadline time.Time
	zip      bool
	crc      uint32 // of all that was sent
	length   uint32
	err      error
}

func newOutput(w http.ResponseWriter, patience time.Duration, zip bool) *output {
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-cache")
	h.Set("X-Accel-Buffering", "no") // asks a proxy not to keep events back
	o := &output{w: w, rc: http.NewResponseController(w), patience: patience, zip: zip}
	if zip {
		h.Set("Content-Encoding", "gzip")
		o.write([]byte(gzipHeader))
	}
	return o
}

func (o *output) send(f *frame) {
	if len(f.plain) == 0 {
		return
	}
	if !o.zip {
		o.write(f.plain)
		return
	}
	o.write(f.zipped)
	o.crc = joinSums(o.crc, f.crc, f.shift)
	o.length += uint32(len(f.plain))
}

// write writes within the reader's patience. The deadline is moved on only now and then, for that costs as much as a small write.
func (o *output) write(data []byte) {
	if o.err != nil {
		return
	}
	if now := time.Now(); o.deadline.Sub(now) < o.patience {
		o.deadline = now.Add(o.patience * 3 / 2)
		if o.err = o.rc.SetWriteDeadline(o.deadline); o.err != nil {
			return
		}
	}
	_, o.err = o.w.Write(data)
}

func (o *output) flush() {
	if o.err == nil {
		o.err = o.rc.Flush()
	}
}

// end ends what was compressed as it has to end; the server ends the rest.
func (o *output) end() error {
	if o.zip {
		o.write(gzipTrailer(o.crc, o.length))
	}
	return o.err
}
