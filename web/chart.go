package web

import (
	"fmt"
	"maps"
	"math"
	"strings"

	"imscope/templates"
)

// chart draws formulas against one of their sliders, with a dot where the slider stands. The browser draws it anew, from the same
// formulas, as sliders move; the axes stay.
type chart struct {
	x              string // the slider along the horizontal axis
	xLog, yLog     bool
	xTicks, yTicks []float64 // the first and the last are the ends of the axis
	title          phrase
	xLabel, yLabel phrase
	curves         []curve
}

type curve struct {
	formula string
	name    phrase
}

// The plot within the drawing, in its units.
const (
	chartLeft, chartRight = 50.0, 300.0
	chartTop, chartBottom = 14.0, 150.0
	chartPoints           = 24
)

// axis maps values to places. Script maps an expression in the browser; both keep within a little more than the plot.
type axis struct {
	from, to   float64 // places of the least and the biggest value
	least, big float64
	log        bool
}

func (a axis) place(v float64) float64 {
	part := (v - a.least) / (a.big - a.least)
	if a.log {
		part = math.Log10(math.Max(v, 1e-9)/a.least) / math.Log10(a.big/a.least)
	}
	return a.from + math.Min(math.Max(part, -0.03), 1.03)*(a.to-a.from)
}

func (a axis) script(v string) string {
	part := fmt.Sprintf("((%s)-%g)/%g", v, a.least, a.big-a.least)
	if a.log {
		part = fmt.Sprintf("Math.log10(Math.max(%s,1e-9)/%g)/%g", v, a.least, math.Log10(a.big/a.least))
	}
	return fmt.Sprintf("(%g+Math.min(Math.max(%s,-.03),1.03)*%g).toFixed(1)", a.from, part, a.to-a.from)
}

func newAxis(from, to float64, ticks []float64, log bool) axis {
	return axis{from, to, ticks[0], ticks[len(ticks)-1], log}
}

// chart draws c as the sliders stand.
func (s *sums) chart(c chart) *templates.Chart {
	x, y := newAxis(chartLeft, chartRight, c.xTicks, c.xLog), newAxis(chartBottom, chartTop, c.yTicks, c.yLog)
	out := &templates.Chart{Title: c.title.in(s.lang), XLabel: c.xLabel.in(s.lang), YLabel: c.yLabel.in(s.lang)}
	for _, v := range c.xTicks {
		out.XTicks = append(out.XTicks, templates.ChartTick{At: place(x.place(v)), Text: s.lang.Num(v, 8)})
	}
	for _, v := range c.yTicks {
		out.YTicks = append(out.YTicks, templates.ChartTick{At: place(y.place(v)), Text: s.lang.Num(v, 8)})
	}
	for _, f := range c.curves {
		out.Curves = append(out.Curves, s.curve(c, f, x, y))
	}
	return out
}

func (s *sums) curve(c chart, f curve, x, y axis) templates.ChartCurve {
	values := maps.Clone(s.values)
	var points, samples []string
	for i := range chartPoints + 1 {
		v := x.value(float64(i) / chartPoints)
		values[c.x] = v
		at := place(x.place(v))
		points = append(points, at+","+place(y.place(evaluate(f.formula, values))))
		samples = append(samples, fmt.Sprintf("[%s,%.6g]", at, v))
	}
	return templates.ChartCurve{
		Name:   f.name.in(s.lang),
		Points: templates.Computed{Text: strings.Join(points, " "), Script: fmt.Sprintf("[%s].map(([x,%s])=>x+','+%s).join(' ')", strings.Join(samples, ","), c.x, y.script(script(f.formula, s.values, c.x)))},
		X:      templates.Computed{Text: place(x.place(s.values[c.x])), Script: x.script("$" + c.x)},
		Y:      templates.Computed{Text: place(y.place(evaluate(f.formula, s.values))), Script: y.script(script(f.formula, s.values))},
		End:    place(y.place(evaluate(f.formula, values))),
	}
}

// value is what lies at a part of the axis, from 0 to 1.
func (a axis) value(part float64) float64 {
	if a.log {
		return a.least * math.Pow(a.big/a.least, part)
	}
	return a.least + part*(a.big-a.least)
}

func place(v float64) string { return fmt.Sprintf("%.1f", v) }
