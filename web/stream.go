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
	// firstPatches is how many events of a run that is played from its start are sent each by itself, so that the first picture stands at
	// once. Where the page keeps a moment within the run, the first picture is that one.
	firstPatches = 4
	// perPatch and patchEvery bound how much is gathered into one patch after that.
	perPatch   = 40
	patchEvery = 30 * time.Millisecond
)

// patience is how long a reader may not read before its stream ends. Tests have less.
var patience = 10 * time.Second

// stream sends the run of a link as it is played. It begins by replacing what stood there with the run before its first event, so
// that a stream opened again after a cut doubles nothing, and goes on by appending only. What stands at the end is what a fresh load
// of the link shows.
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
	rc   *http.ResponseController
	zip  *gzip.Writer // nil if the stream is not compressed
	err  error
	show templates.Show // what of the run is on the page
}

func openStream(w http.ResponseWriter, r *http.Request) (*patcher, error) {
	o := &patcher{rc: http.NewResponseController(w), show: templates.ShowAll}
	if err := cmp.Or(r.Context().Err(), o.rc.SetWriteDeadline(time.Now().Add(patience))); err != nil {
		return nil, err
	}
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
	if o.err = o.rc.SetWriteDeadline(time.Now().Add(patience)); o.err == nil {
		o.err = o.sse.PatchElements(html.String(), append(how, datastar.WithSelectorID(id))...)
	}
}

// run plays the link's run into the stream. The error is what ended it early.
func (o *patcher) run(ctx context.Context, p pages, l Link) error {
	n := narrator{l.Lang, &l.Scenario}
	s := newStage(l)
	s.view.Streaming = true
	o.show = s.view.Show
	verdict := guess(n, l)
	var err error
	if s.view.Places, err = placesOn(ctx, l); err != nil {
		return err
	}
	o.begin(l, s, verdict)

	sent := newSentParts(s)
	var pending int
	last := time.Now()
	single := firstPatches
	if l.At != (At{}) {
		single = 0
	}
	err = s.play(ctx, func(ended bool) error {
		if ended {
			s.finish()
			verdict.answer(n, l, s.sides[0].fold, momentClock(s.last))
		}
		pending++
		if len(s.view.Happenings) <= single || pending >= perPatch || ended || time.Since(last) > patchEvery {
			o.flush(s, sent)
			pending, last = 0, time.Now()
		}
		return o.err
	})
	if err != nil {
		return err
	}
	for column := range l.Chapter.Protocols {
		if column == l.column() || !o.show.Has(templates.ShowTable) {
			continue
		}
		changes, _, err := otherChanges(ctx, n, l, column)
		if err != nil {
			return err
		}
		s.changes = append(s.changes, changes...)
		o.flush(s, sent)
	}
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
	s.view.Streaming = false
	if len(s.sides) > 1 {
		o.patch("partings", templates.PartingsView(s.view))
	}
	o.patch("edits", templates.EditsView(s.view.Edits))
	o.patch("why", templates.WhyView(s.view.Why))
	var marked int
	appendNew(o, "asked", s.view.Diagram.Marks, &marked, templates.WhyMarkView, datastar.WithNamespaceSVG())
	o.patch("more", templates.More(false))
	return o.err
}

// begin replaces what shows the run by the run before its first event. What else depends on it can wait until the picture stands.
func (o *patcher) begin(l Link, s *stage, verdict question) {
	if l.Guess != "" { // an old verdict is not to stand over the new run
		o.patch("guess", templates.GuessView(l.Lang, verdict.Guess))
	}
	o.patch("stage", templates.StageView(s.view))
	o.patch("metrics", templates.MetricsView(l.Lang, metricsTable(s.narrator, l, s.view.Protocols)))
}

// sentParts counts what of a stage has been sent.
type sentParts struct {
	breaks, ticks, blocks, happenings, marks, changes int
	sides                                             []sentSide
}

// sentSide counts what of one of its runs has been sent.
type sentSide struct {
	waits, legs, dots int
	variants          []int
}

func newSentParts(s *stage) *sentParts {
	sent := new(sentParts)
	for _, side := range s.sides {
		sent.sides = append(sent.sides, sentSide{variants: make([]int, len(side.columns.list))})
	}
	return sent
}

// flush sends what has come since the last time.
func (o *patcher) flush(s *stage, sent *sentParts) {
	svg := datastar.WithNamespaceSVG()
	d := &s.layout.d
	appendNew(o, "breaks", d.Breaks, &sent.breaks, templates.BreakView, svg)
	appendNew(o, "ticks", d.Ticks, &sent.ticks, templates.TickView, svg)
	appendNew(o, "blocks", s.layout.waited.view.Blocks, &sent.blocks, templates.WaitBlockView, svg)
	for i, side := range s.sides {
		o.flushSide(i, side, &sent.sides[i])
	}
	appendNew(o, "marks", s.view.Transport.Marks, &sent.marks, templates.MarkView)
	appendNew(o, "cells", s.changes, &sent.changes, templates.CellChangeView)
	// The events come last: they name the variants, and with them the player takes in what came before.
	appendNew(o, "happened", s.view.Happenings, &sent.happenings, func(h templates.Happening) templ.Component {
		h.Current, h.Future = false, true
		return templates.HappeningView(h)
	})
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
