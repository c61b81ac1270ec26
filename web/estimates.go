package web

import (
	"regexp"
	"strings"

	"github.com/a-h/templ"
	"github.com/expr-lang/expr"

	"imscope/templates"
)

// slider is an input of the estimates; its name is its parameter in links and its variable in formulas.
type slider struct {
	Name                  string
	Min, Max, Step, Value float64
}

// sliders lists them; Value is the default, the chapter's own figure.
var sliders = []slider{
	{"rate", 0.05, 2, 0.05, 0.5},
	{"trip", 0.05, 2, 0.05, 0.2},
	{"took", 1, 500, 1, 5},
	{"users", 100_000, 10_000_000, 100_000, 10_000_000},
}

// Formulas stand here once, as text: they are shown, filled in, and evaluated from it.
const (
	crossingFormula = "rate * trip"
	writesFormula   = "1000 / took"
	numbersFormula  = "users * 40 / 86400 * 3"
)

// evaluate computes a formula. Formulas are ours and compile, or the test of this file fails.
func evaluate(formula string, values map[string]float64) float64 {
	env := map[string]any{}
	for name, v := range values {
		env[name] = v
	}
	out, err := expr.Eval(formula, env)
	if err != nil {
		panic("formula " + formula + ": " + err.Error())
	}
	return out.(float64)
}

var (
	variable = regexp.MustCompile(`[a-z]+`)
	signs    = strings.NewReplacer("*", "×", "/", "÷")
)

// fill writes a formula for people, each variable replaced by word.
func fill(formula string, word func(name string) string) string {
	return signs.Replace(variable.ReplaceAllStringFunc(formula, word))
}

// values are the sliders as the link has them.
func (l *Link) values() map[string]float64 {
	v := map[string]float64{}
	for _, s := range sliders {
		v[s.Name] = s.Value
		if moved, ok := l.Sliders[s.Name]; ok {
			v[s.Name] = moved
		}
	}
	return v
}

// estimatesView is the section of the estimates, whose form keeps everything else of the link.
func estimatesView(l Link) templ.Component {
	keep := hidden(l, func(name string) bool { _, slider := l.values()[name]; return !slider })
	return templates.EstimatesView(l.Lang, l.path(), keep, estimates(&l))
}

// estimates fills in the chapter's sums.
func estimates(l *Link) []templates.Estimate {
	lang, values := l.Lang, l.values()
	words := map[string]string{
		"rate":  lang.In("lines a second", "每秒几句"),
		"trip":  lang.In("round trip", "来回"),
		"took":  lang.In("ms a write", "每次写入毫秒"),
		"users": lang.In("users", "用户"),
	}
	build := func(formula string, digits int, unit string, names ...string) templates.Estimate {
		e := templates.Estimate{
			Formula: fill(formula, func(name string) string { return words[name] }),
			Filled:  fill(formula, func(name string) string { return lang.Num(values[name], 8) }),
			Result:  lang.Num(evaluate(formula, values), digits) + unit,
		}
		for _, name := range names {
			e.Sliders = append(e.Sliders, sliderView(lang, name, values[name]))
		}
		return e
	}

	crossing := build(crossingFormula, 3, "", "rate", "trip")
	crossing.Title = lang.In("How often do two lines cross?", "多久撞一次车？")
	crossing.Text = lang.In("Your line crosses another when that one was stored within one [rtt] before and its push has not reached you. So the chance is how often the others speak, times the round trip.",
		"你发的时候，别人在一个[rtt]之内刚存下一句，推送还没到你这里，就撞上了。所以概率是别人说话的频率乘以来回的时间。")
	crossing.Note = lang.In("At 0.5 lines a second and 0.2 s this is 10.00 pairs per 100 messages, and a long simulation gives just that. The book prints 9.3: that is one run of 9,952 messages, where luck alone moves the figure by about 0.35 up or down. At large values the product says too much, for a chance cannot exceed 1.",
		"每秒 0.5 句、来回 0.2 秒时，每 100 条有 10.00 对，长时间的模拟得到的也正是这个数。书上写的是 9.3：那是 9,952 条消息跑一次的结果，光凭运气就会上下差 0.35 左右。数很大时乘法会偏高，因为概率不可能超过 1。")

	writes := build(writesFormula, 3, lang.In(" writes a second", " 次写入/秒"), "took")
	writes.Title = lang.In("How fast can one conversation be?", "一个会话最多多快？")
	writes.Text = lang.In("Writers of one conversation hold its [rowlock] in turn, each for as long as its write takes. Other conversations do not wait.",
		"同一个会话的写入者轮流拿着[rowlock]，写多久就拿多久。别的会话不用等。")

	site := build(numbersFormula, 3, lang.In(" numbers a second", " 个号/秒"), "users")
	site.Title = lang.In("How many numbers must the whole site hand out?", "全站每秒要发多少个号？")
	site.Text = lang.In("Everybody sends 40 messages a day, a day has 86,400 seconds, and the peak is three times the average. No conversation is the trouble then, but one machine that numbers them all.",
		"每人每天发 40 条，一天 86,400 秒，高峰是平均的 3 倍。到那时麻烦的不是哪个会话，而是一台机器要给所有会话发号。")
	return []templates.Estimate{crossing, writes, site}
}

func sliderView(lang templates.Lang, name string, now float64) templates.Slider {
	label := map[string]string{
		"rate":  lang.In("The others say, a second", "别人每秒说几句"),
		"trip":  lang.In("Round trip", "一个来回"),
		"took":  lang.In("One write takes", "一次写入要"),
		"users": lang.In("Daily users", "日活用户"),
	}[name]
	unit := map[string]string{
		"rate":  "",
		"trip":  lang.In(" s", " 秒"),
		"took":  lang.In(" ms", " 毫秒"),
		"users": "",
	}[name]
	for _, s := range sliders {
		if s.Name == name {
			return templates.Slider{Name: name, Label: label, Unit: lang.Num(now, 8) + unit, Min: plainNumber(s.Min), Max: plainNumber(s.Max),
				Step: plainNumber(s.Step), Now: plainNumber(now)}
		}
	}
	return templates.Slider{}
}
