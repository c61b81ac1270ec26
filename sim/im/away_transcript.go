package im

import (
	"fmt"
	"io"
)

// describeCatching tells a step of a phone that catches up, or of the server's about it.
func describeCatching(d *Data) string {
	switch d.Kind {
	case SyncAsked:
		return fmt.Sprintf("request %d%s asks what is %s", d.Lo, try(d), d.Question())
	case SyncRepeated:
		return fmt.Sprintf("has answered request %d of %s, and answers as before", d.Lo, Name(d.To))
	case Looked:
		return fmt.Sprintf("looks at conversation %d: %s, up to seq %d", d.Conv, news(d), d.Seq)
	case InboxRead:
		return fmt.Sprintf("reads %d … %d in the inbox of %s", d.Lo, d.Hi, Name(d.To))
	case TooMany:
		return fmt.Sprintf("%s is %d behind or was away for too long: answers with the list", Name(d.To), d.Gap)
	case HeadRead:
		return fmt.Sprintf("%s goes on from %d after the list", Name(d.To), d.ID)
	case SyncRead:
		return fmt.Sprintf("has for request %d of %s %s%s", d.Lo, Name(d.To), brought(d), more(d))
	case SyncAnswered:
		return fmt.Sprintf("request %d brings %s%s", d.Lo, brought(d), more(d))
	case Listed:
		return fmt.Sprintf("conversation %d goes up to seq %d%s", d.Conv, d.Seq, newest(d))
	case CaughtUp:
		return "has caught up; " + goesOn(d)
	default:
		return "?"
	}
}

// String tells a question as part of a sentence.
func (q Question) String() string {
	switch {
	case q.By == ByGlobalID:
		return fmt.Sprintf("newer than id %d", q.At)
	case q.By == ByInbox:
		return fmt.Sprintf("behind %d in the inbox", q.At)
	case q.Conv != 0:
		return fmt.Sprintf("new from conversation %d, seq %d on", q.Conv, q.At)
	default:
		return fmt.Sprintf("behind %d cursors", q.Pairs)
	}
}

func try(d *Data) string {
	if d.Attempt > 1 {
		return fmt.Sprintf(", try %d,", d.Attempt)
	}
	return ""
}

func news(d *Data) string {
	if d.New == 0 {
		return "nothing new"
	}
	return fmt.Sprintf("%d new", d.New)
}

func brought(d *Data) string {
	switch {
	case d.New == 1:
		return "1 entry of the list"
	case d.New > 0:
		return fmt.Sprintf("%d entries of the list", d.New)
	case d.Rows == 1:
		return "1 message"
	default:
		return fmt.Sprintf("%d messages", d.Rows)
	}
}

func newest(d *Data) string {
	switch {
	case d.Msg.N == 0:
		return ", which stands"
	case d.Gap == 0:
		return fmt.Sprintf(": shows %s", d.Msg)
	default:
		return fmt.Sprintf(": shows %s, %d before it are left on the server", d.Msg, d.Gap)
	}
}

func goesOn(d *Data) string {
	if q := d.Question(); q.By != ByCursors {
		return "next: what is " + q.String()
	}
	return "next: what is behind its cursors"
}

// writeVain writes further conversations that the server looked at for nothing, as the first of steps tells, in one line, and returns
// how many steps that are.
func writeVain(w io.Writer, steps Trace) (n int) {
	vain := func(s *Step) bool { return s.Data.Kind == Looked && s.Data.New == 0 && s.Moment() == steps[0].Moment() }
	if !vain(&steps[0]) {
		return 0
	}
	for n+1 < len(steps) && vain(&steps[n+1]) {
		n++
	}
	if n > 0 {
		fmt.Fprintf(w, "%8s  %-6s  … %d: nothing new either\n", "", Name(steps[0].Actor), steps[n].Data.Conv)
	}
	return n
}

// writeConversations writes what the conversations have come to, and the figures.
func writeConversations(w io.Writer, s *Scenario, fold *Fold) {
	for number := range s.Conversations {
		c := fold.Conversation(int(number + 1))
		if c.New == 0 {
			continue
		}
		fmt.Fprintf(w, "%-16s %d new, the last is seq %d; %s has %d", fmt.Sprintf("conversation %d", number+1), c.New, c.Seq, Name(s.Reader), c.Got)
		if hidden := c.Hidden(); hidden > 0 {
			fmt.Fprintf(w, ", and knows that it lacks %d", hidden)
		}
		if n := c.unheard(); n > 0 {
			fmt.Fprintf(w, ", and does not know that it lacks %d", n)
		}
		fmt.Fprintln(w)
	}
	m := fold.Metrics()
	fmt.Fprintln(w)
	for _, row := range []struct {
		name  string
		value int64
	}{
		{"new messages", m.NewMessages},
		{"active conversations", m.ActiveConversations},
		{"reads for nothing", m.ReadsForNothing},
		{"inbox rows written", m.Cost.InboxRows},
		{"left on the server", m.Missing},
		{"missing, unnoticed", m.MissingUnnoticed()},
		{"missing, known", m.MissingKnown},
	} {
		fmt.Fprintf(w, "%-28s %d\n", row.name, row.value)
	}
	writeCost(w, &m)
}
