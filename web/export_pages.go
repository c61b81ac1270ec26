package web

import (
	"bytes"
	"strings"

	"golang.org/x/net/html"

	"imscope/templates"
)

// rewriter makes a page of the server one of an export.
type rewriter struct {
	*exporter
	own     exportPage
	lang    templates.Lang
	out     bytes.Buffer
	current tag
	assets  []string // static files that the page asks for
}

func (x *exporter) newRewriter(page exportPage) *rewriter {
	lang := templates.English
	if l, ok := templates.ParseLang(strings.Split(strings.TrimPrefix(page.dir, "embed/"), "/")[0]); ok {
		lang = l
	}
	return &rewriter{exporter: x, own: page, lang: lang}
}

// page rewrites tag by tag; what has no address in it stays as it is, byte for byte.
func (r *rewriter) page(page string) []byte {
	r.out.Grow(len(page) + len(page)/8)
	for page != "" {
		text, rest, _ := strings.Cut(page, "<")
		r.out.WriteString(text)
		end := tagEnd(rest)
		if end > 0 {
			r.tag(rest[:end])
		}
		page = rest[end:]
	}
	return r.out.Bytes()
}

// note says on a page with a run what an export cannot do.
func (r *rewriter) note() {
	if strings.Count(r.own.dir, "/") < 2 || strings.HasPrefix(r.own.dir, "embed/") && r.Live == "" {
		return
	}
	text := r.lang.In("This is an exported copy, without a server: what stands in it plays, and can be compared. Other luck, changes by hand and reasons need the engine",
		"这是导出的版本，没有服务器：里面有的都能播放，也能并排看。换运气、动手脚、问为什么，要有引擎才行")
	if r.Live == "" {
		text += r.lang.In(", which this copy does not have.", "，这里没有。")
	} else {
		text += r.lang.In(": ", "：") + `<a href="` + html.EscapeString(r.Live+r.served()) + `">` + r.lang.In("the same run, live", "同一次运行，带引擎的") + "</a>" + r.lang.In(".", "。")
	}
	r.out.WriteString(`<p id="engine" class="note">` + text + `</p>`)
}

// served is the address that the page has on a server.
func (r *rewriter) served() string {
	address, _, _ := strings.Cut(r.own.address, "?show=")
	return strings.TrimPrefix(address, embedPrefix)
}

// tag rewrites a tag, of which all stands but the bracket that it begins with.
func (r *rewriter) tag(raw string) {
	if raw == "/main>" {
		r.note()
	}
	t := &r.current
	t.read(raw)
	t.drop(asksServer)
	switch property := t.value("property"); {
	case property != "og:url" && property != "og:image":
		r.addresses(t)
	case r.PublicURL == "":
		return // they have to be absolute
	default:
		t.set("content", r.shared(t.value("content")))
	}
	if t.name == "run-player" {
		t.set("data-served", r.served())
		t.set("data-live", r.Live)
	}
	t.write(&r.out, raw)
	if t.name == "head" {
		r.out.WriteString(`<base href="` + upward(r.own.dir) + `">`)
	}
	if t.name == "link" && t.value("rel") == "icon" {
		r.out.WriteString(`<script type="module" src="` + strings.TrimPrefix(exportScript(), "/") + `"></script>`)
	}
}

// asksServer reports whether an attribute asks a server for something. What happens at a slider does not.
func asksServer(name, value string) bool {
	switch on, is := strings.CutPrefix(name, "data-on:"); {
	case is:
		return on != "input" && on != "change" || strings.Contains(value, "@get") || strings.Contains(value, "@post")
	default:
		return name == "data-init" || name == "data-dialog"
	}
}

// addresses rewrites the addresses in a tag, and marks it if one of them needs the engine.
func (r *rewriter) addresses(t *tag) {
	engine := false
	for _, name := range []string{"href", "src", "action", "data-link"} {
		address := t.value(name)
		if address == "" {
			continue
		}
		to, ok := r.to(address)
		engine = engine || !ok && name != "data-link"
		if name == "href" && r.PublicURL != "" && t.value("rel") == "canonical" {
			to = r.PublicURL + "/" + to
		}
		t.set(name, to)
	}
	if engine {
		t.drop(func(name, _ string) bool {
			return name == "data-run" || name == "data-moment" || name == "data-why" || name == "download"
		})
		t.set("data-engine", "")
	}
	if strings.HasPrefix(t.value("href"), "figure/") {
		t.drop(func(name, _ string) bool { return name == "data-moment" }) // there is one of each run, that of its end
	}
}

// shared is the address that others are shown who are given that of the page.
func (r *rewriter) shared(address string) string {
	to, _ := r.to(strings.TrimPrefix(address, r.PublicURL))
	if picture, is := strings.CutSuffix(to, ".svg"); is && r.draw != "" {
		to = picture + ".png"
	}
	return r.PublicURL + "/" + to
}

// to is where an address leads in the export; ok is false if it needs the engine.
func (r *rewriter) to(address string) (to string, ok bool) {
	if strings.HasPrefix(address, "#") {
		return r.own.dir + address, true
	}
	if !strings.HasPrefix(address, "/") {
		return address, true
	}
	rest, place, hasPlace := strings.Cut(address, "#")
	if hasPlace {
		place = "#" + place
	}
	path, query, _ := strings.Cut(rest, "?")
	if name, static := strings.CutPrefix(path, "/static/"); static {
		r.assets = append(r.assets, name)
		return strings.TrimPrefix(rest, "/"), true
	}
	if r.isHome(path) {
		return strings.TrimPrefix(path, "/") + "/" + place, true
	}
	run, moment := splitMoment(path, query)
	if figure, is := strings.CutPrefix(path, "/figure"); is {
		if page, _ := splitMoment(strings.TrimSuffix(figure, ".svg"), query); r.runs[page] != "" {
			return figureFile(page), true
		}
	}
	if dir := r.runs[run]; dir != "" {
		if moment != "" {
			dir += "?at=" + moment
		}
		return dir + place, true
	}
	if r.Live != "" {
		return r.Live + strings.Replace(address, embedPrefix+"/", "/", 1), false
	}
	return r.own.dir + "#engine", false
}

func (r *rewriter) isHome(path string) bool {
	for _, lang := range r.Langs {
		if path == "/"+lang.Code() {
			return true
		}
	}
	return false
}

// splitMoment splits an address into that of a run and a moment of it; what an embed shows is left out.
func splitMoment(path, query string) (run, moment string) {
	run = path
	sep := "?"
	for pair := range strings.SplitSeq(query, "&") {
		switch name, value, _ := strings.Cut(pair, "="); {
		case name == "at":
			moment = value
		case name != "" && (name != "show" || !strings.HasPrefix(path, embedPrefix)):
			run += sep + pair
			sep = "&"
		}
	}
	return run, moment
}
