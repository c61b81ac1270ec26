package web

import (
	"math"
	"strconv"

	"imscope/sim/im"
	"imscope/templates"
)

// controls are the knobs that mean something in this scenario, as form fields.
func controls(l Link) templates.Controls {
	defaults, _ := im.FindScenario(l.Chapter.Name, l.Scenario.Name)
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
			f.Range = ""
			f.Options = people(l, p.Number(&l.Scenario))
		case p.Kind == im.Choice:
			f.Range = ""
			for _, preset := range p.Presets {
				f.Options = append(f.Options, templates.Choice{Name: preset.Name, Text: choiceNames[preset.Name].in(l.Lang), Current: f.Value == preset.Name})
			}
		case p.Name == "away":
			f.Slide = strconv.FormatFloat(100*math.Log(l.Scenario.Off.To.Minutes())/math.Log(43200), 'f', 1, 64)
			f.Range = l.Lang.In("1m … 720h", "1m … 720h")
		case p.Name == "messages":
			f.Range = "1 … 300"
		}
		c.Open = c.Open || !p.Same(&l.Scenario, &defaults)
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

// choiceNames name what a knob lets one choose from.
var choiceNames = map[string]phrase{"page": {"page everything", "全部翻页"}, "list": {"answer with the list", "只回列表"},
	"ordered": {"by user id", "按用户 id"}, "unordered": {"as they come", "随便"}, "before": {"before the list", "在列表之前"}, "after": {"after the list", "在列表之后"}}

// paramTexts name the knobs.
var paramTexts = map[string]struct{ en, zh, hintEn, hintZh string }{
	"seed":          {"Seed", "种子", "decides all luck", "决定一切运气"},
	"phones":        {"Phones", "手机数", "", ""},
	"messages":      {"Messages", "消息数", "on average, at two phones", "两部手机时的平均数"},
	"gap":           {"Mean gap", "平均间隔", "between two messages of one phone", "同一部手机两条消息之间"},
	"latency":       {"Latency", "延迟", "of each leg", "每一程"},
	"loss":          {"Loss", "丢包", "chance of each leg", "每一程丢掉的概率"},
	"rto":           {"Time-out", "超时", "without an ACK, then the phone sends again", "等不到确认就重发"},
	"attempts":      {"Tries", "尝试次数", "before a phone gives up; 0 is no limit", "用完就放弃；0 表示不限"},
	"gapwait":       {"Gap wait", "缺口等待", "before a fetch", "补拉之前先等"},
	"write":         {"Write time", "写入时间", "from taking a number to the commit", "从拿到号到提交"},
	"reorder":       {"Pushes may overtake one another", "推送可能乱序", "each gets 0 to 200 ms more", "每次推送多等 0 到 200 毫秒"},
	"fetchloss":     {"Fetches can be lost too", "补拉也会丢", "", ""},
	"ids":           {"Messages carry no id of the phone’s", "消息不带手机给的 id", "so no repeat can be recognized", "于是认不出重发"},
	"ack":           {"The server sends no ACK", "服务器不发确认", "so phones do not resend", "手机也就不重发"},
	"dedupe":        {"The server stores repeats", "服务器把重发的也存下", "", ""},
	"interval":      {"Poll interval", "轮询间隔", "", ""},
	"phase":         {"First poll at", "第一次轮询在", "", ""},
	"off":           {"Ben’s phone is off", "Ben 的手机关机", "for example 6s-14s", "例如 6s-14s"},
	"slow":          {"Ana’s first write takes", "Ana 的第一次写入要", "", ""},
	"rollback":      {"Rollbacks", "回滚", "chance of each write", "每次写入回滚的概率"},
	"overlap":       {"Overlap", "重叠", "how far back poll by time reads", "按时间轮询时往回多取多久"},
	"hold":          {"Hold", "保持", "how long a long poll is held", "长轮询最多等多久"},
	"heartbeat":     {"Heartbeat", "心跳", "of the open connection", "长连接上多久一次"},
	"page":          {"Page", "一页", "rows an answer at most", "一次回答最多几行"},
	"onewriter":     {"One writer at a time", "一次只许一个写入", "no write begins before the last has committed", "前一个提交了，后一个才开始"},
	"rowlock":       {"Number under a row lock", "在行锁里拿号", "writers of one conversation take turns", "同一个会话的写入轮流来"},
	"apart":         {"Carl writes in another conversation", "Carl 写在另一个会话里", "", ""},
	"headers":       {"Do not count HTTP headers", "不算 HTTP 头部", "", ""},
	"away":          {"Away for", "离开了", "for example 36h; more than 7 days is more than is kept", "例如 36h；超过 7 天，就比保留的更久"},
	"conversations": {"Conversations", "会话数", "that Ben is in", "Ben 有多少个"},
	"too-far":       {"Too far behind", "落下太多时", "more than 10 pages", "超过 10 页"},
	"opens":         {"Ben opens conversation", "Ben 打开会话", "after catching up; 0 is none", "补齐之后；0 是不打开"},
	"version":       {"A version of the list is kept", "另记一个列表的版本", "beside the cursors", "和游标放在一起"},
	"head":          {"The head is read", "最新的号", "", ""},
	"locks":         {"Recipients are locked", "锁收件人的顺序", "", ""},
	"reopen":        {"Opens the chat again at the end", "最后重新打开对话", "", ""},
}
