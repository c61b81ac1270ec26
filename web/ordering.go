package web

import (
	"context"
	"errors"
	"slices"

	"imscope/sim"
	"imscope/sim/im"
	"imscope/templates"
)

// errNoMoment says that a link's moment names an event that the run does not have.
var errNoMoment = errors.New("the run has no such moment")

// orderingPage plays the run of a link and maps it to the page of the chapter on ordering.
func (p pages) orderingPage(ctx context.Context, l Link) (templates.Ordering, error) {
	n := narrator{l.Lang, &l.Scenario}
	s := newStage(l)
	verdict := guess(n, l)
	found := !l.At.HasTie
	err := playEvents(ctx, &l.Scenario, l.Protocol, func(e *event, f *im.Fold, next *sim.Moment) error {
		s.add(e, f, next)
		found = found || e.Moment == s.now
		if next == nil {
			verdict.answer(n, l, f, e.clock())
		}
		return nil
	})
	if err == nil && !found {
		err = errNoMoment
	}
	if err != nil {
		return templates.Ordering{}, err
	}
	s.finish()
	table, err := metrics(ctx, n, l, s)
	if err != nil {
		return templates.Ordering{}, err
	}
	o := templates.Ordering{
		Page: p.page(l.Lang, n.In("Ordering", "顺序"), n.In("Ana and Ben send at the same moment: why do their screens show different orders, and what puts it right?",
			"Ana 和 Ben 同时发消息：两块屏幕的顺序为什么不一样？怎么修？"), l.String(), l.at(At{}).String()),
		Guess:     verdict.Guess,
		Stage:     s.view,
		Metrics:   table,
		Estimates: estimatesView(l),
	}
	o.Chapter = l.Chapter.Name
	return o, nil
}

// metrics runs the other protocols on the same luck, and fills the table in as it stands at the link's moment.
func metrics(ctx context.Context, n narrator, l Link, s *stage) (templates.MetricsTable, error) {
	table := metricsTable(n, s.view.Protocols)
	table.Changes = s.changes
	fillIn(&table, s.changes[:s.changed])
	for column := range l.Chapter.Protocols {
		if column == l.column() {
			continue
		}
		changes, by, err := otherChanges(ctx, n, l, column)
		if err != nil {
			return table, err
		}
		table.Changes = append(table.Changes, changes...)
		fillIn(&table, changes[:by])
	}
	return table, nil
}

func fillIn(table *templates.MetricsTable, changes []templates.CellChange) {
	for _, c := range changes {
		for _, r := range c.Rows {
			table.Rows[r.Row].Values[c.Column] = r.Text
		}
	}
}

// otherChanges follows the figures of another protocol through its run. The first by of the changes have happened by the link's time;
// its ordinal says nothing of another run.
func otherChanges(ctx context.Context, n narrator, l Link, column int) (changes []templates.CellChange, by int, err error) {
	c, now := newCells(n, column), l.At.moment()
	err = playEvents(ctx, &l.Scenario, l.Chapter.Protocols[column], func(e *event, f *im.Fold, _ *sim.Moment) error {
		if change, ok := c.follow(e, f); ok {
			changes = append(changes, change)
		}
		if e.At <= now.At {
			by = len(changes)
		}
		return nil
	})
	return changes, by, err
}

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

// protocolTabs lead to the same time under each protocol; ordinals of one run mean nothing in another.
func protocolTabs(l Link) []templates.Choice {
	var out []templates.Choice
	for _, entry := range l.Chapter.Protocols {
		to := l.with(func(l *Link) { l.Protocol, l.At.HasTie, l.At.Tie = entry, false, 0 })
		out = append(out, templates.Choice{Name: entry.Name, Text: protocolName(l.Lang, entry.Name), Href: to.stage(), Current: entry.Name == l.Protocol.Name})
	}
	return out
}

func scenarioTabs(l Link) []templates.Choice {
	var out []templates.Choice
	for _, s := range im.Scenarios(l.Chapter.Name) {
		to := l.with(func(l *Link) { l.Scenario, l.At, l.Guess = s, At{}, "" })
		out = append(out, templates.Choice{Name: s.Name, Text: scenarioName(l.Lang, s.Name), Href: to.stage(), Current: s.Name == l.Scenario.Name})
	}
	return out
}

// question is the chapter's question, with the answer once the run has given it.
type question struct{ templates.Guess }

// guess asks the question.
func guess(n narrator, l Link) question {
	g := templates.Guess{
		Question: n.In("There is one server, and its ids have one order. When all is over, do all screens show the same?", "只有一台服务器，它的 id 只有一个顺序。跑完以后，每块屏幕显示的都一样吗？"),
		Action:   l.path(),
		Hidden:   append(hidden(l, func(name string) bool { return name != "guess" && name != "at" }), templates.Hidden{Name: "at", Value: "end"}),
	}
	for i, text := range []string{
		n.In("Yes, line for line", "一样，一行不差"),
		n.In("The same lines, but in another order somewhere", "行都在，但有的屏幕顺序不同"),
		n.In("No: somewhere a line is even missing", "不一样：有的屏幕连行都缺"),
	} {
		g.Answers = append(g.Answers, templates.Choice{Name: guesses[i], Text: text, Current: l.Guess == guesses[i]})
	}
	return question{g}
}

// answer lets the finished run judge the reader's guess.
func (q *question) answer(n narrator, l Link, f *im.Fold, at float64) {
	right, why := answer(n, f)
	q.Given, q.Right, q.Verdict, q.At = l.Guess != "", l.Guess == right, why, at
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
