package web

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"

	"imscope/sim"
	"imscope/sim/im"
	"imscope/templates"
)

// writeStory tells a link's run in Markdown, up to its moment: what it is about, every step in a sentence, and what stands on the screens.
func writeStory(ctx context.Context, l Link) ([]byte, error) {
	at := l.At
	l = l.outside()
	if at == (At{}) {
		at = At{End: true}
	}
	s, err := playAt(ctx, l.at(at))
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	v, lesson := &s.view, l.lesson()
	fmt.Fprintf(&b, "# %s · %s\n\n", lesson.scenario(l.Scenario.Name).name.in(l.Lang), lesson.protocol(l.Protocol.Name).name.in(l.Lang))
	fmt.Fprintf(&b, "%s\n\n%s\n\n", templates.Plain(l.Lang, v.Story), templates.Plain(l.Lang, v.Intro))
	if len(v.Edits.List) > 0 {
		fmt.Fprintf(&b, "## %s\n\n", l.Lang.In("Changed by hand", "动过的地方"))
		for _, e := range v.Edits.List {
			fmt.Fprintf(&b, "- %s (`%s`)\n", e.Text, e.Words)
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "## %s\n\n", l.Lang.In("What happened", "发生了什么"))
	for _, h := range v.Happenings[:s.current+1] {
		fmt.Fprintf(&b, "- **%s** %s\n", h.Time, h.Text)
	}
	writeScreens(&b, v)
	return b.Bytes(), nil
}

// writeScreens lists what stands on the screens.
func writeScreens(b *bytes.Buffer, v *templates.Stage) {
	if len(v.Screens.Columns) == 0 {
		return
	}
	fmt.Fprintf(b, "\n## %s\n\n", v.Lang.In("What the screens show", "屏幕上有什么"))
	for _, c := range v.Screens.Columns {
		fmt.Fprintf(b, "- **%s**", c.Name)
		for i, line := range c.Shown {
			sep := v.Lang.In("; ", "；")
			if i == 0 {
				sep = v.Lang.In(": ", "：")
			}
			b.WriteString(sep + c.Variants[line].Words())
		}
		if len(c.Shown) == 0 {
			b.WriteString(v.Lang.In(": ", "：") + c.Empty)
		}
		b.WriteByte('\n')
	}
}

// stepLines are the steps of a link's run, no more than a page can draw.
func stepLines(ctx context.Context, l Link) (lines []im.StepLine, err error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	all := &stepKeeper{protocol: l.Protocol.Name, stop: stop}
	if err := im.Run(ctx, &l.Scenario, l.Protocol.New(), all); err != nil {
		return nil, context.Cause(ctx)
	}
	return all.lines, nil
}

// stepKeeper is a sink that keeps steps.
type stepKeeper struct {
	protocol string
	lines    []im.StepLine
	stop     context.CancelCauseFunc
}

// Step keeps one.
func (k *stepKeeper) Step(s *im.Step) sim.StepID {
	id := sim.StepID(len(k.lines) + 1)
	if len(k.lines) == maxSteps {
		k.stop(errTooLong)
		return id
	}
	k.lines = append(k.lines, im.LineOf(k.protocol, id, s))
	return id
}

func writeStepsJSON(ctx context.Context, l Link) ([]byte, error) {
	lines, err := stepLines(ctx, l)
	if err != nil {
		return nil, err
	}
	return json.MarshalIndent(lines, "", " ")
}

func writeStepsCSV(ctx context.Context, l Link) ([]byte, error) {
	lines, err := stepLines(ctx, l)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	_ = w.Write(im.StepColumns)
	for _, line := range lines {
		_ = w.Write(line.Fields())
	}
	w.Flush()
	return b.Bytes(), w.Error()
}
