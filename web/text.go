package web

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"unicode/utf8"

	"github.com/go-chi/chi/v5"
	"github.com/starfederation/datastar-go/datastar"

	"imscope/sim/im"
	"imscope/sim/protocol"
	"imscope/templates"
)

// A run as a text: GET shows the text of a link's run; POST takes one, as a form does, and runs, checks or saves it, or, from the script
// of the page, says what is wrong with it as it is typed.

// maxUpload bounds what a form may carry, in bytes: the text, as a field or a file, and what is around it.
const maxUpload = 8 * im.MaxText

// text shows a link's run as a text.
func (p pages) text(w http.ResponseWriter, r *http.Request) {
	link, problem := p.link(r)
	if problem != nil {
		p.problem(w, r, problem)
		return
	}
	p.showText(w, r, http.StatusOK, link, im.WriteText(&link.Scenario, link.Protocol.Name))
}

// showText shows a text and what is found in it; link is what it came from.
func (p pages) showText(w http.ResponseWriter, r *http.Request, status int, l Link, text string) {
	read, check := checkText(l.Lang, text)
	if len(check.Errors) == 0 {
		l = read
	}
	title := l.Lang.In("The run as a text", "用文字写出这次运行")
	summary := l.Lang.In("Write a run of a chat system as a text, check it, and run it.", "用文字写出一次聊天系统的运行，检查它，再运行。")
	address := "/text" + l.at(At{}).String()
	page := templates.TextPage{
		Page:   p.page(l.Lang, title, summary, address, address),
		Action: "/text/" + l.Lang.Code(),
		Text:   text,
		Check:  check,
		Back:   l.stage(),
		Verbs:  verbForms(l.Lang),
		Legs:   im.LegForms(),
		Knobs:  knobForms(l),
	}
	page.Besides = assetPath("text.css")
	page.Alternate, page.Switch = "/text"+inOther(l.Lang, l.at(At{}).String()), "/text"+inOther(l.Lang, l.at(At{}).String())
	p.show(w, r, status, templates.TextView(page))
}

// textPosted answers the form of the text page, or its script.
func (p pages) textPosted(w http.ResponseWriter, r *http.Request) {
	lang, ok := templates.ParseLang(chi.URLParam(r, "lang"))
	if !ok {
		p.notFound(w, r)
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxUpload)
	if r.Header.Get("Datastar-Request") != "" {
		p.checkTyped(w, r, lang)
		return
	}
	text, err := postedText(r)
	if err != nil {
		p.problem(w, r, p.tooLarge(lang))
		return
	}
	link, check := checkText(lang, text)
	switch do := r.FormValue("do"); {
	case do == "save":
		w.Header().Set("Content-Disposition", `attachment; filename="run.txt"`)
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		_, _ = io.WriteString(w, text)
	case do == "run" && len(check.Errors) == 0:
		http.Redirect(w, r, link.stage(), http.StatusSeeOther)
	case len(check.Errors) > 0:
		p.showText(w, r, http.StatusUnprocessableEntity, firstLink(lang), text)
	default:
		p.showText(w, r, http.StatusOK, link, text)
	}
}

// checkTyped says what is wrong with the text as it stands.
func (p pages) checkTyped(w http.ResponseWriter, r *http.Request, lang templates.Lang) {
	var signals struct{ Text string }
	if err := datastar.ReadSignals(r, &signals); err != nil {
		http.Error(w, "no such signals", http.StatusBadRequest)
		return
	}
	_, check := checkText(lang, signals.Text)
	_ = datastar.NewSSE(w, r).PatchElementTempl(templates.TextCheckView(check))
}

// postedText is the text of a form: that of its file if it has one, else that of its field. Lines end as they do everywhere else.
func postedText(r *http.Request) (text string, err error) {
	if err := r.ParseForm(); err != nil {
		return "", err
	}
	if err := r.ParseMultipartForm(maxUpload); err != nil && !errors.Is(err, http.ErrNotMultipart) {
		return "", err
	}
	text = r.FormValue("text")
	if file, header, err := r.FormFile("file"); err == nil && header.Size > 0 {
		defer file.Close()
		bytes, err := io.ReadAll(file)
		if err != nil {
			return "", err
		}
		text = string(bytes)
	}
	return strings.ToValidUTF8(strings.ReplaceAll(text, "\r\n", "\n"), "�"), nil
}

// firstLink is where a text that cannot be read is shown: the first run of the first chapter.
func firstLink(lang templates.Lang) Link {
	l, _ := parsePath(lang, []string{chapters[0].Name})
	return l
}

// checkText reads a text and returns the link that it makes, and what is to be said of it.
func checkText(lang templates.Lang, text string) (Link, templates.TextCheck) {
	read, errs := im.ParseText(text)
	l := Link{Lang: lang, Scenario: read.Scenario}
	if len(errs) == 0 {
		l.Chapter, _ = findChapter(read.Scenario.Chapter)
		var err *im.TextError
		if l.Protocol, err = findProtocol(&l, &read); err != nil {
			errs = append(errs, err)
		}
	}
	check := templates.TextCheck{Lang: lang}
	n := narrator{lang, &l.Scenario}
	for _, e := range errs {
		check.Errors = append(check.Errors, templates.TextFault{Line: int64(e.Line), Source: e.Text, Before: e.Column - 1, Wrong: utf8.RuneCountInString(e.Word), Text: n.explain(e)})
	}
	if len(errs) == 0 {
		check.Run, check.Sum = l.stage(), n.sumUp(&l)
	}
	return l, check
}

// findProtocol is the protocol that a text names, or the first of its chapter.
func findProtocol(l *Link, read *im.Text) (e protocol.Entry, err *im.TextError) {
	if read.Protocol == "" {
		return l.Chapter.Protocols[0], nil
	}
	e, ok := l.Chapter.Find(read.Protocol)
	if !ok {
		err = read.ProtocolError
		err.Valid = strings.Join(names(l.Chapter.Protocols, func(e protocol.Entry) string { return e.Name }), ", ")
	}
	return e, err
}

// sumUp says in short what a text says.
func (n narrator) sumUp(l *Link) string {
	edits := int64(len(l.Scenario.Edits))
	name := l.lesson().scenario(l.Scenario.Name).name.in(l.Lang)
	if edits == 0 {
		return n.f("“%s”, as it is.", "“%s”，原样。", name)
	}
	return n.f("“%s”, with %s.", "“%s”，有 %s。", name, n.Count(edits, "change", "changes", "处改动"))
}

// verbForms are the verbs, an example each.
func verbForms(lang templates.Lang) (forms []templates.TextForm) {
	a2, push := im.MessageID{Sender: im.Ana, N: 2}, im.LegID{Leg: im.PushLeg, Msg: im.MessageID{Sender: im.Ana, N: 2}, Phone: im.Ben, Attempt: 1}
	for _, f := range []struct {
		example im.Edit
		means   phrase
	}{
		{im.Edit{Verb: im.Press, Msg: a2, At: 6300 * im.Millisecond}, phrase{"A2 is sent at that time, be it that the scenario sends it at another or not at all", "A2 在这个时间发出，不管场景里本来在别的时间发，还是根本不发"}},
		{im.Edit{Verb: im.Drop, Msg: a2}, phrase{"A2 is not sent, where chance says who sends when", "A2 不发（谁什么时候发由运气决定的场景里用）"}},
		{im.Edit{Verb: im.Lose, Leg: push}, phrase{"the leg is lost", "这一程丢了"}},
		{im.Edit{Verb: im.Deliver, Leg: push}, phrase{"the leg arrives, whatever chance says, unless the phone is off", "不管运气怎样，这一程都会到，除非手机关着"}},
		{im.Edit{Verb: im.Delay, Leg: push, At: 300 * im.Millisecond}, phrase{"the leg takes that much longer; what leaves after it may overtake it", "这一程多走这么久，后面出发的可能赶到它前面"}},
		{im.Edit{Verb: im.Off, Phone: im.Ben, At: 2 * im.Second, Until: 5 * im.Second}, phrase{"the phone is off from the one time to the other: it sends nothing, and what arrives is lost", "手机在这段时间里关着：什么也不发，到的都丢"}},
		{im.Edit{Verb: im.Restart, At: 4 * im.Second}, phrase{"the server starts anew: open writes, held requests and connections are gone, what is stored stays", "服务器重启：没写完的、没回答的请求、连接都没了，存下的还在"}},
		{im.Edit{Verb: im.Stall, Msg: a2, At: im.Second}, phrase{"writing A2 takes that long, from its number to the commit", "写入 A2 要这么久，从拿到号算到提交"}},
		{im.Edit{Verb: im.Rollback, Msg: a2}, phrase{"the first write of A2 is rolled back", "A2 的第一次写入回滚"}},
		{im.Edit{Verb: im.Commit, Msg: a2}, phrase{"the first write of A2 is not rolled back, whatever chance says", "不管运气怎样，A2 的第一次写入都不回滚"}},
		{im.Edit{Verb: im.Skip, Msg: a2, N: 3}, phrase{"other conversations take that many ids just before A2 gets its own", "A2 拿到 id 之前，别的会话先拿走这么多个"}},
	} {
		forms = append(forms, templates.TextForm{Example: f.example.String(), Meaning: f.means.in(lang)})
	}
	return forms
}

// knobForms are the settings that mean something in a link's scenario, as they stand.
func knobForms(l Link) (forms []templates.TextForm) {
	given, _ := im.FindScenario(l.Chapter.Name, l.Scenario.Name)
	for _, p := range im.Params {
		if p.Applies(&l.Scenario) && (p.Name != "messages" || l.Scenario.Messages > 0) {
			t := paramTexts[p.Name]
			meaning := l.Lang.In(t.en, t.zh)
			if meaning == "" {
				meaning = l.Lang.In("How long messages are sent", "发送持续多久")
			}
			form := templates.TextForm{Example: p.Name + " = " + p.Value(&l.Scenario), Meaning: meaning + l.Lang.In("; ", "；") + p.RangeIn(&l.Scenario)}
			if p.Kind == im.Switch { // its name on the page says what the other state is
				usual := p.Value(&given)
				form.Example = p.Name + " = " + map[string]string{"on": "off", "off": "on"}[usual]
				form.Meaning = meaning + l.Lang.In("; otherwise ", "；不然是 ") + usual
			}
			forms = append(forms, form)
		}
	}
	return forms
}
