package web

import (
	"bytes"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"sync"

	"github.com/a-h/templ"
	"github.com/go-chi/chi/v5"
	"golang.org/x/sync/semaphore"

	"imscope/sim/im"
	"imscope/templates"
	"imscope/web/room"
)

// pages answers requests for pages.
type pages struct {
	log     *slog.Logger
	style   string
	scripts []string
	gate    *semaphore.Weighted // what takes long goes through it
	rooms   *room.Rooms         // nil without any
	public  string              // Config.PublicURL

	exported bool      // the pages are for an export, where they have to know what a server would be asked
	kept     *sync.Map // the figures of runs by their addresses, of an export; a server keeps nothing
}

// page fills in what surrounds every page; address is its own, canonical the same whatever the moment.
func (p pages) page(lang templates.Lang, title, summary, address, canonical string) templates.Page {
	return templates.Page{Lang: lang, Title: title, Summary: summary, Canonical: canonical, Alternate: inOther(lang, canonical),
		Switch: inOther(lang, address), Style: p.style, Scripts: p.scripts}
}

// inOther is an address in the other language.
func inOther(lang templates.Lang, address string) string {
	before, after, _ := strings.Cut(address, "/"+lang.Code())
	return before + "/" + lang.Other().Code() + after
}

// bodies are what pages are rendered into: to let a buffer grow to the size of a page takes longer than to copy the page.
var bodies = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// show renders a page whole before the first byte leaves, so that an error still has its status, and lets a browser that has it
// keep it.
func (p pages) show(w http.ResponseWriter, r *http.Request, status int, c templ.Component) {
	body := bodies.Get().(*bytes.Buffer)
	defer bodies.Put(body)
	body.Reset()
	if err := c.Render(templates.WithOrigin(r.Context(), p.origin(r)), body); err != nil {
		p.log.Error("render", "url", r.URL.RequestURI(), "err", err)
		http.Error(w, "the page could not be drawn", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Cache-Control", "no-cache")
	if status == http.StatusOK {
		tag := `W/"` + fingerprint(body.Bytes()) + `"`
		w.Header().Set("ETag", tag)
		if r.Header.Get("If-None-Match") == tag {
			w.WriteHeader(http.StatusNotModified)
			return
		}
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8") // not on a 304, which would be compressed
	w.WriteHeader(status)
	_, _ = w.Write(body.Bytes())
}

// origin is where the reader finds the site.
func (p pages) origin(r *http.Request) string {
	switch {
	case p.public != "":
		return p.public
	case r.TLS != nil:
		return "https://" + r.Host
	default:
		return "http://" + r.Host
	}
}

// root leads to the home page in the reader's language.
func (p pages) root(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Vary", "Accept-Language")
	http.Redirect(w, r, "/"+requestLang(r).Code(), http.StatusFound)
}

// requestLang is the language of the path, or the one that the browser asks for.
func requestLang(r *http.Request) templates.Lang {
	first, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	if lang, ok := templates.ParseLang(first); ok {
		return lang
	}
	return templates.PreferredLang(r.Header.Get("Accept-Language"))
}

func (p pages) home(w http.ResponseWriter, r *http.Request) {
	lang, ok := templates.ParseLang(chi.URLParam(r, "lang"))
	if !ok {
		p.notFound(w, r)
		return
	}
	title := lang.In("Chat systems, step by step", "一步一步看聊天系统")
	summary := lang.In("Watch how a chat system orders, loses and finds its messages.", "看聊天系统怎样给消息排序、怎样弄丢、又怎样找回。")
	p.show(w, r, http.StatusOK, templates.HomePage(templates.Home{Classes: p.rooms != nil, Page: p.page(lang, title, summary, "/"+lang.Code(), "/"+lang.Code())}))
}

// link reads the address of a chapter page; if it does not work, it returns the page that says so.
func (p pages) link(r *http.Request) (Link, *templates.Problem) {
	lang, ok := templates.ParseLang(chi.URLParam(r, "lang"))
	if !ok {
		return Link{}, p.nothing(r)
	}
	var parts []string
	var figure *Figure
	for _, name := range []string{"chapter", "scenario", "protocol"} {
		if part := chi.URLParam(r, name); part != "" {
			parts = append(parts, part)
		}
	}
	if isFigure(r.URL.Path) {
		if figure, parts[len(parts)-1], ok = fileOf(r.URL.Path, parts[len(parts)-1]); !ok {
			return Link{}, p.nothing(r)
		}
	}
	link, err := parsePath(lang, parts)
	link.Figure = figure
	if strings.HasPrefix(strings.TrimPrefix(r.URL.Path, "/stream"), embedPrefix+"/") {
		link.Embed = &Embed{Show: embedDefault}
	}
	link.Class = classOf(r)
	if strings.HasPrefix(r.URL.Path, embeddingPrefix+"/") {
		link = link.asEmbedding()
	}
	var unknown *unknownError
	if errors.As(err, &unknown) {
		return link, p.unknown(link, unknown)
	}
	query := r.URL.Query()
	query.Del("datastar") // the client's signals, of which the address needs none
	if errs := link.parseQuery(query); len(errs) > 0 {
		return link, p.badRequest(link, errs)
	}
	return link, nil
}

// failed is the page for a run that could not be shown; nil if there is nobody left to show it to.
func (p pages) failed(l Link, err error) *templates.Problem {
	switch {
	case errors.Is(err, errTooLong):
		return p.tooLong(l)
	case errors.Is(err, errNoMoment):
		wrong := &im.ParamError{Name: "at", Value: l.At.String(), Range: atRange(&l.Scenario)}
		return p.badRequest(l.at(At{Time: l.At.Time}), []*im.ParamError{wrong})
	}
	return nil
}

// chapter shows a chapter at the moment that the address says.
func (p pages) chapter(w http.ResponseWriter, r *http.Request) {
	p.run(w, r, func(l Link, page templates.Chapter) templ.Component {
		if l.Class != nil {
			page.Class, page.Besides = l.Class.Code, assetPath("class.css")
		}
		return l.lesson().page(page)
	})
}

// run answers with a page on which a run is.
func (p pages) run(w http.ResponseWriter, r *http.Request, view func(Link, templates.Chapter) templ.Component) {
	link, problem := p.link(r)
	if problem != nil {
		p.problem(w, r, problem)
		return
	}
	if wanted := link.String(); r.URL.RawQuery != "" && queryOf(wanted) != r.URL.RawQuery {
		http.Redirect(w, r, wanted, http.StatusSeeOther) // a form sends defaults too: the address is made canonical
		return
	}
	page, err := p.chapterPage(r.Context(), link.fitted())
	if err == nil {
		p.show(w, r, http.StatusOK, view(link, page))
	} else if problem := p.failed(link, err); problem != nil {
		p.problem(w, r, problem)
	}
}

func queryOf(address string) string {
	_, query, _ := strings.Cut(address, "?")
	return query
}
