package web

import (
	"cmp"
	"math"
	"slices"

	"imscope/sim/im"
	"imscope/templates"
	"imscope/web/estimate"
)

const (
	// sweptPart and sweptAbsences are what is played for one point of a sweep: a part of what an estimate plays, or so many absences.
	sweptPart     = 20
	sweptAbsences = 40
	// typicalOf is of how many runs the median one is shown.
	typicalOf = 21
)

// knobSweep is a knob with the values it is tried at, and the figure that changes with it: a row of the table, or, without one, the mean
// wait in seconds.
type knobSweep struct {
	knob   string
	values []string
	label  phrase
	probe  im.Metrics // the row is the first that counts it
}

var sweeps = map[string][]knobSweep{
	im.OrderingChapter: {
		{"loss", []string{"0", "0.05", "0.1", "0.2", "0.3"}, phrase{"loss", "丢包"}, im.Metrics{Missing: 1}},
		{"latency", []string{"50ms", "100ms", "200ms", "400ms", "800ms"}, phrase{"latency", "延迟"}, im.Metrics{InvertedPairs: 1}},
		{"gap", []string{"500ms", "1s", "2s", "4s", "8s"}, phrase{"gap between two messages of a phone", "同一部手机两条消息的间隔"}, im.Metrics{InvertedPairs: 1}},
		{"rto", []string{"250ms", "500ms", "1s", "2s", "4s"}, phrase{"wait before sending again", "多久没确认就重发"}, im.Metrics{OwnMoves: 1}},
	},
	im.PollingChapter: {
		{"interval", []string{"500ms", "1s", "2s", "4s", "8s"}, phrase{"poll interval", "轮询间隔"}, im.Metrics{}},
		{"loss", []string{"0", "0.05", "0.1", "0.2", "0.3"}, phrase{"loss", "丢包"}, im.Metrics{}},
		{"latency", []string{"50ms", "100ms", "200ms", "400ms", "800ms"}, phrase{"latency", "延迟"}, im.Metrics{}},
	},
	im.OfflineChapter: {
		{"away", []string{"10m", "1h", "6h", "1d", "72h"}, phrase{"time away", "离开多久"}, im.Metrics{Cost: im.Cost{RowsRead: 1}}},
		{"conversations", []string{"50", "100", "200", "400", "800"}, phrase{"conversations", "会话数"}, im.Metrics{Cost: im.Cost{RowsRead: 1}}},
		{"loss", []string{"0", "0.1", "0.2", "0.3", "0.4"}, phrase{"loss", "丢包"}, im.Metrics{Cost: im.Cost{Requests: 1}}},
	},
}

// swept is a sweep of a link under every protocol of its chapter.
type swept struct {
	knobSweep
	link   Link
	param  im.Param
	row    *metric // nil for the mean wait
	points [][]sweptPoint
	drawn  *templates.Sweep // once everything was played
}

// sweptPoint is one value under one protocol: its figure, and short runs of which one is typical.
type sweptPoint struct {
	link          Link
	figure, short *estimate.Estimator
}

// newSweeps sets up the sweeps of a link's chapter.
func newSweeps(l Link) (out []*swept) {
	for _, k := range sweeps[l.Chapter.Name] {
		s := &swept{knobSweep: k, link: l}
		s.param, _ = im.FindParam(k.knob)
		rows := l.lesson().metrics
		if i := slices.IndexFunc(rows, func(m metric) bool { return m.value(&k.probe) != 0 }); i >= 0 {
			s.row = &rows[i]
		}
		for _, e := range l.Chapter.Protocols {
			var line []sweptPoint
			for _, value := range k.values {
				line = append(line, s.point(l.with(func(l *Link) { l.Protocol = e }), value))
			}
			s.points = append(s.points, line)
		}
		out = append(out, s)
	}
	return out
}

// point sets up one point.
func (s *swept) point(l Link, value string) sweptPoint {
	if l.Chapter.Name != im.OfflineChapter {
		l.Scenario = randomScenario(&l)
	}
	_ = s.param.Set(&l.Scenario, value) // the values lie in the range, as the test of this file checks
	long := l.Scenario
	plan := estimate.Repeat(&long, sweptAbsences)
	if l.Chapter.Name != im.OfflineChapter {
		messages := max(1, manyMessages/sweptPart)
		if long.Uniform {
			long.Length = long.Length / im.Time(long.Messages) * im.Time(messages)
		}
		long.Messages = messages
		plan = estimate.Split(&long)
	}
	figures := []estimate.Figure{func(*im.Metrics) int64 { return 0 }}
	if s.row != nil {
		figures[0] = s.row.value
	}
	return sweptPoint{l, estimate.New(plan, l.Protocol.New, figures), estimate.New(estimate.Repeat(&l.Scenario, typicalOf), l.Protocol.New, []estimate.Figure{telling(&l).value})}
}

// estimators are all of the sweep.
func (s *swept) estimators() (out []*estimate.Estimator) {
	for _, line := range s.points {
		for _, p := range line {
			out = append(out, p.figure, p.short)
		}
	}
	return out
}

// value is the figure of a point.
func (s *swept) value(p sweptPoint) float64 {
	r := p.figure.Report()
	if s.row == nil {
		return r.WaitMS().Mean / 1e3
	}
	return r.Figure(0).Mean
}

// typical is the end of the run whose figure is the median of some.
func (p sweptPoint) typical() string {
	to := p.link.at(At{End: true})
	values := p.short.Report().Values(0)
	slices.SortStableFunc(values, func(a, b estimate.Value) int { return cmp.Compare(a.Count, b.Count) })
	plan := estimate.Repeat(&to.Scenario, typicalOf)
	to.Scenario.Seed = plan.Seed(values[len(values)/2].Batch)
	return to.stage()
}

// view is the drawing, nil before everything was played.
func (s *swept) view(n narrator) *templates.Sweep {
	unplayed := func(e *estimate.Estimator) bool { done, of := e.Progress(); return done < of }
	if s.drawn == nil && !slices.ContainsFunc(s.estimators(), unplayed) {
		s.drawn = s.draw(n)
	}
	return s.drawn
}

func (s *swept) draw(n narrator) *templates.Sweep {
	figures := make([][]float64, len(s.points))
	most := 0.0
	for i, line := range s.points {
		for _, p := range line {
			figures[i] = append(figures[i], s.value(p))
		}
		most = max(most, slices.Max(figures[i]))
	}
	step := niceStep(most / 4)
	top := step * math.Max(1, math.Ceil(most/step))
	x, y := newAxis(chartLeft, chartRight, []float64{0, float64(len(s.values) - 1)}, false), newAxis(chartBottom, chartTop, []float64{0, top}, false)
	out := &templates.Sweep{Title: s.title(n), XLabel: s.label.in(n.Lang)}
	for v := 0.0; v <= top+step/2; v += step {
		out.YTicks = append(out.YTicks, templates.ChartTick{At: place(y.place(v)), Text: n.Num(v, 3)})
	}
	for i, value := range s.values {
		out.XTicks = append(out.XTicks, templates.ChartTick{At: place(x.place(float64(i))), Text: s.written(n, value)})
	}
	for i, line := range s.points {
		out.Curves = append(out.Curves, s.curve(n, line, figures[i], x, y))
	}
	return out
}

// title says what is drawn against what.
func (s *swept) title(n narrator) string {
	name := n.In("Wait, mean (s)", "等待，平均（秒）")
	switch {
	case s.row != nil && n.scenario.Chapter == im.OfflineChapter:
		name = n.In(s.row.en, s.row.zh) + n.In(" per absence", "，每次离开")
	case s.row != nil:
		name = n.In(s.row.en, s.row.zh) + n.In(" per 100 messages", "，每 100 条消息")
	}
	return n.f("%s against %s", "%s，随%s变化", name, s.label.in(n.Lang))
}

// written is a value of the knob for people: a time as in links, which both languages read, a chance in per cent.
func (s *swept) written(n narrator, value string) string {
	var scenario im.Scenario
	if s.param.Kind != im.Ratio || s.param.Set(&scenario, value) != nil {
		return value
	}
	return n.Num(float64(s.param.Number(&scenario))/1e4, 3) + "%"
}

// curve draws the line of one protocol.
func (s *swept) curve(n narrator, line []sweptPoint, figures []float64, x, y axis) templates.SweepCurve {
	curve := templates.SweepCurve{Name: s.link.lesson().protocol(line[0].link.Protocol.Name).name.in(n.Lang)}
	for i, p := range line {
		curve.Points = append(curve.Points, templates.SweepPoint{X: place(x.place(float64(i))), Y: place(y.place(figures[i])), Href: p.typical(),
			Text: n.f("%s, %s: %s", "%s，%s：%s", curve.Name, s.written(n, s.values[i]), n.Num(figures[i], 3))})
	}
	return curve
}

// niceStep is 1, 2 or 5 times a power of ten, at least v.
func niceStep(v float64) float64 {
	if v <= 0 {
		return 1
	}
	power := math.Pow(10, math.Floor(math.Log10(v)))
	for _, n := range []float64{1, 2, 5} {
		if n*power >= v {
			return n * power
		}
	}
	return 10 * power
}
