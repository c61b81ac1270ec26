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

// device is whose exchange an event belongs to: the tablet's, or the phone's.
func (n narrator) device(e *event) im.Actor {
	for i := range e.steps {
		if s := &e.steps[i]; s.Actor == im.Tablet || s.Data.To == im.Tablet {
			return im.Tablet
		}
	}
	return n.scenario.Reader
}

// catching counts what an event of a phone that catches up is about.
type catching struct {
	stored, looked, vain, fetched, pushed, listed, learned int
	conversations                                          map[uint16]bool
	first                                                  map[im.Kind]*im.Data // the first step of each kind
	lost                                                   []*im.Data
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
			if d.Fetched {
				c.fetched++
			} else {
				c.pushed++
			}
		case im.Listed:
			c.listed++
		case im.Learned:
			c.learned++
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
	device := n.f("%s’s phone", "%s 的手机", who)
	if n.device(e) == im.Tablet {
		device = n.f("%s’s tablet", "%s 的平板", who)
	}
	var parts []string
	say := func(en, zh string, args ...any) { parts = append(parts, n.f(en, zh, args...)) }
	if c.first[im.TurnedOff] != nil {
		say("%s’s phone loses its connection. So far it has everything there is in its %s.", "%s 的手机断了线。到这时为止，%s里的，它都有。", who, n.Count(n.scenario.Conversations, "conversation", "conversations", "个会话"))
	}
	if c.first[im.Restarted] != nil {
		say("The server restarts: what it had only in memory is gone, be it open writes or how far this exchange has come. What is stored stays.",
			"服务器重启：只在内存里的都没了，没写完的、这次问到了哪里，都在内。已经存下的还在。")
	}
	if c.first[im.Unknown] != nil {
		say("This request goes on with an exchange that the server no longer knows; it says so, and the phone has to begin anew.", "这个请求接着上一页问，可服务器已经不记得了；它照实说，手机只好从头再问。")
	}
	n.transactions(e, say)
	if d := c.first[im.Noted]; d != nil {
		say("Meanwhile %s.", "这期间，%s。", n.event(d))
	}
	if d := c.first[im.Stored]; d == nil || n.scenario.Write > 0 {
		// told with its transaction
	} else if d.Event == im.Added {
		say("%s is added to a new group, conversation %d; its first message says so.", "%s 被拉进一个新群，会话 %d，群里的第一条消息说的就是这件事。", who, d.Conv)
	} else if c.stored == 1 && e.At > n.scenario.Off.To {
		say("A message for %s is committed just now, in conversation %d.", "正在这时，会话 %[2]d 有一条给 %[1]s 的消息提交了。", who, d.Conv)
	} else if c.stored == 1 {
		say("A message for %s comes in conversation %d; nobody can push it to his phone.", "会话 %[2]d 来了一条给 %[1]s 的消息，可推不到他的手机上。", who, d.Conv)
	} else {
		say("Meanwhile %s come for %s, in %s.", "又来了 %s给 %s 的消息，在 %s里。", n.Count(int64(c.stored), "message", "messages", "条"), who, n.Count(int64(len(c.conversations)), "conversation", "conversations", "个会话"))
	}
	if c.first[im.TurnedOn] != nil {
		say("%s is back.", "%s回来了。", device)
		if n.device(e) == im.Tablet {
			say("Its own cursor stands where it did when it left: what the phone was given has not moved it.", "它自己的游标还在离开时的地方：手机拿过什么，和它无关。")
		}
	}
	if d := c.first[im.SyncAnswered]; d != nil {
		n.brought(d, device, say)
	}
	if d := c.first[im.Ignored]; d != nil && d.Msg.N > 0 {
		say("The phone has %s already; that it comes again does no harm.", "%s 手机上早就有了，再来一次也无妨。", d.Msg)
	} else if d != nil {
		say("An answer arrives that the phone has had already.", "来了一个早就收到过的回答。")
	}
	if d := c.first[im.Opened]; d != nil {
		say("%s opens conversation %d.", "%s 打开会话 %d。", who, d.Conv)
	}
	if d := c.first[im.Asked]; d != nil {
		say("The phone asks for what is missing in it, seq %d to %d.", "手机去要里面缺的，序号 %d 到 %d。", d.Lo, d.Hi)
	}
	if d := c.first[im.RangeRead]; d != nil {
		say("The server reads seq %d to %d of conversation %d.", "服务器读出会话 %[3]d 的序号 %[1]d 到 %[2]d。", d.Lo, d.Hi, d.Conv)
	}
	if c.fetched > 0 && c.first[im.SyncAnswered] == nil {
		say("The answer brings %s into the conversation.", "回答带回 %s，补进会话里。", n.Count(int64(c.fetched), "message", "messages", "条"))
	}
	if d := c.first[im.Shown]; c.pushed > 0 {
		say("The push of %s arrives, in conversation %d.", "%s 的推送到了，在会话 %d。", d.Msg, d.Conv)
	}
	if d := c.first[im.GapSeen]; d != nil {
		say("Number %s was skipped: something was lost on the way. The phone waits a little for it.", "跳过了 %s 号：路上丢了什么。手机先等一小会儿。", n.Int(d.Lo))
	}
	if c.first[im.GapClosed] != nil {
		say("Now nothing is missing any more.", "现在什么也不缺了。")
	}
	if c.learned > 0 {
		say("The phone learns of %s that happened to %s elsewhere.", "手机知道了别处发生在 %[2]s 身上的 %[1]s。", n.Count(int64(c.learned), "thing", "things", "件事"), who)
	}
	if d := c.first[im.Repeated]; d != nil && d.Msg.N > 0 {
		say("%s has come twice.", "%s 来了两次。", d.Msg)
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
	if c.first[im.VersionRead] != nil {
		say("It also compares the version of %s’s list of conversations.", "它还比了比 %s 会话列表的版本。", who)
	}
	if d := c.first[im.ReadPast]; d != nil {
		say("%s is lost for %s: it lies before the place from which he asks on, and no answer will bring it.", "%s 对 %s 来说就此丢了：他已经从它后面接着问了，哪次回答都不会再带上它。", d.Msg, who)
	}
	for _, d := range c.lost {
		if d.Leg == im.PushLeg {
			say("On the way the push is lost, and neither side notices.", "推送在路上丢了，两边都不知道。")
		} else if d.Leg.FromPhone() {
			say("On the way to the server the request is lost.", "请求在去服务器的路上丢了。")
		} else {
			say("On the way to the phone the answer is lost.", "回答在去手机的路上丢了。")
		}
	}
	if c.first[im.CaughtUp] != nil {
		say("%s has caught up.", "%s补齐了。", device)
	}
	return strings.Join(parts, n.In(" ", ""))
}

// transactions tells what becomes of the writes that lock their recipients.
func (n narrator) transactions(e *event, say sayer) {
	for i := range e.steps {
		switch d := &e.steps[i].Data; d.Kind {
		case im.RolledBack:
			say("Each of the two has what the other waits for: a deadlock. The database undoes %s, which lets go of everything and begins again.", "两边各自拿着对方在等的东西：死锁。数据库撤销了 %s，它放开一切，从头再来。", d.Msg)
		case im.Began:
			say("A transaction begins to write %s in conversation %d.", "一个事务开始在会话 %[2]d 写 %[1]s。", d.Msg, d.Conv)
		case im.Locked:
			say("That of %s locks %s’s row and takes number %s of the inbox.", "%s 的事务锁住 %s 那一行，拿到信箱里的 %s 号。", d.Msg, im.Name(d.To), n.Int(d.Inbox))
		case im.LockWaited:
			if d.To == im.Server {
				say("That of %s waits: another has locked the conversation.", "%s 的事务只能等：会话那一行被别人锁着。", d.Msg)
			} else {
				say("That of %s waits: another has locked %s’s row.", "%s 的事务只能等：%s 那一行被别人锁着。", d.Msg, im.Name(d.To))
			}
		case im.Stored:
			if n.scenario.Write > 0 {
				say("%s is committed, and the locks are free.", "%s 提交了，锁都放开。", d.Msg)
			}
		}
	}
}

// event tells, as part of a sentence, what happened to a person.
func (n narrator) event(d *im.Data) string {
	who := im.Name(n.scenario.Reader)
	switch d.Event {
	case im.Removed:
		return n.f("%s is removed from conversation %d", "%s 被移出会话 %d", who, d.Conv)
	case im.ReadElsewhere:
		return n.f("%s reads conversation %d on another device", "%s 在另一台设备上读了会话 %d", who, d.Conv)
	case im.Pinned:
		return n.f("%s pins conversation %d on another device", "%s 在另一台设备上把会话 %d 置顶", who, d.Conv)
	default:
		return n.f("%s is added to conversation %d", "%s 被拉进会话 %d", who, d.Conv)
	}
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
	case q.Version:
		say("It sends a cursor for each of its conversations, %s in all, and the version of its list: what is new?", "它把每个会话的游标都带上，一共 %s个，还带上列表的版本：有新的吗？", n.Int(int64(q.Pairs)))
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
	case d.Rows == 0 && d.Hi > 0:
		say("The answer tells what happened, and has no message.", "回答里说了发生的事，没有消息。")
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
		say("The answer brings %s of the list to %s, each with its newest message.", "列表里的 %s到了 %s，各带最新的一条。", n.Count(int64(d.New), "entry", "entries", "个会话"), who)
	case d.Rows > 0:
		say("The answer brings %s to %s.", "%s到了 %s。", n.Count(int64(d.Rows), "message", "messages", "条"), who)
	case d.Hi > 0:
		say("The answer brings no message.", "回答没有带回消息。")
	default:
		say("The answer says that there is nothing for %s.", "回答说，%s没有要补的新消息。", who)
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
	for i := range e.steps {
		switch d := &e.steps[i].Data; d.Kind {
		case im.Began:
			add(0, "%s…", d.Msg)
		case im.LockWaited:
			add(0, "%s ‖", d.Msg)
		case im.Locked:
			add(0, "%s %s%d", d.Msg, im.Name(d.To)[:1], d.Inbox)
		case im.RolledBack:
			add(0, "%s ✗", d.Msg)
		case im.ReadPast:
			add(0, "%s ∅", d.Msg)
		case im.Noted:
			add(0, "✱")
		case im.GapSeen:
			add(1, "…%d?", d.Lo)
		}
	}
	if d := c.first[im.Shown]; c.pushed > 0 {
		add(1, "%s", d.Msg)
	}
	if c.first[im.Opened] != nil {
		add(1, "⟳")
	}
	if c.first[im.TurnedOff] != nil {
		add(1, "○")
	}
	if c.first[im.TurnedOn] != nil {
		add(1, "●")
	}
	if d := c.first[im.SyncAnswered]; d != nil {
		add(1, "+%d", int64(max(d.Rows, d.New))+d.Hi)
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
