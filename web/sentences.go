package web

import (
	"fmt"
	"strings"

	"imscope/sim/im"
	"imscope/templates"
)

// narrator tells events in one language.
type narrator struct {
	templates.Lang
	scenario *im.Scenario
}

// away reports whether the run is about a phone that was away and catches up.
func (n narrator) away() bool { return n.scenario.Chapter == im.OfflineChapter }

// tell is the event in words: what happened, and what left because of it.
func (n narrator) tell(e *event) string {
	if n.away() {
		return n.caughtUp(e)
	}
	var parts []string
	for i := range e.steps {
		if text := n.step(e, &e.steps[i]); text != "" {
			parts = append(parts, text)
		}
	}
	if text := n.departures(e); text != "" {
		parts = append(parts, text)
	}
	return strings.Join(parts, n.In(" ", ""))
}

func (n narrator) f(en, zh string, args ...any) string { return fmt.Sprintf(n.In(en, zh), args...) }

// step tells one step that is not a leg.
func (n narrator) step(e *event, s *im.Step) string {
	d, who := &s.Data, im.Name(s.Actor)
	switch d.Kind {
	case im.Connected:
		if s.Actor != im.Ana {
			return ""
		}
		if n.scenario.Phones == 2 {
			return n.In("The run begins: both phones hold a connection to the server.", "开始：两部手机各自和服务器保持一条连接。")
		}
		return n.f("The run begins: each of the %d phones holds a connection to the server.", "开始：%d 部手机各自和服务器保持一条连接。", n.scenario.Phones)
	case im.Pressed:
		return n.f("%s sends %s; the phone shows it at once, as sending.", "%s 发出 %s，手机立刻把它显示出来，标着“发送中”。", who, d.Msg)
	case im.Began:
		return n.f("The server begins to write %s%s; until the commit nobody can see the row.", "服务器开始写入 %s%s；提交之前，谁也看不见这一行。", d.Msg, n.numbers(d))
	case im.LockWaited:
		return n.f("%s reaches the server, but another write holds the conversation’s row: it waits its turn.", "%s 到了服务器，可会话那一行正被另一次写入锁着，只能排队。", d.Msg)
	case im.Stored:
		return n.stored(d)
	case im.Repeated:
		return n.repeated(d)
	case im.Acked:
		return n.acked(e, who, d)
	case im.AckedAgain:
		return n.f("Another confirmation of %s reaches %s; nothing changes.", "%s 的确认又一次到了 %s，什么也没变。", d.Msg, who)
	case im.Shown:
		if e.has(im.Answered) {
			return "" // told with the answer
		}
		return n.shown(e, who, d)
	case im.Ignored:
		return n.f("What arrives at %s’s phone stands there already.", "到达 %s 手机的内容，那里早就有了。", who)
	case im.GapSeen:
		return n.gapSeen(who, d)
	case im.GapClosed:
		return n.f("Now %s lacks nothing, and stops waiting.", "%s 不再缺什么，也就不等了。", who)
	case im.Asked:
		return n.asked(who, d)
	case im.RangeRead:
		return n.f("The server reads %s for %s.", "服务器为 %[2]s 读出 %[1]s。", n.span(d), im.Name(d.To))
	case im.Failed:
		return n.f("After %s still no ACK for %s: %s’s phone gives up and marks it as failed.", "发了 %s，%s 还是没有确认，%s 的手机放弃了，把它标成“失败”。",
			n.Count(int64(d.Attempt), "try", "tries", "次"), d.Msg, who)
	case im.Opened:
		return n.f("%s opens the conversation again; the phone asks for all of it.", "%s 重新打开这个对话，手机把整个对话要一遍。", who)
	case im.PullRead:
		return n.f("The server reads the whole conversation, %s.", "服务器读出整个对话，共 %s。", n.Count(d.Hi, "message", "messages", "条"))
	case im.Reloaded:
		return n.reloaded(e, who)
	}
	return n.pollStep(e, s)
}

func (n narrator) numbers(d *im.Data) string {
	if d.Seq != 0 {
		return n.f(" as number %d of the conversation (id %d)", "，它是这个会话的第 %d 号（id %d）", d.Seq, d.ID)
	}
	return n.f(" as id %d", "，id 是 %d", d.ID)
}

func (n narrator) stored(d *im.Data) string {
	if d.Copy > 0 {
		return n.f("The server stores %s a second time%s: nothing told it that this is a repeat.", "服务器把 %s 又存了一份%s：没有什么能告诉它这是重发。", d.Msg, n.numbers(d))
	}
	return n.f("The server stores %s%s.", "服务器存下 %s%s。", d.Msg, n.numbers(d))
}

func (n narrator) repeated(d *im.Data) string {
	if d.ID == 0 {
		return n.f("%s arrives again while it is still being written; one of it is enough.", "%s 又到了一次，而它还在写入中：一份就够。", d.Msg)
	}
	return n.f("%s arrives again. The server has it already and stores nothing; it only repeats the ACK, with the same numbers.",
		"%s 又到了一次。服务器已经有了，不再存，只把确认再发一遍，编号照旧。", d.Msg)
}

func (n narrator) acked(e *event, who string, d *im.Data) string {
	var news string
	if d.Fetched {
		news = n.f("The answer also brings %s’s own %s: it is stored, and need not be sent again.", "补拉的结果里也有 %s 自己的 %s：原来已经存下，不用再发。", who, d.Msg)
	} else {
		news = n.f("The ACK reaches %s: %s is sent.", "确认到了 %s：%s 已发出。", who, d.Msg)
	}
	switch {
	case len(e.passed) > 0:
		return news + n.f(" Its number puts it above %s: the line moves.", "按编号它该在 %s 上面，于是这一行挪了上去。", n.messages(e.passed))
	case d.Key == 0:
		return news + n.In(" The line stays where it is.", "这一行留在原处。")
	default:
		return news
	}
}

func (n narrator) shown(e *event, who string, d *im.Data) string {
	text, and := "", n.In(" and", "")
	switch {
	case d.Fetched:
		text, and = n.f("The answer brings %s to %s", "补拉把 %s 带给了 %s", d.Msg, who), n.In("; it", "")
	case d.Seq != 0:
		text = n.f("%s reaches %s with number %d", "%s 到了 %s，编号 %d", d.Msg, who, d.Seq)
	default:
		text = n.f("%s reaches %s", "%s 到了 %s", d.Msg, who)
	}
	switch {
	case e.marks.has(markDoubled):
		return text + n.In(", who has it already: the same message now stands twice.", "，而这里已经有了：同一条消息显示了两次。")
	case len(e.crossed) > 0:
		return text + and + n.f(" goes below %s. The server has it above: on this screen the order is wrong.", "，排在 %s 下面。服务器那边它在上面：这块屏幕的顺序反了。", n.messages(e.crossed))
	case e.above.N != 0:
		return text + and + n.f(" goes above %s.", "，排在 %s 上面。", e.above)
	default:
		return text + n.In(".", "。")
	}
}

func (n narrator) reloaded(e *event, who string) string {
	if len(e.passed) > 0 {
		return n.f("%s’s screen is drawn anew from what the server has: %s stand in another place than a moment ago.",
			"%s 的屏幕按服务器的内容重画一遍：%s 换了位置。", who, n.messages(e.passed))
	}
	return n.f("%s’s screen is drawn anew from what the server has.", "%s 的屏幕按服务器的内容重画一遍。", who)
}

func (n narrator) gapSeen(who string, d *im.Data) string {
	if n.scenario.GapWait == 0 {
		return n.f("So %s knows that %s missing.", "于是 %s 知道缺了 %s。", who, n.missing(d))
	}
	return n.f("So %s knows that %s missing, and waits %s for it.", "于是 %s 知道缺了 %s，先等 %s。", who, n.missing(d), n.Seconds(n.scenario.GapWait.Seconds()))
}

func (n narrator) asked(who string, d *im.Data) string {
	if d.Attempt > 1 {
		return n.f("No answer came: %s asks for %s again (%s try).", "没有等到回答：%s 再要一次 %s（%s）。", who, n.span(d), n.Ordinal(int64(d.Attempt)))
	}
	return n.f("The gap is still there: %s asks the server for %s.", "缺口还在：%s 向服务器要 %s。", who, n.span(d))
}

// span names a range of numbers.
func (n narrator) span(d *im.Data) string {
	if d.Lo == d.Hi {
		return n.f("number %d", "%d 号", d.Lo)
	}
	return n.f("numbers %d to %d", "%d 到 %d 号", d.Lo, d.Hi)
}

// missing names the numbers of a gap, with the verb that English needs.
func (n narrator) missing(d *im.Data) string {
	switch {
	case d.Lo == d.Hi:
		return n.span(d) + n.In(" is", "")
	case d.Gap == d.Hi-d.Lo+1:
		return n.span(d) + n.In(" are", "")
	default:
		return n.f("%d of the numbers %d to %d are", "%[2]d 到 %[3]d 号中的 %[1]d 条", d.Gap, d.Lo, d.Hi)
	}
}

func (n narrator) messages(ids []im.MessageID) string {
	list := make([]string, len(ids))
	for i, id := range ids {
		list[i] = id.String()
	}
	return n.Join(list...)
}

// departures tells the legs that left: those on their way in one sentence, each lost one in its own.
func (n narrator) departures(e *event) string {
	var parts, under []string
	for i := range e.steps {
		d := &e.steps[i].Data
		switch {
		case d.Kind != im.Left:
		case d.Lost:
			parts = append(parts, n.lost(d))
		default:
			if text := n.leaves(d); text != "" {
				under = append(under, text)
			}
		}
	}
	if len(under) > 0 {
		parts = append([]string{n.f("Under way: %s.", "在路上：%s。", strings.Join(under, n.In(", ", "，")))}, parts...)
	}
	first := &e.steps[0].Data
	if first.Kind == im.Left && first.Leg == im.MessageLeg {
		parts = append([]string{n.f("No ACK for %s within %s: %s’s phone sends it again (%s try).", "%s 过了 %s还没有确认：%s 的手机再发一次（%s）。",
			first.Msg, n.Seconds(n.scenario.RTO.Seconds()), im.Name(first.Msg.Sender), n.Ordinal(int64(first.Attempt)))}, parts...)
	}
	return strings.Join(parts, n.In(" ", ""))
}

// leaves names a leg that is on its way, where the sentence before does not say so anyway.
func (n narrator) leaves(d *im.Data) string {
	switch d.Leg {
	case im.AckLeg:
		return n.f("the ACK to %s", "给 %s 的确认", im.Name(d.To))
	case im.PushLeg:
		return n.f("the push to %s", "给 %s 的推送", im.Name(d.To))
	case im.AnswerLeg, im.PullReplyLeg, im.PollReplyLeg:
		return n.f("the answer to %s", "给 %s 的回答", im.Name(d.To))
	case im.ConnectLeg:
		return n.In("the request for a connection", "建立连接的请求")
	case im.PingLeg:
		return n.In("a heartbeat to the server", "给服务器的一次心跳")
	case im.PongLeg:
		return n.f("the answer to %s’s heartbeat", "给 %s 的心跳回音", im.Name(d.To))
	}
	return ""
}

func (n narrator) lost(d *im.Data) string {
	switch d.Leg {
	case im.MessageLeg:
		return n.In("On the way to the server it is lost.", "它在去服务器的路上丢了。")
	case im.AckLeg:
		return n.f("The ACK to %s is lost.", "给 %s 的确认丢了。", im.Name(d.To))
	case im.PushLeg:
		return n.f("The push to %s is lost, and the server does not know.", "给 %s 的推送丢了，而服务器并不知道。", im.Name(d.To))
	case im.AskLeg, im.PollLeg, im.ConnectLeg:
		return n.In("The request is lost.", "这个请求丢了。")
	case im.PingLeg, im.PongLeg:
		return n.In("The heartbeat is lost.", "这次心跳丢了。")
	default:
		return n.f("The answer to %s is lost.", "给 %s 的回答丢了。", im.Name(d.To))
	}
}
