package web

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/a-h/templ"
	"github.com/starfederation/datastar-go/datastar"

	"imscope/templates"
)

const (
	// firstPatches is how many events of a run are sent each by itself, so that the first picture stands at once.
	firstPatches = 4
	// perPatch and patchEvery bound how much is gathered into one patch after that.
	perPatch   = 40
	patchEvery = 30 * time.Millisecond
)

// patience is how long a reader may not read before its stream ends. Tests have less.
var patience = 10 * time.Second

// stream sends the run of a link as it is played. It begins by replacing what stood there with the run as far as the moment of the link,
// which is the first picture, so that a stream opened again after a cut doubles nothing, and goes on by appending only. What stands at the
// end is what a fresh load of the link shows.
func (p pages) stream(w http.ResponseWriter, r *http.Request) {
	link, problem := p.link(r)
	out, err := openStream(w, r)
	if err != nil {
		return // the reader has left
	}
	defer out.close()
	if problem == nil {
		problem = p.failed(link, out.run(r.Context(), p, link))
	}
	if problem != nil {
		out.patch("main", templates.ProblemView(*problem), datastar.WithModeInner())
	}
}

// patcher writes patches until the first one fails; err says why.
type patcher struct {
	sse  *datastar.ServerSentEventGenerator
	zip  *gzip.Writer // nil if the stream is not compressed
	err  error
	show templates.Show // what of the run is on the page
}

func openStream(w http.ResponseWriter, r *http.Request) (*patcher, error) {
	o := &patcher{show: templates.ShowAll}
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	w = &patient{w}
	if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		select {
		case o.zip = <-zips:
			w.Header().Set("Content-Encoding", "gzip")
			o.zip.Reset(w)
			w = &zipped{w, o.zip}
		default:
		}
	}
	defer func() {
		if o.sse == nil { // NewSSE panics when the reader has left
			o.close()
		}
	}()
	o.sse = datastar.NewSSE(w, r)
	return o, nil
}

// close ends the stream.
func (o *patcher) close() {
	if o.zip != nil {
		_ = o.zip.Close()
		o.zip.Reset(nil)
		zips <- o.zip
	}
}

// patient waits for a reader as long as he goes on reading, however slowly.
type patient struct{ http.ResponseWriter }

// Write fails once nothing was read for as long as patience lasts.
func (p *patient) Write(all []byte) (n int, err error) {
	const piece = 16 << 10 // what comes at once could take a slow reader longer
	for err == nil && n < len(all) {
		if err = http.NewResponseController(p.ResponseWriter).SetWriteDeadline(time.Now().Add(patience)); err == nil {
			var wrote int
			wrote, err = p.ResponseWriter.Write(all[n:min(n+piece, len(all))])
			n += wrote
		}
	}
	return n, err
}

// Unwrap lets a response controller find what lies below.
func (p *patient) Unwrap() http.ResponseWriter { return p.ResponseWriter }

// zips are the compressors. One takes close to a megabyte once it is used, so there are only some; who comes when all are busy gets plain
// text.
var zips = func() chan *gzip.Writer {
	c := make(chan *gzip.Writer, 40)
	for range cap(c) {
		c <- gzip.NewWriter(nil)
	}
	return c
}()

// zipped compresses what is written. (What datastar-go compresses it never ends, which some readers take for a cut.)
type zipped struct {
	http.ResponseWriter
	zip *gzip.Writer
}

func (z *zipped) Write(p []byte) (int, error) { return z.zip.Write(p) }

// FlushError sends what was written so far.
func (z *zipped) FlushError() error {
	return cmp.Or(z.zip.Flush(), http.NewResponseController(z.ResponseWriter).Flush())
}

// Unwrap lets a response controller find what lies below.
func (z *zipped) Unwrap() http.ResponseWriter { return z.ResponseWriter }

// patch sends components to the element of that id.
func (o *patcher) patch(id string, c templ.Component, how ...datastar.PatchElementOption) {
	if o.err != nil || !o.show.HasElement(id) {
		return
	}
	var html bytes.Buffer
	if o.err = c.Render(o.sse.Context(), &html); o.err != nil {
		return
	}
	o.err = o.sse.PatchElements(html.String(), append(how, datastar.WithSelectorID(id))...)
}

// run plays the link's run into the stream. The error is what ended it early.
func (o *patcher) run(ctx context.Context, p pages, l Link) error {
	n := narrator{l.Lang, &l.Scenario}
	s := newStage(l)
	o.show = s.view.Show
	verdict := guess(n, l)
	var err error
	if s.view.Places, err = placesOn(ctx, l); err != nil {
		return err
	}
	if l.Guess != "" { // an old verdict is not to stand over the new run
		o.patch("guess", templates.GuessView(l.Lang, verdict.Guess))
	}
	if err := o.play(ctx, s, l); err != nil {
		return err
	}
	verdict.answer(n, l, s.sides[0].fold, momentClock(s.last))
	o.patch("guess", templates.GuessView(l.Lang, verdict.Guess))
	o.patch("language", templates.LanguageSwitch(l.Lang, inOther(l.Lang, l.String())))
	if l.Embed != nil {
		o.patch("full", templates.FullLink(l.Lang, l.outside().String()))
	}
	if o.show.Has(templates.ShowChapter) {
		o.patch("often", templates.OftenView(oftenOffer(l)))
		o.patch("find", findOffer(l))
		o.patch("estimates", estimatesView(l))
	}
	if o.show.Has(templates.ShowTasks) {
		o.patch("challenges", templates.ChallengesView(challengesView(ctx, l, s.sides[0].fold)))
	}
	o.patch("more", templates.More(""))
	return o.err
}

// play sends the run while it is played, the table, and what is known of the run once it is over.
func (o *patcher) play(ctx context.Context, s *stage, l Link) error {
	var sent *sentParts
	if l.At == (At{}) {
		sent = o.begin(s, "run")
	}
	var pending int
	last := time.Now()
	err := s.play(ctx, func(ended bool) error {
		if ended {
			s.finish()
		}
		pending++
		switch {
		case sent == nil && ended:
			sent = o.begin(s, "rest")
		case sent == nil && s.now.Before(s.last):
			s.refresh()
			sent = o.begin(s, "run")
		case sent == nil:
			return o.sse.Context().Err()
		}
		if len(s.view.Happenings) <= firstPatches || pending >= perPatch || ended || time.Since(last) > patchEvery {
			o.flush(s, l, sent)
			pending, last = 0, time.Now()
		}
		return o.err
	})
	if err == nil && !s.found {
		err = errNoMoment
	}
	if err != nil {
		return err
	}
	for column := range l.Chapter.Protocols {
		if column == l.column() || !o.show.Has(templates.ShowTable) {
			continue
		}
		f, err := playFigures(ctx, s.narrator, l, column)
		if err != nil {
			return err
		}
		s.changes = append(s.changes, f.changes...)
		o.flush(s, l, sent)
	}
	if len(s.sides) > 1 {
		s.view.ToCome = ""
		o.patch("partings", templates.PartingsView(s.view))
	}
	o.patch("edits", templates.EditsView(s.view.Edits))
	o.patch("why", templates.WhyView(s.view.Why))
	appendNew(o, "asked", s.view.Diagram.Marks, &sent.asked, templates.WhyMarkView, datastar.WithNamespaceSVG())
	return nil
}

// begin replaces what shows the run by the run as far as it has been played, of which all is sent then.
func (o *patcher) begin(s *stage, toCome string) *sentParts {
	s.view.ToCome = toCome
	o.patch("stage", templates.StageView(s.view))
	d := &s.layout.d
	sent := &sentParts{breaks: len(d.Breaks), ticks: len(d.Ticks), blocks: len(s.layout.waited.view.Blocks), happenings: len(s.view.Happenings), marks: len(s.view.Transport.Marks), asked: len(s.view.Diagram.Marks)}
	for _, r := range s.sides {
		d := &r.layout.d
		side := sentSide{waits: len(d.Waits), legs: len(d.Legs), dots: len(d.Dots)}
		for _, column := range r.columns.list {
			side.variants = append(side.variants, len(column.view.Variants))
		}
		sent.sides = append(sent.sides, side)
	}
	return sent
}

// sentParts counts what of a stage has been sent.
type sentParts struct {
	breaks, ticks, blocks, happenings, marks, asked, changes int
	table                                                    bool
	sides                                                    []sentSide
}

// sentSide counts what of one of its runs has been sent.
type sentSide struct {
	waits, legs, dots int
	variants          []int
}

// flush sends what has come since the last time.
func (o *patcher) flush(s *stage, l Link, sent *sentParts) {
	svg := datastar.WithNamespaceSVG()
	d := &s.layout.d
	appendNew(o, "breaks", d.Breaks, &sent.breaks, templates.BreakView, svg)
	appendNew(o, "ticks", d.Ticks, &sent.ticks, templates.TickView, svg)
	appendNew(o, "blocks", s.layout.waited.view.Blocks, &sent.blocks, templates.WaitBlockView, svg)
	for i, side := range s.sides {
		o.flushSide(i, side, &sent.sides[i])
	}
	appendNew(o, "marks", s.view.Transport.Marks, &sent.marks, templates.MarkView)
	// The events name the variants, and with them the player takes in what came before.
	appendNew(o, "happened", s.view.Happenings, &sent.happenings, func(h templates.Happening) templ.Component {
		h.Current, h.Future = false, true
		return templates.HappeningView(h)
	})
	if !sent.table { // which can wait until the first picture stands
		sent.table = true
		o.patch("metrics", templates.MetricsView(l.Lang, metricsTable(s.narrator, l, s.view.Protocols)))
	}
	appendNew(o, "cells", s.changes, &sent.changes, templates.CellChangeView)
}

// flushSide sends what has come of one of the runs.
func (o *patcher) flushSide(number int, r *side, sent *sentSide) {
	if o.show.Has(templates.ShowDiagram) {
		o.flushDiagram(number, r, sent)
	}
	if !o.show.Has(templates.ShowScreens) {
		return
	}
	for i := range r.columns.list {
		variants := r.columns.list[i].view.Variants
		at := sent.variants[i]
		appendNew(o, templates.ColumnID(r.first+i), variants, &sent.variants[i], func(line templates.ScreenLine) templ.Component {
			at++
			return templates.LineView(line, at-1, true)
		})
	}
}

func (o *patcher) flushDiagram(number int, r *side, sent *sentSide) {
	svg, d := datastar.WithNamespaceSVG(), &r.layout.d
	appendNew(o, templates.SideID("waits", number), d.Waits, &sent.waits, templates.WaitView, svg)
	appendNew(o, templates.SideID("legs", number), d.Legs, &sent.legs, templates.LegView, svg)
	appendNew(o, templates.SideID("dots", number), d.Dots, &sent.dots, templates.DotView, svg)
}

// appendNew appends those of all that were not sent yet.
func appendNew[T any](o *patcher, id string, all []T, sent *int, view func(T) templ.Component, how ...datastar.PatchElementOption) {
	if *sent == len(all) {
		return
	}
	var views []templ.Component
	for _, v := range all[*sent:] {
		views = append(views, view(v))
	}
	*sent = len(all)
	o.patch(id, templ.Join(views...), append(how, datastar.WithModeAppend())...)
}
