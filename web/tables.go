package web

import (
	"math"

	"imscope/sim"
	"imscope/sim/im"
	"imscope/templates"
)

// metrics compares all protocols at the same time of their runs.
func metrics(n narrator, l Link, runs []played, now sim.Moment) templates.MetricsTable {
	m := templates.MetricsTable{Protocols: protocolTabs(l, runs)}
	if l.At.End {
		m.Caption = n.In("The same messages, the same losses; counted at the end of the run.", "同样的消息，同样的丢失；运行结束时的数。")
	} else {
		m.Caption = n.f("The same messages, the same losses; counted up to %s.", "同样的消息，同样的丢失；数到 %s 为止。", n.Seconds(now.At.Seconds()))
		m.ToEnd = l.at(At{End: true}).String()
	}
	var all []im.Metrics
	for i := range runs {
		upto := runs[i].trace
		switch {
		case l.At.End:
		case runs[i].Name == l.Protocol.Name:
			upto = upto.Upto(now)
		default: // ordinals of one run mean nothing in another
			upto = upto.Upto(sim.Moment{At: now.At, Tie: math.MaxUint32})
		}
		all = append(all, im.FoldTrace(&l.Scenario, upto).Metrics())
	}
	row := func(group bool, en, zh, hintEn, hintZh string, value func(*im.Metrics) string) {
		r := templates.MetricRow{Name: n.In(en, zh), Hint: n.In(hintEn, hintZh), Group: group}
		for i := range all {
			r.Values = append(r.Values, value(&all[i]))
		}
		m.Rows = append(m.Rows, r)
	}
	count := func(v func(*im.Metrics) int64) func(*im.Metrics) string {
		return func(m *im.Metrics) string { return n.Int(v(m)) }
	}
	wait := func(v func(*im.Metrics) int64) func(*im.Metrics) string {
		return func(m *im.Metrics) string {
			if m.Wait.N == 0 {
				return "–"
			}
			return n.Seconds(float64(v(m)) / 1000)
		}
	}
	row(false, "Pairs in the opposite order", "顺序相反的对数", "to the server’s, on all screens together", "和服务器比，各块屏幕合计", count(func(m *im.Metrics) int64 { return m.InvertedPairs }))
	row(false, "Missing, unnoticed", "缺了，没发现", "stored, not shown, and the phone cannot tell", "服务器有、屏幕没有，手机无从知道", count((*im.Metrics).MissingUnnoticed))
	row(false, "Missing, known", "缺了，知道", "a gap in the numbers gives it away", "号断了，看得出来", count(func(m *im.Metrics) int64 { return m.MissingKnown }))
	row(false, "Fetches", "补拉", "", "", count(func(m *im.Metrics) int64 { return m.Fetches }))
	row(false, "Own messages that moved", "自己的消息挪过", "", "", count(func(m *im.Metrics) int64 { return m.OwnMoves }))
	row(false, "Lines shown twice", "显示了两次的行", "", "", count(func(m *im.Metrics) int64 { return m.Duplicates }))
	row(true, "Wait, mean", "等待，平均", "from pressing send to another screen", "从按下发送到出现在别人的屏幕上", wait(func(m *im.Metrics) int64 { return m.Wait.Mean() }))
	row(false, "Wait, half are within", "等待，一半在", "", "", wait(func(m *im.Metrics) int64 { return m.Wait.Quantile(50) }))
	row(false, "Wait, 95% are within", "等待，95% 在", "", "", wait(func(m *im.Metrics) int64 { return m.Wait.Quantile(95) }))
	row(false, "Wait, longest", "等待，最长", "", "", wait(func(m *im.Metrics) int64 { return m.Wait.MaxMillis() }))
	row(true, "Requests of phones", "手机的请求", "resends included", "包括重发", count(func(m *im.Metrics) int64 { return m.Cost.Requests }))
	row(false, "Bytes up", "上行字节", "", "", count(func(m *im.Metrics) int64 { return m.Cost.BytesUp }))
	row(false, "Bytes down", "下行字节", "", "", count(func(m *im.Metrics) int64 { return m.Cost.BytesDown }))
	row(false, "Rows read", "读的行", "", "", count(func(m *im.Metrics) int64 { return m.Cost.RowsRead }))
	row(false, "Rows written", "写的行", "", "", count(func(m *im.Metrics) int64 { return m.Cost.RowsWritten }))
	row(false, "Connections held", "保持的连接", "", "", count(func(m *im.Metrics) int64 { return m.Cost.Connections }))
	return m
}

// controls are the knobs that mean something in this scenario, as form fields.
func controls(l Link) templates.Controls {
	defaults, _ := im.FindScenario(l.Scenario.Name)
	given := l.with(func(l *Link) { l.Scenario, l.At = defaults, At{} }).String()
	c := templates.Controls{Action: l.path(), Hidden: append(l.sliderFields(), templates.Hidden{Name: "at", Value: "end"})}
	for _, p := range im.Params {
		if !p.Applies(&l.Scenario) || p.Name == "length" {
			continue
		}
		text := paramTexts[p.Name]
		f := templates.Field{Name: p.Name, Label: l.Lang.In(text.en, text.zh), Hint: l.Lang.In(text.hintEn, text.hintZh), Value: p.Value(&l.Scenario), Range: p.Range()}
		switch {
		case p.Kind == im.Switch:
			// The box is checked for the state that is not the default, for an unchecked box sends nothing.
			f.Switch, f.Checked = true, f.Value != p.Value(&defaults)
			f.Value = map[string]string{"on": "off", "off": "on"}[p.Value(&defaults)]
		case p.Kind == im.Person:
			f.Options = people(l, p.Number(&l.Scenario))
		case p.Name == "messages":
			f.Range = "1 … 300"
		}
		c.Open = c.Open || p.Value(&l.Scenario) != p.Value(&defaults)
		c.Fields = append(c.Fields, f)
	}
	if c.Open {
		c.Reset = given
	}
	return c
}

func people(l Link, chosen int64) []templates.Choice {
	out := []templates.Choice{{Name: "none", Text: l.Lang.In("nobody", "没有人"), Current: chosen == 0}}
	for a := im.Ana; a <= im.Actor(l.Scenario.Phones); a++ {
		s := im.Scenario{Reopen: a}
		p, _ := im.FindParam("reopen")
		out = append(out, templates.Choice{Name: p.Value(&s), Text: im.Name(a), Current: chosen == int64(a)})
	}
	return out
}

// paramTexts name the knobs.
var paramTexts = map[string]struct{ en, zh, hintEn, hintZh string }{
	"seed":      {"Seed", "种子", "decides all luck", "决定一切运气"},
	"phones":    {"Phones", "手机数", "", ""},
	"messages":  {"Messages", "消息数", "on average, at two phones", "两部手机时的平均数"},
	"gap":       {"Mean gap", "平均间隔", "between two messages of one phone", "同一部手机两条消息之间"},
	"latency":   {"Latency", "延迟", "of each leg", "每一程"},
	"loss":      {"Loss", "丢包", "chance of each leg", "每一程丢掉的概率"},
	"rto":       {"Time-out", "超时", "without an ACK, then the phone sends again", "等不到确认就重发"},
	"attempts":  {"Tries", "尝试次数", "before a phone gives up; 0 is no limit", "用完就放弃；0 表示不限"},
	"gapwait":   {"Gap wait", "缺口等待", "before a fetch", "补拉之前先等"},
	"write":     {"Write time", "写入时间", "from taking a number to the commit", "从拿到号到提交"},
	"reorder":   {"Pushes may overtake one another", "推送可能乱序", "each gets 0 to 200 ms more", "每次推送多等 0 到 200 毫秒"},
	"fetchloss": {"Fetches can be lost too", "补拉也会丢", "", ""},
	"ids":       {"Messages carry no id of the phone’s", "消息不带手机给的 id", "so no repeat can be recognized", "于是认不出重发"},
	"ack":       {"The server sends no ACK", "服务器不发确认", "so phones do not resend", "手机也就不重发"},
	"dedupe":    {"The server stores repeats", "服务器把重发的也存下", "", ""},
	"reopen":    {"Opens the chat again at the end", "最后重新打开对话", "", ""},
}
