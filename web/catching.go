package web

import (
	"fmt"
	"strings"

	"imscope/sim/im"
)

// absenceSlices is how many events an absence has at most: what comes in between is gathered, or a week would have thousands.
const absenceSlices = 24

// sliceOf is the slice of the absence that a time lies in; ok is false where nothing is to be gathered.
func sliceOf(s *im.Scenario, t im.Time) (slice int64, ok bool) {
	if s.Chapter != im.OfflineChapter || s.Missed() <= absenceSlices || t >= s.Off.To {
		return 0, false
	}
	return int64(t / (s.Off.To/absenceSlices + 1)), true
}

// gathers reports whether a step of another moment belongs to the event all the same: both tell only of what comes meanwhile.
func (e *event) gathers(scenario *im.Scenario, s *im.Step) bool {
	if s.Data.Kind != im.Stored || e.steps[0].Data.Kind != im.Stored {
		return false
	}
	slice, ok := sliceOf(scenario, s.At)
	before, _ := sliceOf(scenario, e.At)
	return ok && slice == before
}

// catching counts what an event of a phone that catches up is about.
type catching struct {
	stored, looked, vain, shown, listed int
	conversations                       map[uint16]bool
	first                               map[im.Kind]*im.Data // the first step of each kind
	lost                                []*im.Data
}

func catchingOf(e *event) catching {
	c := catching{conversations: map[uint16]bool{}, first: map[im.Kind]*im.Data{}}
	for i := range e.steps {
		d := &e.steps[i].Data
		if c.first[d.Kind] == nil {
			c.first[d.Kind] = d
		}
		switch d.Kind {
		case im.Stored:
			c.stored++
			c.conversations[d.Conv] = true
		case im.Looked:
			c.looked++
			if d.New == 0 {
				c.vain++
			}
		case im.Shown:
			c.shown++
		case im.Listed:
			c.listed++
		case im.Left:
			if d.Lost {
				c.lost = append(c.lost, d)
			}
		}
	}
	return c
}

// caughtUp tells an event of a phone that was away: a sentence for each kind of thing in it, however many steps that took.
func (n narrator) caughtUp(e *event) string {
	c := catchingOf(e)
	who := im.Name(n.scenario.Reader)
	var parts []string
	say := func(en, zh string, args ...any) { parts = append(parts, n.f(en, zh, args...)) }
	if c.first[im.TurnedOff] != nil {
		say("%s’s phone loses its connection. So far it has everything there is in its %s.", "%s 的手机断了线。到这时为止，%s里的，它都有。", who, n.Count(n.scenario.Conversations, "conversation", "conversations", "个会话"))
	}
	if d := c.first[im.Stored]; c.stored == 1 {
		say("A message for %s comes in conversation %d; nobody can push it to his phone.", "会话 %[2]d 来了一条给 %[1]s 的消息，可推不到他的手机上。", who, d.Conv)
	} else if c.stored > 1 {
		say("Meanwhile %s come for %s, in %s.", "又来了 %s给 %s 的消息，在 %s里。", n.Count(int64(c.stored), "message", "messages", "条"), who, n.Count(int64(len(c.conversations)), "conversation", "conversations", "个会话"))
	}
	if c.first[im.TurnedOn] != nil {
		say("%s’s phone is back.", "%s 的手机回来了。", who)
	}
	if d := c.first[im.SyncAnswered]; d != nil {
		n.brought(d, who, say)
	}
	if c.first[im.Ignored] != nil {
		say("An answer arrives that the phone has had already.", "来了一个早就收到过的回答。")
	}
	if d := c.first[im.SyncAsked]; d != nil {
		n.syncAsked(d, who, say)
	}
	if c.first[im.SyncRepeated] != nil {
		say("The server has answered this request before, and answers as before.", "这个请求服务器答过了，照原样再答一次。")
	}
	if d := c.first[im.HeadRead]; d != nil {
		say("It notes how far everything goes, so as to go on from there after the list.", "它先记下现在到哪里为止，列表之后就从那里接着来。")
	}
	if c.looked > 0 {
		looks := n.Count(int64(c.looked), "conversation", "conversations", "个会话")
		switch c.vain {
		case 0:
			say("The server looks at %s, and finds something new in each.", "服务器看了 %s，个个都有新消息。", looks)
		case c.looked:
			say("The server looks at %s, and finds nothing new.", "服务器看了 %s，没有新消息。", looks)
		default:
			say("The server looks at %s; in %d of them it finds nothing new.", "服务器看了 %s，其中 %d 个没有新消息。", looks, c.vain)
		}
	}
	if d := c.first[im.InboxRead]; d != nil {
		say("The server reads %s of %s’s inbox and nothing else.", "服务器只读了 %[2]s 信箱里的 %[1]s。", n.Count(d.Hi-d.Lo+1, "row", "rows", "行"), who)
	}
	if d := c.first[im.TooMany]; d != nil {
		say("%s is too far behind, by %s. Instead of them, the server answers with the list of conversations.", "%s 落下太多了，有 %s。服务器不给消息，改给会话列表。", who, n.Count(d.Gap, "message", "messages", "条"))
	}
	if d := c.first[im.SyncRead]; d != nil {
		n.syncRead(d, say)
	}
	for _, d := range c.lost {
		if d.Leg.FromPhone() {
			say("On the way to the server the request is lost.", "请求在去服务器的路上丢了。")
		} else {
			say("On the way to the phone the answer is lost.", "回答在去手机的路上丢了。")
		}
	}
	if c.first[im.CaughtUp] != nil {
		say("%s has caught up.", "%s 补齐了。", who)
	}
	return strings.Join(parts, n.In(" ", ""))
}

type sayer func(en, zh string, args ...any)

func (n narrator) syncAsked(d *im.Data, who string, say sayer) {
	if d.Attempt > 1 {
		say("No answer: the phone asks again.", "没有回答，手机再问一次。")
	}
	switch q := d.Question(); {
	case q.By == im.ByGlobalID:
		say("It asks: what is newer than id %s?", "它问：id 比 %s 更新的，有吗？", n.Int(q.At))
	case q.By == im.ByInbox:
		say("It asks: what is in the inbox behind %s?", "它问：信箱里 %s 之后的，有吗？", n.Int(q.At))
	case q.Conv != 0:
		say("It asks for more, from conversation %d on.", "它接着要，从会话 %d 往后。", q.Conv)
	default:
		say("It sends a cursor for each of its conversations, %s in all: what is behind them?", "它把每个会话的游标都带上，一共 %s个：后面还有吗？", n.Int(int64(q.Pairs)))
	}
}

func (n narrator) syncRead(d *im.Data, say sayer) {
	switch more := d.More; {
	case d.New > 0 && more:
		say("The answer carries %s of the list; there are more.", "回答带上列表里的 %s，后面还有。", n.Count(int64(d.New), "entry", "entries", "个会话"))
	case d.New > 0:
		say("The answer carries the last %s of the list.", "回答带上列表里最后的 %s。", n.Count(int64(d.New), "entry", "entries", "个会话"))
	case d.Rows == 0:
		say("The answer is empty.", "回答是空的。")
	case more:
		say("The answer carries a page of %s; there are more.", "回答带上一页，%s，后面还有。", n.Count(int64(d.Rows), "message", "messages", "条"))
	default:
		say("The answer carries %s, and that is all.", "回答带上 %s，再没有了。", n.Count(int64(d.Rows), "message", "messages", "条"))
	}
}

func (n narrator) brought(d *im.Data, who string, say sayer) {
	switch {
	case d.New > 0:
		say("The answer brings %s of the list to %s’s phone, each with its newest message.", "列表里的 %s到了 %s 的手机，各带最新的一条。", n.Count(int64(d.New), "entry", "entries", "个会话"), who)
	case d.Rows > 0:
		say("The answer brings %s to %s’s phone.", "%s到了 %s 的手机。", n.Count(int64(d.Rows), "message", "messages", "条"), who)
	default:
		say("The answer says that there is nothing for %s.", "回答说，没有 %s 的新消息。", who)
	}
}

// catchingLabels writes beside the lifelines of the server and of the phone what an event is about.
func catchingLabels(e *event) (server, phone string) {
	c := catchingOf(e)
	var at [2][]string
	add := func(phone int, format string, args ...any) {
		at[phone] = append(at[phone], fmt.Sprintf(format, args...))
	}
	if c.stored > 0 {
		add(0, "+%d", c.stored)
	}
	if c.first[im.TurnedOff] != nil {
		add(1, "○")
	}
	if c.first[im.TurnedOn] != nil {
		add(1, "●")
	}
	if d := c.first[im.SyncAnswered]; d != nil {
		add(1, "+%d", max(d.Rows, d.New))
	}
	if d := c.first[im.SyncAsked]; d != nil {
		switch q := d.Question(); {
		case q.By != im.ByCursors:
			add(1, ">%d?", q.At)
		case q.Conv != 0:
			add(1, "%d…?", q.Conv)
		default:
			add(1, "%d×?", q.Pairs)
		}
	}
	if c.looked > 0 {
		add(0, "◎%d", c.looked)
	}
	if d := c.first[im.InboxRead]; d != nil {
		add(0, "▤%d", d.Hi-d.Lo+1)
	}
	if c.first[im.TooMany] != nil {
		add(0, "!")
	}
	return strings.Join(at[0], " "), strings.Join(at[1], " ")
}

// moment writes a time of the run. Where a phone is away, there are two scales: how long it has been away, and, once it is back, how long
// it has been back.
func (n narrator) moment(t im.Time) string {
	back := n.scenario.Off.To
	switch {
	case n.scenario.Chapter != im.OfflineChapter:
		return n.Seconds(t.Seconds())
	case t < back:
		return n.Duration(t.Seconds())
	default:
		return n.f("back + %s", "回来 + %s", n.Seconds((t - back).Seconds()))
	}
}
