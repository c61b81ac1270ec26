package web

import (
	"bytes"
	"errors"
	"log/slog"
	"net/http"
	"strings"

	"github.com/a-h/templ"
	"github.com/go-chi/chi/v5"

	"imscope/sim/im"
	"imscope/sim/protocol"
	"imscope/templates"
)

// pages answers requests for pages.
type pages struct {
	log     *slog.Logger
	style   string
	scripts []string
}

// page fills in what surrounds every page; here is its own link.
func (p pages) page(lang templates.Lang, title, summary string, here interface{ String() string }) templates.Page {
	path := here.String()
	rest := strings.TrimPrefix(path, "/"+lang.Code())
	return templates.Page{Lang: lang, Title: title, Summary: summary, Canonical: path, Switch: "/" + lang.Other().Code() + rest, Style: p.style, Scripts: p.scripts}
}

type path string

func (p path) String() string { return string(p) }

// show renders a page whole before the first byte leaves, so that an error still has its status, and lets a browser that has it
// keep it.
func (p pages) show(w http.ResponseWriter, r *http.Request, status int, c templ.Component) {
	var body bytes.Buffer
	if err := c.Render(r.Context(), &body); err != nil {
		p.log.Error("render", "url", r.URL.RequestURI(), "err", err)
		http.Error(w, "the page could not be drawn", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-cache")
	if status == http.StatusOK {
		tag := `W/"` + fingerprint(body.Bytes()) + `"`
		w.Header().Set("ETag", tag)
		if r.Header.Get("If-None-Match") == tag {
			w.WriteHeader(http.StatusNotModified)
			return
		}
	}
	w.WriteHeader(status)
	_, _ = w.Write(body.Bytes())
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
	p.show(w, r, http.StatusOK, templates.HomePage(templates.Home{Page: p.page(lang, title, summary, path("/"+lang.Code()))}))
}

// chapter shows a chapter at the moment that the address says.
func (p pages) chapter(w http.ResponseWriter, r *http.Request) {
	lang, ok := templates.ParseLang(chi.URLParam(r, "lang"))
	if !ok {
		p.notFound(w, r)
		return
	}
	link, err := parsePath(lang, strings.Split(strings.Trim(r.URL.Path, "/"), "/")[1:])
	var unknown *unknownError
	if errors.As(err, &unknown) {
		p.unknown(w, r, link, unknown)
		return
	}
	if errs := link.parseQuery(r.URL.Query()); len(errs) > 0 {
		p.badRequest(w, r, link, errs)
		return
	}
	if wanted := link.String(); r.URL.RawQuery != "" && queryOf(wanted) != r.URL.RawQuery {
		http.Redirect(w, r, wanted, http.StatusSeeOther) // a form sends defaults too: the address is made canonical
		return
	}
	page, err := p.orderingPage(r.Context(), link)
	switch {
	case errors.Is(err, errTooLong):
		p.tooLong(w, r, link)
	case errors.Is(err, errNoMoment):
		wrong := &im.ParamError{Name: "at", Value: link.At.String(), Range: atRange(&link.Scenario)}
		p.badRequest(w, r, link.at(At{Time: link.At.Time}), []*im.ParamError{wrong})
	case err == nil:
		p.show(w, r, http.StatusOK, templates.OrderingPage(page))
	} // any other error: the reader has left
}

func queryOf(address string) string {
	_, query, _ := strings.Cut(address, "?")
	return query
}

// badRequest names each wrong parameter and offers the rest as a link.
func (p pages) badRequest(w http.ResponseWriter, r *http.Request, l Link, errs []*im.ParamError) {
	problem := templates.Problem{
		Page:    p.page(l.Lang, l.Lang.In("This address does not work", "这个地址不行"), "", l),
		Heading: l.Lang.In("Something in this address does not work", "这个地址里有些东西不行"),
		Text:    l.Lang.In("The rest does. Here is what is wrong:", "其余的没问题。不行的是："),
		Offer:   l.String(),
		OfferAs: l.Lang.In("Open the rest of the address", "打开其余的部分"),
	}
	for _, err := range errs {
		problem.Items = append(problem.Items, templates.ProblemItem{Name: err.Name, Value: err.Value, Range: err.Range})
	}
	p.show(w, r, http.StatusBadRequest, templates.ProblemPage(problem))
}

// tooLong refuses a run that no page could draw.
func (p pages) tooLong(w http.ResponseWriter, r *http.Request, l Link) {
	defaults, _ := im.FindScenario(l.Scenario.Name)
	l.Scenario.Loss, l.Scenario.Messages, l.Scenario.RTO = defaults.Loss, defaults.Messages, defaults.RTO
	p.show(w, r, http.StatusBadRequest, templates.ProblemPage(templates.Problem{
		Page:    p.page(l.Lang, l.Lang.In("This run is too long", "这次运行太长了"), "", l),
		Heading: l.Lang.In("This run is too long for a page", "这次运行太长，一页放不下"),
		Text: l.Lang.In("It would take more than "+l.Lang.Int(maxSteps)+" steps. Fewer messages, less loss, or a longer time-out (messages, loss, rto) make it shorter.",
			"它要超过 "+l.Lang.Int(maxSteps)+" 步。消息少一些、丢包低一些，或超时长一些（messages、loss、rto），就会短下来。"),
		Offer:   l.String(),
		OfferAs: l.Lang.In("Open it with the usual messages, loss and time-out", "用平常的消息数、丢包和超时打开"),
	}))
}

// unknown lists what exists instead of what was asked for.
func (p pages) unknown(w http.ResponseWriter, r *http.Request, l Link, err *unknownError) {
	what := map[string]string{"chapter": l.Lang.In("chapter", "章节"), "scenario": l.Lang.In("scenario", "场景"), "protocol": l.Lang.In("protocol", "协议")}[err.what]
	list := templates.LinkList{Heading: l.Lang.In("There is", "有这些")}
	for _, name := range err.known {
		to := l
		switch err.what {
		case "chapter":
			to.Chapter, _ = protocol.FindChapter(name)
			to.Scenario, to.Protocol = im.Scenarios()[0], to.Chapter.Protocols[0]
		case "scenario":
			to.Scenario, _ = im.FindScenario(name)
		case "protocol":
			to.Protocol, _ = l.Chapter.Find(name)
		}
		list.Links = append(list.Links, templates.TextLink{Text: name, Href: to.String()})
	}
	p.show(w, r, http.StatusNotFound, templates.ProblemPage(templates.Problem{
		Page:    p.page(l.Lang, l.Lang.In("Not found", "没有找到"), "", path("/"+l.Lang.Code())),
		Heading: l.Lang.In("There is no "+what+" called “"+err.name+"”", "没有叫“"+err.name+"”的"+what),
		Text:    l.Lang.In("The name may be mistyped, or be one that is yet to come.", "名字也许打错了，也许还没做出来。"),
		Lists:   []templates.LinkList{list},
	}))
}

// notFound helps whoever followed a wrong address.
func (p pages) notFound(w http.ResponseWriter, r *http.Request) {
	lang := requestLang(r)
	list := templates.LinkList{Heading: lang.In("There is", "有这些"), Links: []templates.TextLink{{Text: lang.In("The first page", "首页"), Href: "/" + lang.Code()}}}
	for _, c := range protocol.Catalog {
		list.Links = append(list.Links, templates.TextLink{Text: c.Name, Href: "/" + lang.Code() + "/" + c.Name})
	}
	p.show(w, r, http.StatusNotFound, templates.ProblemPage(templates.Problem{
		Page:    p.page(lang, lang.In("Not found", "没有找到"), "", path("/"+lang.Code())),
		Heading: lang.In("There is nothing at this address", "这个地址什么也没有"),
		Text:    lang.In("It may be mistyped or out of date.", "也许打错了，也许过时了。"),
		Lists:   []templates.LinkList{list},
	}))
}
