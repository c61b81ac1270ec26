package web

import (
	"context"
	"net/http"
	"runtime"
	"time"

	"golang.org/x/sync/semaphore"

	"imscope/templates"
)

const (
	// firstFigures is how often a stream looks for its first figures, nextFigures how often it brings new ones.
	firstFigures = 50 * time.Millisecond
	nextFigures  = 250 * time.Millisecond
)

// How long one reader's figures may be worked at: for a page, which comes when they are there, and for a stream. Tests have less.
var (
	pageTime   = 8 * time.Second
	streamTime = time.Minute
)

// newGate lets in as many as there are cores but one, which stays free for pages.
func newGate() *semaphore.Weighted { return semaphore.NewWeighted(gateSlots()) }

func gateSlots() int64 { return int64(max(1, runtime.GOMAXPROCS(0)-1)) }

// often counts how often things happen and shows the figures as a page: all, or those that there was time for.
func (p pages) often(w http.ResponseWriter, r *http.Request) {
	link, problem := p.link(r)
	if problem != nil {
		p.problem(w, r, problem)
		return
	}
	address := link.often()
	if r.URL.RawQuery != "" && queryOf(address) != r.URL.RawQuery {
		http.Redirect(w, r, address, http.StatusSeeOther)
		return
	}
	m := newMany(link)
	ctx, stop := context.WithTimeout(r.Context(), pageTime)
	defer stop()
	m.run(ctx, p.gate)
	if r.Context().Err() != nil {
		return // the reader has left
	}
	lesson := link.lesson()
	heading := lesson.title.in(link.Lang)
	page := templates.OftenPage{
		Page:    p.page(link.Lang, link.Lang.In("How often? · ", "多常发生？· ")+heading, lesson.summary.in(link.Lang), address, address),
		Heading: heading,
		Run:     link.stage(),
		Often:   m.view(true),
	}
	page.Page.Chapter = link.Chapter.Name
	p.show(w, r, http.StatusOK, templates.OftenPageView(page))
}

// oftenStream brings the figures into the page, as they converge.
func (p pages) oftenStream(w http.ResponseWriter, r *http.Request) {
	link, problem := p.link(r)
	out, err := openStream(w, r)
	if err != nil {
		return // the reader has left
	}
	defer out.close()
	if problem != nil {
		out.patch("often", templates.ProblemView(*problem))
		return
	}
	m := newMany(link)
	ctx, stop := context.WithTimeout(r.Context(), streamTime)
	ended := make(chan struct{})
	defer func() { stop(); <-ended }()
	go func() {
		defer close(ended)
		m.run(ctx, p.gate)
	}()
	out.follow(m, ended)
}

// follow sends the figures as soon as each protocol has some, then regularly, and at the end.
func (o *patcher) follow(m *many, ended <-chan struct{}) {
	ticks := time.NewTicker(firstFigures)
	defer ticks.Stop()
	for begun := false; o.err == nil; {
		select {
		case <-o.sse.Context().Done():
			return
		case <-ended:
			o.patch("often", templates.OftenView(m.view(true)))
			return
		case <-ticks.C:
			if !begun && !m.begun() {
				continue
			}
			if !begun {
				begun = true
				ticks.Reset(nextFigures)
			}
			o.patch("often", templates.OftenView(m.view(false)))
		}
	}
}
