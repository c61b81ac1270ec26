package im

import (
	"iter"
	"time"
)

// Metrics is what a run is judged by. All counts are over all phones.
type Metrics struct {
	Messages      int64 // sent by users
	Stored        int64 // of them, stored by the server
	InvertedPairs int64 // pairs shown on a screen in the order opposite to the server's, summed over the screens
	Missing       int64 // stored messages that a phone does not show, summed over the phones
	MissingKnown  int64 // of them, those whose phone knows, by a gap in contiguous numbers
	Fetches       int64 // requests to fill a gap, repeats included
	OwnMoves      int64 // own messages that moved up when they got their number
	Duplicates    int64 // lines shown twice
	Polls         int64 // requests for what is new; each page is one
	EmptyPolls    int64 // of them, those whose answer brought nothing new
	Lost          int64 // stored messages that the reader will never be given, since it reads on behind them
	HeadersUp     int64 // bytes of HTTP headers from phones
	HeadersDown   int64 // and to phones
	Wait          Histogram

	// Where a phone was away. What it then still lacks is left on the server.
	NewMessages         int64 // that came since it left
	ActiveConversations int64 // that they came in
	ReadsForNothing     int64 // heads of conversations that the server read, and nothing was new there
	Repeated            int64 // messages that came though the phone had them
	Events              int64 // that happened to the reader and come without a message
	EventsUnknown       int64 // of them, those that the phone has not heard of

	Cost Cost
}

// MissingUnnoticed is how many missing messages their phone has no way to know of.
func (m *Metrics) MissingUnnoticed() int64 { return m.Missing - m.MissingKnown }

// Cost is what a run costs. A leg counts where it leaves, lost or not.
type Cost struct {
	Requests    int64 `json:"requests"`   // legs that a phone originates, resends included
	BytesUp     int64 `json:"bytes_up"`   // from phones
	BytesDown   int64 `json:"bytes_down"` // to phones
	RowsRead    int64 `json:"rows_read"`  // rows that a read looks at to know what to send
	RowsWritten int64 `json:"rows_written"`
	Connections int64 `json:"connections"` // held at once
	InboxRows   int64 `json:"-"`           // of the rows written, those in inboxes
}

// Sizes in bytes of what legs carry.
const (
	MessageBytes = 200
	AckBytes     = 12
	RangeBytes   = 12
	CursorBytes  = 8
	TokenBytes   = 8
	PairBytes    = 12                       // a conversation and a seq, or a bare event of a conversation
	VersionBytes = 8                        // of a person's memberships
	ItemBytes    = PairBytes + MessageBytes // an entry of the list of conversations
)

// What the headers of an HTTP request and of its answer are taken to weigh: a request line, host, cookie or bearer token, user
// agent and accept lines; a status line, date, type, length and cache lines. Usual apps lie within a factor of two. On a connection
// that stays open they are paid once.
const (
	RequestHeaderBytes = 500
	AnswerHeaderBytes  = 250
)

// leg adds the cost of one leg. Hi - Lo + 1 rows travel in an answer.
func (c *Cost) leg(in *Input) {
	switch in.Leg { // those of every message first
	case MessageLeg:
		c.Requests++
		c.BytesUp += MessageBytes
		return
	case AckLeg:
		c.BytesDown += AckBytes
		return
	case PushLeg:
		c.BytesDown += MessageBytes
		return
	}
	if in.Leg.FromPhone() {
		c.Requests++
	}
	switch in.Leg {
	case AskLeg:
		c.BytesUp += RangeBytes
	case PullLeg:
		c.BytesUp += CursorBytes
	case AnswerLeg:
		c.BytesDown += MessageBytes * (in.Hi - in.Lo + 1)
	case PullReplyLeg:
		c.BytesDown += MessageBytes * in.Hi
	case PollLeg:
		c.BytesUp += CursorBytes
	case PollReplyLeg:
		c.BytesDown += MessageBytes * int64(in.Rows)
		if in.Hi != 0 {
			c.BytesDown += TokenBytes
		}
	case SyncLeg:
		if in.Rows > 0 {
			c.BytesUp += PairBytes * int64(in.Rows)
		} else {
			c.BytesUp += CursorBytes
		}
		if in.Hi == withVersion {
			c.BytesUp += VersionBytes
		}
	case SyncReplyLeg:
		c.BytesDown += MessageBytes*int64(in.Rows) + ItemBytes*int64(in.New) + PairBytes*in.Hi
	}
}

// headers adds those of one leg of a phone that has no connection open. The answer to a connecting phone is no leg of its own.
func (m *Metrics) headers(l Leg) {
	switch {
	case l == ConnectLeg:
		m.HeadersUp += RequestHeaderBytes
		m.HeadersDown += AnswerHeaderBytes
	case l.FromPhone():
		m.HeadersUp += RequestHeaderBytes
	default:
		m.HeadersDown += AnswerHeaderBytes
	}
}

// Histogram counts times, the short ones by whole milliseconds and the long ones by whole minutes, so that quantiles of any number of
// them take little room.
type Histogram struct {
	counts  []*[millisPage]int64 // by milliseconds, a page at a time, so that a few longer times do not take the room of all shorter ones
	minutes []int64              // of the long ones
	N       int64
	Sum     Time
	Max     Time
}

// millisPage is the size of a page.
const millisPage = 1024

const (
	long    = 10 * time.Minute     // long times are those from here on
	longest = 366 * 24 * time.Hour // bounds the histogram's size; longer times count as this long in quantiles
)

// millis rounds to whole milliseconds, half up.
func millis(t Time) int64 { return int64((t + time.Millisecond/2) / time.Millisecond) }

// Add counts t.
func (h *Histogram) Add(t Time) {
	if t < long {
		h.addShort(int(millis(t)))
	} else {
		h.addLong(int(min(t, longest) / time.Minute))
	}
	h.N++
	h.Sum += t
	h.Max = max(h.Max, t)
}

func (h *Histogram) addShort(ms int) {
	for len(h.counts) <= ms/millisPage {
		h.counts = append(h.counts, nil)
	}
	at := &h.counts[ms/millisPage]
	if *at == nil {
		*at = new([millisPage]int64)
	}
	(*at)[ms%millisPage]++
}

func (h *Histogram) addLong(minutes int) {
	for len(h.minutes) <= minutes {
		h.minutes = append(h.minutes, 0)
	}
	h.minutes[minutes]++
}

// Merge counts what o has counted too. The mean is right as long as the sum of all times fits a Time: some 292 years.
func (h *Histogram) Merge(o *Histogram) {
	for len(h.counts) < len(o.counts) {
		h.counts = append(h.counts, nil)
	}
	for page, counts := range o.counts {
		if counts == nil {
			continue
		}
		if h.counts[page] == nil {
			h.counts[page] = new([millisPage]int64)
		}
		for ms, n := range counts {
			h.counts[page][ms] += n
		}
	}
	for len(h.minutes) < len(o.minutes) {
		h.minutes = append(h.minutes, 0)
	}
	for m, n := range o.minutes {
		h.minutes[m] += n
	}
	h.N += o.N
	h.Sum += o.Sum
	h.Max = max(h.Max, o.Max)
}

// Clone returns a copy that counts by itself.
func (h *Histogram) Clone() (c Histogram) {
	c.Merge(h)
	return c
}

// Mean is the mean in whole milliseconds, 0 if nothing was counted.
func (h *Histogram) Mean() int64 {
	if h.N == 0 {
		return 0
	}
	return millis(h.Sum / Time(h.N))
}

// Quantile is the nearest-rank quantile of per cent, in whole milliseconds, 0 if nothing was counted. From ten minutes on it is told by
// whole minutes.
func (h *Histogram) Quantile(percent int64) int64 {
	rank := (h.N*percent + 99) / 100
	var seen int64
	for ms, n := range h.All() {
		if seen += n; seen >= rank {
			return ms
		}
	}
	return 0
}

// All yields the times that were counted, in whole milliseconds, rising, and how often each was. From ten minutes on they are whole minutes.
func (h *Histogram) All() iter.Seq2[int64, int64] {
	return func(yield func(ms, n int64) bool) {
		for i, counts := range h.counts {
			if counts == nil {
				continue
			}
			for ms, n := range counts {
				if n > 0 && !yield(int64(i*millisPage+ms), n) {
					return
				}
			}
		}
		for m, n := range h.minutes {
			if n > 0 && !yield(int64(m)*time.Minute.Milliseconds(), n) {
				return
			}
		}
	}
}

// MaxMillis is the longest time in whole milliseconds.
func (h *Histogram) MaxMillis() int64 { return millis(h.Max) }
