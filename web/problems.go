package web

import (
	"net/http"
	"strings"

	"imscope/sim/im"
	"imscope/templates"
)

// problem shows what is wrong, with its status.
func (p pages) problem(w http.ResponseWriter, r *http.Request, problem *templates.Problem) {
	view := templates.ProblemPage
	if strings.HasPrefix(r.URL.Path, embedPrefix+"/") {
		problem.Besides = bareStyle()
		view = templates.EmbedProblemPage
	}
	p.show(w, r, problem.Status, view(*problem))
}

// badRequest names each wrong parameter and offers the rest as a link.
func (p pages) badRequest(l Link, errs []*im.ParamError) *templates.Problem {
	problem := &templates.Problem{
		Status:  http.StatusBadRequest,
		Page:    p.page(l.Lang, l.Lang.In("This address does not work", "这个地址不行"), "", l.String(), l.at(At{}).String()),
		Heading: l.Lang.In("Something in this address does not work", "这个地址里有些东西不行"),
		Text:    l.Lang.In("The rest does. Here is what is wrong:", "其余的没问题。不行的是："),
		Offer:   l.String(),
		OfferAs: l.Lang.In("Open the rest of the address", "打开其余的部分"),
	}
	for _, err := range errs {
		problem.Items = append(problem.Items, templates.ProblemItem{Name: err.Name, Value: err.Value, Range: err.Range})
	}
	return problem
}

// tooLong refuses a run that no page could draw.
func (p pages) tooLong(l Link) *templates.Problem {
	defaults, _ := im.FindScenario(l.Chapter.Name, l.Scenario.Name)
	l.Scenario.Loss, l.Scenario.Messages, l.Scenario.RTO = defaults.Loss, defaults.Messages, defaults.RTO
	return &templates.Problem{
		Status:  http.StatusBadRequest,
		Page:    p.page(l.Lang, l.Lang.In("This run is too long", "这次运行太长了"), "", l.String(), l.at(At{}).String()),
		Heading: l.Lang.In("This run is too long for a page", "这次运行太长，一页放不下"),
		Text: l.Lang.In("It would take more than "+l.Lang.Int(maxSteps)+" steps. Fewer messages, less loss, or a longer time-out (messages, loss, rto) make it shorter.",
			"它要超过 "+l.Lang.Int(maxSteps)+" 步。消息少一些、丢包低一些，或超时长一些（messages、loss、rto），就会短下来。"),
		Offer:   l.String(),
		OfferAs: l.Lang.In("Open it with the usual messages, loss and time-out", "用平常的消息数、丢包和超时打开"),
	}
}

// tooLarge refuses an upload.
func (p pages) tooLarge(lang templates.Lang) *templates.Problem {
	return &templates.Problem{
		Status:  http.StatusRequestEntityTooLarge,
		Page:    p.page(lang, lang.In("This text is too large", "这段文字太大了"), "", "/"+lang.Code(), "/"+lang.Code()),
		Heading: lang.In("This text is too large", "这段文字太大了"),
		Text:    lang.In("The text of a run has at most 64 KB.", "一次运行的文字最多 64 KB。"),
	}
}

// unknown lists what exists instead of what was asked for.
func (p pages) unknown(l Link, err *unknownError) *templates.Problem {
	what := map[string]string{"chapter": l.Lang.In("chapter", "章节"), "scenario": l.Lang.In("scenario", "场景"), "protocol": l.Lang.In("protocol", "协议")}[err.what]
	list := templates.LinkList{Heading: l.Lang.In("There is", "有这些")}
	for _, name := range err.known {
		to := l
		switch err.what {
		case "chapter":
			to.Chapter, _ = findChapter(name)
			to.Scenario, to.Protocol = im.Scenarios(to.Chapter.Name)[0], to.Chapter.Protocols[0]
		case "scenario":
			to.Scenario, _ = im.FindScenario(to.Chapter.Name, name)
		case "protocol":
			to.Protocol, _ = l.Chapter.Find(name)
		}
		list.Links = append(list.Links, templates.TextLink{Text: name, Href: to.String()})
	}
	return &templates.Problem{
		Status:  http.StatusNotFound,
		Page:    p.page(l.Lang, l.Lang.In("Not found", "没有找到"), "", "/"+l.Lang.Code(), "/"+l.Lang.Code()),
		Heading: l.Lang.In("There is no "+what+" called “"+err.name+"”", "没有叫“"+err.name+"”的"+what),
		Text:    l.Lang.In("The name may be mistyped, or be one that is yet to come.", "名字也许打错了，也许还没做出来。"),
		Lists:   []templates.LinkList{list},
	}
}

// notFound helps whoever followed a wrong address.
func (p pages) notFound(w http.ResponseWriter, r *http.Request) { p.problem(w, r, p.nothing(r)) }

// nothing says that there is nothing at an address, and what there is.
func (p pages) nothing(r *http.Request) *templates.Problem {
	lang := requestLang(r)
	list := templates.LinkList{Heading: lang.In("There is", "有这些"), Links: []templates.TextLink{{Text: lang.In("The first page", "首页"), Href: "/" + lang.Code()}}}
	for _, c := range chapters {
		list.Links = append(list.Links, templates.TextLink{Text: c.Name, Href: "/" + lang.Code() + "/" + c.Name})
	}
	return &templates.Problem{
		Status:  http.StatusNotFound,
		Page:    p.page(lang, lang.In("Not found", "没有找到"), "", "/"+lang.Code(), "/"+lang.Code()),
		Heading: lang.In("There is nothing at this address", "这个地址什么也没有"),
		Text:    lang.In("It may be mistyped or out of date.", "也许打错了，也许过时了。"),
		Lists:   []templates.LinkList{list},
	}
}
