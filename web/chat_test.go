package web

import (
	"strings"
	"testing"

	"imscope/sim/im"
	"imscope/templates"
)

// TestOpenedChat checks that an opened conversation shows, after every event, just what the phone has of it and a hole for what it knows
// to be left, and that in the end its history is back.
func TestOpenedChat(t *testing.T) {
	for _, address := range []string{
		"/en/offline/book/inbox?away=1w&too-far=list&opens=1", "/zh/offline/book/conversation-cursors?away=1w&too-far=list&opens=3",
		"/en/offline/book/inbox?away=evening&opens=2&loss=0.2", "/en/offline?opens=7",
	} {
		l := mustLink(t, address)
		holes := 0
		play(t, l, func(s *stage, e taken) {
			c := e.fold.Conversation(int(l.Scenario.Opens))
			lines, missing := 0, int64(0)
			for _, key := range s.columns.chat.lines() {
				if key.msg == (im.MessageID{}) {
					missing += key.seq - key.id + 1
				} else {
					lines++
				}
			}
			if lines != c.Got || missing != int64(c.Hidden()) {
				t.Fatalf("%s at %v: %d lines and %d missing, the phone has %d and lacks %d", address, e.Moment, lines, missing, c.Got, c.Hidden())
			}
			if missing > 0 {
				holes++
			}
			if e.next == nil && missing > 0 && l.Scenario.Loss == 0 && c.New <= 50 {
				t.Errorf("%s: in the end %d are missing", address, missing)
			}
		})
		if (l.Scenario.TooFar == im.GiveList) != (holes > 0) {
			t.Errorf("%s: there were holes at %d events", address, holes)
		}
	}
}

// TestChatHoles checks the lines of a chat with holes before, between and behind what the phone has.
func TestChatHoles(t *testing.T) {
	c := chat{conv: 1, first: 4}
	for _, seq := range []int64{9, 5, 6, 6} {
		c.take(lineKey{msg: im.MessageID{Sender: im.Ana, N: uint32(seq)}, seq: seq})
	}
	n := narrator{templates.English, &im.Scenario{}}
	var got []string
	for _, key := range c.lines() {
		line := n.line(key)
		got = append(got, line.Name+line.Number)
	}
	if want := "#4 A5#5 A6#6 #7–8 A9#9"; strings.Join(got, " ") != want {
		t.Errorf("the chat shows %v, not %s", got, want)
	}
}
