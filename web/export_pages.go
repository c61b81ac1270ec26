package web

import (
	"bytes"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"imscope/sim/protocol"
	"imscope/templates"
)

// rewriter makes a page of the server one of an export.
type rewriter struct {
	*exporter
	own    exportPage
	lang   templates.Lang
	out    bytes.Buffer
	assets []string // static files that the page asks for
}

func (x *exporter) newRewriter(page exportPage) *rewriter {
	lang := templates.English
	if l, ok := templates.ParseLang(strings.Split(strings.TrimPrefix(page.dir, "embed/"), "/")[0]); ok {
		lang = l
	}
	return &rewriter{exporter: x, own: page, lang: lang}
}

// page rewrites tag by tag; what has no address in it stays as it is, byte for byte.
func (r *rewriter) page(data []byte) []byte {
	z := html.NewTokenizer(bytes.NewReader(data))
	for {
		kind := z.Next()
		if kind == html.ErrorToken {
			return r.out.Bytes()
		}
		raw := bytes.Clone(z.Raw())
		if kind == html.EndTagToken && bytes.Equal(raw, []byte("</main>")) {
			r.note()
		}
		if kind != html.StartTagToken && kind != html.SelfClosingTagToken {
			r.out.Write(raw)
			continue
		}
		r.tag(raw, z.Token())
	}
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

// tag rewrites a tag.
func (r *rewriter) tag(raw []byte, t html.Token) {
	changed, engine := false, false
	var attrs []html.Attribute
	for _, a := range t.Attr {
		switch key := a.Key; {
		case key == "data-init", strings.HasPrefix(key, "data-on:") && (strings.Contains(a.Val, "@get") || strings.Contains(a.Val, "@post") || key != "data-on:input" && key != "data-on:change"):
			changed = true // what it would ask for is not there
			continue
		case key == "data-dialog":
			changed = true
			continue
		case key == "href" || key == "src" || key == "action" || key == "data-link":
			to, ok := r.to(a.Val)
			engine = engine || !ok && key != "data-link"
			changed = changed || to != a.Val
			a.Val = to
			if t.Data == "link" && r.PublicURL != "" && strings.Contains(string(raw), `rel="canonical"`) {
				a.Val = r.PublicURL + "/" + to
			}
		case key == "content" && strings.Contains(string(raw), "og:url"), key == "content" && strings.Contains(string(raw), "og:image"):
			changed = true
			if r.PublicURL == "" {
				return // they have to be absolute
			}
			to, _ := r.to(strings.TrimPrefix(a.Val, r.PublicURL))
			if strings.HasSuffix(to, ".svg") && r.canPreview() {
				to = strings.TrimSuffix(to, ".svg") + ".png"
			}
			a.Val = r.PublicURL + "/" + to
		}
		attrs = append(attrs, a)
	}
	if t.Data == "run-player" {
		attrs = append(attrs, html.Attribute{Key: "data-served", Val: r.served()}, html.Attribute{Key: "data-live", Val: r.Live})
		changed = true
	}
	if engine {
		attrs = r.marked(attrs)
		changed = true
	}
	if slices.ContainsFunc(attrs, func(a html.Attribute) bool { return a.Key == "href" && strings.HasPrefix(a.Val, "figure/") }) {
		attrs = slices.DeleteFunc(attrs, func(a html.Attribute) bool { return a.Key == "data-moment" }) // there is one of each run
	}
	if changed {
		t.Attr = attrs
		r.out.WriteString(t.String())
	} else {
		r.out.Write(raw)
	}
	if t.Data == "head" {
		r.out.WriteString(`<base href="` + upward(r.own.dir) + `">`)
	}
	if t.Data == "link" && strings.Contains(string(raw), `rel="icon"`) {
		r.out.WriteString(`<script type="module" src="` + strings.TrimPrefix(exportScript(), "/") + `"></script>`)
	}
}

// marked marks what needs the engine. A picture of any moment does too: what is there is that of the end.
func (r *rewriter) marked(attrs []html.Attribute) (out []html.Attribute) {
	for _, a := range attrs {
		if a.Key == "data-run" || a.Key == "data-moment" || a.Key == "data-why" || a.Key == "download" {
			continue
		}
		out = append(out, a)
	}
	return append(out, html.Attribute{Key: "data-engine"})
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

// splitMoment splits an address into that of a run and a moment of it; what an embed shows is left out, and what stands beside is put into
// the order of the catalogue, in which it is exported.
func splitMoment(path, query string) (run, moment string) {
	var rest []string
	for _, pair := range strings.Split(query, "&") {
		switch name, value, _ := strings.Cut(pair, "="); {
		case name == "at":
			moment = value
		case name == "with":
			rest = append(rest, "with="+inOrder(path, value))
		case name != "" && (name != "show" || !strings.HasPrefix(path, embedPrefix)):
			rest = append(rest, pair)
		}
	}
	if len(rest) > 0 {
		path += "?" + strings.Join(rest, "&")
	}
	return path, moment
}

func inOrder(path, beside string) string {
	a, b, two := strings.Cut(beside, "_")
	l, ok := readLink(path)
	if !two || !ok {
		return beside
	}
	all := names(l.Chapter.Protocols, func(e protocol.Entry) string { return e.Name })
	if slices.Index(all, b) < slices.Index(all, a) {
		a, b = b, a
	}
	return a + "_" + b
}
