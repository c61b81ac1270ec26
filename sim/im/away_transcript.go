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
	case Noted:
		return fmt.Sprintf("notes that %s%s", d.Event.tell(d.Conv), inboxNumber(d))
	case Learned:
		return fmt.Sprintf("learns that %s%s", d.Event.tell(d.Conv), inboxNumber(d))
	case Locked:
		return fmt.Sprintf("%s locks the row of %s, inbox %d", d.Msg, Name(d.To), d.Inbox)
	case VersionRead:
		return fmt.Sprintf("compares the version of %s's memberships", Name(d.To))
	case InboxRead:
		return fmt.Sprintf("reads %d … %d of the inbox for %s", d.Lo, d.Hi, Name(d.To))
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
	case Unknown:
		return fmt.Sprintf("does not know what request %d of %s goes on with, and says so", d.Lo, Name(d.To))
	case CaughtUp:
		return "has caught up; " + goesOn(d)
	default:
		return "?"
	}
}

// tell says what happened, as part of a sentence.
func (e Event) tell(conv uint16) string {
	return fmt.Sprintf([...]string{Added: "Ben was added to conversation %d", Removed: "Ben was removed from conversation %d",
		ReadElsewhere: "conversation %d was read on another device", Pinned: "conversation %d was pinned"}[e], conv)
}

// Name is the event's name in files; a message has none.
func (e Event) Name() string {
	return [...]string{Added: "added", Removed: "removed", ReadElsewhere: "read elsewhere", Pinned: "pinned"}[e]
}

func inboxNumber(d *Data) string {
	if d.Inbox == 0 {
		return ""
	}
	return fmt.Sprintf(", inbox %d", d.Inbox)
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
	case q.Version:
		return fmt.Sprintf("behind %d cursors and a version", q.Pairs)
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

// of names the conversation, where there are several.
func of(d *Data) string {
	if d.Conv == 0 {
		return ""
	}
	return fmt.Sprintf(" of conversation %d", d.Conv)
}

func news(d *Data) string {
	if d.New == 0 {
		return "nothing new"
	}
	return fmt.Sprintf("%d new", d.New)
}

func brought(d *Data) string {
	text := counted(int64(d.Rows), "message", "messages")
	if d.New > 0 {
		text = counted(int64(d.New), "entry of the list", "entries of the list")
	}
	if d.Hi > 0 {
		text += " and " + counted(d.Hi, "event", "events")
	}
	return text
}

func counted(n int64, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, more)
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
	for number := range s.Conversations + 1 {
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
		{"came again", m.Repeated},
		{"history fetches", m.Fetches},
		{"events unknown", m.EventsUnknown},
		{"left on the server", m.Missing},
		{"missing, unnoticed", m.MissingUnnoticed()},
		{"missing, known", m.MissingKnown},
		{"lost for good", m.Lost},
	} {
		fmt.Fprintf(w, "%-28s %d\n", row.name, row.value)
	}
	writeCost(w, &m)
}
