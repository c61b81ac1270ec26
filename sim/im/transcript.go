package im

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// WriteTranscript writes a run as a text that a person can read: a line a step, then what the run came to. The golden tests of the
// protocols are such texts.
func WriteTranscript(w io.Writer, s *Scenario, steps Trace) error {
	out := bufio.NewWriter(w)
	var last Step
	for i := 0; i < len(steps); i++ {
		step := &steps[i]
		when := ""
		if i == 0 || step.Moment() != last.Moment() {
			when = seconds(step.At)
		}
		fmt.Fprintf(out, "%8s  %-6s  %s\n", when, Name(step.Actor), describe(&step.Data))
		last = *step
		i += writeVain(out, steps[i:])
	}
	fold := FoldTrace(s, steps)
	fmt.Fprintln(out)
	if s.Chapter == OfflineChapter {
		writeConversations(out, s, fold)
		return out.Flush()
	}
	fmt.Fprintf(out, "%-8s %s\n", "Server", rowList(fold.Rows))
	for phone := Ana; phone <= Actor(s.Phones); phone++ {
		fmt.Fprintf(out, "%-8s %s\n", Name(phone), lineList(fold.Screens[phone].Lines))
	}
	fmt.Fprintln(out)
	writeMetrics(out, fold.Metrics())
	if s.Reader != Server {
		writePolls(out, fold.Metrics())
	}
	return out.Flush()
}

// seconds writes a time in seconds, to the millisecond.
func seconds(t Time) string {
	ms := millis(t)
	return fmt.Sprintf("%d.%03d", ms/1000, ms%1000)
}

// describe tells one step, tersely.
func describe(d *Data) string {
	switch d.Kind {
	case Connected:
		return "connects"
	case Pressed:
		return fmt.Sprintf("sends %s", d.Msg)
	case Left:
		return describeLeg(d)
	case Began:
		return fmt.Sprintf("begins to write %s%s", d.Msg, numbers(d))
	case LockWaited:
		if d.To != Server {
			return fmt.Sprintf("%s waits for the lock of %s's row", d.Msg, Name(d.To))
		}
		return fmt.Sprintf("%s waits for the row lock", d.Msg)
	case Stored:
		return fmt.Sprintf("stores %s%s", d.Msg, numbers(d))
	case Repeated:
		return fmt.Sprintf("has %s already%s", d.Msg, numbers(d))
	case Acked:
		return fmt.Sprintf("%s is sent%s%s", d.Msg, numbers(d), fetched(d))
	case AckedAgain:
		return fmt.Sprintf("knew that %s is sent", d.Msg)
	case Shown:
		return fmt.Sprintf("shows %s%s%s", d.Msg, numbers(d), fetched(d))
	case Ignored:
		if d.Conv != 0 {
			return fmt.Sprintf("has %s already%s", d.Msg, numbers(d))
		}
		return "learns nothing new"
	case GapSeen:
		if d.Conv != 0 {
			return fmt.Sprintf("sees a gap: #%d … #%d of conversation %d, %d missing; waits", d.Lo, d.Hi, d.Conv, d.Gap)
		}
		return fmt.Sprintf("sees a gap: #%d … #%d, %d missing; waits", d.Lo, d.Hi, d.Gap)
	case GapClosed:
		return "lacks nothing any more"
	case Asked:
		return fmt.Sprintf("asks for #%d … #%d%s, try %d", d.Lo, d.Hi, of(d), d.Attempt)
	case RangeRead:
		return fmt.Sprintf("reads #%d … #%d%s for %s", d.Lo, d.Hi, of(d), Name(d.To))
	case Failed:
		return fmt.Sprintf("gives up sending %s", d.Msg)
	case Opened:
		if d.Conv != 0 {
			return fmt.Sprintf("opens conversation %d", d.Conv)
		}
		return "opens the conversation again"
	case PullRead:
		return fmt.Sprintf("reads all %d rows for %s", d.Hi, Name(d.To))
	case Reloaded:
		return fmt.Sprintf("draws the screen anew from %d rows", d.Hi)
	case RolledBack:
		return fmt.Sprintf("rolls %s back, id %d is gone", d.Msg, d.ID)
	case Restarted:
		return "starts anew; what it had not stored is lost"
	case Forgotten:
		return fmt.Sprintf("has lost %s, which waited for a lock", d.Msg)
	case ReadPast:
		return fmt.Sprintf("%s will never be given %s, id %d", Name(d.To), d.Msg, d.ID)
	default:
		return describeAsking(d)
	}
}

// describeAsking tells a step of a reader that asks, or of the server's about it.
func describeAsking(d *Data) string {
	switch d.Kind {
	case TurnedOff:
		return "is off"
	case TurnedOn:
		return "is on again"
	case Polled:
		return fmt.Sprintf("poll %d%s asks what is %s", d.Lo, page(d), d.Position())
	case PollSkipped:
		return fmt.Sprintf("poll %d is left out, one is in flight", d.Lo)
	case PollRead:
		return fmt.Sprintf("reads %s for %s%s", rows(d), Name(d.To), more(d))
	case Held:
		return fmt.Sprintf("has nothing for %s yet and holds the request", Name(d.To))
	case HoldEnded:
		return fmt.Sprintf("has held the request of %s for long enough", Name(d.To))
	case Answered:
		return fmt.Sprintf("poll %d%s brings %s, %d new%s; next: what is %s", d.Lo, page(d), rows(d), d.New, more(d), d.Position())
	case Subscribed:
		return fmt.Sprintf("connection %d of %s is open", d.Lo, Name(d.To))
	case Silent:
		return fmt.Sprintf("connection %d of %s was silent for too long, closes it", d.Lo, Name(d.To))
	case Broken:
		return fmt.Sprintf("holds connection %d for dead", d.Lo)
	case Alive:
		return fmt.Sprintf("connection %d lives", d.Lo)
	case Buffered:
		return fmt.Sprintf("keeps %s, id %d, until it has caught up", d.Msg, d.ID)
	default:
		return describeCatching(d)
	}
}

// String tells a position as part of a sentence.
func (p Position) String() string {
	switch {
	case p.By == AfterToken:
		return fmt.Sprintf("newer than token %d", p.ID)
	case p.By == SinceTime && p.ID == 0:
		return "inserted from " + seconds(p.At) + " on"
	default:
		return fmt.Sprintf("newer than id %d", p.ID)
	}
}

func page(d *Data) string {
	if d.Attempt > 1 {
		return fmt.Sprintf(", page %d,", d.Attempt)
	}
	return ""
}

func rows(d *Data) string {
	if d.Rows == 1 {
		return "1 row"
	}
	return fmt.Sprintf("%d rows", d.Rows)
}

func more(d *Data) string {
	if d.More {
		return ", there are more"
	}
	return ""
}

var kindNames = [kindEnd]string{Connected: "connected", Pressed: "pressed", Left: "left", Began: "began", LockWaited: "lock waited",
	Stored: "stored", Repeated: "repeated", Acked: "acked", AckedAgain: "acked again", Shown: "shown", Ignored: "ignored",
	GapSeen: "gap seen", GapClosed: "gap closed", Asked: "asked", RangeRead: "range read", Failed: "failed", Opened: "opened",
	PullRead: "pull read", Reloaded: "reloaded", RolledBack: "rolled back", TurnedOff: "turned off", TurnedOn: "turned on",
	Polled: "polled", PollSkipped: "poll skipped", PollRead: "poll read", Held: "held", HoldEnded: "hold ended", Answered: "answered",
	ReadPast: "read past", Subscribed: "subscribed", Silent: "silent", Broken: "broken", Alive: "alive", Buffered: "buffered",
	SyncAsked: "sync asked", SyncRepeated: "sync repeated", Looked: "looked", InboxRead: "inbox read", TooMany: "too many",
	HeadRead: "head read", SyncRead: "sync read", SyncAnswered: "sync answered", Listed: "listed", CaughtUp: "caught up",
	Noted: "noted", Learned: "learned", VersionRead: "version read", Locked: "locked",
	Restarted: "restarted", Forgotten: "forgotten", Unknown: "unknown"}

// Name is the kind's name in files.
func (k Kind) Name() string { return kindNames[k] }

var legNames = [legEnd]string{MessageLeg: "message", AckLeg: "ACK", PushLeg: "push", AskLeg: "range request", AnswerLeg: "range",
	PullLeg: "pull", PullReplyLeg: "conversation", PollLeg: "poll", PollReplyLeg: "answer", ConnectLeg: "connect", PingLeg: "ping",
	PongLeg: "pong", SyncLeg: "request", SyncReplyLeg: "answer"}

// Name is the leg's name in transcripts.
func (l Leg) Name() string { return legNames[l] }

func describeLeg(d *Data) string {
	what := d.Leg.Name()
	if d.Msg.N != 0 {
		what += " " + d.Msg.String()
	}
	if d.Leg == MessageLeg && d.Attempt > 1 {
		what += fmt.Sprintf(", try %d", d.Attempt)
	}
	if d.Leg == SyncLeg || d.Leg == SyncReplyLeg {
		what += fmt.Sprintf(" %d", d.Lo)
	}
	if d.Leg == SyncLeg && d.Attempt > 1 {
		what += fmt.Sprintf(", try %d", d.Attempt)
	}
	if d.Leg == SyncReplyLeg {
		what += ", " + brought(d)
	}
	if d.Leg == PollReplyLeg {
		what += ", " + rows(d)
	}
	if d.Lost {
		return fmt.Sprintf("  → %s: %s, lost", Name(d.To), what)
	}
	return fmt.Sprintf("  → %s: %s, due %s", Name(d.To), what, seconds(d.Lands))
}

func numbers(d *Data) string {
	s := fmt.Sprintf(", id %d", d.ID)
	if d.Seq != 0 {
		s += fmt.Sprintf(", seq %d", d.Seq)
	}
	if d.Copy > 0 {
		s += fmt.Sprintf(", copy %d", d.Copy+1)
	}
	if d.Conv != 0 {
		s += fmt.Sprintf(", conversation %d", d.Conv)
	}
	if d.Event == Added {
		s += ", in which Ben is new"
	}
	if d.Inbox != 0 {
		s += fmt.Sprintf(", inbox %d", d.Inbox)
	}
	return s
}

func fetched(d *Data) string {
	if d.Fetched {
		return ", fetched"
	}
	return ""
}

func rowList(rows []Row) string {
	var b strings.Builder
	for _, r := range rows {
		fmt.Fprintf(&b, "%s(%d) ", r.Msg, r.ID)
	}
	return strings.TrimSpace(b.String())
}

var stateMarks = [...]string{Sending: "?", Sent: "", GivenUp: "!", Received: ""}

func lineList(lines []Line) string {
	var b strings.Builder
	for i := range lines {
		fmt.Fprintf(&b, "%s%s ", lines[i].Msg, stateMarks[lines[i].State])
	}
	return strings.TrimSpace(b.String())
}

func writeMetrics(w io.Writer, m Metrics) {
	for _, row := range []struct {
		name  string
		value int64
	}{
		{"pairs in the opposite order", m.InvertedPairs},
		{"missing, unnoticed", m.MissingUnnoticed()},
		{"missing, known", m.MissingKnown},
		{"fetches", m.Fetches},
		{"own messages that moved", m.OwnMoves},
		{"duplicates shown", m.Duplicates},
	} {
		fmt.Fprintf(w, "%-28s %d\n", row.name, row.value)
	}
	writeCost(w, &m)
}

// writeCost writes how long messages took and what the run cost.
func writeCost(w io.Writer, m *Metrics) {
	fmt.Fprintf(w, "%-28s mean %d, p50 %d, p95 %d, max %d\n", "wait (ms)", m.Wait.Mean(), m.Wait.Quantile(50), m.Wait.Quantile(95),
		m.Wait.MaxMillis())
	c := m.Cost
	fmt.Fprintf(w, "%-28s requests %d, bytes up %d, down %d, rows read %d, written %d, connections %d\n", "cost", c.Requests, c.BytesUp,
		c.BytesDown, c.RowsRead, c.RowsWritten, c.Connections)
}

func writePolls(w io.Writer, m Metrics) {
	fmt.Fprintf(w, "%-28s %d, empty %d\n", "polls", m.Polls, m.EmptyPolls)
	fmt.Fprintf(w, "%-28s up %d, down %d\n", "bytes of headers", m.HeadersUp, m.HeadersDown)
	fmt.Fprintf(w, "%-28s %d\n", "lost for good", m.Lost)
}
