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
	Evening       bool        // three groups were busy, and nothing else; otherwise what comes is drawn
	Conversations int64       // that the reader is in, the most active first
	TooFar        TooFar      // what the server does about a phone that is far behind
	Incoming      []Arrival   // what others send, by time, instead of what is drawn
	Events        []Happening // what happens besides
	Version       bool        // phones keep a version of their memberships beside cursors, and servers compare it
	Pushes        bool        // a phone with a connection is pushed what comes
	HeadLast      bool        // the head is read after the list instead of before it
	Again         Time        // how long after catching up the phone asks again; 0 is never
	Unordered     bool        // transactions lock recipients in the order in which they are named, instead of that of user ids
	Second        Time        // how long after the phone has caught up the reader's tablet comes back; 0 is no tablet
	Opens         int64       // the conversation that the reader opens after catching up; 0 is none
}

// Happening is something that the scenario lets happen besides what is drawn: an event, or one more message.
type Happening struct {
	Thousandth int64 // of the absence: when
	After      Time  // and so much later
	Event      Event
	Conv       int64   // from 1; Last, or New
	To         []Actor // the recipients, in the order in which the sender names them; empty is the reader alone
}

// Conversations that are named by where they stand.
const (
	Last int64 = 0  // the least active
	New  int64 = -1 // one more
)

// Event is something that happens to a person, in the person's inbox an entry like any other.
type Event uint8

// The events. Being added to a group comes with the first message of it that the person can see; the others come without.
const (
	MessageSent   Event = iota // no event, a message
	Added                      // the person was added to a group
	Removed                    // and removed from one
	ReadElsewhere              // read a conversation on another device
	Pinned                     // pinned one there
)

// Bare reports whether the event comes without a message.
func (e Event) Bare() bool { return e > Added }

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
	At    Time
	Msg   MessageID
	Conv  uint16 // from 1
	Event Event  // a bare one has no Msg
	To    []Actor
}

// Missed is how many messages come while the phone is away, events apart: ReceivedADay for every day, rounded half up.
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

// Arrivals is what comes while the phone is away, by time, edits included.
func (s *Scenario) Arrivals() []Arrival {
	all := s.coming()
	if len(s.Edits) == 0 {
		return all
	}
	all = slices.Clone(all)
	all = slices.DeleteFunc(all, func(a Arrival) bool {
		e := s.said(Edit{Verb: Press, Msg: a.Msg})
		return e != nil && e.Verb == Drop
	})
	for i := range all {
		if e := s.said(Edit{Verb: Press, Msg: all[i].Msg}); e != nil {
			all[i].At = e.At
		}
	}
	slices.SortStableFunc(all, byTime)
	return all
}

func byTime(a, b Arrival) int { return cmp.Compare(a.At, b.At) }

// coming is what the scenario has come. The n-th falls into a conversation that only the seed, n, and the number of
// conversations decide, so a longer absence brings more and changes nothing about what came before it. Times are uniform.
func (s *Scenario) coming() []Arrival {
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
	slices.SortStableFunc(all, byTime)
	sums := Shares(s.Conversations)
	for i := range all {
		a := &all[i]
		a.Msg = MessageID{Server, uint32(i + 1)}
		if !s.Evening {
			a.Conv = uint16(1 + luck.Draw(conversationDraw, uint64(i+1), 0).Pick(sums))
		}
	}
	return s.withEvents(all)
}

// withEvents adds the events. A message among them is named after all others, so that it renames none.
func (s *Scenario) withEvents(all []Arrival) []Arrival {
	next := uint32(len(all) + 1)
	for _, m := range s.Events {
		a := Arrival{At: s.Off.To/1000*Time(m.Thousandth) + m.After, Conv: uint16(m.Conv), Event: m.Event, To: m.To}
		switch m.Conv {
		case Last:
			a.Conv = uint16(s.Conversations)
		case New:
			a.Conv = uint16(s.Conversations + 1)
		}
		if !m.Event.Bare() {
			a.Msg = MessageID{Server, next}
			next++
		}
		all = append(all, a)
	}
	slices.SortStableFunc(all, byTime)
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
