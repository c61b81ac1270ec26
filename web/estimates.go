package web

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/a-h/templ"
	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/vm"

	"imscope/templates"
)

// slider is an input of the estimates; its name is its parameter in links and its variable in formulas.
type slider struct {
	Name                  string
	Min, Max, Step, Value float64 // Value is the default, the chapter's own figure
	label, unit           phrase
}

// sliderDigits is to how many digits a slider's value is written.
const sliderDigits = 5

// programs are the formulas that were compiled, by their text, whose variables are always numbers.
var programs sync.Map

func compiled(formula string, env map[string]any) *vm.Program {
	if p, ok := programs.Load(formula); ok {
		return p.(*vm.Program)
	}
	p, err := expr.Compile(formula, expr.Env(env), expr.AsFloat64())
	if err != nil {
		panic("formula " + formula + ": " + err.Error())
	}
	programs.Store(formula, p)
	return p
}

// evaluate computes a formula. Formulas are ours and compile, or the test of this file fails.
func evaluate(formula string, values map[string]float64) float64 {
	env := map[string]any{}
	for name, v := range values {
		env[name] = v
	}
	out, err := expr.Run(compiled(formula, env), env)
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

// script is a formula as the browser evaluates it: sliders are signals, but for the variables that are bound where it stands.
func script(formula string, values map[string]float64, bound ...string) string {
	return variable.ReplaceAllStringFunc(formula, func(name string) string {
		switch _, isSlider := values[name]; {
		case slices.Contains(bound, name):
			return name
		case isSlider:
			return "$" + name
		default:
			return "Math." + name
		}
	})
}

// written is an expression for the browser that writes x as templates.Lang.Num does.
func written(lang templates.Lang, x string, digits int) string {
	return fmt.Sprintf("(%s).toLocaleString('%s',{maximumSignificantDigits:%d})", x, lang.Code(), digits)
}

// values are the sliders as the link has them.
func (l *Link) values() map[string]float64 {
	v := map[string]float64{}
	for _, s := range l.lesson().sliders {
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
	return templates.EstimatesView(l.Lang, l.path(), keep, l.lesson().estimates(l.Lang, l.values()))
}

// sum fills in a formula: what it says in words, with its numbers, and what comes out, with a unit.
func (s *sums) sum(formula string, digits int, unit string, names ...string) templates.Estimate {
	e := templates.Estimate{
		Formula: fill(formula, s.word),
		Filled:  s.filled(formula),
		Result:  s.result(formula, digits),
		Unit:    unit,
	}
	for _, name := range names {
		e.Sliders = append(e.Sliders, s.slider(name))
	}
	return e
}

func (s *sums) result(formula string, digits int) templates.Computed {
	return templates.Computed{Text: s.lang.Num(evaluate(formula, s.values), digits), Script: written(s.lang, script(formula, s.values), digits)}
}

// note is a remark with a smaller sum behind it.
func (s *sums) note(en, zh, formula string, digits int, unit phrase) templates.EstimateNote {
	sum := append(s.filled(formula), templates.Computed{Text: " = "}, s.result(formula, digits), templates.Computed{Text: unit.in(s.lang)})
	return templates.EstimateNote{Text: s.lang.In(en, zh), Sum: sum}
}

// filled is a formula with the numbers of its sliders in it.
func (s *sums) filled(formula string) (out []templates.Computed) {
	from := 0
	for _, at := range variable.FindAllStringIndex(formula, -1) {
		name := formula[at[0]:at[1]]
		if v, ok := s.values[name]; ok {
			out = append(out, templates.Computed{Text: signs.Replace(formula[from:at[0]])}, templates.Computed{Text: s.lang.Num(v, sliderDigits), Script: written(s.lang, "$"+name, sliderDigits)})
			from = at[1]
		}
	}
	return append(out, templates.Computed{Text: signs.Replace(formula[from:])})
}

// sums fills in the formulas of one chapter.
type sums struct {
	lang   templates.Lang
	values map[string]float64
	words  map[string]phrase // a variable within a formula
	list   []slider
}

func (s *sums) slider(name string) templates.Slider {
	for _, sl := range s.list {
		if sl.Name == name {
			return templates.Slider{Name: name, Label: sl.label.in(s.lang), Unit: sl.unit.in(s.lang),
				Value: templates.Computed{Text: s.lang.Num(s.values[name], sliderDigits), Script: written(s.lang, "$"+name, sliderDigits)},
				Min:   plainNumber(sl.Min), Max: plainNumber(sl.Max), Step: plainNumber(sl.Step), Now: plainNumber(s.values[name])}
		}
	}
	return templates.Slider{}
}

// word names a variable; what is none, such as a function, stands as it is.
func (s *sums) word(name string) string {
	if w, ok := s.words[name]; ok {
		return w.in(s.lang)
	}
	return name
}
