package web

import (
	"slices"

	"github.com/a-h/templ"

	"imscope/sim/im"
	"imscope/templates"
)

var orderingLesson = lesson{
	title: phrase{"Ordering", "顺序"},
	summary: phrase{"Ana and Ben send at the same moment: why do their screens show different orders, and what puts it right?",
		"Ana 和 Ben 同时发消息：两块屏幕的顺序为什么不一样？怎么修？"},
	protocols: []story{
		{"arrival", phrase{"By arrival", "按到达"},
			phrase{"By arrival: an own line goes to the bottom when it is sent, everybody else’s when its [push] arrives. Nothing ever moves.",
				"按到达：自己的一发出就放在最下面，别人的等[push]到了再接上。放好就不动。"}},
		{"by-id", phrase{"By id", "按 id"},
			phrase{"By id: every line is sorted by the server’s [id], which [push|pushes] and [ack|ACKs] carry. Lines without one are still sending and stay at the bottom.",
				"按 id：每一行按服务器的 [id] 排，[push]和[ack]都带着它。还没有 id 的正在发送，留在最下面。"}},
		{"by-seq", phrase{"By seq, fetch on a gap", "按序号，缺了就补"},
			phrase{"By seq: every line is sorted by its [seq]. When a number is skipped the phone knows that something is missing; it waits half a second and then asks for it.",
				"按序号：每一行按[seq]排。跳了号，手机就知道缺了东西；先等半秒，还缺就去要。"}},
	},
	scenarios: []story{
		{"book", phrase{"The book’s run", "书里的那次"},
			phrase{"Seven messages in twelve seconds. Two are sent almost at once, one gets lost on its way up, one on its way down.",
				"十二秒，七条消息。有两条几乎同时发出，一条在上行时丢了，一条在下行时丢了。"}},
		{"trio", phrase{"Three phones", "三部手机"},
			phrase{"Three people press send within a tenth of a second; later one message, one push and the very last push are lost. Three screens, three kinds of disagreement.",
				"三个人在十分之一秒内先后按下发送；后来又丢了一条消息、一次推送，还有最后那次推送。三块屏幕，三种对不上。"}},
		{"random", phrase{"Random", "随机"},
			phrase{"A conversation drawn from a seed: same seed, same run. Change the loss, the latency or the number of phones, and everything else keeps its luck.",
				"一段由种子决定的对话：种子相同，运行就相同。改丢包、延迟或手机数，其余的运气都不变。"}},
	},
	question: phrase{"There is one server, and its ids have one order. When all is over, do all screens show the same?", "只有一台服务器，它的 id 只有一个顺序。跑完以后，每块屏幕显示的都一样吗？"},
	answers: []answer{
		{"same", phrase{"Yes, line for line", "一样，一行不差"}},
		{"order", phrase{"The same lines, but in another order somewhere", "行都在，但有的屏幕顺序不同"}},
		{"lines", phrase{"No: somewhere a line is even missing", "不一样：有的屏幕连行都缺"}},
	},
	judge:     judgeScreens,
	metrics:   orderingMetrics,
	sliders:   orderingSliders,
	estimates: orderingEstimates,
	page:      func(c templates.Chapter) templ.Component { return templates.OrderingPage(c) },
}

// judgeScreens answers whether all screens show the same.
func judgeScreens(n narrator, f *im.Fold) (guess, why string) {
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

var orderingSliders = []slider{
	{"rate", 0.05, 2, 0.05, 0.5, phrase{"The others say, a second", "别人每秒说几句"}, phrase{}},
	{"trip", 0.05, 2, 0.05, 0.2, phrase{"Round trip", "一个来回"}, phrase{" s", " 秒"}},
	{"took", 1, 500, 1, 5, phrase{"One write takes", "一次写入要"}, phrase{" ms", " 毫秒"}},
	{"users", 100_000, 10_000_000, 100_000, 10_000_000, phrase{"Daily users", "日活用户"}, phrase{}},
}

// Formulas stand here once, as text: they are shown, filled in, and evaluated from it.
const (
	crossingFormula = "rate * trip"
	writesFormula   = "1000 / took"
	numbersFormula  = "users * 40 / 86400 * 3"
)

// orderingEstimates fills in the chapter's sums.
func orderingEstimates(lang templates.Lang, values map[string]float64) []templates.Estimate {
	s := sums{lang: lang, values: values, list: orderingSliders, words: map[string]phrase{
		"rate":  {"lines a second", "每秒几句"},
		"trip":  {"round trip", "来回"},
		"took":  {"ms a write", "每次写入毫秒"},
		"users": {"users", "用户"},
	}}
	crossing := s.sum(crossingFormula, 3, "", "rate", "trip")
	crossing.Title = lang.In("How often do two lines cross?", "多久撞一次车？")
	crossing.Text = lang.In("Your line crosses another when that one was stored within one [rtt] before and its push has not reached you. So the chance is how often the others speak, times the round trip.",
		"你发的时候，别人在一个[rtt]之内刚存下一句，推送还没到你这里，就撞上了。所以概率是别人说话的频率乘以来回的时间。")
	crossing.Notes = []templates.EstimateNote{{Text: lang.In("At 0.5 lines a second and 0.2 s this is 10.00 pairs per 100 messages, and a long simulation gives just that. The book prints 9.3: that is one run of 9,952 messages, where luck alone moves the figure by about 0.35 up or down. At large values the product says too much, for a chance cannot exceed 1.",
		"每秒 0.5 句、来回 0.2 秒时，每 100 条有 10.00 对，长时间的模拟得到的也正是这个数。书上写的是 9.3：那是 9,952 条消息跑一次的结果，光凭运气就会上下差 0.35 左右。数很大时乘法会偏高，因为概率不可能超过 1。")}}

	writes := s.sum(writesFormula, 3, lang.In(" writes a second", " 次写入/秒"), "took")
	writes.Title = lang.In("How fast can one conversation be?", "一个会话最多多快？")
	writes.Text = lang.In("Writers of one conversation hold its [rowlock] in turn, each for as long as its write takes. Other conversations do not wait.",
		"同一个会话的写入者轮流拿着[rowlock]，写多久就拿多久。别的会话不用等。")

	site := s.sum(numbersFormula, 3, lang.In(" numbers a second", " 个号/秒"), "users")
	site.Title = lang.In("How many numbers must the whole site hand out?", "全站每秒要发多少个号？")
	site.Text = lang.In("Everybody sends 40 messages a day, a day has 86,400 seconds, and the peak is three times the average. No conversation is the trouble then, but one machine that numbers them all.",
		"每人每天发 40 条，一天 86,400 秒，高峰是平均的 3 倍。到那时麻烦的不是哪个会话，而是一台机器要给所有会话发号。")
	return []templates.Estimate{crossing, writes, site}
}

var orderingMetrics = []metric{
	{"Pairs in the opposite order", "顺序相反的对数", "to the server’s, on all screens together", "和服务器比，各块屏幕合计", false, false, func(m *im.Metrics) int64 { return m.InvertedPairs }},
	{"Missing, unnoticed", "缺了，没发现", "stored, not shown, and the phone cannot tell", "服务器有、屏幕没有，手机无从知道", false, false, (*im.Metrics).MissingUnnoticed},
	{"Missing, known", "缺了，知道", "a gap in the numbers gives it away", "号断了，看得出来", false, false, func(m *im.Metrics) int64 { return m.MissingKnown }},
	{"Fetches", "补拉", "", "", false, false, func(m *im.Metrics) int64 { return m.Fetches }},
	{"Own messages that moved", "自己的消息挪过", "", "", false, false, func(m *im.Metrics) int64 { return m.OwnMoves }},
	{"Lines shown twice", "显示了两次的行", "", "", false, false, func(m *im.Metrics) int64 { return m.Duplicates }},
	{"Wait, mean", "等待，平均", "from pressing send to another screen", "从按下发送到出现在别人的屏幕上", true, true, func(m *im.Metrics) int64 { return m.Wait.Mean() }},
	{"Wait, half are within", "等待，一半不超过", "", "", false, true, func(m *im.Metrics) int64 { return m.Wait.Quantile(50) }},
	{"Wait, 95% are within", "等待，95% 不超过", "", "", false, true, func(m *im.Metrics) int64 { return m.Wait.Quantile(95) }},
	{"Wait, longest", "等待，最长", "", "", false, true, func(m *im.Metrics) int64 { return m.Wait.MaxMillis() }},
	{"Requests of phones", "手机的请求", "resends included", "包括重发", true, false, func(m *im.Metrics) int64 { return m.Cost.Requests }},
	{"Bytes up", "上行字节", "", "", false, false, func(m *im.Metrics) int64 { return m.Cost.BytesUp }},
	{"Bytes down", "下行字节", "", "", false, false, func(m *im.Metrics) int64 { return m.Cost.BytesDown }},
	{"Rows read", "读的行", "", "", false, false, func(m *im.Metrics) int64 { return m.Cost.RowsRead }},
	{"Rows written", "写的行", "", "", false, false, func(m *im.Metrics) int64 { return m.Cost.RowsWritten }},
	{"Connections held", "保持的连接", "", "", false, false, func(m *im.Metrics) int64 { return m.Cost.Connections }},
}
