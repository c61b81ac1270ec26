package web

import (
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"

	"github.com/go-chi/chi/v5"
	"rsc.io/qr"

	"imscope/templates"
	"imscope/web/room"
)

// startClass offers to open a room that begins with a link's run.
func (p pages) startClass(w http.ResponseWriter, r *http.Request) {
	link, problem := p.link(r)
	if problem != nil {
		p.problem(w, r, problem)
		return
	}
	p.showStart(w, r, http.StatusOK, link, "", nil)
}

// showStart shows the form that opens a room; lesson is the text that is in it, and faults what is wrong with that.
func (p pages) showStart(w http.ResponseWriter, r *http.Request, status int, l Link, text string, faults []templates.TextFault) {
	title := l.Lang.In("Present to a class", "给一个班讲")
	summary := l.Lang.In("Open a room: phones and laptops follow what you show.", "开一个课堂：大家的手机和电脑跟着你看。")
	address := "/present" + l.String()
	page := templates.StartClass{
		Page: p.page(l.Lang, title, summary, address, address), Action: "/present/" + l.Lang.Code(), Link: l.outside().String(), Back: l.stage(),
		Lesson: text, Faults: faults, Samples: lessonSamples(l), Local: isLocal(p.origin(r)),
	}
	page.Besides = assetPath("class.css")
	p.show(w, r, status, templates.StartClassPage(page))
}

// openClass opens a room, gives the presenter's browser its secret, and goes to the projector's page.
func (p pages) openClass(w http.ResponseWriter, r *http.Request) {
	lang, ok := templates.ParseLang(chi.URLParam(r, "lang"))
	if !ok {
		p.notFound(w, r)
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxUpload)
	text, err := postedText(r)
	if err != nil {
		p.problem(w, r, p.tooLarge(lang))
		return
	}
	link, err := readAddress(lang, strings.TrimPrefix(r.FormValue("link"), "/"+lang.Code()))
	if err != nil {
		link = firstLink(lang)
	}
	text = strings.TrimSpace(text)
	if faults := lessonFaults(lang, text); len(faults) > 0 {
		p.showStart(w, r, http.StatusUnprocessableEntity, link, text, faults)
		return
	}
	if p.rooms == nil {
		p.problem(w, r, p.classProblem(lang, errNoRooms))
		return
	}
	var code, secret string
	if err = p.rooms.MayCreate(w, r); err == nil {
		code, secret, err = p.rooms.Create(r.Context(), room.State{Link: link.roomLink(), At: link.At.String(), Speed: 1, Step: -1}, text)
	}
	if err != nil {
		p.failClass(w, r, lang, err)
		return
	}
	p.setCookie(w, r, deskCookie, code, secret)
	link.Class = &Class{Code: code, role: presents}
	http.Redirect(w, r, link.String(), http.StatusSeeOther)
}

// failClass answers a request with what a room says against it.
func (p pages) failClass(w http.ResponseWriter, r *http.Request, lang templates.Lang, err error) {
	if problem := p.classProblem(lang, err); problem != nil {
		p.problem(w, r, problem)
		return
	}
	p.log.Error("class", "url", r.URL.Path, "err", err)
	http.Error(w, "the class could not be reached", http.StatusInternalServerError)
}

// invitation is how others come to a class.
func (p pages) invitation(r *http.Request, code string) templates.Invitation {
	link := p.origin(r) + classPrefix + "/" + code
	i := templates.Invitation{Code: code, Link: link, Local: isLocal(p.origin(r))}
	i.Shown = strings.TrimPrefix(strings.TrimPrefix(link, "https://"), "http://")
	if drawn, err := qr.Encode(link, qr.M); err == nil { // an address is short enough
		i.Size, i.QR = drawn.Size, qrPath(drawn)
	}
	return i
}

// qrPath draws the black modules of a code, each of size 1, row by row.
func qrPath(c *qr.Code) string {
	var b strings.Builder
	for y := range c.Size {
		for x := 0; x < c.Size; x++ {
			from := x
			for x < c.Size && c.Black(x, y) {
				x++
			}
			if x > from {
				b.WriteString(fmt.Sprintf("M%d %dh%dv1h-%[3]dz", from, y, x-from))
			}
		}
	}
	return b.String()
}

// isLocal reports whether nobody but this machine can open an address.
func isLocal(origin string) bool {
	u, err := url.Parse(origin)
	if err != nil {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	return u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
}
