package room

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// Update is what there is to know of a room.
type Update struct {
	State   State  // without the right answer until it is revealed
	Version uint64 // of the state; 0 if the room is gone
	// Here is how many follow, in all processes that are alive.
	Here int
	// Answers is how many have answered the question that is asked.
	Answers int
	// Tally is what they answered; nil until it is revealed.
	Tally *Tally
	// Live says that the server of the rooms can be reached. While it is false the class is cut off from the presenter: State is the last
	// that was heard.
	Live bool
	// Gone says that the room was ended or has expired.
	Gone bool
}

// hub is a room as one process sees it: one watch feeds it, and it feeds all who follow here. Who follows takes the newest when it is
// ready for it, so that nothing is ever kept for anybody.
type hub struct {
	rooms *Rooms
	code  string
	ctx   context.Context
	stop  context.CancelCauseFunc
	ready chan struct{} // closed when the first values are in
	beat  atomic.Uint64

	class atomic.Pointer[published] // what followers see
	desks atomic.Pointer[published] // what presenters see: numbers that change often, too

	here    atomic.Int64 // followers in this process
	poked   chan struct{}
	anew    chan struct{} // watch again
	told    int64         // what was last told of here
	toldAt  time.Time
	answers map[string]map[string]string // by question and token; guarded by mu
	mu      sync.Mutex

	// What follows belongs to run alone.
	record   *record // nil if there is none
	version  uint64
	others   map[string]presence // by process
	runAt    uint64              // the version that changed the run
	askAt    uint64              // the version that changed the question
	question []byte              // as JSON, as of askAt

	// What follows is guarded by the mutex of Rooms.
	users int  // who holds it
	idle  bool // nobody did at the last beat
}

// presence is what another process said of its followers.
type presence struct {
	followers int
	at        time.Time
}

const (
	// deskPause is how long numbers for presenters are gathered: answers may come by the hundred a second.
	deskPause = 150 * time.Millisecond
	// herePause is how long a process waits to tell that its number of followers changed.
	herePause = time.Second
)

func newHub(rs *Rooms, code string) *hub {
	h := &hub{rooms: rs, code: code, ready: make(chan struct{}), poked: make(chan struct{}, 1), anew: make(chan struct{}, 1),
		answers: make(map[string]map[string]string), others: make(map[string]presence)}
	h.ctx, h.stop = context.WithCancelCause(rs.ctx)
	return h
}

// poke lets run look again at what changed here.
func (h *hub) poke() { signal(h.poked) }

// rewatch lets run watch anew.
func (h *hub) rewatch() { signal(h.anew) }

func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// run keeps the hub until nobody needs it or the process ends.
func (h *hub) run() {
	defer h.stop(errIdle)
	for wait := 100 * time.Millisecond; h.ctx.Err() == nil; wait = min(2*wait, 3*time.Second) {
		if h.watch() {
			wait = 50 * time.Millisecond
		}
		select {
		case <-h.ctx.Done():
		case <-h.anew:
		case <-h.poked:
			h.publish() // connected or not
		case <-time.After(wait):
		}
	}
	h.publish() // the streams end
}

// watch follows the keys until there is a reason to watch them anew. It reports whether that worked at first.
func (h *hub) watch() (worked bool) {
	watch, err := h.rooms.kv.Watch(h.ctx, allKeys(h.code))
	if err != nil {
		return false
	}
	defer func() { _ = watch.Stop() }()
	news := h.firstValues(watch)
	if news == nil {
		return false
	}
	pause := time.NewTimer(time.Hour) // until numbers for presenters are told
	defer pause.Stop()
	waiting := false
	later := func(d time.Duration) {
		if !waiting {
			pause.Reset(d)
			waiting = true
		}
	}
	for {
		select {
		case <-h.ctx.Done():
			return true
		case <-h.anew:
			return true
		case e, ok := <-news:
			if !ok {
				return true
			}
			if h.takeAll(e, news) {
				h.publish()
			} else {
				later(deskPause)
			}
		case <-h.poked:
			if h.changedHere() {
				h.publish()
			}
			later(deskPause) // followers come and go by the hundred, too
		case <-pause.C:
			waiting = false
			if wait := h.tellHere(); wait > 0 {
				later(wait)
			}
			h.publish()
		}
	}
}

// firstValues takes the values that the room has, in place of those before, and returns where newer ones come; nil if that took too long.
func (h *hub) firstValues(watch jetstream.KeyWatcher) <-chan jetstream.KeyValueEntry {
	timeout := time.NewTimer(answerTime)
	defer timeout.Stop()
	var all []jetstream.KeyValueEntry
	for {
		select {
		case e, ok := <-watch.Updates():
			if !ok {
				return nil
			}
			if e != nil {
				all = append(all, e)
				continue
			}
			h.reset(all)
			h.publish()
			select {
			case <-h.ready:
			default:
				close(h.ready)
			}
			return watch.Updates()
		case <-timeout.C:
			return nil
		case <-h.ctx.Done():
			return nil
		}
	}
}

// reset forgets what was known, and takes all.
func (h *hub) reset(all []jetstream.KeyValueEntry) {
	h.mu.Lock()
	h.answers = make(map[string]map[string]string)
	h.mu.Unlock()
	h.version, h.others = 0, make(map[string]presence)
	for _, e := range all {
		h.take(e)
	}
	if h.version == 0 { // its state is not among them
		h.record = nil
	}
}

// takeAll takes an entry and all that are waiting behind it, and reports whether the class has to know at once.
func (h *hub) takeAll(e jetstream.KeyValueEntry, news <-chan jetstream.KeyValueEntry) (urgent bool) {
	for ok := true; ok; {
		if e != nil {
			urgent = h.take(e) || urgent
		}
		select {
		case e, ok = <-news: // if it is closed, watch sees that next
		default:
			return urgent
		}
	}
	return urgent
}

// take takes one entry.
func (h *hub) take(e jetstream.KeyValueEntry) (urgent bool) {
	_, kind, rest := splitKey(e.Key())
	switch {
	case kind == "state":
		h.takeState(e)
		return true
	case kind == "answer" && len(rest) == 2:
		h.mu.Lock()
		defer h.mu.Unlock()
		of := h.answers[rest[0]]
		if of == nil {
			of = make(map[string]string)
			h.answers[rest[0]] = of
		}
		of[rest[1]] = string(e.Value())
	case kind == "here" && len(rest) == 1 && rest[0] != h.rooms.process:
		n, _ := strconv.Atoi(string(e.Value()))
		h.others[rest[0]] = presence{n, e.Created()}
	}
	return false
}

// takeState takes a new state, and notes what of it is new.
func (h *hub) takeState(e jetstream.KeyValueEntry) {
	var r record
	if e.Operation() != jetstream.KeyValuePut || json.Unmarshal(e.Value(), &r) != nil {
		h.record, h.version = nil, 0
		return
	}
	h.version = e.Revision()
	if h.record == nil || h.record.Link != r.Link {
		h.runAt = h.version
	}
	if question, _ := json.Marshal(r.Question); h.record == nil || !bytes.Equal(question, h.question) {
		h.askAt, h.question = h.version, question
	}
	h.record = &r
}

// mayAnswer reports whether one more answer may be given: one that changes an older one always.
func (h *hub) mayAnswer(question, token string, most int) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	_, has := h.answers[question][token]
	return has || len(h.answers[question]) < most
}

// changedHere reports whether something changed in this process that cannot wait.
func (h *hub) changedHere() bool {
	p := h.desks.Load()
	return p == nil || p.beat != h.beat.Load() || p.update.Live != h.rooms.Connected() || p.ended != h.over()
}

// tellHere tells other processes how many follow in this one, when that has changed and then once a beat. If it is too early to do so it
// returns how long to wait.
func (h *hub) tellHere() (wait time.Duration) {
	n, since := h.here.Load(), time.Since(h.toldAt)
	if n == h.told && (n == 0 || since < h.rooms.config.Beat) || !h.rooms.Connected() || h.record == nil {
		return 0
	}
	if pause := min(herePause, h.rooms.config.Beat); since < pause {
		return pause - since
	}
	ctx, cancel := context.WithTimeout(h.ctx, answerTime)
	defer cancel()
	if _, err := h.rooms.kv.PutString(ctx, hereKey(h.code, h.rooms.process), strconv.FormatInt(n, 10)); err == nil {
		h.told, h.toldAt = n, time.Now()
	}
	return 0
}

// leave tells that nobody follows here any more, when the process ends.
func (h *hub) leave() {
	if now := h.class.Load(); now == nil || now.update.Gone || !h.rooms.Connected() {
		return
	}
	ctx, cancel := context.WithTimeout(h.ctx, answerTime)
	defer cancel()
	_, _ = h.rooms.kv.PutString(ctx, hereKey(h.code, h.rooms.process), "0")
}

// everywhere counts the followers of all processes that are alive.
func (h *hub) everywhere() int {
	n := int(h.here.Load())
	for _, other := range h.others {
		if time.Since(other.at) < 3*h.rooms.config.Beat {
			n += other.followers
		}
	}
	return n
}

// now is the update of this moment.
func (h *hub) now() Update {
	if h.record == nil {
		return Update{Live: h.rooms.Connected(), Gone: true}
	}
	u := Update{State: h.record.forClass(), Version: h.version, Here: h.everywhere(), Live: h.rooms.Connected()}
	if q := u.State.Question; q != nil {
		h.mu.Lock()
		answers := h.answers[q.ID]
		u.Answers = len(answers)
		if q.Revealed {
			answers = maps.Clone(answers)
		}
		h.mu.Unlock()
		if q.Revealed {
			u.Tally = tally(q, answers)
		}
	}
	return u
}
