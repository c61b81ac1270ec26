package web

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"imscope/sim/im"
	"imscope/templates"
)

// Embed is how a run stands in somebody else's page: what of it is shown, in which colours, and what of it is played. It is part of the
// address, which begins with /embed, so that all links of such a page stay in it. Nothing changes it once it is read.
type Embed struct {
	Show           templates.Show
	Theme          string // light or dark; empty follows the reader's system, or the page around it
	Autoplay, Loop bool
	Told           bool // the page tells how to embed it
	Height         int  // to be told, in pixels; 0 fits the content
	From, To       At   // what is played; zero is from the start and to the end
}

// embedPrefix is what addresses of embeds begin with.
const embedPrefix = "/embed"

// embedDefault is what an embed shows if its address does not say.
const embedDefault = templates.ShowDiagram | templates.ShowScreens | templates.ShowSentences | templates.ShowControls

// shownPart is a part of a run that an address can ask for.
type shownPart struct {
	name string
	part templates.Show
	text phrase
}

// shownParts name the parts that an address can ask for, in the order in which it lists them.
var shownParts = []shownPart{
	{"diagram", templates.ShowDiagram, phrase{"the diagram", "时空图"}},
	{"legend", templates.ShowLegend, phrase{"what its signs mean", "图例"}},
	{"screens", templates.ShowScreens, phrase{"the screens and the server’s rows", "屏幕和服务器的行"}},
	{"sentences", templates.ShowSentences, phrase{"what happened, in sentences", "用文字说发生了什么"}},
	{"controls", templates.ShowControls, phrase{"what moves through the run", "播放和步进"}},
	{"protocols", templates.ShowProtocols, phrase{"other protocols and scenarios, and putting them side by side", "别的协议和场景，以及并排看"}},
	{"story", templates.ShowStory, phrase{"the story of the protocol", "协议的说明"}},
	{"table", templates.ShowTable, phrase{"the table that compares the protocols", "协议对照表"}},
	{"why", templates.ShowWhy, phrase{"asking why", "问为什么"}},
	{"changes", templates.ShowChanges, phrase{"breaking things by hand", "动手脚"}},
	{"knobs", templates.ShowKnobs, phrase{"the knobs of the run", "运行的参数"}},
	{"guess", templates.ShowGuess, phrase{"the question to guess at", "先猜一猜"}},
	{"tasks", templates.ShowTasks, phrase{"the challenges", "试着弄出来"}},
}

// allShown is what an address can ask for at most.
func allShown() (all templates.Show) {
	for _, p := range shownParts {
		all |= p.part
	}
	return all
}

// shows is what of the run the page of a link shows.
func (l *Link) shows() templates.Show {
	switch {
	case l.Embed != nil:
		return l.Embed.Show
	case l.Class != nil:
		return l.Class.shows()
	}
	return templates.ShowAll
}

// prefix is what the address begins with, before its language.
func (l *Link) prefix() string {
	switch {
	case l.Embed != nil && l.Embed.Told:
		return embeddingPrefix
	case l.Embed != nil:
		return embedPrefix
	case l.Figure != nil:
		return l.Figure.prefix()
	case l.Class != nil:
		return l.Class.prefix()
	}
	return ""
}

// outside is the link to the same on the chapter's own page.
func (l Link) outside() Link { l.Embed, l.Figure, l.Class = nil, nil, nil; return l }

// fitted is the link at the moment at which an embed opens: where what is played begins, if it names no other.
func (l Link) fitted() Link {
	if l.Embed != nil && l.At == (At{}) {
		l.At = l.Embed.From
	}
	return l
}

// playing tells the player what of the run to play, and when.
func (l *Link) playing() templates.Playing {
	if l.Class != nil {
		return templates.Playing{Follows: l.Class.role == follows, Leads: l.Class.role == presents || l.Class.role == notes}
	}
	if l.Embed == nil {
		return templates.Playing{}
	}
	e := l.Embed
	return templates.Playing{Framed: true, Auto: e.Autoplay, Loop: e.Loop, From: e.From.String(), To: e.To.String()}
}

// embedNames are the parameters that only an embed has.
var embedNames = []string{"show", "theme", "autoplay", "loop", "from", "to", "height"}

// embed shows a run alone.
func (p pages) embed(w http.ResponseWriter, r *http.Request) {
	p.run(w, r, func(l Link, c templates.Chapter) templ.Component {
		c.Scripts = frameScripts(c.Scripts)
		c.Besides, c.Theme = bareStyle(), l.Embed.Theme
		return templates.EmbedPage(c, l.fitted().outside().String())
	})
}

// parseEmbed reads what only an embed has.
func (l *Link) parseEmbed(query url.Values) (errs []*im.ParamError) {
	e := &Embed{Show: embedDefault, Told: l.Embed.Told}
	l.Embed = e
	bad := func(name, valid string) {
		errs = append(errs, &im.ParamError{Name: name, Value: query.Get(name), Range: valid})
	}
	if text := strings.Join(query["show"], "_"); text != "" { // a form sends each by itself
		if e.Show = parseShow(text); e.Show == 0 {
			e.Show = embedDefault
			bad("show", strings.Join(shownNames(allShown()), ", "))
		}
	}
	switch theme := query.Get("theme"); theme {
	case "", "auto":
	case "light", "dark":
		e.Theme = theme
	default:
		bad("theme", "auto, light, dark")
	}
	for name, to := range map[string]*bool{"autoplay": &e.Autoplay, "loop": &e.Loop} {
		switch query.Get(name) {
		case "", "off":
		case "on":
			*to = true
		default:
			bad(name, "on, off")
		}
	}
	for name, to := range map[string]*At{"from": &e.From, "to": &e.To} {
		at, ok := parseAt(query.Get(name))
		if ok = ok && !at.HasTie && at.Time <= l.Scenario.End()+im.Overtime; ok {
			*to = at
		} else {
			bad(name, atRange(&l.Scenario))
		}
	}
	if text := query.Get("height"); text != "" {
		var err error
		if e.Height, err = strconv.Atoi(text); !e.Told || err != nil || e.Height < 80 || e.Height > maxHeight {
			e.Height = 0
			bad("height", fmt.Sprintf("80 … %d", maxHeight))
		}
	}
	if e.From.End || e.To != (At{}) && !e.To.End && e.To.Time <= e.From.Time {
		bad("to", "from < to")
		e.From, e.To = At{}, At{}
	}
	slices.SortFunc(errs, func(a, b *im.ParamError) int { return strings.Compare(a.Name, b.Name) })
	return errs
}

// parseShow reads names of parts; none if one of them is none.
func parseShow(text string) (show templates.Show) {
	for _, name := range strings.FieldsFunc(text, func(r rune) bool { return r == '_' || r == ',' }) {
		i := slices.IndexFunc(shownParts, func(p shownPart) bool { return p.name == name })
		if i < 0 {
			return 0
		}
		show |= shownParts[i].part
	}
	return show
}

// shownNames name parts.
func shownNames(show templates.Show) (names []string) {
	for _, p := range shownParts {
		if show.Has(p.part) {
			names = append(names, p.name)
		}
	}
	return names
}

// pairs are the parameters of an embed that are not as by default, name and value.
func (e *Embed) pairs() (out [][2]string) {
	if e == nil {
		return nil
	}
	add := func(name, value string, given bool) {
		if given {
			out = append(out, [2]string{name, value})
		}
	}
	add("show", strings.Join(shownNames(e.Show), "_"), e.Show != embedDefault)
	add("theme", e.Theme, e.Theme != "")
	add("height", strconv.Itoa(e.Height), e.Height > 0)
	add("autoplay", "on", e.Autoplay)
	add("loop", "on", e.Loop)
	add("from", e.From.String(), e.From != At{})
	add("to", e.To.String(), e.To != At{} && !e.To.End)
	return out
}
