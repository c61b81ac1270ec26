package web

import (
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"imscope/web/lessonfile"
	"imscope/web/room"
)

// classSite is a site with rooms.
func classSite(t *testing.T, limits room.Limits) http.Handler {
	t.Helper()
	log := slog.New(slog.DiscardHandler)
	rooms, err := room.Open(t.Context(), room.Config{Log: log, Limits: limits})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(rooms.Close)
	return NewHandler(Config{Log: log, Rooms: rooms, PublicURL: "https://imscope.example"})
}

// browser keeps cookies as one does.
type browser struct {
	t    *testing.T
	site http.Handler
	jar  map[string]*http.Cookie
}

func newBrowser(t *testing.T, site http.Handler) *browser {
	return &browser{t, site, map[string]*http.Cookie{}}
}

func (b *browser) do(method, address, kind, body string) *httptest.ResponseRecorder {
	b.t.Helper()
	r := httptest.NewRequest(method, address, strings.NewReader(body))
	r.Header.Set("Content-Type", kind)
	for _, c := range b.jar {
		if strings.HasPrefix(r.URL.Path, c.Path) {
			r.AddCookie(c)
		}
	}
	w := httptest.NewRecorder()
	b.site.ServeHTTP(w, r)
	for _, c := range w.Result().Cookies() {
		b.jar[c.Name] = c
	}
	return w
}

func (b *browser) get(address string) *httptest.ResponseRecorder {
	return b.do(http.MethodGet, address, "", "")
}

func (b *browser) post(address string, form url.Values) *httptest.ResponseRecorder {
	return b.do(http.MethodPost, address, "application/x-www-form-urlencoded", form.Encode())
}

// opened opens a room and returns the way to its presenter's page, and its code.
func (b *browser) opened(link, lesson string) (desk, code string) {
	b.t.Helper()
	w := b.post("/present/en", url.Values{"link": {link}, "text": {lesson}})
	desk = w.Header().Get("Location")
	if w.Code != http.StatusSeeOther || !strings.HasPrefix(desk, "/class/") {
		b.t.Fatalf("no room was opened: %d %s", w.Code, w.Body)
	}
	return desk, strings.Split(desk, "/")[2]
}

// drives sends a command of a presenter's window.
func (b *browser) drives(code string, c command) (int, reply) {
	b.t.Helper()
	body, _ := json.Marshal(map[string]any{"window": c.Window, "version": c.Version, "do": c.Do, "link": c.Link, "speed": c.Speed})
	w := b.do(http.MethodPost, "/class/"+code+"/en/drive", "application/json", string(body))
	var out reply
	if err := json.Unmarshal(w.Body.Bytes(), &out); err != nil {
		b.t.Fatalf("%d %s", w.Code, w.Body)
	}
	return w.Code, out
}

// TestClassCommands checks who may do what: only the browser that opened the room, only the window that drives, and only what it has seen.
func TestClassCommands(t *testing.T) {
	site := classSite(t, room.Limits{})
	teacher, stranger := newBrowser(t, site), newBrowser(t, site)
	desk, code := teacher.opened("/en/ordering/book/by-seq?at=1s", "")
	if want := "/class/" + code + "/desk/en/ordering/book/by-seq?at=1s"; desk != want {
		t.Errorf("the presenter is led to %s, not %s", desk, want)
	}
	if w := teacher.get(desk); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "https://imscope.example/class/"+code) {
		t.Errorf("the presenter's page: %d", w.Code)
	}
	for _, address := range []string{desk, strings.Replace(desk, "/desk/", "/notes/", 1), "/class/" + code + "/en/watch?window=window-one"} {
		if w := stranger.get(address); w.Code != http.StatusForbidden {
			t.Errorf("a stranger gets %d from %s", w.Code, address)
		}
	}
	show := command{Window: "window-one", Do: "show", Link: desk + "&loss=0.2", Speed: 1}
	if status, _ := stranger.drives(code, show); status != http.StatusForbidden {
		t.Errorf("a stranger drives: %d", status)
	}
	status, first := teacher.drives(code, show)
	if status != http.StatusConflict { // it has seen nothing yet
		t.Errorf("a command of version 0: %d", status)
	}
	show.Version = first.Version
	if status, first = teacher.drives(code, show); status != http.StatusOK || first.Driver != "window-one" {
		t.Errorf("a command: %d %+v", status, first)
	}
	if status, late := teacher.drives(code, show); status != http.StatusConflict || late.Version != first.Version {
		t.Errorf("a late command: %d %+v", status, late)
	}
	other := command{Window: "window-two", Do: "blank", Version: first.Version}
	if status, said := teacher.drives(code, other); status != http.StatusConflict || said.Driver != "window-one" {
		t.Errorf("another window: %d %+v", status, said)
	}
	other.Do = "take"
	status, taken := teacher.drives(code, other)
	if status != http.StatusOK || taken.Driver != "window-two" {
		t.Errorf("taking over: %d %+v", status, taken)
	}
	for _, c := range []command{
		{Window: "window-two", Version: taken.Version, Do: "dance"}, {Window: "window-two", Version: taken.Version, Do: "show", Link: "/nowhere", Speed: 1},
		{Window: "window-two", Version: taken.Version, Do: "show", Link: desk, Speed: 1000}, {Window: "?", Version: taken.Version, Do: "take"},
	} {
		if status, said := teacher.drives(code, c); status != http.StatusBadRequest || said.Problem == "" {
			t.Errorf("%+v: %d %+v", c, status, said)
		}
	}
	page := stranger.get("/class/" + code + "/zh").Body.String()
	if !strings.Contains(page, `data-link="/zh/ordering/book/by-seq?loss=0.2&amp;at=1s&amp;class=`+code) && !strings.Contains(page, "loss=0.2") {
		t.Errorf("who follows does not see the run")
	}
}

// TestClassQuestion checks answers: one for each browser, changed until the question is closed, and counted when it is revealed. Without
// scripts it works by forms.
func TestClassQuestion(t *testing.T) {
	site := classSite(t, room.Limits{})
	teacher := newBrowser(t, site)
	desk, code := teacher.opened("/en/ordering/book/arrival?at=2s", "")
	follow := "/class/" + code + "/en"
	_, said := teacher.drives(code, command{Window: "window-one", Do: "take"})
	do := func(what string) {
		t.Helper()
		var status int
		if status, said = teacher.drives(code, command{Window: "window-one", Version: said.Version, Do: what, Link: desk}); status != http.StatusOK {
			t.Fatalf("%s: %d %+v", what, status, said)
		}
	}
	do("ask")
	var all []*browser
	for i := range 3 {
		b := newBrowser(t, site)
		question := field(t, b.get(follow).Body.String(), "question")
		for _, answer := range []string{"1", "0", "2"}[i:] {
			if w := b.post(follow+"/answer", url.Values{"question": {question}, "answer": {answer}}); w.Code != http.StatusSeeOther {
				t.Errorf("an answer: %d %s", w.Code, w.Body)
			}
		}
		all = append(all, b)
		if w := b.post(follow+"/answer?x", url.Values{"question": {question}, "answer": {"3"}}); w.Code == http.StatusOK {
			t.Errorf("an answer that there is not: %d", w.Code)
		}
	}
	if page := all[0].get(follow).Body.String(); !strings.Contains(page, `value="2" required checked`) || strings.Contains(page, "<i>") {
		t.Error("the page does not show the reader's answer, or shows what others answered")
	}
	do("close")
	if page := all[0].get(follow).Body.String(); strings.Contains(page, `name="answer"`) {
		t.Error("a closed question still takes answers")
	}
	do("reveal")
	page := all[1].get(follow).Body.String()
	if got := between(page, `class="options bars"`, "</ol>"); strings.Count(got, "<i>0</i>") != 2 || !strings.Contains(between(got, `class="right"`, "</li>"), "<i>3</i>") {
		t.Errorf("what was answered: %s", got)
	}
	do("dismiss")
	if page := all[1].get(follow).Body.String(); !strings.Contains(page, `class="question none"`) {
		t.Error("the question stays")
	}
}

// field is the value of a hidden field of a page.
func field(t *testing.T, page, name string) string {
	t.Helper()
	value := between(page, `name="`+name+`" value="`, `"`)
	if value == "" {
		t.Fatalf("the page has no field %s", name)
	}
	return value
}

func between(text, before, after string) string {
	_, text, _ = strings.Cut(text, before)
	text, _, _ = strings.Cut(text, after)
	return text
}

// TestClassPages checks what a reader is told: codes as people type them, codes that are none, rooms that are full or over, and lessons with
// faults.
func TestClassPages(t *testing.T) {
	site := classSite(t, room.Limits{Rooms: 2, WrongCodes: 3})
	b := newBrowser(t, site)
	_, code := b.opened("/zh/offline", "")
	_, lesson := b.opened("/en/ordering", "at /ordering?at=2s\nnote Look.\n")
	for address, want := range map[string]string{
		"/join/en?code=" + strings.ToLower(code[:2]) + "-" + code[2:]: "/class/" + code + "/en",
		"/class/" + strings.ToLower(code):                             "/class/" + code + "/en",
		"/class/" + lesson + "/desk/zh":                               "/class/" + lesson + "/desk/zh/ordering",
	} {
		if w := b.get(address); w.Code != http.StatusSeeOther || w.Header().Get("Location") != want {
			t.Errorf("%s: %d %s", address, w.Code, w.Header().Get("Location"))
		}
	}
	for address, want := range map[string]string{
		"/join/en?code=0O1":          "is no code",
		"/class/CDFGH/zh":            "没有这个课堂",
		"/en/ordering?class=0O1":     "class",
		"/class/" + code + "/fr":     "There is nothing at this address",
		"/zh/ordering?class=" + code: "回到课堂",
	} {
		if w := b.get(address); !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: %d, without %q", address, w.Code, want)
		}
	}
	if w := b.post("/present/zh", url.Values{"link": {"/zh/ordering"}}); w.Code != http.StatusServiceUnavailable || !strings.Contains(w.Body.String(), "同时最多开 2 个课堂") {
		t.Errorf("a third room: %d", w.Code)
	}
	w := b.post("/present/en", url.Values{"link": {"/en/ordering"}, "text": {"at /ordering/bok\n"}})
	if w.Code != http.StatusUnprocessableEntity || !strings.Contains(w.Body.String(), "Line 1") || !strings.Contains(w.Body.String(), "trio") {
		t.Errorf("a lesson with a fault: %d", w.Code)
	}
	b.get("/class/" + code + "/en")
	for range 3 {
		w = b.get("/class/CDFGH/en")
	}
	if w.Code != http.StatusTooManyRequests || w.Header().Get("Retry-After") == "" {
		t.Errorf("after three wrong codes: %d", w.Code)
	}
	if w := b.get("/class/" + code + "/en"); w.Code != http.StatusOK {
		t.Errorf("who was right before stays in: %d", w.Code)
	}
}

// TestClassIsOver checks that the page of a room that is no more is told so once, and then to stop asking.
func TestClassIsOver(t *testing.T) {
	server := httptest.NewServer(classSite(t, room.Limits{}))
	defer server.Close()
	ask := func(signals string) (int, string) {
		r, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+"/class/CDFGH/en/stream?datastar="+url.QueryEscape(signals), nil)
		r.Header.Set("Datastar-Request", "true")
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		body, _ := io.ReadAll(answer.Body)
		return answer.StatusCode, string(body)
	}
	if status, body := ask(`{"room":{"gone":false}}`); status != http.StatusOK || !strings.Contains(body, `"gone":true`) {
		t.Errorf("%d %s", status, body)
	}
	if status, _ := ask(`{"room":{"gone":true}}`); status != http.StatusNoContent {
		t.Errorf("a page that knows gets %d", status)
	}
}

// TestLessonSteps walks through each sample lesson in both directions: every step shows what it says.
func TestLessonSteps(t *testing.T) {
	for _, c := range chapters {
		text, ok := lessonfile.Sample(c.Name)
		if !ok {
			t.Fatalf("%s has no sample", c.Name)
		}
		lesson := readLesson(text)
		s := room.State{Link: "/" + c.Name, Speed: 1, Step: -1}
		var there []room.State
		for i, step := range lesson.Steps {
			if err := walk(&s, text, true); err != nil || s.Step != i {
				t.Fatalf("%s: step %d is %d: %v", c.Name, i, s.Step, err)
			}
			if (s.Question != nil) != (step.Question != nil) || step.Question == nil && s.At != step.At {
				t.Errorf("%s: step %d shows %+v", c.Name, i, s)
			}
			there = append(there, s)
		}
		if err := walk(&s, text, true); err != nil || s.Step != len(lesson.Steps)-1 {
			t.Errorf("%s: there is a step after the last", c.Name)
		}
		for i := len(lesson.Steps) - 2; i >= 0; i-- {
			if err := walk(&s, text, false); err != nil || s.Step != i {
				t.Fatal(err)
			}
			if lesson.Steps[i].Question == nil && (s.Link != there[i].Link || s.At != there[i].At) {
				t.Errorf("%s: back at step %d it shows %s, not %s", c.Name, i, s.Link, there[i].Link)
			}
		}
	}
}
