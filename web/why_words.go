package web

import "imscope/sim/im"

// symptom tells what is wrong with a line.
func (n narrator) symptom(s im.Symptom) string {
	who := im.Name(s.Phone)
	switch {
	case s.Kind == im.Inverted:
		return n.f("On %s’s screen %s stands below %s. On the server it stands above.", "%s 的屏幕上，%s 在 %s 下面；服务器那边，它在上面。", who, s.Msg, s.With)
	case s.Kind == im.Doubled:
		return n.f("%s sees %s twice.", "%s 看到两次 %s。", who, s.Msg)
	case s.Kind == im.Moved:
		return n.f("On %s’s screen the own line %s has moved.", "%s 的屏幕上，自己的 %s 挪过位置。", who, s.Msg)
	case s.Lost:
		return n.f("%s will never be given %s.", "%s 再也拿不到 %s。", who, s.Msg)
	case s.Known:
		return n.f("%s lacks %s, and the phone knows that something is missing.", "%s 缺 %s，手机知道缺了东西。", who, s.Msg)
	default:
		return n.f("%s lacks %s, and the phone does not know.", "%s 缺 %s，手机并不知道。", who, s.Msg)
	}
}

// tellReason tells a reason of a chain. What just happened, beside another reason, is told in few words.
func (r *reasons) tellReason(why im.Reason, l im.Link, c *im.Chain) string {
	who := im.Name(why.Phone)
	m, other := why.Msg.String(), why.Other.String()
	leg := r.legOf(why)
	switch why.Cause {
	case im.Happened:
		return r.inShort(why)
	case im.LegLost:
		return r.f("%s is lost%s.", "%s丢了%s。", capital(leg), r.wantedBy(c))
	case im.ReachedNobody:
		return r.f("%s comes when %s’s phone is off, so nobody gets it.", "%s到的时候，%s 的手机关着，没人收到。", capital(leg), who)
	case im.WasOff, im.LegLate, im.WroteSlowly, im.WroteQuickly:
		return r.f("%s%s.", "%s%s。", capital(r.tellEdit(&c.Fault)), r.wantedBy(c))
	case im.WriteUndone:
		return r.f("A write of %s is undone, so it has to be done again.", "%s 的一次写入作废了，只好重来。", m) + r.wantedIf(c, im.Rollback)
	case im.ServerAnew:
		return r.f("The server starts anew%s: what it had not stored is forgotten.", "服务器重新启动%s，没存下的都忘了。", r.wantedBy(c))
	case im.CameLater:
		return r.f("%s comes to %s’s screen after %s, and so it goes below.", "%[1]s 到 %[2]s 的屏幕比 %[3]s 晚，所以排在它下面。", m, who, other)
	case im.StoredBefore:
		return r.f("The server has %s first, and then %s.", "服务器先有 %s，后有 %s。", m, other)
	case im.StoredLater:
		return r.f("%s takes its number before %s, but is committed after it.", "%s 比 %s 先拿到号，却比它后提交。", m, other)
	case im.NoNumberYet:
		return r.f("%s’s phone shows %s at once, at the bottom. Its place, above %s, it knows only once it has the number.", "%s 的手机立刻把 %s 显示在底部。它该在 %s 上面，可要等拿到号才知道。", who, m, other)
	case im.GotNumber:
		return r.got(why)
	case im.StillSending:
		return r.f("%s was sent before %s, and still stood there without a number.", "%s 比 %s 先发，那时还没有号，标着“发送中”。", other, m)
	case im.BiggerNumber:
		return r.f("%s has a bigger number than %s, and was there before it.", "%s 的号比 %s 大，却先到了。", other, m)
	case im.StoredTwice:
		return r.f("The server stores %s once more.", "服务器把 %s 又存了一份。", m)
	case im.SentAgain:
		return r.f("%s’s phone had no ACK of %s in time, and sends it again.", "%s 的手机没有按时等到 %s 的确认，就再发一次。", who, m)
	case im.BroughtOwn:
		return r.f("%s’s phone is brought its own %s, and takes it for somebody else’s.", "%s 的手机收到自己的 %s，当成了别人的。", who, m)
	case im.BroughtTwice:
		return r.f("%s opens the chat again, which brings %s; then its push comes too.", "%s 重新打开对话，%s 就来了；接着它的推送也到了。", who, m)
	}
	return r.tellMore(why)
}

// tellMore tells what a phone asks and what it is given, and what has no one to blame.
func (r *reasons) tellMore(why im.Reason) string {
	who := im.Name(why.Phone)
	m, other := why.Msg.String(), why.Other.String()
	switch why.Cause {
	case im.PassedOver:
		return r.f("From here on %s’s phone asks for what comes later: nothing can bring %s any more.", "从这时起，%s 的手机只问更后面的，%s 再也带不来了。", who, m)
	case im.ReadBetween:
		return r.f("When the server reads for the phone, %s can be seen and %s cannot.", "服务器为手机读的时候，看得见 %s，看不见 %s。", other, m)
	case im.KnowsGap:
		return r.f("%s’s phone has noticed the gap.", "%s 的手机已经发现缺口。", who)
	case im.AskedForIt:
		return r.In("It has asked for what is missing.", "它已经去要缺的了。")
	case im.LegsCrossed:
		return r.f("Nothing went wrong: two passed each other on the way. One is %s.", "没有谁出错：两程在路上交错而过。一程是%s。", r.legOf(why))
	case im.WritesCrossed:
		return r.f("Nothing went wrong: the writes of %s and of %s passed each other in the database.", "没有谁出错：%s 的写入和 %s 的写入，在数据库里交错而过。", m, other)
	}
	return r.tellRule(why)
}

// tellRule tells what the protocol has so.
func (n narrator) tellRule(why im.Reason) string {
	who := im.Name(why.Phone)
	m, other := why.Msg.String(), why.Other.String()
	switch why.Cause {
	case im.NotYet:
		return n.In("Nothing is wrong yet: it is still on its way.", "眼下没有出错：它还在路上。")
	case im.BottomStays:
		return n.In("The protocol has it so: without a number a line goes to the bottom when it comes, and stays there.", "规则就是这样：没有号的一行，来了就排到底部，从此不动。")
	case im.IDsJump:
		return n.f("Nothing tells %s: ids jump anyway, so a hole in them says nothing.", "没有什么告诉 %s：id 本来就会跳，跳了号说明不了什么。", who)
	case im.NothingAfter:
		return n.f("Nothing tells %s: a gap in the numbers shows only when the next one comes.", "没有什么告诉 %s：要等下一个号来了，才看得出断号。", who)
	case im.NoMessageID:
		return n.In("Without a message id nobody can tell that it is the same message.", "没有消息 id，谁也认不出这是同一条。")
	case im.DedupeOff:
		return n.In("The server was told to store repeats too.", "服务器设成了重复的也存。")
	case im.NoAnswers:
		return n.In("The server confirms nothing, so a phone does not learn the number of its own line.", "服务器什么也不确认，手机就不知道自己那一行的号。")
	case im.TooImpatient:
		return n.f("%s’s phone waits %s, which is less than an ACK takes here.", "%s 的手机只等 %s，这里的确认来得没那么快。", who, n.Duration(n.scenario.RTO.Seconds()))
	case im.AsksAtTimes:
		return n.f("The server has it from here on. %s’s phone hears of it only when it asks, and that it has not done since.", "从这时起服务器有了它。%s 的手机要问了才知道，可它之后还没问过。", who)
	case im.AsVisible:
		return n.f("An answer brings what can be seen at the moment of the read, and %s was stored after the last one.", "回答只带来读的那一刻看得见的，而 %s 是在最后一次读之后才存下的。", m)
	case im.HeldBack:
		return n.f("The server gives nothing behind a write that is not over: %s has to wait for %s.", "还有写入没结束，排在它后面的服务器一概不给：%s 得等 %s。", m, other)
	case im.LeftByList:
		return n.f("The list brings only the newest message of each conversation, and leaves %s on the server.", "列表只带来每个会话最新的一条，%s 留在服务器上。", m)
	case im.HeadReadLast:
		return n.f("The server reads the list first, and only then how far everything goes. %s was stored in between: the list does not have it, and the phone goes on behind it.", "服务器先取列表、后取号。%s 正好存在这中间：列表里没有它，手机却从它后面接着问。", m)
	case im.GroupUnknown:
		return n.f("The phone asks for each conversation that it knows. Of the one that %s is in it has never heard.", "手机只问它知道的会话。%s 所在的那个，它从没听说过。", m)
	case im.StillAway:
		return n.f("%s’s phone has not come back yet.", "%s 的手机还没回来。", who)
	default: // im.LocksCrossed
		return n.In("Two writes each held the lock that the other needed; one had to begin anew.", "两次写入各拿着对方要的锁，其中一次只好从头来过。")
	}
}

// got tells that a line got its number, and went up.
func (n narrator) got(why im.Reason) string {
	if why.Other.N == 0 {
		return n.f("%s gets its number, and the line moves up.", "%s 拿到号，这一行挪了上去。", why.Msg)
	}
	return n.f("%s gets its number, which puts it above %s.", "%s 拿到号，按号该在 %s 上面。", why.Msg, why.Other)
}

// legOf names the leg of a reason; empty if it is not about one.
func (r *reasons) legOf(why im.Reason) string {
	if why.Step == 0 || r.steps[why.Step-1].Data.Kind != im.Left {
		return why.Msg.String()
	}
	return r.legName(im.LegOf(&r.steps[why.Step-1]))
}

// inShort tells a step in few words, to be compared with another.
func (r *reasons) inShort(why im.Reason) string {
	s := &r.steps[why.Step-1]
	m := s.Data.Msg.String()
	switch s.Data.Kind {
	case im.Pressed:
		return r.f("%s was sent.", "%s 发出。", m)
	case im.Shown, im.Acked:
		return r.f("%s was there.", "%s 已经在那里。", m)
	case im.Stored:
		return r.f("%s was stored.", "%s 存下。", m)
	case im.Left:
		if s.Data.Lost {
			return r.f("%s was lost.", "%s丢了。", capital(r.legOf(why)))
		}
		return r.f("The other is %s.", "另一程是%s。", r.legOf(why))
	case im.TooMany:
		return r.In("The server found the phone too far behind.", "服务器发现手机落下太多。")
	}
	return ""
}

// wantedBy says who wanted the fault.
func (r *reasons) wantedBy(c *im.Chain) string {
	switch c.By {
	case im.TheReader:
		return r.In(", as you wanted it", "（是你弄的）")
	case im.TheSetting:
		return r.In(", as the scenario has it", "（场景里就有）")
	default:
		return r.In(" by bad luck", "（运气不好）")
	}
}

// wantedIf says so if the fault is of that kind.
func (r *reasons) wantedIf(c *im.Chain, verb im.Verb) string {
	if c.End != im.ByFault || c.Fault.Verb != verb {
		return ""
	}
	return r.f(" That happens%s.", "这次回滚%s。", r.wantedBy(c))
}

// capital begins a sentence.
func capital(text string) string {
	if text == "" || text[0] < 'a' || text[0] > 'z' {
		return text
	}
	return string(text[0]-'a'+'A') + text[1:]
}
