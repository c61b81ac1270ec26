package web

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"time"

	"github.com/a-h/templ"

	"imscope/sim/im"
	"imscope/templates"
	finding "imscope/web/find"
)

// findSeeds is how many seeds a search of a page tries at most.
const findSeeds = 10_000

// finder is a search of a page.
type finder struct {
	link   Link
	where  string
	search *finding.Search // nil before there is a condition, and if it does not work
	run    *finding.Run    // what was found
	err    error           // why nothing was looked for
}

// newFinder reads a search from an address: a link, with a condition.
func (p pages) newFinder(r *http.Request) (*finder, *templates.Problem) {
	query := r.URL.Query()
	f := &finder{where: query.Get("where")}
	query.Del("where")
	knobs := r.Clone(r.Context())
	knobs.URL.RawQuery = query.Encode()
	var problem *templates.Problem
	if f.link, problem = p.link(knobs); problem != nil || f.where == "" {
		return f, problem
	}
	s := f.scenario()
	f.search, f.err = finding.New(&s, f.link.Protocol.New, f.where, findSeeds)
	return f, nil
}

// scenario is what is searched: the link's own if its seed decides what is sent, else a random one with its knobs. In that one legs are
// lost as usual where the link loses none, or there would be little to find.
func (f *finder) scenario() im.Scenario {
	if s := f.link.Scenario; len(s.Script) == 0 {
		return s
	}
	s := randomScenario(&f.link)
	if s.Loss == 0 {
		usual, _ := im.FindScenario(s.Chapter, s.Name)
		s.Loss = usual.Loss
	}
	return s
}

// seek looks for a run.
func (f *finder) seek(ctx context.Context, p pages) {
	if f.search != nil {
		f.run, f.err = f.search.Run(ctx, p.gate)
	}
}

// finds is the address of a search for a condition, or, without one, of the page that asks for one.
func (l Link) finds(where string) string {
	l.At, l.Guess, l.Sliders = At{}, "", nil
	query, _ := url.ParseQuery(queryOf(l.String()))
	if where != "" {
		query.Set("where", where)
	}
	if len(query) == 0 {
		return l.whole() + "/find"
	}
	return l.whole() + "/find?" + query.Encode()
}

// view is the section; ended says that no more will come.
func (f *finder) view(ended bool) templates.Find {
	n := narrator{f.link.Lang, &f.link.Scenario}
	s := f.scenario()
	v := templates.Find{Lang: n.Lang, Style: askedStyle(), Action: f.link.whole() + "/find", Where: f.where, Running: !ended,
		Hidden: hidden(f.link.with(func(l *Link) { l.At, l.Guess, l.Sliders = At{}, "", nil }), func(string) bool { return true }),
		Searches: n.f("Tries up to %s seeds under this protocol, with these knobs and a loss of %s%%, and makes what it finds small.",
			"用这个协议和这些参数（丢包 %[2]s%%）最多试 %[1]s 个种子，找到以后尽量缩小。", n.Int(findSeeds), n.Num(float64(s.Loss)/1e4, 4)),
	}
	for _, q := range finding.Questions(f.link.Chapter.Name) {
		v.Questions = append(v.Questions, templates.FindQuestion{Text: n.In(q.En, q.Zh), Where: q.Where, Href: f.link.finds(q.Where)})
	}
	for _, name := range finding.Variables(&s) {
		v.Names = append(v.Names, templates.Paragraph{Term: name.Name, Text: n.In(name.En, name.Zh)})
	}
	f.result(n, &v, ended)
	return v
}

// result says what came of it.
func (f *finder) result(n narrator, v *templates.Find, ended bool) {
	if f.search != nil {
		v.Tried, v.Of = f.search.Progress()
	}
	wrong := new(finding.ConditionError)
	switch {
	case f.where == "":
	case !ended:
		v.Result = n.f("%s of %s seeds tried so far.", "已试 %s 个种子，共 %s 个。", n.Int(v.Tried), n.Int(v.Of))
	case errors.As(f.err, &wrong):
		v.Wrong = true
		v.Result = n.f("The condition does not work. Line %d, column %d: %s.", "这个条件不行。第 %d 行第 %d 列：%s。", wrong.Line, wrong.Column, wrong.Text)
	case f.err != nil:
		v.Result = n.f("Ended early: nothing among the first %s seeds.", "提前结束：前 %s 个种子里没有。", n.Int(v.Tried))
	case f.run == nil:
		v.Result = n.f("None of %s runs is like that.", "%s 次运行里没有这样的。", n.Int(v.Tried))
	default:
		to := f.link.at(At{End: true})
		to.Scenario = f.run.Scenario
		v.Found = to.stage()
		v.Result = n.f("The smallest among %s runs: %s, %s.", "%s 次运行里最小的：%s，%s。", n.Int(f.run.Tried),
			n.Count(f.run.Messages, "message", "messages", "条消息"), n.Count(f.run.LostLegs, "lost leg", "lost legs", "程丢失"))
	}
}

// findOffer is the section before anybody wants to find something. The form would be a twentieth of the page.
func findOffer(l Link) templ.Component {
	return templates.FindView(templates.Find{Lang: l.Lang, Start: l.finds("")})
}

// find looks for a run and shows what was found as a page.
func (p pages) find(w http.ResponseWriter, r *http.Request) {
	f, problem := p.newFinder(r)
	if problem != nil {
		p.problem(w, r, problem)
		return
	}
	address := f.link.finds(f.where)
	if r.URL.RawQuery != "" && queryOf(address) != r.URL.RawQuery {
		http.Redirect(w, r, address, http.StatusSeeOther)
		return
	}
	ctx, stop := context.WithTimeout(r.Context(), pageTime)
	defer stop()
	f.seek(ctx, p)
	if r.Context().Err() != nil {
		return // the reader has left
	}
	lang, lesson := f.link.Lang, f.link.lesson()
	heading := lesson.title.in(lang)
	page := templates.FindPage{
		Page:    p.page(lang, lang.In("Find a run · ", "找一次运行 · ")+heading, lesson.summary.in(lang), address, address),
		Heading: heading,
		Run:     f.link.stage(),
		Find:    f.view(true),
	}
	page.Page.Chapter = f.link.Chapter.Name
	p.show(w, r, http.StatusOK, templates.FindPageView(page))
}

// findStream looks for a run and brings what is found into the page.
func (p pages) findStream(w http.ResponseWriter, r *http.Request) {
	f, problem := p.newFinder(r)
	out, err := openStream(w, r)
	if err != nil {
		return // the reader has left
	}
	defer out.close()
	if problem != nil {
		out.patch("find", templates.ProblemView(*problem))
		return
	}
	ctx, stop := context.WithTimeout(r.Context(), streamTime)
	ended := make(chan struct{})
	defer func() { stop(); <-ended }()
	go func() {
		defer close(ended)
		f.seek(ctx, p)
	}()
	ticks := time.NewTicker(nextFigures)
	defer ticks.Stop()
	for out.err == nil {
		select {
		case <-r.Context().Done():
			return
		case <-ticks.C:
			out.patch("find", templates.FindView(f.view(false)))
		case <-ended:
			out.patch("find", templates.FindView(f.view(true)))
			return
		}
	}
}
