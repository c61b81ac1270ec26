package web

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"imscope/templates"
)

// embeddingPrefix is what addresses begin with that tell how to embed a run.
const embeddingPrefix = "/embedding"

// usualHeight is that of a preview, and of a frame for which none is chosen: in pixels.
const usualHeight = 640

// maxHeight bounds it.
const maxHeight = 4000

// embedding shows how a run is put into somebody else's page.
func (p pages) embedding(w http.ResponseWriter, r *http.Request) {
	link, problem := p.link(r)
	if problem != nil {
		p.problem(w, r, problem)
		return
	}
	l, e := link.Lang, link.Embed
	address := link.String()
	canonical := link.at(At{}).asEmbedding().String()
	title := l.In("Put a run into your page", "把一次运行放进你的网页")
	summary := l.In("Choose what is shown of a run, see how it looks, and copy a line for your own page.", "选好显示什么，看看样子，复制一行，放进自己的网页。")
	v := templates.Embedding{Page: p.page(l, title, summary, address, canonical), Style: assetPath("embedding.css"), Action: link.path(), Moment: link.At.String(),
		From: e.From.String(), To: e.To.String(), Auto: e.Autoplay, Loop: e.Loop, Tall: cmp.Or(e.Height, usualHeight), Src: link.asEmbed().String(), Back: link.outside().stage(),
		Codes: embedCodes(p.origin(r), link)}
	v.Scripts = dialogScripts(p.scripts)
	if e.Height > 0 {
		v.Height = strconv.Itoa(e.Height)
	}
	own := append([]string{"at", "height"}, embedNames...)
	v.Hidden = hidden(link, func(name string) bool { return !slices.Contains(own, name) })
	for _, part := range shownParts {
		v.Parts = append(v.Parts, templates.Choice{Name: part.name, Text: part.text.in(l), Current: e.Show.Has(part.part)})
	}
	for _, theme := range []struct {
		id   string
		name phrase
	}{{"auto", phrase{"as the page or the system", "随网页或系统"}}, {"light", phrase{"light", "浅色"}}, {"dark", phrase{"dark", "深色"}}} {
		v.Themes = append(v.Themes, templates.Choice{Name: theme.id, Text: theme.name.in(l), Current: theme.id == cmp.Or(e.Theme, "auto")})
	}
	p.show(w, r, http.StatusOK, templates.EmbeddingPage(v))
}

// asEmbed is the link to the run alone that a link tells how to embed; asEmbedding leads to that.
func (l Link) asEmbed() Link {
	e := *l.Embed
	e.Told, e.Height = false, 0
	l.Embed = &e
	return l
}

func (l Link) asEmbedding() Link {
	l = l.outside()
	l.Guess, l.Why, l.Sliders = "", Why{}, nil
	l.Embed = &Embed{Show: embedDefault, Told: true}
	return l
}

// embedCodes are the texts to be copied.
func embedCodes(origin string, link Link) []templates.EmbedCode {
	l, e := link.Lang, link.Embed
	embed, page := link.asEmbed(), link.outside()
	name := link.lesson().title.in(l) + l.In(": ", "：") + link.lesson().protocol(link.Protocol.Name).name.in(l)
	height := ""
	if e.Height > 0 {
		height = fmt.Sprintf(` height="%[1]d" style="display:block;min-height:%[1]dpx"`, e.Height) // the style holds the place until the script is here
	}
	attributes := fmt.Sprintf(`chapter="%s"`, link.Chapter.Name)
	if path := strings.Split(strings.TrimPrefix(link.path(), embeddingPrefix), "/"); len(path) > 3 {
		attributes += fmt.Sprintf(` scenario="%s" protocol="%s"`, link.Scenario.Name, link.Protocol.Name)
	}
	for _, pair := range strings.Split(queryOf(embed.String()), "&") {
		if key, value, ok := strings.Cut(pair, "="); ok {
			value, _ = url.QueryUnescape(value)
			attributes += fmt.Sprintf(` %s="%s"`, key, value)
		}
	}
	escape := func(address string) string { return strings.ReplaceAll(origin+address, "&", "&amp;") }
	return []templates.EmbedCode{
		{ID: "code-element", Name: l.In("Element", "元素"), Hint: l.In("follows the colours, the language and the height of your page", "跟着你的网页变颜色、语言和高度"),
			Text: fmt.Sprintf("<script src=\"%s/embed.js\" async></script>\n<imscope-lab %s%s>\n  <a href=\"%s\">%s</a>\n</imscope-lab>", origin, attributes, height, escape(page.String()), name)},
		{ID: "code-frame", Name: l.In("Frame", "框架"), Hint: l.In("one line, without script", "一行，不用脚本"),
			Text: fmt.Sprintf(`<iframe src="%s" title="%s" loading="lazy" width="100%%" height="%d"></iframe>`, escape(embed.String()), name, cmp.Or(e.Height, usualHeight))},
		{ID: "code-markdown", Name: "Markdown", Hint: l.In("a picture that leads to the page", "一张图，点开就是网页"),
			Text: fmt.Sprintf("[![%s](%s)](%s)", name, origin+link.fitted().inFile("svg").String(), origin+link.fitted().outside().String())},
	}
}
