package web

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
	"unicode"

	"imscope/sim/im"
	"imscope/sim/protocol"
	"imscope/templates"
)

// Figure is how a run is written as a file: as a picture of a moment or of several, as a story, as its steps. It is part of the
// address, which says by its end what kind of file it is.
type Figure struct {
	Kind  string // svg, md, json or csv
	Look  string // light, dark or print; of a picture
	Show  templates.Show
	Strip []At // the moments of the panels; nil for one, at the link's own
}

// figureKind is a kind of file, and what its addresses begin with.
type figureKind struct{ kind, prefix, mime string }

var figureKinds = []figureKind{
	{"svg", "/figure", "image/svg+xml; charset=utf-8"},
	{"md", "/story", "text/markdown; charset=utf-8"},
	{"json", "/steps", "application/json"},
	{"csv", "/steps", "text/csv; charset=utf-8"},
}

// write writes a link's file.
func (f *Figure) write(ctx context.Context, l Link) ([]byte, error) {
	switch f.Kind {
	case "md":
		return writeStory(ctx, l)
	case "json":
		return writeStepsJSON(ctx, l)
	case "csv":
		return writeStepsCSV(ctx, l)
	default:
		return drawFigure(ctx, l)
	}
}

const (
	// figureDefault is what a figure shows if its address does not say, figureAll what it can show.
	figureDefault = templates.ShowDiagram | templates.ShowScreens | templates.ShowSentences
	figureAll     = figureDefault
	// mostPanels bounds a strip.
	mostPanels = 12
)

var figureLooks = []string{"light", "dark", "print"}

// figureNames are the parameters that only a figure has.
var figureNames = []string{"look", "show", "strip"}

func (f *Figure) prefix() string {
	for _, k := range figureKinds {
		if k.kind == f.Kind {
			return k.prefix
		}
	}
	return ""
}

// fileOf is the figure that an address asks for by its beginning and its end, and the last part of its path without that end.
func fileOf(address, last string) (f *Figure, name string, ok bool) {
	ext := path.Ext(last)
	for _, k := range figureKinds {
		if strings.HasPrefix(address, k.prefix+"/") && ext == "."+k.kind {
			return &Figure{Kind: k.kind, Look: "light", Show: figureDefault}, strings.TrimSuffix(last, ext), true
		}
	}
	return nil, last, false
}

// isFigure reports whether an address is that of a figure.
func isFigure(address string) bool {
	return slices.ContainsFunc([]string{"/figure/", "/story/", "/steps/"}, func(prefix string) bool { return strings.HasPrefix(address, prefix) })
}

// inFile is the link to a file of a kind.
func (l Link) inFile(kind string) Link {
	l = l.outside()
	l.Guess, l.Why, l.Sliders, l.Beside = "", Why{}, nil, nil // a file shows one run
	l.Figure = &Figure{Kind: kind, Look: "light", Show: figureDefault}
	return l
}

// parseFigure reads what only a figure has.
func (l *Link) parseFigure(query url.Values) (errs []*im.ParamError) {
	f := l.Figure
	bad := func(name, valid string) {
		errs = append(errs, &im.ParamError{Name: name, Value: query.Get(name), Range: valid})
	}
	if look := query.Get("look"); slices.Contains(figureLooks, look) {
		f.Look = look
	} else if look != "" {
		bad("look", strings.Join(figureLooks, ", "))
	}
	if text := query.Get("show"); text != "" {
		if f.Show = parseShow(text); f.Show == 0 || f.Show&^figureAll != 0 {
			f.Show = figureDefault
			bad("show", strings.Join(shownNames(figureAll), ", "))
		}
	}
	if text := query.Get("strip"); text != "" {
		var ok bool
		if f.Strip, ok = l.parseStrip(text); !ok {
			f.Strip = nil
			bad("strip", fmt.Sprintf("%s; 1 … %d", atRange(&l.Scenario), mostPanels))
		}
	}
	return errs
}

// parseStrip reads moments with underscores between them.
func (l *Link) parseStrip(text string) (strip []At, ok bool) {
	for _, text := range strings.FieldsFunc(text, func(r rune) bool { return r == '_' || r == ',' }) {
		at, ok := parseAt(text)
		if !ok || at.Time > l.Scenario.End()+im.Overtime || len(strip) == mostPanels {
			return nil, false
		}
		strip = append(strip, at)
	}
	return strip, len(strip) > 0
}

// pairs are the parameters of a figure that are not as by default.
func (f *Figure) pairs() (out [][2]string) {
	if f == nil {
		return nil
	}
	if f.Look != "light" {
		out = append(out, [2]string{"look", f.Look})
	}
	if f.Show != figureDefault {
		out = append(out, [2]string{"show", strings.Join(shownNames(f.Show), "_")})
	}
	if f.Strip != nil {
		var all []string
		for _, at := range f.Strip {
			text := at.String()
			if text == "" {
				text = "0s"
			}
			all = append(all, text)
		}
		out = append(out, [2]string{"strip", strings.Join(all, "_")})
	}
	return out
}

// figure sends a run as a file.
func (p pages) figure(w http.ResponseWriter, r *http.Request) {
	link, problem := p.link(r)
	if problem != nil {
		p.problem(w, r, problem)
		return
	}
	link.Beside = nil
	for _, k := range figureKinds {
		if k.kind != link.Figure.Kind {
			continue
		}
		file, err := link.Figure.write(r.Context(), link)
		if err != nil {
			if problem := p.failed(link, err); problem != nil {
				p.problem(w, r, problem)
			}
			return
		}
		w.Header().Set("Content-Type", k.mime)
		w.Header().Set("Content-Disposition", fmt.Sprintf("inline; filename=%q", "imscope-"+link.Scenario.Name+"-"+link.Protocol.Name+"."+k.kind))
		_, _ = w.Write(file)
	}
}

// picture leads from what the address of a picture was.
func (p pages) picture(w http.ResponseWriter, r *http.Request) {
	to := "/figure" + strings.TrimPrefix(r.URL.EscapedPath(), "/picture") + ".svg"
	if r.URL.RawQuery != "" {
		to += "?" + r.URL.RawQuery
	}
	http.Redirect(w, r, to, http.StatusMovedPermanently)
}

// playAt plays a link's run for the view of it at one moment.
func playAt(ctx context.Context, l Link) (*stage, error) {
	s := newStage(l)
	err := s.play(ctx, func(bool) error { return nil })
	if err == nil && !s.found {
		err = errNoMoment
	}
	if err != nil {
		return nil, err
	}
	s.finish()
	return s, nil
}

// drawFigure draws a link's run at its moments.
func drawFigure(ctx context.Context, l Link) ([]byte, error) {
	ask := l.Figure
	l = l.outside()
	moments := ask.Strip
	if moments == nil {
		moments = []At{l.At}
	}
	names := []string{l.lesson().scenario(l.Scenario.Name).name.in(l.Lang), l.lesson().protocol(l.Protocol.Name).name.in(l.Lang)}
	f := templates.Figure{Lang: l.Lang, Title: strings.Join(names, " · "), Look: ask.Look, Show: ask.Show}
	var sentences []string
	for _, at := range moments {
		s, err := playAt(ctx, l.at(at))
		if err != nil {
			return nil, err
		}
		f.Panels = append(f.Panels, panelOf(s))
		sentences = append(sentences, s.view.Sentence)
		f.Desc += describe(s)
	}
	for i := range f.Panels {
		f.Panels[i].Lines = breakLines(sentences[i], f.FigureTextWidth())
	}
	for _, e := range editsView(narrator{l.Lang, &l.Scenario}, l, im.NewEffects(&l.Scenario), false).List {
		f.Caption = append(f.Caption, l.Lang.In("Changed: ", "动过：")+e.Text)
	}
	var out bytes.Buffer
	err := templates.FigureView(f).Render(ctx, &out)
	return out.Bytes(), err
}

// describe says what a picture shows: what has happened, and what stands on each screen.
func describe(s *stage) string {
	n, v := s.narrator, &s.view
	text := v.Transport.Clock + n.In(": ", "：") + v.Sentence
	for _, c := range v.Screens.Columns {
		var lines []string
		for _, i := range c.Shown {
			lines = append(lines, c.Variants[i].Words())
		}
		if len(lines) == 0 {
			lines = []string{c.Empty}
		}
		text += " " + c.Name + n.In(": ", "：") + strings.Join(lines, n.In(", ", "，")) + n.In(".", "。")
	}
	return text + " "
}

// panelOf takes from a stage what has happened by its moment. A leg under way is drawn as far as it has come.
func panelOf(s *stage) templates.Panel {
	v := &s.view
	p := templates.Panel{Clock: v.Transport.Clock, Diagram: v.Diagram, Columns: v.Screens.Columns, Cells: v.Heat.Cells, Foot: v.Diagram.NowY + templates.DiagramFoot}
	d := &p.Diagram
	d.Legs, d.Dots, d.Waits = nil, nil, nil
	for _, leg := range v.Diagram.Legs {
		if leg.Leaves > v.Now {
			continue
		}
		if leg.Lands > v.Now {
			done := (v.Now - leg.Leaves) / (leg.Lands - leg.Leaves)
			leg.X2, leg.Y2 = leg.X1+int(done*float64(leg.X2-leg.X1)), leg.Y1+int(done*float64(leg.Y2-leg.Y1))
			leg.Lost = false
			p.Flying = append(p.Flying, templates.Dot{X: leg.X2, Y: leg.Y2 - 5, Lines: []string{leg.Name}, Class: leg.Class})
		}
		d.Legs = append(d.Legs, leg)
	}
	for _, dot := range v.Diagram.Dots {
		if dot.At <= v.Now {
			d.Dots = append(d.Dots, dot)
		}
	}
	for _, wait := range v.Diagram.Waits {
		if wait.From <= v.Now {
			wait.Y2 = min(wait.Y2, d.NowY)
			d.Waits = append(d.Waits, wait)
		}
	}
	d.Ticks = slices.DeleteFunc(slices.Clone(d.Ticks), func(t templates.Tick) bool { return t.Y > p.Foot })
	d.Breaks = slices.DeleteFunc(slices.Clone(d.Breaks), func(b templates.Break) bool { return b.Y > p.Foot })
	return p
}

// breakLines breaks a sentence into lines of so many units. What a letter takes is guessed, on the safe side: the fonts are those of whoever
// looks.
func breakLines(text string, width int) (lines []string) {
	const latin, wide = 62, 115 // hundredths of ten units
	var line, word strings.Builder
	var taken, wordTaken int
	flush := func() {
		if taken+wordTaken > width*10 && line.Len() > 0 {
			lines = append(lines, strings.TrimSpace(line.String()))
			line.Reset()
			taken = 0
		}
		line.WriteString(word.String())
		taken += wordTaken
		word.Reset()
		wordTaken = 0
	}
	for _, r := range text {
		closes := strings.ContainsRune("，。；：！？、）”", r)
		if unicode.Is(unicode.Han, r) && !closes {
			flush()
		}
		word.WriteRune(r)
		if r > 0x2000 {
			wordTaken += wide
		} else {
			wordTaken += latin
		}
		if r == ' ' || closes {
			flush()
		}
	}
	flush()
	if line.Len() > 0 {
		lines = append(lines, strings.TrimSpace(line.String()))
	}
	return lines
}

// WriteFile writes a run as a file of a kind, svg, md, json or csv, for the command line. The options are those of an address: at, look,
// show, strip; and lang. An error of type *im.ParamError says which of them is wrong.
func WriteFile(ctx context.Context, chapter protocol.Chapter, s im.Scenario, e protocol.Entry, kind string, options url.Values) ([]byte, error) {
	if !slices.ContainsFunc(figureKinds, func(k figureKind) bool { return k.kind == kind }) {
		return nil, &im.ParamError{Name: "format", Value: kind, Range: "svg, md, json, csv"}
	}
	lang, ok := templates.ParseLang(cmp.Or(options.Get("lang"), templates.English.Code()))
	if !ok {
		return nil, &im.ParamError{Name: "lang", Value: options.Get("lang"), Range: "en, zh"}
	}
	l := Link{Lang: lang, Chapter: chapter, Scenario: s, Protocol: e, Figure: &Figure{Kind: kind, Look: "light", Show: figureDefault}}
	if errs := l.parseFigure(options); len(errs) > 0 {
		return nil, errs[0]
	}
	at, ok := parseAt(options.Get("at"))
	if !ok || at.Time > s.End()+im.Overtime {
		return nil, &im.ParamError{Name: "at", Value: options.Get("at"), Range: atRange(&s)}
	}
	file, err := l.Figure.write(ctx, l.at(at))
	if errors.Is(err, errNoMoment) {
		err = &im.ParamError{Name: "at", Value: options.Get("at"), Range: atRange(&s)}
	}
	return file, err
}
