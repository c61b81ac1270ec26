package web

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"github.com/go-chi/chi/v5"
	"github.com/starfederation/datastar-go/datastar"

	"imscope/templates"
	"imscope/web/room"
)

// join lets somebody enter a code.
func (p pages) join(w http.ResponseWriter, r *http.Request) {
	lang, ok := templates.ParseLang(chi.URLParam(r, "lang"))
	if !ok {
		p.notFound(w, r)
		return
	}
	typed := r.FormValue("code")
	if code, ok := room.ParseCode(typed); ok {
		http.Redirect(w, r, classPrefix+"/"+code+"/"+lang.Code(), http.StatusSeeOther)
		return
	}
	address := "/join/" + lang.Code()
	page := templates.Join{Page: p.page(lang, lang.In("Follow a class", "跟着课堂看"), lang.In("Enter the code of a class and follow it.", "输入课堂号，跟着看。"), address, address), Typed: typed, Length: room.CodeLength}
	page.Besides = assetPath("class.css")
	status := http.StatusOK
	if typed != "" {
		status = http.StatusBadRequest
	}
	p.show(w, r, status, templates.JoinPage(page))
}

// joinAny leads who types the address from the wall to the page in his language.
func (p pages) joinAny(w http.ResponseWriter, r *http.Request) {
	lang := templates.PreferredLang(r.Header.Get("Accept-Language"))
	w.Header().Set("Vary", "Accept-Language")
	code, ok := room.ParseCode(chi.URLParam(r, "code"))
	if !ok {
		http.Redirect(w, r, "/join/"+lang.Code()+"?code="+chi.URLParam(r, "code"), http.StatusSeeOther)
		return
	}
	http.Redirect(w, r, classPrefix+"/"+code+"/"+lang.Code(), http.StatusSeeOther)
}

// enter reads the class and the language of a request. If it cannot be entered, it has been answered, and ok is false.
func (p pages) enter(w http.ResponseWriter, r *http.Request) (lang templates.Lang, code string, s room.State, ok bool) {
	if lang, ok = templates.ParseLang(chi.URLParam(r, "lang")); !ok {
		p.notFound(w, r)
		return lang, "", s, false
	}
	code, _ = room.ParseCode(chi.URLParam(r, "code"))
	err := errNoRooms
	if p.rooms != nil {
		s, _, err = p.rooms.Enter(w, r, code)
	}
	switch {
	case err == nil:
		return lang, code, s, true
	case errors.Is(err, room.ErrUnknownRoom) && r.Header.Get("Datastar-Request") != "":
		over(w, r)
	default:
		p.failClass(w, r, lang, err)
	}
	return lang, code, s, false
}

// over tells a page that its room is no more. A page that knows is told to stop asking (204).
func over(w http.ResponseWriter, r *http.Request) {
	var known struct{ Room struct{ Gone bool } }
	if err := datastar.ReadSignals(r, &known); err == nil && known.Room.Gone {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	_ = datastar.NewSSE(w, r).PatchSignals([]byte(`{"room":{"gone":true}}`))
}

// follow shows what a class is shown, at its moment.
func (p pages) follow(w http.ResponseWriter, r *http.Request) {
	lang, code, s, ok := p.enter(w, r)
	if !ok {
		return
	}
	page, link, err := p.classPage(r, lang, &s, Class{code, follows})
	if err != nil {
		p.failClass(w, r, lang, err)
		return
	}
	address := classPrefix + "/" + code + "/" + lang.Code()
	page.Besides, page.Switch, page.Scripts = bareStyle(), inOther(lang, address), mapScripts(p.scripts) // any chapter may come
	seat := cookieOf(r, seatCookie, code)
	if seat == "" {
		seat = room.NewToken()
		p.setCookie(w, r, seatCookie, code, seat)
	}
	view := templates.Follow{Chapter: page, Code: code, Style: assetPath("class.css"), Address: address, Away: link.String()}
	view.Question = p.questionView(lang, code, &s, nil)
	if s.Question != nil {
		view.Question.Mine, _ = p.rooms.Given(r.Context(), code, s.Question.ID, seat)
		if tally, err := p.rooms.Tally(r.Context(), code); err == nil && s.Question.Revealed {
			countAnswers(&view.Question, &tally)
		}
	}
	w.Header().Set("Cache-Control", "no-store")
	p.show(w, r, http.StatusOK, templates.FollowPage(view))
}

// classPage draws the run that a room shows. A moment that the run does not have is its end of that instant.
func (p pages) classPage(r *http.Request, lang templates.Lang, s *room.State, c Class) (templates.Chapter, Link, error) {
	link, err := ofRoom(lang, s, c)
	if err != nil {
		return templates.Chapter{}, link, err
	}
	page, err := p.chapterPage(r.Context(), link)
	if errors.Is(err, errNoMoment) {
		link.At.HasTie, link.At.Tie = false, 0
		page, err = p.chapterPage(r.Context(), link)
	}
	return page, link, err
}

// followStream sends what a class is shown as it changes.
func (p pages) followStream(w http.ResponseWriter, r *http.Request) {
	lang, code, _, ok := p.enter(w, r)
	if !ok {
		return
	}
	f, err := p.rooms.Follow(r.Context(), code)
	if err != nil {
		p.failClass(w, r, lang, err)
		return
	}
	defer f.Close()
	_ = p.rooms.Stream(w, r, f, p.followerView(lang, code)) // its end is the reader's, or told to him
}

// answer takes a browser's answer to the question, from a form or from a script.
func (p pages) answer(w http.ResponseWriter, r *http.Request) {
	lang, code, s, ok := p.enter(w, r)
	if !ok {
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, 4<<10)
	question, answer := r.FormValue("question"), strings.TrimSpace(r.FormValue("answer"))
	scripted := r.Header.Get("Datastar-Request") != ""
	if scripted {
		question, answer = r.URL.Query().Get("question"), strings.TrimSpace(r.URL.Query().Get("answer"))
	}
	answer = strings.Replace(answer, ",", ".", 1) // as some type a fraction
	err := p.rooms.Answer(r.Context(), code, question, cookieOf(r, seatCookie, code), answer)
	said, err := answerSaid(lang, &s, answer, err)
	switch {
	case err != nil:
		p.failClass(w, r, lang, err)
	case scripted:
		signals, _ := json.Marshal(map[string]any{"said": map[string]string{"q": question, "text": said}})
		_ = datastar.NewSSE(w, r).PatchSignals(signals)
	default:
		http.Redirect(w, r, classPrefix+"/"+code+"/"+lang.Code(), http.StatusSeeOther)
	}
}

// answerSaid is what the reader is told about his answer; the error is one that is not about the answer.
func answerSaid(l templates.Lang, s *room.State, answer string, err error) (string, error) {
	var invalid *room.InvalidError
	switch {
	case err == nil:
		return l.In("Your answer is in. You can change it until the question is closed.", "收到了。关闭之前可以改。"), nil
	case errors.Is(err, room.ErrClosed), errors.Is(err, room.ErrNoQuestion):
		return l.In("The question is closed; this came too late.", "已经关闭，来晚了。"), nil
	case errors.As(err, &invalid) && invalid.What == "answer" && s.Question != nil && s.Question.Number():
		return l.In("“"+answer+"” is no number.", "“"+answer+"”不是数。"), nil
	}
	return "", err
}
