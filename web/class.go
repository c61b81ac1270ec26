package web

import (
	"errors"
	"net/http"
	"strings"

	"github.com/go-chi/chi/v5"

	"imscope/templates"
	"imscope/web/room"
)

// A class follows live. A presenter's window shows a run, a room (package room) carries what it shows, and the pages of those who follow
// show the same. classstart.go opens a room, classdesk.go is the presenter's side, classfollow.go that of those who follow, and
// classdraw.go what both are sent.

// Class is the class that a page belongs to. It is part of the address, so that all links of such a page stay in it.
type Class struct {
	Code string
	role classRole
}

// classRole is what a page is in a class.
type classRole uint8

const (
	visits   classRole = iota // an ordinary page, of somebody who looks around and has a way back
	follows                   // shows what the class is shown
	presents                  // the projector
	notes                     // the presenter's own screen
)

// classPrefix is what addresses of class pages begin with.
const classPrefix = "/class"

const (
	followShow = templates.ShowDiagram | templates.ShowScreens | templates.ShowSentences
	deskShow   = followShow | templates.ShowControls | templates.ShowProtocols
)

// shows is what of a run the pages of the role show.
func (c *Class) shows() templates.Show {
	switch c.role {
	case follows:
		return followShow
	case presents, notes:
		return deskShow
	}
	return templates.ShowAll
}

// prefix is what the addresses of a presenter's pages begin with. Links of those who follow lead to ordinary pages.
func (c *Class) prefix() string {
	switch c.role {
	case presents:
		return classPrefix + "/" + c.Code + "/desk"
	case notes:
		return classPrefix + "/" + c.Code + "/notes"
	}
	return ""
}

// classRoutes are the pages of classes.
func (p pages) classRoutes(r chi.Router) {
	r.Get("/join/{lang}", p.join)
	r.Post("/present/{lang}", p.openClass)
	r.Get(classPrefix+"/{code}", p.joinAny)
	r.Get(classPrefix+"/{code}/{lang}", p.follow)
	r.Get(classPrefix+"/{code}/{lang}/stream", p.followStream)
	r.Post(classPrefix+"/{code}/{lang}/answer", p.answer)
	r.Get(classPrefix+"/{code}/{lang}/watch", p.deskStream)
	r.Post(classPrefix+"/{code}/{lang}/drive", p.drive)
	for _, desk := range []string{"desk", "notes"} {
		r.Get(classPrefix+"/{code}/"+desk+"/{lang}", p.deskNow)
	}
	for _, path := range runPaths {
		r.Get("/present"+path, p.startClass)
		for _, desk := range []string{"desk", "notes"} {
			r.Get(classPrefix+"/{code}/"+desk+path, p.desk)
			r.Get("/stream"+classPrefix+"/{code}/"+desk+path, p.stream)
		}
	}
}

// classOf is the class that the path of a request names; nil if it names none.
func classOf(r *http.Request) *Class {
	path := strings.TrimPrefix(r.URL.Path, "/stream")
	code := chi.URLParam(r, "code")
	for _, role := range []classRole{presents, notes} {
		if c := (Class{code, role}); code != "" && strings.HasPrefix(path, c.prefix()+"/") {
			return &c
		}
	}
	return nil
}

// parseClass reads which class a reader of an ordinary page can go back to.
func (l *Link) parseClass(text string) bool {
	code, ok := room.ParseCode(text)
	if ok {
		l.Class = &Class{Code: code}
	}
	return ok
}

// roomLink is how a room spells a link's run: without language, class and moment, which a room knows otherwise, and without what is only
// the presenter's own.
func (l Link) roomLink() string {
	l = l.outside().at(At{})
	l.Why, l.Guess = Why{}, ""
	return l.anyLanguage()
}

// ofRoom is the link to what a room shows, in the reader's language.
func ofRoom(lang templates.Lang, s *room.State, c Class) (Link, error) {
	l, err := readAddress(lang, s.Link)
	if err != nil {
		return l, err
	}
	if at, ok := parseAt(s.At); ok {
		l.At = at
	}
	l.Class = &c
	return l, nil
}

// setCookie gives a browser what it keeps for a room: a name of its own for each room, so that somebody may present two.
func (p pages) setCookie(w http.ResponseWriter, r *http.Request, name, code, value string) {
	http.SetCookie(w, &http.Cookie{Name: name + "-" + code, Value: value, Path: classPrefix + "/" + code, HttpOnly: true, MaxAge: 7 * 24 * 3600,
		SameSite: http.SameSiteLaxMode, Secure: strings.HasPrefix(p.origin(r), "https:")})
}

func cookieOf(r *http.Request, name, code string) string {
	c, err := r.Cookie(name + "-" + code)
	if err != nil {
		return ""
	}
	return c.Value
}

const (
	deskCookie = "desk" // the presenter's secret
	seatCookie = "seat" // tells the answers of a browser apart from those of others
)

// presenter is the one who sends a request, if he is one.
func presenter(r *http.Request, code, window string) room.Presenter {
	return room.Presenter{Code: code, Secret: cookieOf(r, deskCookie, code), Window: window}
}

// classProblem is the page that tells why a class cannot be shown; nil for an error that is none of a room's.
func (p pages) classProblem(lang templates.Lang, err error) *templates.Problem {
	status, heading, text := classError(lang, err)
	if status == 0 {
		return nil
	}
	return &templates.Problem{
		Status: status, Page: p.page(lang, heading, "", "/join/"+lang.Code(), "/join/"+lang.Code()), Heading: heading, Text: text,
		Offer: "/join/" + lang.Code(), OfferAs: lang.In("Enter a code", "输入课堂号"),
	}
}

// classError puts what a room says into words; status is 0 for other errors.
func classError(l templates.Lang, err error) (status int, heading, text string) {
	var full *room.FullError
	var slow *room.SlowDownError
	switch {
	case errors.Is(err, errNoRooms):
		return http.StatusNotFound, l.In("No classes here", "这里不能开课堂"), l.In("This site was started without rooms for classes.", "这个网站启动时没有打开课堂功能。")
	case errors.Is(err, room.ErrUnknownRoom):
		return http.StatusNotFound, l.In("There is no such class", "没有这个课堂"),
			l.In("The code may be mistyped, or the class is over: a room that nobody uses for a day is cleared.", "课堂号也许打错了，也许已经下课：一天没人用的课堂会被清掉。")
	case errors.Is(err, room.ErrWrongSecret):
		return http.StatusForbidden, l.In("Only the presenter can open this page", "只有主讲人能打开这一页"),
			l.In("The key to it lies in the browser in which the class was opened.", "钥匙在当初开课堂的那个浏览器里。")
	case errors.As(err, &slow):
		return http.StatusTooManyRequests, l.In("Too many tries", "试得太多了"),
			l.In("Too many wrong codes came from your network. Codes are accepted again in a few minutes.", "你这边的网络试了太多错的课堂号，过几分钟再来。")
	case errors.As(err, &full):
		return http.StatusServiceUnavailable, l.In("The room is full", "满员了"), fullText(l, full)
	case errors.Is(err, room.ErrCutOff), errors.Is(err, room.ErrEnded):
		return http.StatusServiceUnavailable, l.In("Classes cannot be reached at the moment", "暂时连不上课堂"),
			l.In("Nothing is lost. Try again in a moment.", "什么都没丢，过一会儿再试。")
	}
	return 0, "", ""
}

func fullText(l templates.Lang, full *room.FullError) string {
	most := l.Int(int64(full.Most))
	switch full.What {
	case "rooms":
		return l.In("There can be "+most+" classes at once, and there are.", "同时最多开 "+most+" 个课堂，已经满了。")
	case "lesson":
		return l.In("A lesson has at most "+most+" bytes.", "教案最多 "+most+" 字节。")
	case "answers":
		return l.In("At most "+most+" answers can be given.", "最多收 "+most+" 个回答。")
	}
	return l.In("At most "+most+" can follow, and they do. You can still look at the chapters on your own.", "最多 "+most+" 人一起看，已经满了。各章节还是可以自己看的。")
}

// errNoRooms says that this site has no rooms.
var errNoRooms = errors.New("this site has no rooms")
