package web

import (
	"math"
	"strings"
	"testing"

	"imscope/sim/im"
	"imscope/templates"
)

// TestFormulas checks the sums against the figures of the chapter, and of its premises at other values.
func TestFormulas(t *testing.T) {
	for _, c := range []struct {
		formula string
		values  map[string]float64
		want    float64
	}{
		{crossingFormula, map[string]float64{"rate": 0.5, "trip": 0.2}, 0.1},
		{writesFormula, map[string]float64{"took": 5}, 200},
		{writesFormula, map[string]float64{"took": 500}, 2},
		{numbersFormula, map[string]float64{"users": 10_000_000}, 13_889},
		{syncsFormula, map[string]float64{"users": 100_000, "syncs": 20}, 69.444},
		{headsFormula, map[string]float64{"users": 100_000, "syncs": 20, "chats": 200}, 13_889},
		{headsFormula, map[string]float64{"users": 100_000, "syncs": 20, "chats": 2000}, 138_889},
		{upFormula, map[string]float64{"syncs": 20, "chats": 200}, 48},
		{receivedFormula, map[string]float64{"sent": 40, "members": 20.0 / 3}, 53.333},
		{storedFormula, map[string]float64{"users": 100_000, "sent": 40}, 138.889},
		{entriesFormula, map[string]float64{"users": 100_000, "sent": 40, "members": 20.0 / 3}, 925.926},
		{entriesADay, map[string]float64{"users": 100_000, "sent": 40, "members": 20.0 / 3}, 26.667},
		{diskFormula, map[string]float64{"users": 100_000, "sent": 40, "members": 20.0 / 3, "bytes": 32}, 853.333},
		{messagesDisk, map[string]float64{"users": 100_000, "sent": 40}, 800},
		{keptFormula, map[string]float64{"users": 100_000, "sent": 40, "members": 20.0 / 3, "bytes": 32, "days": 7}, 5.973},
		{apartFormula, map[string]float64{"sent": 40, "members": 20.0 / 3}, 5.4},
		{personFormula, map[string]float64{"took": 5}, 200},
		{numbersFormula, map[string]float64{"users": 100_000}, 139},
		{requestsFormula, map[string]float64{"users": 1000, "open": 0.1, "every": 2}, 50},
		{requestsFormula, map[string]float64{"users": 100_000, "open": 0.1, "every": 2}, 5000},
		{messagesFormula, map[string]float64{"users": 1000}, 1.389},
		{emptyFormula, map[string]float64{"users": 1000, "open": 0.1, "every": 2, "devices": 1.5}, 96},
		{emptyFormula, map[string]float64{"users": 1000, "open": 0.1, "every": 2, "devices": 10}, 72},
		{emptyFormula, map[string]float64{"users": 1000, "open": 0.01, "every": 30, "devices": 20}, 0}, // more rows than polls
		{waitFormula, map[string]float64{"every": 2, "leg": 0.1}, 1.2},
		{longestFormula, map[string]float64{"every": 2, "leg": 0.1}, 2.2},
	} {
		if got := evaluate(c.formula, c.values); math.Round(got*1000)/1000 != c.want && math.Round(got) != c.want {
			t.Errorf("%s with %v is %v, not %v", c.formula, c.values, got, c.want)
		}
	}
}

// TestEstimates checks how the sums are written, as the chapter has them and with sliders moved.
func TestEstimates(t *testing.T) {
	for address, want := range map[string][]string{
		"/en/polling":                         {"1,000 × 0.1 ÷ 2 = 50 requests a second", "max(0, 1 - 1,000 × 40 ÷ 86400 × 3 × 1.5 ÷ (1,000 × 0.1 ÷ 2)) × 100 = 96%", "2 ÷ 2 + 2 × 0.1 = 1.2 s on average"},
		"/zh/polling?users=100000&devices=10": {"100,000 × 0.1 ÷ 2 = 5,000 个请求/秒", "max(0, 1 - 100,000 × 40 ÷ 86400 × 3 × 10 ÷ (100,000 × 0.1 ÷ 2)) × 100 = 72%", "2 ÷ 2 + 2 × 0.1 = 1.2 秒（平均）"},
		"/en/ordering":                        {"0.5 × 0.2 = 0.1", "1000 ÷ 5 = 200 writes a second", "10,000,000 × 40 ÷ 86400 × 3 = 13,900 numbers a second"},
		"/zh/ordering?took=500&rate=2&trip=0.05&users=100000": {"2 × 0.05 = 0.1", "1000 ÷ 500 = 2 次写入/秒", "100,000 × 40 ÷ 86400 × 3 = 139 个号/秒"},
	} {
		l := mustLink(t, address)
		for i, e := range l.lesson().estimates(l.Lang, l.values()) {
			var filled strings.Builder
			for _, part := range e.Filled {
				filled.WriteString(part.Text)
			}
			if got := filled.String() + " = " + e.Result.Text + e.Unit; got != want[i] {
				t.Errorf("%s: %s, not %s", address, got, want[i])
			}
			if strings.ContainsAny(e.Formula, "*/") || len(e.Sliders) == 0 {
				t.Errorf("%s: %s has %d sliders", address, e.Formula, len(e.Sliders))
			}
		}
	}
}

// TestSlidersCanBeSet checks that a browser can show every slider's default: it lies on a step, within the range.
func TestSlidersCanBeSet(t *testing.T) {
	for _, chapter := range chapters {
		for _, s := range lessonOf(chapter.Name).sliders {
			if _, knob := im.FindParam(s.Name); knob {
				t.Errorf("%s: %s is a knob too", chapter.Name, s.Name)
			}
			steps := (s.Value - s.Min) / s.Step
			if s.Value < s.Min || s.Value > s.Max || math.Abs(steps-math.Round(steps)) > 1e-9 {
				t.Errorf("%s: %+v", chapter.Name, s)
			}
		}
	}
}

func TestNumbersAreGrouped(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", -999: "-999", -1234567: "-1,234,567"} {
		if got := templates.English.Int(n); got != want {
			t.Errorf("%d is written %s", n, got)
		}
	}
}
