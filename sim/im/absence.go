package im

import (
	"cmp"
	"slices"
	"time"

	"imscope/sim"
)

// Absence is a stretch of time from which the reader's phone comes back, with all that others sent meanwhile. How long it is, is
// Scenario.Off, which starts at 0.
type Absence struct {
	Evening       bool      // three groups were busy, and nothing else; otherwise what comes is drawn
	Conversations int64     // that the reader is in, the most active first
	TooFar        TooFar    // what the server does about a phone that is far behind
	Incoming      []Arrival // what others send, by time, instead of what is drawn
}

// TooFar says what the server does about a phone that is more than MostPages behind.
type TooFar int64

// What the server can do. Whoever was away for longer than Kept is answered with the list in any case.
const (
	PageAll  TooFar = iota // give everything, page by page
	GiveList               // answer "too many", and give the list of conversations with the newest message of each
)

const (
	// ReceivedADay is how many messages one person receives a day: 4,000,000 × 20/3 ÷ 100,000, rounded, as in the book.
	ReceivedADay = 267
	// MostPages is how many pages a phone can be behind before it is too far: 500 messages at the book's 50 a page.
	MostPages = 10
	// Kept is for how long an inbox is kept.
	Kept = 7 * day

	day = 24 * time.Hour
	// eveningLong is how long the busy evening lasts.
	eveningLong = 4 * time.Hour
	// betweenOpens is the time between two of the 20 times a day that somebody opens the app.
	betweenOpens = day / 20
	// longestSync bounds how long coming back may take, far beyond what any network here needs.
	longestSync = 30 * time.Minute
)

// evening is how many messages come in conversations 1, 2 and 3 on a busy evening.
var evening = [...]int{120, 80, 30}

// Arrival is a message from somebody who has no phone in the run.
type Arrival struct {
	At   Time
	Msg  MessageID
	Conv uint16 // from 1
}

// Missed is how many messages come while the phone is away: ReceivedADay for every day, rounded half up.
func (s *Scenario) Missed() int64 {
	switch {
	case s.Incoming != nil:
		return int64(len(s.Incoming))
	case s.Evening:
		n := 0
		for _, more := range evening {
			n += more
		}
		return int64(n)
	default:
		return (ReceivedADay*int64(s.Off.To) + int64(day)/2) / int64(day)
	}
}

// Arrivals is what comes while the phone is away, by time. The n-th falls into a conversation that only the seed, n, and the number of
// conversations decide, so a longer absence brings more and changes nothing about what came before it. Times are uniform.
func (s *Scenario) Arrivals() []Arrival {
	if s.Incoming != nil {
		return s.Incoming
	}
	luck := sim.NewLuck(s.Seed)
	all := make([]Arrival, s.Missed())
	for i := range all {
		all[i].At = Time(luck.Draw(arrivalDraw, uint64(i+1), 0).IntN(uint64(s.Off.To)))
	}
	if s.Evening {
		busy(all)
	}
	slices.SortStableFunc(all, func(a, b Arrival) int { return cmp.Compare(a.At, b.At) })
	sums := Shares(s.Conversations)
	for i := range all {
		a := &all[i]
		a.Msg = MessageID{Server, uint32(i + 1)}
		if !s.Evening {
			a.Conv = uint16(1 + luck.Draw(conversationDraw, uint64(i+1), 0).Pick(sums))
		}
	}
	return all
}

// busy lets the messages of an evening come in its groups.
func busy(all []Arrival) {
	next := 0
	for group, n := range evening {
		for range n {
			all[next].Conv = uint16(group + 1)
			next++
		}
	}
}

// Shares are the running sums of the shares that n conversations have in what comes: the k-th has 1 ÷ k of the first one's.
func Shares(n int64) []uint64 {
	const first = 1 << 40 // so that rounding moves no share by more than a billionth
	sums := make([]uint64, n)
	sum := uint64(0)
	for k := range sums {
		sum += first / uint64(k+1)
		sums[k] = sum
	}
	return sums
}
