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
		return n.Duration(float64(v) / 1000)
	}
	return n.Int(v)
}

// cells follows one protocol's column of the table through its run.
type cells struct {
	narrator
	rows   []metric
	column int
	now    []int64 // what each row says now; the first event fills them all
	waits  int64   // how many waits were over then
}

func newCells(n narrator, column int) *cells {
	return &cells{narrator: n, rows: lessonOf(n.scenario.Chapter).metrics, column: column}
}

// follow returns what changed with e.
func (c *cells) follow(e *event, f *im.Fold) (change templates.CellChange, changed bool) {
	m := f.Metrics()
	change = templates.CellChange{At: e.clock(), Column: c.column}
	first := c.now == nil
	if first {
		c.now = make([]int64, len(c.rows))
	}
	for i := range c.rows {
		row := &c.rows[i]
		if row.wait && !first && m.Wait.N == c.waits {
			continue // quantiles are slow, and cannot have changed
		}
		if v := row.of(&m); first || v != c.now[i] {
			c.now[i] = v
			change.Rows = append(change.Rows, templates.CellText{Row: i, Text: row.text(c.narrator, v)})
		}
	}
	c.waits = m.Wait.N
	return change, len(change.Rows) > 0
}

// metricsTable is the table before anything has happened.
func metricsTable(n narrator, l Link, tabs []templates.Choice) templates.MetricsTable {
	t := templates.MetricsTable{Protocols: tabs,
		Caption: n.In("The same messages, the same losses; counted up to the moment shown above, where what is still on its way counts as missing.", "同样的消息，同样的丢失；数到上面所示的时刻为止，还在路上的也算缺。")}
	for _, m := range lessonOf(n.scenario.Chapter).metrics {
		row := templates.MetricRow{Name: n.In(m.en, m.zh), Hint: n.In(m.hintEn, m.hintZh), Group: m.group, Values: make([]string, len(tabs))}
		if row.Asks = figureOf(m.en); row.Asks != "" {
			row.Why = l.asking(row.Asks)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}
