package web

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"imscope/sim/im"
	"imscope/templates"
	"imscope/web/estimate"
)

// often is the address of a link's estimate: the path with all its parts, and the knobs; a moment and a guess say nothing there.
func (l Link) often() string {
	l.At, l.Guess, l.Sliders = At{}, "", nil
	_, query, has := strings.Cut(l.String(), "?")
	if has {
		query = "?" + query
	}
	return l.whole() + "/often" + query
}

// whole is the path of a link with all its parts.
func (l Link) whole() string {
	return "/" + strings.Join([]string{l.Lang.Code(), l.Chapter.Name, l.Scenario.Name, l.Protocol.Name}, "/")
}

// oftenOffer is the section before anything is counted.
func oftenOffer(l Link) templates.Often {
	return templates.Often{Lang: l.Lang, Style: askedStyle(), Start: l.often()}
}

// plays says what an estimate plays.
func plays(l Link, p *estimate.Plan) string {
	n, s := narrator{l.Lang, &p.Scenario}, &p.Scenario
	switch s.Chapter {
	case im.OfflineChapter:
		return n.f("Here: this absence %s times under each protocol, each time with other luck and otherwise as above.", "这里：每种协议都把这次离开跑 %s 次，每次运气不同，其余和上面一样。", n.Int(p.Batches))
	case im.PollingChapter:
		return n.f("Here: %s messages at random times under each protocol, one every %s on average, with the interval, latency, loss and the other knobs from above.",
			"这里：每种协议都跑 %s 条时间随机的消息，平均每 %s 一条，轮询间隔、延迟、丢包等都和上面一样。", n.Int(manyMessages), n.Seconds(float64(s.Length)/float64(s.Messages)/1e9))
	}
	return n.f("Here: about %s messages under each protocol, from %d phones that each send one every %s on average, at random; latency (%s), loss (%s%%) and the other knobs from above.",
		"这里：每种协议都跑大约 %s 条消息，%d 部手机各自平均每 %s 随机发一条；延迟（%s）、丢包（%s%%）等都和上面一样。",
		n.Int(p.Batches*p.Size), s.Phones, n.Seconds(s.Gap.Seconds()), n.Seconds(s.Latency.Seconds()), n.Num(float64(s.Loss)/1e4, 4))
}

// view is the section with the figures so far; ended says that no more will come.
func (m *many) view(ended bool) templates.Often {
	o := oftenOffer(m.link)
	o.Plays = plays(m.link, &m.plan)
	reports := make([]*estimate.Report, len(m.estimators))
	for i, e := range m.estimators {
		reports[i] = e.Report()
		o.Done += reports[i].Batches()
		o.Of += m.plan.Batches
	}
	n := narrator{m.link.Lang, &m.plan.Scenario}
	o.Running = !ended
	o.Progress = m.progress(n, reports, o.Done == o.Of, ended)
	o.Per, o.Intervals = m.basis(n)
	for _, e := range m.link.Chapter.Protocols {
		o.Protocols = append(o.Protocols, m.link.lesson().protocol(e.Name).name.in(n.Lang))
	}
	for i := range m.rows {
		o.Rows = append(o.Rows, m.row(n, i, reports))
	}
	if m.plan.Scenario.Chapter != im.OfflineChapter { // there messages wait for as long as the phone is away
		o.Rows = append(o.Rows, m.waitRow(n, reports))
		o.Waits = m.waits(n, m.estimators[m.link.column()].Waits())
	}
	o.Among = m.among.view()
	for _, s := range m.sweeps {
		if drawn := s.view(n); drawn != nil {
			o.Sweeps = append(o.Sweeps, *drawn)
		}
	}
	return o
}

// progress says how many messages were played.
func (m *many) progress(n narrator, reports []*estimate.Report, all, ended bool) string {
	least := int64(math.MaxInt64)
	for _, r := range reports {
		least = min(least, r.Messages())
	}
	switch {
	case all:
		return n.f("All %s messages under each protocol.", "每种协议都跑完了 %s 条消息。", n.Int(least))
	case ended:
		return n.f("Ended early, after %s messages under each protocol.", "提前结束，每种协议跑了 %s 条消息。", n.Int(least))
	}
	return n.f("%s messages under each protocol so far.", "到目前为止，每种协议跑了 %s 条消息。", n.Int(least))
}

// basis says what figures are counted for, and where their intervals come from.
func (m *many) basis(n narrator) (per, intervals string) {
	if m.plan.Size == 0 {
		return n.In("For each absence, on average", "平均每次离开"),
			n.f("Below each figure stands its 95%% interval: 95 of 100 such intervals hold the true figure. It comes from the spread of %s absences.",
				"每个数下面是它的 95%% 区间：这样的区间 100 个里有 95 个包含真值。它由 %s 次离开之间的差别算出。", n.Int(m.plan.Batches))
	}
	return n.In("For every 100 messages", "每 100 条消息"),
		n.f("Below each figure stands its 95%% interval: 95 of 100 such intervals hold the true figure. It comes from the spread of %s batches of about %s messages, which know nothing of one another.",
			"每个数下面是它的 95%% 区间：这样的区间 100 个里有 95 个包含真值。它由 %s 批之间的差别算出，每批约 %s 条，互不相干。", n.Int(m.plan.Batches), n.Int(m.plan.Size))
}

func (m *many) row(n narrator, i int, reports []*estimate.Report) templates.OftenRow {
	row := &m.rows[i]
	out := templates.OftenRow{Name: n.In(row.en, row.zh), Hint: n.In(row.hintEn, row.hintZh)}
	for column, r := range reports {
		cell := m.cell(countText, r.Figure(i), r)
		if v, ok := m.formula(row, m.link.Chapter.Protocols[column].Name); ok {
			cell.Formula = countText(v)
		}
		out.Cells = append(out.Cells, cell)
	}
	return out
}

func (m *many) waitRow(n narrator, reports []*estimate.Report) templates.OftenRow {
	out := templates.OftenRow{Name: n.In("Wait, mean", "等待，平均"), Hint: n.In("in seconds, from pressing send", "秒，从按下发送算起")}
	for column, r := range reports {
		ms := r.WaitMS()
		cell := m.cell(secondsText, estimate.Interval{Mean: ms.Mean / 1e3, Low: ms.Low / 1e3, High: ms.High / 1e3}, r)
		if v, ok := m.waitFormula(m.link.Chapter.Protocols[column].Name); ok {
			cell.Formula = secondsText(v)
		}
		out.Cells = append(out.Cells, cell)
	}
	return out
}

// cell writes an interval, as soon as there is one.
func (m *many) cell(text func(float64) string, i estimate.Interval, r *estimate.Report) templates.OftenCell {
	switch {
	case r.Batches() == 0:
		return templates.OftenCell{Mean: "…"}
	case math.IsInf(i.High, 1):
		return templates.OftenCell{Mean: text(i.Mean), Interval: "…"}
	}
	return templates.OftenCell{Mean: text(i.Mean), Interval: text(i.Low) + " … " + text(i.High)}
}

// countText writes a mean count to two decimals, a big one as a whole number; both languages write it alike.
func countText(v float64) string {
	if v >= 1000 {
		return templates.English.Int(int64(math.Round(v)))
	}
	return fmt.Sprintf("%.2f", v)
}

func secondsText(v float64) string { return fmt.Sprintf("%.3f", v) }

// waits draws how long messages waited: twenty equal stretches up to the time that 99% are within, the last with all longer ones.
func (m *many) waits(n narrator, all im.Histogram) *templates.Spread {
	const stretches = 20
	if all.N == 0 {
		return nil
	}
	width := max(1, (all.Quantile(99)+stretches-2)/(stretches-1))
	counts := make([]int64, stretches)
	for ms, count := range all.All() {
		counts[min(ms/width, stretches-1)] += count
	}
	most := slices.Max(counts)
	name := m.link.lesson().protocol(m.link.Protocol.Name).name.in(n.Lang)
	out := &templates.Spread{Title: n.f("How long messages wait under %s; the last bar holds all longer ones", "“%s”下消息要等多久；最后一格是所有更久的", name)}
	for i, c := range counts {
		from := n.Duration(float64(int64(i)*width) / 1e3)
		out.Bars = append(out.Bars, templates.SpreadBar{Height: 100 * float64(c) / float64(most), Text: n.f("from %s on: %s%%", "从 %s 起：%s%%", from, n.Num(100*float64(c)/float64(all.N), 3))})
	}
	for _, part := range []int64{0, stretches / 2, stretches} {
		out.Ticks = append(out.Ticks, n.Duration(float64(part*width)/1e3))
	}
	return out
}
