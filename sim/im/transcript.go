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
	for i := range steps {
		step := &steps[i]
		when := ""
		if i == 0 || step.Moment() != last.Moment() {
			when = seconds(step.At)
		}
		fmt.Fprintf(out, "%8s  %-6s  %s\n", when, Name(step.Actor), describe(&step.Data))
		last = *step
	}
	fold := FoldTrace(s, steps)
	fmt.Fprintln(out)
	fmt.Fprintf(out, "%-8s %s\n", "Server", rowList(fold.Rows))
	for phone := Ana; phone <= Actor(s.Phones); phone++ {
		fmt.Fprintf(out, "%-8s %s\n", Name(phone), lineList(fold.Screens[phone].Lines))
	}
	fmt.Fprintln(out)
	writeMetrics(out, fold.Metrics())
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
		return "learns nothing new"
	case GapSeen:
		return fmt.Sprintf("sees a gap: #%d … #%d, %d missing; waits", d.Lo, d.Hi, d.Gap)
	case GapClosed:
		return "lacks nothing any more"
	case Asked:
		return fmt.Sprintf("asks for #%d … #%d, try %d", d.Lo, d.Hi, d.Attempt)
	case RangeRead:
		return fmt.Sprintf("reads #%d … #%d for %s", d.Lo, d.Hi, Name(d.To))
	case Failed:
		return fmt.Sprintf("gives up sending %s", d.Msg)
	case Opened:
		return "opens the conversation again"
	case PullRead:
		return fmt.Sprintf("reads all %d rows for %s", d.Hi, Name(d.To))
	case Reloaded:
		return fmt.Sprintf("draws the screen anew from %d rows", d.Hi)
	default:
		return "?"
	}
}

var kindNames = [kindEnd]string{Connected: "connected", Pressed: "pressed", Left: "left", Began: "began", LockWaited: "lock waited",
	Stored: "stored", Repeated: "repeated", Acked: "acked", AckedAgain: "acked again", Shown: "shown", Ignored: "ignored",
	GapSeen: "gap seen", GapClosed: "gap closed", Asked: "asked", RangeRead: "range read", Failed: "failed", Opened: "opened",
	PullRead: "pull read", Reloaded: "reloaded"}

// Name is the kind's name in files.
func (k Kind) Name() string { return kindNames[k] }

var legNames = [legEnd]string{MessageLeg: "message", AckLeg: "ACK", PushLeg: "push", AskLeg: "range request", AnswerLeg: "range",
	PullLeg: "pull", PullReplyLeg: "conversation"}

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
	fmt.Fprintf(w, "%-28s mean %d, p50 %d, p95 %d, max %d\n", "wait (ms)", m.Wait.Mean(), m.Wait.Quantile(50), m.Wait.Quantile(95),
		m.Wait.MaxMillis())
	c := m.Cost
	fmt.Fprintf(w, "%-28s requests %d, bytes up %d, down %d, rows read %d, written %d, connections %d\n", "cost", c.Requests, c.BytesUp,
		c.BytesDown, c.RowsRead, c.RowsWritten, c.Connections)
}
