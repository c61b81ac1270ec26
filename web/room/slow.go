package room

import (
	"context"
	"net"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/go-chi/httprate"
)

// slowDown makes the counters of what an address does too often.
func (rs *Rooms) slowDown() {
	l := rs.config.Limits
	rs.wrong = httprate.NewRateLimiter(l.WrongCodes, l.WrongTime)
	rs.created = httprate.NewRateLimiter(l.NewRooms, l.WrongTime)
}

func remoteAddress(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	return httprate.CanonicalizeIP(host)
}

// Enter looks up a room for a request, as Get does, and slows down whoever tries codes: only wrong ones count. An address that gave too
// many is told nothing about any code for a while (*SlowDownError, and the header Retry-After), but for those that it had right before: a
// class behind one address stays in, whatever one of them tries.
func (rs *Rooms) Enter(w http.ResponseWriter, r *http.Request, code string) (State, uint64, error) {
	address := rs.config.Address(r)
	pair := address + " " + code
	if !rs.known.has(pair) {
		if _, wrong, _ := rs.wrong.Status(address); wrong >= float64(rs.config.Limits.WrongCodes) {
			return State{}, 0, rs.slow(w)
		}
	}
	s, version, err := rs.Get(r.Context(), code)
	switch err {
	case nil:
		rs.known.add(pair)
	case ErrUnknownRoom:
		if rs.wrong.OnLimit(quiet{}, r.WithContext(context.Background()), address) {
			err = rs.slow(w)
		}
	}
	return s, version, err
}

// MayCreate counts a room that a request is about to open; the error is a *SlowDownError if its address opened too many.
func (rs *Rooms) MayCreate(w http.ResponseWriter, r *http.Request) error {
	if rs.created.OnLimit(quiet{}, r.WithContext(context.Background()), rs.config.Address(r)) {
		return rs.slow(w)
	}
	return nil
}

func (rs *Rooms) slow(w http.ResponseWriter) error {
	after := rs.config.Limits.WrongTime / 2 // the counter's window slides, so by then about half is forgiven
	w.Header().Set("Retry-After", strconv.Itoa(int(after/time.Second)))
	return &SlowDownError{after}
}

// quiet takes the headers with which the counter tells how much is left: a reader has no use for them.
type quiet struct{}

func (quiet) Header() http.Header         { return http.Header{} }
func (quiet) Write(p []byte) (int, error) { return len(p), nil }
func (quiet) WriteHeader(int)             {}

// knownPairs are addresses and codes that went together. It forgets all rather than to grow beyond mostPairs: then the counter of wrong
// codes decides again.
type knownPairs struct {
	mu    sync.Mutex
	pairs map[string]time.Time // since when
}

const (
	mostPairs = 50_000
	pairTime  = 24 * time.Hour
)

func (k *knownPairs) has(pair string) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	_, ok := k.pairs[pair]
	return ok
}

func (k *knownPairs) add(pair string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.pairs == nil || len(k.pairs) >= mostPairs {
		k.pairs = make(map[string]time.Time)
	}
	k.pairs[pair] = time.Now()
}

func (k *knownPairs) forgetOld() {
	k.mu.Lock()
	defer k.mu.Unlock()
	for pair, since := range k.pairs {
		if time.Since(since) > pairTime {
			delete(k.pairs, pair)
		}
	}
}
