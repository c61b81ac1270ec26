package web

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"imscope/sim/im"
	"imscope/templates"
)

// crowded are links whose diagrams are as full as they get.
func crowded(t *testing.T) (all []Link) {
	for seed := range 3 {
		for _, p := range []string{"arrival", "by-seq"} {
			all = append(all, mustLink(t, fmt.Sprintf("/en/ordering/random/%s?seed=%d&phones=5&messages=120&gap=500ms&loss=0.3", p, seed)))
		}
	}
	return append(all, mustLink(t, "/en/ordering/random/by-seq?phones=5&latency=0s&send=a1-3s_a2-3s_b1-3s_b2-3s_b3-3s_e1-3s_e2-3s_c1-3s"))
}

// TestDiagrams checks the drawings of many runs.
func TestDiagrams(t *testing.T) {
	check := func(l Link) {
		// What is drawn with an event must never change afterwards: a stream only appends.
		var drawn templates.Diagram
		s := play(t, l, func(s *stage, _ taken) {
			d := &s.layout.d
			drawn.Legs = append(drawn.Legs, d.Legs[len(drawn.Legs):]...)
			drawn.Dots = append(drawn.Dots, d.Dots[len(drawn.Dots):]...)
			drawn.Ticks = append(drawn.Ticks, d.Ticks[len(drawn.Ticks):]...)
			drawn.Breaks = append(drawn.Breaks, d.Breaks[len(drawn.Breaks):]...)
			drawn.Waits = append(drawn.Waits, d.Waits[len(drawn.Waits):]...)
		})
		d := s.view.Diagram
		if !begins(d.Legs, drawn.Legs) || !begins(d.Dots, drawn.Dots) || !begins(d.Ticks, drawn.Ticks) || !begins(d.Breaks, drawn.Breaks) || !begins(d.Waits, drawn.Waits) {
			t.Fatalf("%v: something drawn has changed", l)
		}
		legsGoDown(t, l, d)
		labelsKeepApart(t, l, d)
	}
	everyRun(60, check)
	for _, l := range crowded(t) {
		check(l)
	}
}

func begins[T any](all, with []T) bool {
	return len(with) == 0 || len(all) >= len(with) && reflect.DeepEqual(all[:len(with)], with)
}

// legsGoDown checks that legs lead from one lifeline to another and end below where they began, lost ones short of it.
func legsGoDown(t *testing.T, l Link, d templates.Diagram) {
	lanes := map[int]bool{}
	for _, lane := range d.Lanes {
		lanes[lane.X] = true
	}
	if want := l.Scenario.Phones + 1; len(lanes) != want && (l.Chapter.Name != im.OfflineChapter || len(lanes) != 2 && l.Scenario.Second == 0) {
		t.Fatalf("%v: %d lanes", l, len(lanes))
	}
	for _, leg := range d.Legs {
		down := leg.Y2 > leg.Y1 || leg.Y2 == leg.Y1 && (l.Scenario.Latency == 0 || leg.Lost)
		if !down || leg.Lands < leg.Leaves || !lanes[leg.X1] || leg.X1 == leg.X2 || lanes[leg.X2] == leg.Lost {
			t.Fatalf("%v: %+v", l, leg)
		}
	}
	for _, w := range d.Waits {
		if w.Y2 < w.Y1 || w.Until < w.From || !lanes[w.X] && !strings.HasPrefix(w.Class, "bar") {
			t.Fatalf("%v: %+v", l, w)
		}
	}
}

// labelsKeepApart checks that the labels of a lifeline never lie upon one another, and that none leaves the drawing.
func labelsKeepApart(t *testing.T, l Link, d templates.Diagram) {
	const height, letter, blank = 11, 6.5, 3.2 // of the font; the browser tests measure a real one
	baselines := map[int][]int{}               // by lane
	for _, dot := range d.Dots {
		for i, line := range dot.Lines {
			blanks := strings.Count(line, " ")
			width := int(letter*float64(utf8.RuneCountInString(line)-blanks) + blank*float64(blanks))
			if left := dot.TextX; dot.End && left-width < 0 || !dot.End && left+width > 360 || line == "" {
				t.Fatalf("%v: %q leaves the drawing", l, line)
			}
			baselines[dot.X] = append(baselines[dot.X], dot.TextY+i*templates.LabelLine)
		}
	}
	for x, at := range baselines {
		for i, y := range at[1:] {
			if y-at[i] < height {
				t.Fatalf("%v: two labels at x = %d are %d apart", l, x, y-at[i])
			}
		}
	}
	for i, tick := range d.Ticks[1:] {
		if tick.Y-d.Ticks[i].Y < height {
			t.Fatalf("%v: %s and %s are %d apart", l, d.Ticks[i].Text, tick.Text, tick.Y-d.Ticks[i].Y)
		}
	}
}

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		text string
		room int
		want []string
	}{
		{"A1 #4", 50, []string{"A1 #4"}},
		{"A12 #34", 32, []string{"A12", "#34"}},
		{"A12 ✓ #34?", 55, []string{"A12 ✓", "#34?"}},
		{"A12 ✓", 10, []string{"A12 ✓"}},
		{"?#99–102", 50, []string{"?#99–", "102"}},
		{"A1 ⤓ B1 ⤓ #7?", 72, []string{"A1 ⤓ B1 ⤓", "#7?"}},
		{"A1 A2 A3 A4 A5", 20, []string{"A1", "A2", "A3", "…"}},
	} {
		if got := wrap(c.text, c.room); !slices.Equal(got, c.want) {
			t.Errorf("%q in %d: %q", c.text, c.room, got)
		}
	}
}

// TestBookDiagram checks what the chapter says of its run: what is lost ends in a cross short of its lifeline, what is sent again and
// what is fetched is marked, and Ben's wait is half a second.
func TestBookDiagram(t *testing.T) {
	d := play(t, mustLink(t, "/en/ordering/book/by-seq?at=end"), nil).view.Diagram
	var lost, dots []string
	for _, leg := range d.Legs {
		if leg.Lost {
			lost = append(lost, fmt.Sprintf("%s %s %.2f", leg.Class, leg.Name, leg.Leaves))
		}
	}
	for _, dot := range d.Dots {
		if dot.At > 5 && dot.At < 7 {
			dots = append(dots, fmt.Sprintf("%.2f %s %s", dot.At, dot.Class, dot.Lines))
		}
	}
	if want := []string{"msg a A1 5.04", "push a A2 5.61"}; !slices.Equal(lost, want) {
		t.Errorf("lost: %q", lost)
	}
	if want := []string{"5.04 a [A1]", "5.51 a [A2]", "5.61 s [A2 #3]", "5.71 a [A2 ✓]", "6.04 a [A1 ↻]", "6.14 s [A1 #4]", "6.24 a [A1 ✓]", "6.24 b [A1 #3?]",
		"6.74 b [?#3]", "6.78 a [A3]", "6.83 b [B3]", "6.84 s [#3]", "6.88 s [A3 #5]", "6.93 s [B3 #6]", "6.94 b [A2 ⤓]", "6.98 a [A3 ✓]", "6.98 b [A3]"}; !slices.Equal(dots, want) {
		t.Errorf("dots: %q", dots)
	}
	if len(d.Waits) != 1 || d.Waits[0].From != 6.24 || d.Waits[0].Until != 6.74 {
		t.Errorf("waits: %+v", d.Waits)
	}
}
