package web

import (
	"slices"
	"strconv"
	"strings"

	"imscope/sim/im"
	"imscope/templates"
)

// maxEditsText bounds what of a link may be edits, in bytes.
const maxEditsText = 8 << 10

// parseEdits reads the edits of a link. What of them cannot be read is kept as it is, to be shown: the rest of the run does without it.
func (l *Link) parseEdits(text string) *im.ParamError {
	if len(text) > maxEditsText {
		return &im.ParamError{Name: "edits", Value: text[:40] + "…", Range: "0 … " + strconv.Itoa(im.MaxEdits)}
	}
	if text != "" {
		l.Scenario.Edits, l.Ignored = im.ParseEdits(&l.Scenario, text)
	}
	return nil
}

// sentByHand reads what older links call send: a1-6.3s_b1-7s.
func sentByHand(text string) string {
	if text == "" {
		return ""
	}
	return "send-" + strings.ReplaceAll(text, "_", "_send-")
}

// editsText is what a link says of its edits; empty if there are none.
func (l *Link) editsText() string {
	text := im.FormatEdits(l.Scenario.Edits)
	for _, e := range l.Ignored {
		text += "_" + im.LinkWords(e.Text)
	}
	return strings.TrimPrefix(text, "_")
}

// withEdit is the link to the same moment of the run with one more edit.
func (l Link) withEdit(e im.Edit) Link {
	return l.with(func(l *Link) { l.Scenario.Edits, l.At.HasTie, l.At.Tie = im.WithEdit(l.Scenario.Edits, e), false, 0 })
}

// editsView lists the edits, each with the link that takes it back, and what of the address could not be read. Once the run is there as a
// whole, it says of which edits there is nothing in it.
func editsView(n narrator, l Link, effects *im.Effects, whole bool) templates.Edits {
	v := templates.Edits{Lang: l.Lang}
	for i, e := range l.Scenario.Edits {
		to := l.with(func(l *Link) { l.Scenario.Edits = without(l.Scenario.Edits, i) })
		v.List = append(v.List, templates.EditLink{Text: n.tellEdit(&e), Words: e.String(), Undo: to.stage(), Idle: whole && !effects.Applied(i)})
	}
	for i, e := range l.Ignored {
		to := l.with(func(l *Link) { l.Ignored = without(l.Ignored, i) })
		v.Ignored = append(v.Ignored, templates.EditLink{Text: n.explain(e), Words: e.Text, Undo: to.stage()})
	}
	if len(l.Scenario.Edits)+len(l.Ignored) > 1 {
		v.UndoAll = l.with(func(l *Link) { l.Scenario.Edits, l.Ignored = nil, nil }).stage()
	}
	return v
}

func without[T any](all []T, i int) []T {
	return append(append([]T(nil), all[:i]...), all[i+1:]...)
}

// phoneActs are what a reader can do with a phone at a moment: send a message, to be named next, or switch it off.
func phoneActs(n narrator, l Link, phone im.Actor, now im.Time) (acts []templates.BreakAct) {
	if phone == im.Server {
		return nil
	}
	next := uint32(1)
	for slices.ContainsFunc(l.Scenario.Edits, func(e im.Edit) bool { return e.Msg == im.HandMessage(phone, next) }) {
		next++
	}
	offered := []breakAct{
		{"send-" + im.HandMessage(phone, next).String() + "-{t}", phrase{im.Name(phone) + " sends now", im.Name(phone) + " 现在发"}},
		{"off-" + phoneWord(phone) + "-{t}-{t+2s}", phrase{"off for 2 s", "关机 2 秒"}},
	}
	for _, e := range l.Scenario.Edits {
		if e.Verb == im.Off && e.Phone == phone { // an absence can end elsewhere
			offered = append(offered, breakAct{"off-" + phoneWord(phone) + "-" + im.FormatTime(e.At) + "-{t}", phrase{"off until now", "关到现在"}})
		}
	}
	for _, a := range offered {
		acts = append(acts, templates.BreakAct{Words: a.words, Label: a.label.in(n.Lang), Href: editLink(l, fillTime(a.words, now), now)})
	}
	return acts
}

// wholeMillisecond is the first whole millisecond from t on, which is how exactly edits tell times.
func wholeMillisecond(t im.Time) im.Time { return (t + im.Millisecond - 1).Truncate(im.Millisecond) }

// tellEdit says what an edit does.
func (n narrator) tellEdit(e *im.Edit) string {
	m, leg, at := e.Msg.String(), n.legName(e.Leg), n.when(e.At)
	switch e.Verb {
	case im.Press:
		return n.f("%s is sent at %s", "%s 在 %s 发出", m, at)
	case im.Drop:
		return n.f("%s is not sent", "%s 不发", m)
	case im.Lose:
		return n.f("%s is lost", "%s丢了", leg)
	case im.Deliver:
		return n.f("%s arrives", "%s会到", leg)
	case im.Delay:
		return n.f("%s takes %s longer", "%s多走 %s", leg, n.Duration(e.At.Seconds()))
	case im.Off:
		return n.f("%s’s phone is off from %s to %s", "%s 的手机从 %s 到 %s 关机", im.Name(e.Phone), at, n.when(e.Until))
	case im.Restart:
		return n.f("the server restarts at %s", "服务器在 %s 重启", at)
	case im.Stall:
		return n.f("writing %s takes %s", "写入 %s 要 %s", m, n.Duration(e.At.Seconds()))
	case im.Rollback:
		return n.f("the first write of %s is rolled back", "%s 的第一次写入回滚", m)
	case im.Commit:
		return n.f("the first write of %s is not rolled back", "%s 的第一次写入不回滚", m)
	default: // im.Skip
		return n.f("%s before %s", "%[2]s 之前：%[1]s", n.Count(e.N, "other id", "other ids", "个别的 id"), m)
	}
}

// legNames name legs: {0}, {1} … are the words that name one in an edit, after the kind.
var legNames = map[string]phrase{
	"message":      {"{0} on its way to the server", "{0} 去服务器这一程"},
	"ack":          {"the ACK of {0}", "{0} 的确认"},
	"push":         {"the push of {0} to {1}", "{0} 给 {1} 的推送"},
	"ask":          {"{0}’s fetch from #{1} on", "{0} 从 #{1} 起的补拉"},
	"range":        {"the answer to {0}’s fetch from #{1} on", "{0} 从 #{1} 起的补拉的回答"},
	"pull":         {"{0}’s asking for the whole chat", "{0} 要整个对话"},
	"conversation": {"the whole chat on its way to {0}", "发给 {0} 的整个对话"},
	"poll":         {"{0}’s poll {1}", "{0} 的第 {1} 次轮询"},
	"answer":       {"the answer to {0}’s poll {1}", "{0} 第 {1} 次轮询的回答"},
	"connect":      {"{0}’s connecting, number {1}", "{0} 的第 {1} 次连接"},
	"ping":         {"a heartbeat of {0}’s connection {1}", "{0} 第 {1} 条连接上的心跳"},
	"pong":         {"the answer to a heartbeat of {0}’s connection {1}", "{0} 第 {1} 条连接上心跳的回答"},
	"request":      {"{0}’s request {1}", "{0} 的第 {1} 个请求"},
	"reply":        {"the answer to {0}’s request {1}", "{0} 第 {1} 个请求的回答"},
}

// legName names a leg. Where the words that name one have another after them, that is which attempt.
func (n narrator) legName(leg im.LegID) string {
	if leg.Leg == 0 {
		return ""
	}
	words := strings.Fields(leg.String())
	name := legNames[words[0]].in(n.Lang)
	return fillWords(name, words[1:])
}

// fillWords puts words into the places of a name. One that is left over counts the attempts.
func fillWords(name string, words []string) string {
	for i, word := range words {
		place := "{" + strconv.Itoa(i) + "}"
		if !strings.Contains(name, place) {
			return name + " (" + word + ")"
		}
		name = strings.ReplaceAll(name, place, strings.ToUpper(word[:1])+word[1:])
	}
	return name
}

// explain says what is wrong with a part of a text that should be an edit, or a scenario's line.
func (n narrator) explain(e *im.TextError) string {
	stands := n.In("the line ends", "这一行就完了")
	if e.Word != "" {
		stands = n.f("“%s” stands there", "那里是“%s”", e.Word)
	}
	wants := wanted[e.Want].in(n.Lang)
	if e.Valid != "" {
		wants += n.In(": ", "：") + e.Valid
	}
	return n.f("column %s: %s, where %s", "第 %s 列：%s，该是%s", strconv.Itoa(e.Column), stands, wants)
}

// wanted says what should stand where a text is wrong.
var wanted = map[im.Want]phrase{
	im.WantStatement: {"a statement should begin", "一句话的开头"},
	im.WantMessage:   {"a message should be named", "一条消息的名字"},
	im.WantLeg:       {"a leg should be named", "一程的名字"},
	im.WantPhone:     {"a phone should be named", "一部手机的名字"},
	im.WantTime:      {"a time should stand", "一个时间"},
	im.WantNumber:    {"a whole number should stand", "一个整数"},
	im.WantKnob:      {"a setting should be named", "一个设置的名字"},
	im.WantValue:     {"its value should stand", "它的值"},
	im.WantEnd:       {"nothing more should follow", "这一行的结尾"},
	im.WantChapter:   {"the text should begin with a chapter", "章节开头"},
	im.WantScenario:  {"a scenario of the chapter should be named", "这一章的一个场景"},
	im.WantFewer:     {"there should not be as many", "没有这么多"},
	im.WantLater:     {"a later time should stand than", "一个更晚的时间，晚于"},
}
