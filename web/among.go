package web

import (
	"cmp"
	"slices"

	"imscope/sim/im"
	"imscope/templates"
	"imscope/web/estimate"
)

// amongRuns is how many runs with other luck the run on the page is compared with, itself included.
const amongRuns = 200

// among is the run of a link among runs with other luck and otherwise the same.
type among struct {
	link      Link
	row       metric // what they are compared by
	estimator *estimate.Estimator
}

func newAmong(l Link) *among {
	a := &among{link: l, row: telling(&l)}
	a.estimator = estimate.New(estimate.Repeat(&l.Scenario, amongRuns), l.Protocol.New, []estimate.Figure{a.row.value})
	return a
}

// telling is the row of the table that tells most of a run under the link's protocol.
func telling(l *Link) metric {
	probe := im.Metrics{InvertedPairs: 1}
	switch {
	case l.Chapter.Name == im.OfflineChapter:
		probe = im.Metrics{ActiveConversations: 1}
	case l.Chapter.Name == im.PollingChapter:
		probe.Wait.Add(im.Second)
	case l.Protocol.Name == "by-id":
		probe = im.Metrics{Missing: 1}
	case l.Protocol.Name == "by-seq":
		probe = im.Metrics{Fetches: 1}
	}
	rows := l.lesson().metrics
	return rows[slices.IndexFunc(rows, func(m metric) bool { return m.value(&probe) != 0 })]
}

// view says where the run lies; nil until it and a few others have been played.
func (a *among) view() *templates.Among {
	values := a.estimator.Report().Values(0)
	if len(values) < amongRuns/10 || values[0].Batch != 0 {
		return nil
	}
	n := narrator{a.link.Lang, &a.link.Scenario}
	own := values[0].Count
	slices.SortStableFunc(values, func(x, y estimate.Value) int { return cmp.Compare(x.Count, y.Count) })
	last := len(values) - 1
	if values[0].Count == values[last].Count {
		return &templates.Among{Text: n.f("“%s”: all of %s runs with other luck come to the same as this one, %s.", "“%s”：换了运气的 %s 次运行，结果都和这次一样，是 %s。",
			n.In(a.row.en, a.row.zh), n.Int(int64(last)), a.row.text(n, own))}
	}
	return &templates.Among{Text: a.text(n, values, own), Spread: a.spread(n, values, own), Links: []templates.TextLink{
		a.example(n, "A low one: %s", "偏低的一次：%s", values[last/20]),
		a.example(n, "A typical one: %s", "典型的一次：%s", values[len(values)/2]),
		a.example(n, "A high one: %s", "偏高的一次：%s", values[last-last/20]),
	}}
}

// text counts the others below, at and above the run.
func (a *among) text(n narrator, values []estimate.Value, own int64) string {
	var below, equal int64
	for _, v := range values {
		switch {
		case v.Count < own:
			below++
		case v.Count == own:
			equal++
		}
	}
	others := int64(len(values)) - 1
	return n.f("“%s” is %s in this run. Of %s runs with other luck and all else alike, %s lie below it, %s are equal and %s lie above.",
		"这次运行的“%s”是 %s。只换运气再跑 %s 次：%s 次比它低，%s 次一样，%s 次比它高。",
		n.In(a.row.en, a.row.zh), a.row.text(n, own), n.Int(others), n.Int(below), n.Int(equal-1), n.Int(others-below-equal+1))
}

// spread draws how many runs come to what, in at most twenty stretches.
func (a *among) spread(n narrator, values []estimate.Value, own int64) *templates.Spread {
	const most = 20
	least, greatest := values[0].Count, values[len(values)-1].Count
	width := (greatest-least)/most + 1
	counts := make([]int64, (greatest-least)/width+1)
	for _, v := range values {
		counts[(v.Count-least)/width]++
	}
	out := &templates.Spread{
		Title: n.f("How many of %s runs come to what; the hollow bar holds this one", "%s 次运行的结果怎样分布；空心的那格是这一次", n.Int(int64(len(values)))),
		Ticks: []string{a.row.text(n, least), a.row.text(n, greatest)},
	}
	for i, c := range counts {
		out.Bars = append(out.Bars, templates.SpreadBar{
			Height: 100 * float64(c) / float64(slices.Max(counts)),
			Here:   int64(i) == (own-least)/width,
			Text:   n.f("from %s on: %s", "从 %s 起：%s", a.row.text(n, least+int64(i)*width), n.Count(c, "run", "runs", "次")),
		})
	}
	return out
}

// example leads to the end of a run.
func (a *among) example(n narrator, en, zh string, v estimate.Value) templates.TextLink {
	to := a.link.at(At{End: true})
	plan := estimate.Repeat(&to.Scenario, amongRuns)
	to.Scenario.Seed = plan.Seed(v.Batch)
	return templates.TextLink{Text: n.f(en, zh, a.row.text(n, v.Count)), Href: to.stage()}
}
