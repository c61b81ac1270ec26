package web

import (
	"fmt"
	"slices"

	"imscope/sim"
	"imscope/sim/im"
	"imscope/templates"
)

// orderingPage maps a run at a moment to the page of the chapter on ordering.
func (p pages) orderingPage(l Link, runs []played, now sim.Moment) templates.Ordering {
	i := slices.IndexFunc(runs, func(r played) bool { return r.Name == l.Protocol.Name })
	run := &runs[i]
	n := narrator{l.Lang, &l.Scenario}
	fold := im.FoldTrace(&l.Scenario, run.trace.Upto(now))
	current := run.current(now)
	o := templates.Ordering{
		Page: p.page(l.Lang, n.In("Ordering", "顺序"), n.In("Ana and Ben send at the same moment: why do their screens show different orders, and what puts it right?",
			"Ana 和 Ben 同时发消息：两块屏幕的顺序为什么不一样？怎么修？"), l),
		Guess:      guess(n, l, run),
		Protocols:  protocolTabs(l, runs),
		Scenarios:  scenarioTabs(l),
		Story:      protocolStory(l.Lang, l.Protocol.Name),
		Intro:      scenarioIntro(l.Lang, l.Scenario.Name),
		Transport:  transport(n, l, run, current, now),
		Diagram:    diagram(n, run.events, l.At, clock(run, now), l),
		Screens:    screens(n, fold),
		Happenings: happenings(n, l, run, current),
		Metrics:    metrics(n, l, runs, now),
		Controls:   controls(l),
		Action:     l.with(func(l *Link) { l.At, l.Guess, l.Sliders = At{}, "", nil }).path(),
		Hidden:     hidden(l, func(name string) bool { _, slider := l.values()[name]; return !slider }),
		Estimates:  estimates(&l),
	}
	o.Chapter = l.Chapter.Name
	if current >= 0 {
		o.Now = n.tell(&run.events[current])
	}
	if rest := len(run.events) - 1 - current; rest > 0 {
		o.Rest = n.f("%s to come.", "还有 %s。", n.Count(int64(rest), "step", "steps", "步"))
	}
	return o
}

// clock is the run's time at a moment.
func clock(run *played, now sim.Moment) im.Time { return min(now.At, run.events[len(run.events)-1].At) }

func protocolName(lang templates.Lang, name string) string {
	switch name {
	case "by-id":
		return lang.In("By id", "按 id")
	case "by-seq":
		return lang.In("By seq, fetch on a gap", "按序号，缺了就补")
	default:
		return lang.In("By arrival", "按到达")
	}
}

func protocolStory(lang templates.Lang, name string) string {
	switch name {
	case "by-id":
		return lang.In("By id: every line is sorted by the server’s [id], which [push|pushes] and [ack|ACKs] carry. Lines without one are still sending and stay at the bottom.",
			"按 id：每一行按服务器的 [id] 排，[push]和[ack]都带着它。还没有 id 的正在发送，留在最下面。")
	case "by-seq":
		return lang.In("By seq: every line is sorted by its [seq]. When a number is skipped the phone knows that something is missing; it waits half a second and then asks for it.",
			"按序号：每一行按[seq]排。跳了号，手机就知道缺了东西；先等半秒，还缺就去要。")
	default:
		return lang.In("By arrival: an own line goes to the bottom when it is sent, everybody else’s when its [push] arrives. Nothing ever moves.",
			"按到达：自己的一发出就放在最下面，别人的等[push]到了再接上。放好就不动。")
	}
}

func scenarioName(lang templates.Lang, name string) string {
	switch name {
	case "trio":
		return lang.In("Three phones", "三部手机")
	case "random":
		return lang.In("Random", "随机")
	default:
		return lang.In("The book’s run", "书里的那次")
	}
}

func scenarioIntro(lang templates.Lang, name string) string {
	switch name {
	case "trio":
		return lang.In("Three people press send within a tenth of a second; later one message, one push and the very last push are lost. Three screens, three kinds of disagreement.",
			"三个人在十分之一秒内先后按下发送；后来又丢了一条消息、一次推送，还有最后那次推送。三块屏幕，三种对不上。")
	case "random":
		return lang.In("A conversation drawn from a seed: same seed, same run. Change the loss, the latency or the number of phones, and everything else keeps its luck.",
			"一段由种子决定的对话：种子相同，运行就相同。改丢包、延迟或手机数，其余的运气都不变。")
	default:
		return lang.In("Seven messages in twelve seconds. Two are sent almost at once, one gets lost on its way up, one on its way down.",
			"十二秒，七条消息。有两条几乎同时发出，一条在上行时丢了，一条在下行时丢了。")
	}
}

func protocolTabs(l Link, runs []played) []templates.Choice {
	var out []templates.Choice
	for i := range runs {
		r := &runs[i]
		to := l.with(func(l *Link) { l.Protocol, l.At = r.Entry, sameMoment(l.At, r) })
		out = append(out, templates.Choice{Name: r.Name, Text: protocolName(l.Lang, r.Name), Href: to.stage(), Current: r.Name == l.Protocol.Name})
	}
	return out
}

// sameMoment is the moment of another run that shows the same time.
func sameMoment(at At, r *played) At {
	if _, ok := at.moment(r.trace); ok {
		return at
	}
	if at.HasTie {
		return sameMoment(At{Time: at.Time}, r)
	}
	return At{End: true}
}

func scenarioTabs(l Link) []templates.Choice {
	var out []templates.Choice
	for _, s := range im.Scenarios() {
		to := l.with(func(l *Link) { l.Scenario, l.At, l.Guess = s, At{}, "" })
		out = append(out, templates.Choice{Name: s.Name, Text: scenarioName(l.Lang, s.Name), Href: to.stage(), Current: s.Name == l.Scenario.Name})
	}
	return out
}

// guess asks the chapter's question, and lets the run answer it.
func guess(n narrator, l Link, run *played) templates.Guess {
	g := templates.Guess{
		Question: n.In("There is one server, and its ids have one order. When all is over, do all screens show the same?", "只有一台服务器，它的 id 只有一个顺序。跑完以后，每块屏幕显示的都一样吗？"),
		Action:   l.path(),
		Hidden:   append(hidden(l, func(name string) bool { return name != "guess" && name != "at" }), templates.Hidden{Name: "at", Value: "end"}),
		Given:    l.Guess != "",
	}
	for i, text := range []string{
		n.In("Yes, line for line", "一样，一行不差"),
		n.In("The same lines, but in another order somewhere", "行都在，但有的屏幕顺序不同"),
		n.In("No: somewhere a line is even missing", "不一样：有的屏幕连行都缺"),
	} {
		g.Answers = append(g.Answers, templates.Choice{Name: guesses[i], Text: text, Current: l.Guess == guesses[i]})
	}
	right, why := answer(n, im.FoldTrace(n.scenario, run.trace))
	g.Right, g.Verdict = l.Guess == right, why
	return g
}

// answer is the run's answer to the question, and the reason.
func answer(n narrator, f *im.Fold) (guess, why string) {
	m := f.Metrics()
	pairs := n.Count(m.InvertedPairs, "pair stands", "pairs stand", "对")
	switch {
	case m.Missing > 0 && m.InvertedPairs > 0:
		return "lines", n.f("%s missing on some screen, and %s in the opposite order to the server’s.", "有的屏幕缺了 %s，还有 %s和服务器的顺序相反。", n.missingLines(f), pairs)
	case m.Missing > 0:
		return "lines", n.f("The order is right everywhere, but %s missing on some screen.", "顺序处处都对，可有的屏幕缺了 %s。", n.missingLines(f))
	case m.InvertedPairs > 0:
		return "order", n.f("Nothing is missing, but %s in the opposite order to the server’s.", "一条也没缺，可有 %s和服务器的顺序相反。", pairs)
	}
	return "same", n.In("Every screen shows what the server has, in the server’s order.", "每块屏幕都和服务器一样，顺序也一样。")
}

// missingLines names what is missing anywhere, with the verb that English needs.
func (n narrator) missingLines(f *im.Fold) string {
	var ids []im.MessageID
	for _, row := range f.Rows {
		for phone := im.Ana; phone <= im.Actor(n.scenario.Phones); phone++ {
			if lastIndex(f.Screens[phone].Lines, row.Msg) < 0 && !slices.Contains(ids, row.Msg) {
				ids = append(ids, row.Msg)
			}
		}
	}
	if len(ids) > 6 {
		return n.Count(int64(len(ids)), "line is", "lines are", "条")
	}
	if len(ids) == 1 {
		return n.messages(ids) + n.In(" is", "")
	}
	return n.messages(ids) + n.In(" are", "")
}

func transport(n narrator, l Link, run *played, current int, now sim.Moment) templates.Transport {
	to := func(i int) string { return l.at(momentAt(run.events, i)).stage() }
	last := len(run.events) - 1
	t := templates.Transport{Clock: n.Seconds(clock(run, now).Seconds())}
	if current > 0 {
		t.Start, t.Back = to(0), to(current-1)
	}
	if current < last {
		t.Forward, t.End = to(current+1), to(last)
	}
	for i := range run.events {
		e := &run.events[i]
		for _, k := range markKinds {
			if e.marks.has(k.mark) {
				t.Marks = append(t.Marks, templates.Mark{Icon: k.icon, Text: n.In(k.en, k.zh), Class: k.class, Time: n.Seconds(e.At.Seconds()), Href: to(i), Current: i == current})
			}
		}
	}
	const most = 40
	if len(t.Marks) > most {
		t.Marks = t.Marks[:most]
	}
	return t
}

var markKinds = []struct {
	mark                marks
	icon, en, zh, class string
}{
	{markLost, "✕", "lost", "丢了", "lost"},
	{markCrossed, "⇅", "crossed", "反了", "crossed"},
	{markMoved, "↥", "moved", "挪了", "moved"},
	{markGap, "…", "gap seen", "发现缺口", "gap"},
	{markFetched, "⤓", "fetched", "补到", "fetched"},
	{markFailed, "!", "failed", "失败", "lost"},
	{markDoubled, "⧉", "twice", "重复", "crossed"},
}

func happenings(n narrator, l Link, run *played, current int) []templates.Happening {
	var out []templates.Happening
	for i := range run.events {
		e := &run.events[i]
		out = append(out, templates.Happening{Href: l.at(momentAt(run.events, i)).stage(), Time: n.Seconds(e.At.Seconds()), Text: n.tell(e),
			Marked: e.marks != 0, Current: i == current, Future: i > current})
	}
	return out
}

// screens draws the phones and the server's rows, in the order of the lifelines.
func screens(n narrator, f *im.Fold) templates.Screens {
	var s templates.Screens
	half := im.Actor(n.scenario.Phones / 2)
	for phone := im.Ana; phone <= im.Actor(n.scenario.Phones); phone++ {
		s.Columns = append(s.Columns, phoneColumn(n, f, phone))
		if phone == half {
			s.Columns = append(s.Columns, serverColumn(n, f))
		}
	}
	return s
}

func serverColumn(n narrator, f *im.Fold) templates.Column {
	c := templates.Column{Name: n.In("Server", "服务器"), Class: "s", Server: true, Empty: n.In("no message yet", "还没有消息")}
	for _, row := range serverOrder(f) {
		c.Lines = append(c.Lines, templates.ScreenLine{Name: row.Msg.String(), Class: actorClass(row.Msg.Sender), Number: rowNumber(row.ID, row.Seq)})
	}
	return c
}

func serverOrder(f *im.Fold) []im.Row {
	rows := slices.Clone(f.Rows)
	slices.SortFunc(rows, func(a, b im.Row) int { return int(a.ID - b.ID) })
	return rows
}

func rowNumber(id, seq int64) string {
	switch {
	case seq != 0:
		return fmt.Sprintf("#%d", seq)
	case id != 0:
		return fmt.Sprint(id)
	}
	return ""
}

// phoneColumn draws a phone's lines, and a hole wherever the server has one more.
func phoneColumn(n narrator, f *im.Fold, phone im.Actor) templates.Column {
	c := templates.Column{Name: n.f("%s’s phone", "%s 的手机", im.Name(phone)), Class: actorClass(phone), Empty: n.In("no message yet", "还没有消息")}
	screen := &f.Screens[phone]
	var ranks []int64
	var biggest int64
	for i := range screen.Lines {
		line := &screen.Lines[i]
		c.Lines = append(c.Lines, screenLine(n, screen, i, phone))
		ranks = append(ranks, line.Rank())
		biggest = max(biggest, line.Seq)
	}
	for _, row := range serverOrder(f) {
		if row.Copy > 0 || lastIndex(screen.Lines, row.Msg) >= 0 {
			continue
		}
		at := slices.IndexFunc(ranks, func(r int64) bool { return r == 0 || r > row.ID })
		if at < 0 {
			at = len(ranks)
		}
		c.Lines = slices.Insert(c.Lines, at, hole(n, row, row.Seq != 0 && row.Seq < biggest))
		ranks = slices.Insert(ranks, at, row.ID)
	}
	return c
}

func hole(n narrator, row im.Row, known bool) templates.ScreenLine {
	line := templates.ScreenLine{Name: row.Msg.String(), Class: actorClass(row.Msg.Sender), Hole: true}
	if known {
		line.Number = rowNumber(row.ID, row.Seq)
		line.Notes = []templates.Note{{Icon: "?", Text: n.In("missing, and known", "缺了，手机知道"), Class: "known"}}
	} else {
		line.Notes = []templates.Note{{Icon: "∅", Text: n.In("not here, unnoticed", "没到，没人发现"), Class: "unknown"}}
	}
	return line
}

func screenLine(n narrator, s *im.Screen, i int, phone im.Actor) templates.ScreenLine {
	l := &s.Lines[i]
	line := templates.ScreenLine{Name: l.Msg.String(), Class: actorClass(l.Msg.Sender), Number: rowNumber(l.ID, l.Seq), Own: l.Msg.Sender == phone}
	note := func(icon, text, class string) {
		line.Notes = append(line.Notes, templates.Note{Icon: icon, Text: text, Class: class})
	}
	switch l.State {
	case im.Sending:
		note("◌", n.In("sending", "发送中"), "sending")
	case im.Sent:
		note("✓", n.In("sent", "已发出"), "sent")
	case im.GivenUp:
		note("!", n.In("failed", "失败"), "lost")
	}
	if l.Moved {
		note("↥", n.In("moved", "挪过"), "moved")
	}
	if l.Fetched {
		note("⤓", n.In("fetched", "补拉的"), "fetched")
	}
	if l.Duplicate {
		note("⧉", n.In("twice", "重复"), "crossed")
	}
	if len(s.InvertedWith(i)) > 0 {
		note("⇅", n.In("out of order", "顺序反了"), "crossed")
	}
	return line
}
