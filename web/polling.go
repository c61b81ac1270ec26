package web

import (
	"github.com/a-h/templ"

	"imscope/sim/im"
	"imscope/templates"
)

var pollingLesson = lesson{
	title: phrase{"Minimal chat", "最小的聊天"},
	summary: phrase{"A phone asks every two seconds whether there is anything new: how long messages wait, what it costs, and how a row can be passed over.",
		"手机每两秒问一次有没有新消息：消息要等多久、代价多大，又怎么会跳过一行。"},
	protocols: []story{
		{"poll-id", phrase{"Poll by id", "按 id 轮询"},
			phrase{"Poll by id: the phone keeps the biggest [id] it has, and asks at every tick for the rows above it.",
				"按 id 轮询：手机记着自己最大的 [id]，到点就问比它更大的行。"}},
		{"poll-time", phrase{"By time, overlapping", "按时间，多取一段"},
			phrase{"By time: the phone asks for rows from the server’s newest time on, less an overlap, and drops by [id] what it has already.",
				"按时间：手机从见过的最新时间往回多取一段，已经有的按 [id] 丢掉。"}},
		{"poll-token", phrase{"By token", "按令牌"},
			phrase{"By token: the server says from where to ask next, and never says a place behind which a write is still open.",
				"按令牌：下次从哪里问，由服务器说；只要还有写入没结束，它就不会说到那后面去。"}},
		{"long-poll", phrase{"Long poll", "长轮询"},
			phrase{"Long poll: the server holds the request until there is something to answer. The phone asks again at once.",
				"长轮询：没有消息时服务器先不回答，等有了再回；手机收到后马上再问。"}},
		{"push", phrase{"Push", "推送"},
			phrase{"Push: the phone keeps a connection open, and the server writes every new row into it. After a break the phone fetches what it missed.",
				"推送：手机一直开着一条连接，服务器一有新行就写进去。断过之后，手机自己去补。"}},
	},
	scenarios: []story{
		{"book", phrase{"The book’s run", "书里的那次"},
			phrase{"Ana sends six messages in twenty seconds; Ben’s phone asks every two.", "Ana 在二十秒里发了六条，Ben 的手机每两秒问一次。"}},
		{"off", phrase{"Off for a while", "关机一阵"},
			phrase{"The same six messages, but Ben’s phone is off from 6 to 14 s. What it missed comes with the first answer after that.", "还是那六条，但 Ben 的手机从第 6 秒关到第 14 秒。错过的，开机后第一次回答全带回来。"}},
		{"random", phrase{"Ten minutes", "十分钟"},
			phrase{"Three hundred messages at random times in ten minutes.", "十分钟里，三百条消息，时间随机。"}},
		{"hole", phrase{"The hole", "那个洞"},
			phrase{"Ana’s write takes 101 and stays open for three seconds. Carl’s takes 102 and commits. Ben’s phone asks in between.",
				"Ana 的写入拿了 101，三秒没提交；Carl 的拿了 102，先提交了。Ben 的手机正好在中间来问。"}},
		{"gaps", phrase{"Ids that jump", "会跳的 id"},
			phrase{"Other conversations take ids, and one write is rolled back. Nothing is missing, although the ids have holes.",
				"别的会话拿走一些号，还有一次写入回滚了。什么也没缺，可 id 中间有空。"}},
		{"retry", phrase{"Stored twice", "存了两次"},
			phrase{"The [ack] of A1 is lost, the phone sends again, and without a message id of its own the server cannot tell.",
				"A1 的[ack]丢了，手机再发一次；消息没有手机自己给的 id，服务器认不出来。"}},
		{"week", phrase{"Away for a week", "离开一周"},
			phrase{"Ben’s phone is off for a week, in which 267 messages come. It takes three pages to bring them.",
				"Ben 的手机关了一周，来了 267 条。要三页才拿得完。"}},
	},
	question: phrase{"Ben’s phone asks every 2 s, and one way takes 0.1 s. How long does a message wait, on average, before it is on his screen?",
		"Ben 的手机每 2 秒问一次，网络单程 0.1 秒。一条消息平均要等多久，才出现在他的屏幕上？"},
	answers: []answer{
		{"short", phrase{"Under half a second", "不到半秒"}},
		{"half", phrase{"Half a second to one and a half", "半秒到一秒半"}},
		{"long", phrase{"Longer", "更久"}},
	},
	judge:     judgeWait,
	metrics:   pollingMetrics,
	sliders:   pollingSliders,
	estimates: pollingEstimates,
	page:      func(c templates.Chapter) templ.Component { return templates.PollingPage(c) },
}

// judgeWait answers how long messages wait.
func judgeWait(n narrator, f *im.Fold) (guess, why string) {
	m := f.Metrics()
	mean := m.Wait.Mean()
	switch {
	case mean < 500:
		guess = "short"
	case mean <= 1500:
		guess = "half"
	default:
		guess = "long"
	}
	return guess, n.f("The mean is %s over %s, the longest wait %s. In the long run it is half an interval and two legs; few messages can lie well off.",
		"%[2]s平均等了 %[1]s，最久 %[3]s。长期来看是半个间隔加两程，条数少时会差不少。",
		n.Duration(float64(mean)/1000), n.Count(m.Wait.N, "message", "messages", "条"), n.Duration(float64(m.Wait.MaxMillis())/1000))
}

var pollingMetrics = []metric{
	{"Polls", "轮询", "each page is one", "每一页算一次", false, false, func(m *im.Metrics) int64 { return m.Polls }},
	{"Empty polls", "空轮询", "that brought nothing", "什么也没带回", false, false, func(m *im.Metrics) int64 { return m.EmptyPolls }},
	{"Lost for good", "再也拿不到", "stored, and passed over", "服务器有，却被跳过了", false, false, func(m *im.Metrics) int64 { return m.Lost }},
	{"Lines shown twice", "显示了两次的行", "", "", false, false, func(m *im.Metrics) int64 { return m.Duplicates }},
	{"Wait, mean", "等待，平均", "from pressing send to Ben’s screen", "从按下发送到出现在 Ben 的屏幕上", true, true, func(m *im.Metrics) int64 { return m.Wait.Mean() }},
	{"Wait, half are within", "等待，一半不超过", "", "", false, true, func(m *im.Metrics) int64 { return m.Wait.Quantile(50) }},
	{"Wait, 95% are within", "等待，95% 不超过", "", "", false, true, func(m *im.Metrics) int64 { return m.Wait.Quantile(95) }},
	{"Wait, longest", "等待，最长", "", "", false, true, func(m *im.Metrics) int64 { return m.Wait.MaxMillis() }},
	{"Requests of phones", "手机的请求", "Ana’s messages included", "包括 Ana 发的消息", true, false, func(m *im.Metrics) int64 { return m.Cost.Requests }},
	{"Bytes up", "上行字节", "bodies", "正文", false, false, func(m *im.Metrics) int64 { return m.Cost.BytesUp }},
	{"Bytes down", "下行字节", "bodies", "正文", false, false, func(m *im.Metrics) int64 { return m.Cost.BytesDown }},
	{"Header bytes up", "头部上行字节", "500 a request, as usual", "按常见的每个请求 500 字节算", false, false, func(m *im.Metrics) int64 { return m.HeadersUp }},
	{"Header bytes down", "头部下行字节", "250 an answer", "每个回答 250 字节", false, false, func(m *im.Metrics) int64 { return m.HeadersDown }},
	{"Rows read", "读的行", "", "", false, false, func(m *im.Metrics) int64 { return m.Cost.RowsRead }},
	{"Connections held", "保持的连接", "at most at once", "同时最多", false, false, func(m *im.Metrics) int64 { return m.Cost.Connections }},
}

// pollStep tells one step of a phone that asks.
func (n narrator) pollStep(e *event, s *im.Step) string {
	d, who := &s.Data, im.Name(s.Actor)
	reader := im.Name(d.To)
	switch d.Kind {
	case im.TurnedOff:
		return n.f("%s’s phone is off.", "%s 的手机关机了。", who)
	case im.TurnedOn:
		return n.f("%s’s phone is on again.", "%s 的手机又开机了。", who)
	case im.Polled:
		return n.polled(who, d)
	case im.PollSkipped:
		return n.f("A poll is due, but %s’s last one is not answered yet: it is left out.", "又该问了，可 %s 上一次还没等到回答：这次跳过。", who)
	case im.PollRead:
		return n.pollRead(d)
	case im.Held:
		return n.f("The server finds nothing for %s and holds the request until there is something.", "服务器没有给 %s 的新消息，先不回答，等有了再说。", reader)
	case im.HoldEnded:
		return n.f("Nothing has come for long enough: the server answers %s that there is nothing.", "等了这么久什么也没来：服务器回答 %s“没有”。", reader)
	case im.Answered:
		return n.answered(e, who, d)
	case im.ReadPast:
		return n.f("%s (id %d) is lost for %s: what he asks for lies behind it, and no later answer will bring it.", "%s（id %d）对 %s 来说就此丢了：他已经问到它后面去了，以后的回答都不会再带上它。", d.Msg, d.ID, reader)
	case im.Restarted:
		return n.In("The server restarts: what it had only in memory is gone, be it open writes, held requests or connections. What is stored stays.",
			"服务器重启：只在内存里的都没了，没写完的、没回答的请求、连接都在内。已经存下的还在。")
	case im.Forgotten:
		return n.f("%s was waiting for its turn to be written, and is lost with the restart.", "%s 还在排队等着写入，重启时丢了。", d.Msg)
	case im.RolledBack:
		return n.f("The write of %s is rolled back. Its id %d is used up all the same.", "%s 的写入回滚了，可 id %d 已经用掉。", d.Msg, d.ID)
	case im.Subscribed:
		return n.f("The server takes %s’s connection and will write into it whatever is new.", "服务器接下 %s 的连接，以后有新的就往里写。", reader)
	case im.Silent:
		return n.f("%s’s connection has been silent for too long: the server closes it.", "%s 的连接太久没有声音：服务器把它关了。", reader)
	case im.Broken:
		return n.f("No heartbeat was answered: %s’s phone holds the connection for dead.", "心跳没有回音：%s 的手机认定连接断了。", who)
	case im.Alive:
		return n.f("%s’s connection is alive.", "%s 的连接还活着。", who)
	case im.Buffered:
		return n.f("%s arrives at %s’s phone and waits there until the phone has caught up.", "%s 到了 %s 的手机，先放着，等补齐再说。", d.Msg, who)
	}
	return ""
}

// polled tells from where a phone asks.
func (n narrator) polled(who string, d *im.Data) string {
	var what string
	p := d.Position()
	switch p.By {
	case im.SinceTime:
		what = n.f("anything stored from %s on?", "%s之后存下的，有吗？", n.Seconds(p.At.Seconds()))
		if p.At == 0 {
			what = n.In("anything at all?", "有什么吗？")
		}
	case im.AfterID:
		what = n.f("anything above id %d?", "比 id %d 更大的，有吗？", p.ID)
	default:
		what = n.f("anything behind the token %d?", "令牌 %d 之后的，有吗？", p.ID)
	}
	if d.Attempt > 1 {
		return n.f("There are more, so %s’s phone asks on: %s", "还有，%s 的手机接着问：%s", who, what)
	}
	return n.f("%s’s phone asks: %s", "%s 的手机问：%s", who, what)
}

func (n narrator) pollRead(d *im.Data) string {
	rows := n.Count(int64(d.Rows), "row", "rows", "行")
	switch {
	case d.Rows == 0:
		return n.In("The server finds nothing new.", "服务器没有找到新的。")
	case d.More:
		return n.f("The server finds more than a page and sends the first %s.", "服务器找到的一页放不下，先给 %s。", rows)
	default:
		return n.f("The server finds %s.", "服务器找到 %s。", rows)
	}
}

// answered tells what an answer brings; the lines that it puts on the screen are told here too.
func (n narrator) answered(e *event, who string, d *im.Data) string {
	if d.Rows == 0 {
		return n.f("The answer to %s’s phone is empty.", "%s 的手机得到的回答是空的。", who)
	}
	var brought []im.MessageID
	for i := range e.steps {
		if s := &e.steps[i].Data; s.Kind == im.Shown || s.Kind == im.Acked {
			brought = append(brought, s.Msg)
		}
	}
	switch {
	case len(brought) == 0:
		return n.f("The answer brings %s’s phone only what it has.", "回答带给 %s 手机的，它都有了。", who)
	case len(brought) > 6:
		return n.f("The answer brings %s to %s.", "回答给 %[2]s 带来 %[1]s。", n.Count(int64(len(brought)), "message", "messages", "条"), who)
	default:
		return n.f("The answer brings %s to %s.", "回答给 %[2]s 带来 %[1]s。", n.messages(brought), who)
	}
}

var pollingSliders = []slider{
	{"users", 1_000, 100_000, 1_000, 1_000, phrase{"Daily users", "日活用户"}, phrase{}},
	{"every", 0.5, 30, 0.5, 2, phrase{"A poll every", "每隔多久问一次"}, phrase{" s", " 秒"}},
	{"leg", 0.01, 1, 0.01, 0.1, phrase{"One leg takes", "一程要"}, phrase{" s", " 秒"}},
	{"open", 0.01, 0.5, 0.01, 0.1, phrase{"Share of users online at peak", "高峰时在线的比例"}, phrase{}},
	{"devices", 1, 20, 0.5, 1.5, phrase{"Devices a message goes to", "一条消息送到几台设备"}, phrase{}},
}

// Formulas stand once, as text: they are shown, filled in, and evaluated from it.
const (
	requestsFormula = "users * open / every"
	messagesFormula = "users * 40 / 86400 * 3"
	usefulFormula   = "users * 40 / 86400 * 3 * devices"
	emptyFormula    = "max(0, 1 - users * 40 / 86400 * 3 * devices / (users * open / every)) * 100"
	waitFormula     = "every / 2 + 2 * leg"
	longestFormula  = "every + 2 * leg"
)

var requestsChart = chart{
	x: "users", xLog: true, xTicks: []float64{1_000, 10_000, 100_000}, yLog: true, yTicks: []float64{1, 10, 100, 1_000, 10_000, 100_000},
	title:  phrase{"Requests a second against daily users", "每秒请求数随日活用户变化"},
	xLabel: phrase{"daily users", "日活用户"}, yLabel: phrase{"a second", "每秒"},
	curves: []curve{{requestsFormula, phrase{"polls", "轮询"}}, {usefulFormula, phrase{"useful", "有用的"}}},
}

var waitChart = chart{
	x: "every", xTicks: []float64{0.5, 5, 10, 15, 20, 25, 30}, yTicks: []float64{0, 5, 10, 15, 20, 25, 30, 35},
	title:  phrase{"Wait against poll interval", "等待随轮询间隔变化"},
	xLabel: phrase{"interval, s", "间隔（秒）"}, yLabel: phrase{"wait, s", "等待（秒）"},
	curves: []curve{{waitFormula, phrase{"average", "平均"}}, {longestFormula, phrase{"longest", "最久"}}},
}

// pollingEstimates fills in the chapter's sums.
func pollingEstimates(lang templates.Lang, values map[string]float64) []templates.Estimate {
	s := sums{lang: lang, values: values, list: pollingSliders, words: map[string]phrase{
		"users": {"users", "用户"}, "open": {"share online", "在线比例"}, "every": {"interval", "间隔"}, "leg": {"leg", "一程"},
		"devices": {"devices", "设备"},
	}}
	requests := s.sum(requestsFormula, 3, lang.In(" requests a second", " 个请求/秒"), "users", "every", "open")
	requests.Title = lang.In("How often is the server asked?", "服务器每秒被问多少次？")
	requests.Text = lang.In("Every phone that has the app open asks once an interval, whether there is news or not.", "每部开着 App 的手机，每个间隔问一次，有没有新消息都问。")

	empty := s.sum(emptyFormula, 2, "%", "devices")
	empty.Title = lang.In("How many polls are for nothing?", "多少次是白问？")
	empty.Text = lang.In("Everybody sends 40 messages a day, three times as many at the peak, and each goes to some devices. All other polls are empty.", "每人每天发 40 条，高峰是平均的 3 倍，每条送到几台设备。其余的轮询都是空的。")
	empty.Notes = []templates.EstimateNote{
		{Text: lang.In("With groups a message goes to 10 devices on average. Then this is the least that is empty, for one poll can bring several messages.", "算上群聊，一条消息平均送到 10 台设备。那时这个数是至少有多少是空的，因为一次轮询可能带回好几条。")},
		s.note("Messages a second at the peak: ", "高峰时每秒的消息：", messagesFormula, 2, phrase{}),
	}

	wait := s.sum(waitFormula, 3, lang.In(" s on average", " 秒（平均）"), "leg")
	wait.Title = lang.In("How long does a message wait?", "一条消息要等多久？")
	wait.Text = lang.In("It falls anywhere within an interval, so half of one on average, and travels two [leg|legs]. To halve the wait is to double the requests.", "它落在一个间隔里的任何地方，平均等半个间隔，再加两[leg]。想少等一半，请求就多一倍。")
	wait.Notes = []templates.EstimateNote{s.note("At most: ", "最久：", longestFormula, 3, phrase{" s", " 秒"})}
	wait.Chart = s.chart(waitChart)
	requests.Chart = s.chart(requestsChart)
	return []templates.Estimate{requests, empty, wait}
}
