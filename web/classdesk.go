package web

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"imscope/templates"
	"imscope/web/room"
)

// desk shows a presenter's page at a link's moment: the projector, or his own screen.
func (p pages) desk(w http.ResponseWriter, r *http.Request) {
	lang, code, s, ok := p.enter(w, r)
	if !ok {
		return
	}
	_, _, text, err := p.rooms.Inspect(r.Context(), presenter(r, code, ""))
	if err != nil {
		p.failClass(w, r, lang, err)
		return
	}
	p.run(w, r, func(l Link, page templates.Chapter) templ.Component {
		address := classPrefix + "/" + code + "/" + lang.Code()
		page.Besides, page.Scripts = bareStyle(), mapScripts(p.scripts)
		v := templates.Desk{Chapter: page, Style: assetPath("class.css"), Address: address, Notes: l.Class.role == notes,
			Other: l.with(func(l *Link) { l.Class = &Class{code, presents + notes - l.Class.role} }).String(), Invitation: p.invitation(r, code),
			Question: p.questionView(lang, code, &s, nil), Steps: stepViews(lang, text)}
		v.Question.Desk = true
		if script := deskScript(); script != "" {
			v.Scripts = append(v.Scripts, script)
		}
		return templates.DeskPage(v)
	})
}

// deskNow leads to a presenter's page at what the class is shown.
func (p pages) deskNow(w http.ResponseWriter, r *http.Request) {
	lang, code, s, ok := p.enter(w, r)
	if !ok {
		return
	}
	role := presents
	if strings.HasPrefix(r.URL.Path, (&Class{code, notes}).prefix()) {
		role = notes
	}
	link, err := ofRoom(lang, &s, Class{code, role})
	if err != nil {
		p.failClass(w, r, lang, err)
		return
	}
	http.Redirect(w, r, link.String(), http.StatusSeeOther)
}

// deskStream sends a presenter's window what the class is shown, and what only he is told.
func (p pages) deskStream(w http.ResponseWriter, r *http.Request) {
	lang, code, _, ok := p.enter(w, r)
	if !ok {
		return
	}
	window := r.URL.Query().Get("window")
	f, err := p.rooms.FollowDesk(r.Context(), presenter(r, code, window))
	if err != nil {
		p.failClass(w, r, lang, err)
		return
	}
	defer f.Close()
	role := presents
	if r.URL.Query().Get("notes") != "" {
		role = notes
	}
	_ = p.rooms.Stream(w, r, f, p.deskView(lang, Class{code, role}, window))
}

// command is what a presenter's window asks for.
type command struct {
	Window   string
	Version  uint64 // of the room that the window knows
	Do       string
	Link     string // of the window's page
	Playing  bool
	Speed    float64
	TrueTime bool
}

// reply is what the window is told.
type reply struct {
	Version uint64 `json:"version,omitempty"`
	Driver  string `json:"driver,omitempty"` // the window that drives
	Problem string `json:"problem,omitempty"`
}

// drive does what a presenter's window asks for.
func (p pages) drive(w http.ResponseWriter, r *http.Request) {
	lang, code, _, ok := p.enter(w, r)
	if !ok {
		return
	}
	var c command
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 32<<10)).Decode(&c); err != nil {
		http.Error(w, "no such command", http.StatusBadRequest)
		return
	}
	who := presenter(r, code, c.Window)
	s, version, err := p.obey(r.Context(), lang, who, c)
	out := reply{Version: version, Driver: s.Driver}
	var late *room.LateError
	var invalid *room.InvalidError
	status := http.StatusOK
	switch {
	case err == nil:
	case errors.Is(err, room.ErrNotDriver), errors.As(err, &late):
		status = http.StatusConflict
	case errors.As(err, &invalid), errors.Is(err, errNoCommand), errors.Is(err, errNoLink):
		status, out.Problem = http.StatusBadRequest, err.Error()
	default:
		if status, out.Problem, _ = classError(lang, err); status == 0 {
			p.log.Error("drive", "room", code, "err", err)
			status = http.StatusInternalServerError
		}
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(out)
}

var (
	errNoCommand = errors.New("there is no such command")
	errNoAnswer  = errors.New("the chapter's question has no such answer")
)

// obey changes the room as a command says.
func (p pages) obey(ctx context.Context, lang templates.Lang, who room.Presenter, c command) (room.State, uint64, error) {
	switch c.Do {
	case "take":
		return p.rooms.TakeOver(ctx, who)
	case "end":
		return room.State{}, 0, p.rooms.End(ctx, who)
	case "next", "previous":
		_, _, text, err := p.rooms.Inspect(ctx, who)
		if err != nil {
			return room.State{}, 0, err
		}
		return p.rooms.Drive(ctx, who, c.Version, func(s *room.State) error { return walk(s, text, c.Do == "next") })
	}
	do, ok := deeds[c.Do]
	if !ok {
		return room.State{}, 0, errNoCommand
	}
	return p.rooms.Drive(ctx, who, c.Version, func(s *room.State) error { return do(ctx, lang, s, c) })
}

// deeds are what a command can do to what a class shares.
var deeds = map[string]func(context.Context, templates.Lang, *room.State, command) error{
	"show": show,
	"blank": func(_ context.Context, _ templates.Lang, s *room.State, _ command) error {
		s.Blank = !s.Blank
		return nil
	},
	"ask":    askChapter,
	"close":  closeQuestion,
	"reveal": reveal,
	"dismiss": func(_ context.Context, _ templates.Lang, s *room.State, _ command) error {
		s.Question = nil
		return nil
	},
}

// show makes the class see what the window shows.
func show(_ context.Context, lang templates.Lang, s *room.State, c command) error {
	_, address, ok := strings.Cut(c.Link, "/"+lang.Code()+"/") // what comes before is the way to the presenter's page
	if !ok {
		return errNoLink
	}
	link, err := readAddress(lang, "/"+address)
	if err != nil {
		return err
	}
	s.Link, s.At, s.Playing, s.Speed, s.TrueTime, s.By = link.roomLink(), link.At.String(), c.Playing, c.Speed, c.TrueTime, c.Window
	return nil
}

// askChapter asks the chapter's question.
func askChapter(_ context.Context, _ templates.Lang, s *room.State, _ command) error {
	return askChapterOf(s)
}

func askChapterOf(s *room.State) error {
	link, err := readAddress(templates.English, s.Link)
	if err != nil {
		return err
	}
	s.Question = &room.Question{ID: room.NewToken(), Chapter: true, Choices: len(link.lesson().answers), Open: true}
	return nil
}

func closeQuestion(_ context.Context, _ templates.Lang, s *room.State, _ command) error {
	if s.Question != nil {
		s.Question.Open = false
	}
	return nil
}

// reveal shows what the class answered, and plays the run that shows what is right. Which answer to the chapter's question that is, the
// engine says.
func reveal(ctx context.Context, _ templates.Lang, s *room.State, _ command) error {
	if s.Question == nil {
		return nil
	}
	s.Question.Open, s.Question.Revealed = false, true
	s.At, s.Playing, s.By = "", true, ""
	if s.Question.Chapter {
		i, err := rightAnswer(ctx, s)
		s.Question.Right = strconv.Itoa(i)
		return err
	}
	return nil
}
