package web

import (
	"imscope/sim/im"
	"imscope/templates"
)

// metric is a row of the table that compares the protocols.
type metric struct {
	en, zh, hintEn, hintZh string
	group                  bool // the first of a group
	wait                   bool // milliseconds, of which there are none before the first wait is over; else a count
	value                  func(*im.Metrics) int64
}

var metricRows = []metric{
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

// noValue is the value of a wait where there is none.
const noValue = -1

func (r *metric) of(m *im.Metrics) int64 {
	if r.wait && m.Wait.N == 0 {
		return noValue
	}
	return r.value(m)
}

func (r *metric) text(n narrator, v int64) string {
	switch {
	case v == noValue:
		return "–"
	case r.wait:
		return n.Seconds(float64(v) / 1000)
	}
	return n.Int(v)
}

// cells follows one protocol's column of the table through its run.
type cells struct {
	narrator
	column int
	now    []int64 // what each row says now; the first event fills them all
}

func newCells(n narrator, column int) *cells {
	return &cells{narrator: n, column: column}
}

// follow returns what changed with e.
func (c *cells) follow(e *event, f *im.Fold) (change templates.CellChange, changed bool) {
	m := f.Metrics()
	change = templates.CellChange{At: e.clock(), Column: c.column}
	first := c.now == nil
	if first {
		c.now = make([]int64, len(metricRows))
	}
	for i := range metricRows {
		row := &metricRows[i]
		if v := row.of(&m); first || v != c.now[i] {
			c.now[i] = v
			change.Rows = append(change.Rows, templates.CellText{Row: i, Text: row.text(c.narrator, v)})
		}
	}
	return change, len(change.Rows) > 0
}

// metricsTable is the table before anything has happened.
func metricsTable(n narrator, tabs []templates.Choice) templates.MetricsTable {
	t := templates.MetricsTable{Protocols: tabs,
		Caption: n.In("The same messages, the same losses; counted up to the moment shown above, where what is still on its way counts as missing.", "同样的消息，同样的丢失；数到上面所示的时刻为止，还在路上的也算缺。")}
	for _, m := range metricRows {
		t.Rows = append(t.Rows, templates.MetricRow{Name: n.In(m.en, m.zh), Hint: n.In(m.hintEn, m.hintZh), Group: m.group, Values: make([]string, len(tabs))})
	}
	return t
}
