package web

import (
	"fmt"
	"time"

	"github.com/a-h/templ"

	"imscope/sim/im"
	"imscope/templates"
	"imscope/web/estimate"
)

var offlineLesson = lesson{
	title: phrase{"Offline sync", "离线同步"},
	summary: phrase{"Ben was away, in 200 conversations: what should his phone ask, what does the server have to look at, and what does it cost?",
		"Ben 离开了一阵，他有 200 个会话：手机该问什么？服务器要看多少？代价是什么？"},
	protocols: []story{
		{"global-id", phrase{"One global id", "一个全站 id"},
			phrase{"One global id: the phone asks for all that is newer than the biggest [id] it has. The server must look into every conversation of Ben’s to find it.",
				"一个全站 id：手机问比自己最大的 [id] 更新的。服务器要把 Ben 的每个会话都翻一遍。"}},
		{"conversation-cursors", phrase{"A cursor a conversation", "每个会话一个游标"},
			phrase{"A cursor a conversation: the phone sends, for each one, the last [seq] it has. The server compares it with the head of each.",
				"每个会话一个游标：手机带上每个会话里最后的[seq]，服务器逐个和最新的比。"}},
		{"inbox", phrase{"One inbox cursor", "一个信箱游标"},
			phrase{"One inbox cursor: whoever writes a message also writes a row into the [inbox] of each recipient. The phone sends one number, and the server reads only what has come.",
				"一个信箱游标：写消息的时候，给每个收件人的[inbox]也写一行。手机只带一个数，服务器只读真正来了的那些。"}},
	},
	scenarios: []story{
		{"book", phrase{"Ben comes back", "Ben 回来了"}, phrase{"The phone has been away; it asks until it has everything.", "手机离开了一阵，回来一直问到补齐为止。"}},
		{"group", phrase{"A new group", "一个新群"}, phrase{"While Ben is away he is added to a group. No cursor of his is about it.", "Ben 离开时，有人把他拉进一个新群。他的游标里没有一个是关于它的。"}},
		{"person", phrase{"Things of his own", "他自己的事"}, phrase{"Added, removed, read elsewhere, pinned: things that happen to Ben and to no conversation.", "被拉进群、被移出群、在别处读过、置顶：这些事发生在 Ben 身上，不在哪个会话里。"}},
		{"race", phrase{"The head and the list", "先取号还是先取列表"}, phrase{"Two messages are committed while the list is on its way. What becomes of them depends on what was read first.", "列表还在路上，又有两条提交了。它们的下场，要看先读的是什么。"}},
		{"locks", phrase{"Two at once", "同时两条"}, phrase{"Two conversations write to Ben at the same time; one of the writes is slow.", "两个会话同时给 Ben 写，其中一次写得很慢。"}},
		{"several", phrase{"Several locks", "好几把锁"}, phrase{"Two messages go to both Ben and Carl, and each must lock both.", "两条消息都要给 Ben 和 Carl，都要锁住他们俩。"}},
		{"devices", phrase{"Phone and tablet", "手机和平板"}, phrase{"Ben’s tablet comes back after his phone. Each has a cursor of its own.", "Ben 的平板比手机晚回来。两台各有自己的游标。"}},
		{"push", phrase{"A push is lost", "丢了一次推送"}, phrase{"Ben is back and gets three pushes, of which one is lost, the only message of its conversation.", "Ben 回来之后有三次推送，丢了一次，那个会话里就只有这一条。"}},
	},
	question: phrase{"Ben was away for a while and is in 200 conversations. In how many of them is there something new?", "Ben 离开了一阵，他有 200 个会话。其中几个有新消息？"},
	answers: []answer{
		{"few", phrase{"Five at most", "最多 5 个"}},
		{"some", phrase{"Six to fifty", "6 到 50 个"}},
		{"many", phrase{"More than fifty", "50 个以上"}},
	},
	judge:     judgeActive,
	metrics:   offlineMetrics,
	sliders:   offlineSliders,
	estimates: offlineEstimates,
	page:      func(c templates.Chapter) templ.Component { return templates.OfflinePage(c) },
	extra:     offlineTable,
}

// judgeActive answers in how many conversations there was something new.
func judgeActive(n narrator, f *im.Fold) (guess, why string) {
	m := f.Metrics()
	switch {
	case m.ActiveConversations <= 5:
		guess = "few"
	case m.ActiveConversations <= 50:
		guess = "some"
	default:
		guess = "many"
	}
	return guess, n.f("%s came, in %s of %d. A few conversations are busy and most are quiet, so most looks find nothing.", "来了 %s，分布在 %[3]d 个会话里的 %[2]s。忙的就那么几个，大多数很安静，所以大多数查看什么也找不到。",
		n.Count(m.NewMessages, "message", "messages", "条"), n.Count(m.ActiveConversations, "conversation", "conversations", "个"), n.scenario.Conversations)
}

var offlineMetrics = []metric{
	{"Requests", "请求", "one after another", "一个接一个", false, false, func(m *im.Metrics) int64 { return m.Cost.Requests }},
	{"Bytes up", "上行字节", "what the phone sends", "手机上传的", false, false, func(m *im.Metrics) int64 { return m.Cost.BytesUp }},
	{"Bytes down", "下行字节", "", "", false, false, func(m *im.Metrics) int64 { return m.Cost.BytesDown }},
	{"Server reads", "服务器读", "heads of conversations, or rows of the inbox", "会话的最新序号，或信箱的行", true, false, func(m *im.Metrics) int64 { return m.Cost.RowsRead }},
	{"of them for nothing", "其中白读", "", "", false, false, func(m *im.Metrics) int64 { return m.ReadsForNothing }},
	{"Inbox rows written", "多写的信箱行", "when the messages came", "在消息到来的时候", false, false, func(m *im.Metrics) int64 { return m.Cost.InboxRows }},
	{"Left on the server", "留在服务器上", "stored, not on the phone", "存着，但不在手机上", true, false, func(m *im.Metrics) int64 { return m.Missing }},
	{"of them unnoticed", "其中没人发现", "", "", false, false, (*im.Metrics).MissingUnnoticed},
	{"Came twice", "来了两次", "", "", false, false, func(m *im.Metrics) int64 { return m.Repeated }},
	{"Lost for good", "再也拿不到", "", "", false, false, func(m *im.Metrics) int64 { return m.Lost }},
	{"Events unknown", "不知道的事", "that happened to the person", "发生在这个人身上的", false, false, func(m *im.Metrics) int64 { return m.EventsUnknown }},
	{"New messages", "新消息", "while the phone was away", "手机离开的时候", true, false, func(m *im.Metrics) int64 { return m.NewMessages }},
	{"Conversations with news", "有新消息的会话", "", "", false, false, func(m *im.Metrics) int64 { return m.ActiveConversations }},
}

var offlineSliders = []slider{
	{"users", 10_000, 1_000_000, 10_000, 100_000, phrase{"Daily users", "日活用户"}, phrase{}},
	{"syncs", 1, 100, 1, 20, phrase{"Syncs a person and day", "每人每天同步几次"}, phrase{}},
	{"chats", 10, 2_000, 10, 200, phrase{"Conversations a person", "每人几个会话"}, phrase{}},
	{"sent", 1, 200, 1, 40, phrase{"Messages a person sends a day", "每人每天发几条"}, phrase{}},
	{"members", 1, 500, 1.0 / 3, 20.0 / 3, phrase{"People a message goes to", "一条消息送到几个人"}, phrase{}},
	{"bytes", 8, 200, 8, 32, phrase{"Bytes a row", "一行几个字节"}, phrase{}},
	{"days", 1, 90, 1, 7, phrase{"Days kept", "留几天"}, phrase{}},
	{"took", 1, 100, 1, 5, phrase{"One write takes", "一次写入要"}, phrase{" ms", " 毫秒"}},
}

// Formulas stand once, as text: they are shown, filled in, and evaluated from it. A cursor is 12 bytes, a message 200; the peak is three
// times the average.
const (
	syncsFormula    = "users * syncs / 86400 * 3"
	headsFormula    = "users * syncs / 86400 * 3 * chats"
	upFormula       = "syncs * chats * 12 / 1000"
	receivedFormula = "sent * members * 200 / 1000"
	entriesFormula  = "users * sent * members / 86400 * 3"
	storedFormula   = "users * sent / 86400 * 3"
	entriesADay     = "users * sent * members / 1000000"
	diskFormula     = "users * sent * members * bytes / 1000000"
	messagesDisk    = "users * sent * 200 / 1000000"
	keptFormula     = "users * sent * members * bytes * days / 1000000000"
	personFormula   = "1000 / took"
	apartFormula    = "24 * 60 / (sent * members)"
)

var readsChart = chart{
	x: "chats", xLog: true, xTicks: []float64{1, 10, 100, 2_000}, yLog: true, yTicks: []float64{10, 100, 1_000, 10_000, 100_000, 1_000_000},
	title:  phrase{"Reads a second by cursors, and writes a second by inboxes, against conversations a person", "按游标每秒的读、按信箱每秒的写，随每人的会话数变化"},
	xLabel: phrase{"conversations a person", "每人的会话数"}, yLabel: phrase{"a second", "每秒"},
	curves: []curve{{headsFormula, phrase{"reads", "读"}}, {entriesFormula, phrase{"writes", "写"}}},
}

// offlineEstimates fills in the chapter's sums.
func offlineEstimates(lang templates.Lang, values map[string]float64) []templates.Estimate {
	s := sums{lang: lang, values: values, list: offlineSliders, words: map[string]phrase{
		"users": {"users", "用户"}, "syncs": {"syncs", "同步"}, "chats": {"conversations", "会话"}, "sent": {"messages", "消息"},
		"members": {"people", "人"}, "bytes": {"bytes", "字节"}, "days": {"days", "天"}, "took": {"ms a write", "每次写入毫秒"},
	}}
	heads := s.sum(headsFormula, 3, lang.In(" reads a second", " 次读/秒"), "users", "syncs", "chats")
	heads.Title = lang.In("What do cursors make the server read?", "按游标，服务器要读多少？")
	heads.Text = lang.In("Every sync looks at every conversation, whatever has come. The peak of the day is three times the average.", "每次同步都看一遍所有会话，不管来了多少。高峰是平均的三倍。")
	heads.Notes = append(heads.Notes, s.note("By an inbox there is one read of a stretch a sync, syncs a second: ", "按信箱，每次同步只读一段，每秒的同步：", syncsFormula, 3, phrase{}))
	heads.Chart = s.chart(readsChart)

	up := s.sum(upFormula, 3, " KB")
	up.Title = lang.In("What does the phone send a day?", "手机一天要上传多少？")
	up.Text = lang.In("Twelve bytes for every cursor at every sync; an inbox cursor has eight bytes in all.", "每次同步，每个游标 12 字节；信箱游标一共才 8 字节。")
	up.Notes = append(up.Notes, s.note("All messages that come in a day, at 200 bytes each, in KB: ", "一天收到的全部消息，每条 200 字节，按 KB 算：", receivedFormula, 3, phrase{}))

	entries := s.sum(entriesFormula, 3, lang.In(" rows a second", " 行/秒"), "sent", "members")
	entries.Title = lang.In("What do inboxes make the server write?", "按信箱，服务器要多写多少？")
	entries.Text = lang.In("Every message writes a row for every recipient ([fanout|fan-out on write]).", "每条消息给每个收件人写一行（[fanout]）。")
	entries.Notes = append(entries.Notes, s.note("Rows a day, in millions: ", "每天，按百万行算：", entriesADay, 3, phrase{}))
	entries.Notes = append(entries.Notes, s.note("The messages themselves, a second: ", "消息本身，每秒：", storedFormula, 3, phrase{}))

	disk := s.sum(diskFormula, 3, lang.In(" MB a day", " MB/天"), "bytes", "days")
	disk.Title = lang.In("How much disk is that?", "要多少磁盘？")
	disk.Text = lang.In("A row names the person, its number in the inbox, the conversation and the seq. Rows are dropped after some days; whoever was away for longer is answered with the list.", "一行记着人、信箱里的号、会话和序号。过几天就删；离开得更久的，只回列表。")
	disk.Notes = append(disk.Notes, s.note("The messages themselves, in MB a day: ", "消息本身，每天按 MB 算：", messagesDisk, 3, phrase{}))
	disk.Notes = append(disk.Notes, s.note("Kept, in GB: ", "留着的，按 GB 算：", keptFormula, 2, phrase{}))

	person := s.sum(personFormula, 3, lang.In(" messages a second", " 条/秒"), "took")
	person.Title = lang.In("How fast can one person receive?", "一个人最多每秒收几条？")
	person.Notes = append(person.Notes, s.note("Minutes from one message for a person to the next, on average, which is how long a lost push goes unnoticed: ", "平均每隔几分钟就有给一个人的下一条，丢了的推送最多这么久才被发现：", apartFormula, 2, phrase{}))
	person.Text = lang.In("Whoever writes to somebody holds the [rowlock] of that person’s inbox until the commit, whatever the conversation.", "给同一个人写消息，不管在哪个会话，都要拿着他信箱那一行的[rowlock]直到提交。")
	return []templates.Estimate{heads, entries, up, disk, person}
}

// awayPresets are the stretches that the table compares.
var awayPresets = []struct {
	away im.Time
	name phrase
}{
	{10 * time.Minute, phrase{"10 minutes", "10 分钟"}},
	{24 * time.Hour / 20, phrase{"Between two opens (20 a day)", "两次打开之间（一天 20 次）"}},
	{24 * time.Hour, phrase{"1 day", "1 天"}},
	{7 * 24 * time.Hour, phrase{"1 week", "1 周"}},
}

// offlineTable compares absences: what comes on average, by the formula, and what the run's seed draws.
func offlineTable(l Link) templ.Component {
	var rows []templates.AwayRow
	count := l.Scenario.Conversations
	for _, p := range awayPresets {
		n := estimate.Missed(p.away)
		active := estimate.Active(count, n)
		s := l.Scenario
		s.Evening, s.Off = false, im.Span{To: p.away}
		drawn := map[uint16]bool{}
		all := s.Arrivals()
		for _, a := range all {
			drawn[a.Conv] = true
		}
		rows = append(rows, templates.AwayRow{Away: p.name.in(l.Lang), Messages: l.Lang.Num(n, 4), Active: l.Lang.Num(active, 3),
			Vain: l.Lang.Num(100*(1-active/float64(count)), 3) + "%", Drawn: fmt.Sprintf("%s / %s", l.Lang.Int(int64(len(all))), l.Lang.Int(int64(len(drawn))))})
	}
	return templates.AwayTable(l.Lang, count, rows)
}

// presetTabs lead to the stretches of time that the chapter speaks of.
func presetTabs(l Link) []templates.Choice {
	p, _ := im.FindParam("away")
	book := im.Scenarios(l.Chapter.Name)[0]
	var out []templates.Choice
	for _, preset := range p.Presets {
		to := l.with(func(l *Link) {
			if l.Scenario.Name != book.Name {
				l.Scenario = book
			}
			l.At, l.Why, l.Guess = At{}, Why{}, ""
		})
		_ = p.Set(&to.Scenario, preset.Name) // its own name is valid
		out = append(out, templates.Choice{Name: preset.Name, Text: presetNames[preset.Name].in(l.Lang), Href: to.stage(), Current: l.Scenario.Name == book.Name && p.Value(&l.Scenario) == preset.Name})
	}
	for _, s := range im.Scenarios(l.Chapter.Name)[1:] {
		to := l.with(func(l *Link) { l.Scenario, l.At, l.Why, l.Guess = s, At{}, Why{}, "" })
		out = append(out, templates.Choice{Name: s.Name, Text: l.lesson().scenario(s.Name).name.in(l.Lang), Href: to.stage(), Current: s.Name == l.Scenario.Name})
	}
	return out
}

var presetNames = map[string]phrase{
	"10m": {"10 minutes", "10 分钟"}, "open": {"Between two opens", "两次打开之间"}, "1d": {"1 day", "1 天"}, "1w": {"1 week", "1 周"}, "evening": {"A busy evening", "热闹的晚上"},
}
