package web

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"imscope/sim"
	"imscope/sim/im"
	"imscope/sim/protocol"
	"imscope/templates"
	"imscope/web/room"
)

// Link is an address of a chapter page: the exact run, the moment and the view. It is all the state a reader has; any link opens
// as the same picture in a fresh browser.
//
// The path names language, chapter, scenario and protocol; a shorter one takes the defaults. The query holds what differs from
// the scenario's defaults, the moment (at), the reader's guess, and the sliders of the estimates.
type Link struct {
	Lang     templates.Lang
	Chapter  protocol.Chapter
	Scenario im.Scenario
	Protocol protocol.Entry
	At       At
	Class    *Class  // the class that the page belongs to; nil if it belongs to none
	Embed    *Embed  // how it stands in somebody else's page; nil for a page of ours
	Figure   *Figure // how it is written as a file; nil for a page
	Guess    string
	Why      Why
	Ignored  []*im.TextError    // what of the edits could not be read
	Beside   []string           // the runs beside it: other protocols, or plain
	Sliders  map[string]float64 // those that were moved
}

// At is a moment as a link spells it: nothing for the start, "end", a time (6.24s: after all that happens then), or a time and
// the ordinal of one of the events of that instant (6.24s~0).
type At struct {
	End    bool
	Time   im.Time
	Tie    uint32
	HasTie bool
}

// String writes what ParseAt reads; the start is empty.
func (a At) String() string {
	switch {
	case a.End:
		return "end"
	case a == At{}:
		return ""
	case a.HasTie:
		return im.FormatTime(a.Time) + "~" + strconv.FormatUint(uint64(a.Tie), 10)
	default:
		return im.FormatTime(a.Time)
	}
}

// parseAt reads a moment; ok is false if the text is none. Whether the run has it is for the trace to say.
func parseAt(text string) (a At, ok bool) {
	if text == "end" || text == "" {
		return At{End: text == "end"}, true
	}
	when, tie, hasTie := strings.Cut(text, "~")
	if hasTie {
		n, err := strconv.ParseUint(tie, 10, 31)
		if err != nil {
			return At{}, false
		}
		a.Tie, a.HasTie = uint32(n), true
	}
	a.Time, ok = im.ParseTime(when)
	return a, ok
}

// unknownError says that a path names something that does not exist.
type unknownError struct {
	what  string // chapter, scenario or protocol
	name  string
	known []string
}

func (e *unknownError) Error() string { return fmt.Sprintf("unknown %s %q", e.what, e.name) }

// chapters are those that have pages.
var chapters = protocol.Catalog

func findChapter(name string) (c protocol.Chapter, ok bool) {
	for _, c := range chapters {
		if c.Name == name {
			return c, true
		}
	}
	return protocol.Chapter{}, false
}

// parsePath reads the parts of a path after the language; missing ones take the defaults. The error is an *unknownError.
func parsePath(lang templates.Lang, parts []string) (l Link, err error) {
	l.Lang = lang
	var ok bool
	if l.Chapter, ok = findChapter(parts[0]); !ok {
		return l, &unknownError{"chapter", parts[0], names(chapters, func(c protocol.Chapter) string { return c.Name })}
	}
	l.Scenario, l.Protocol = im.Scenarios(l.Chapter.Name)[0], l.Chapter.Protocols[0]
	if len(parts) > 1 {
		if l.Scenario, ok = im.FindScenario(l.Chapter.Name, parts[1]); !ok {
			return l, &unknownError{"scenario", parts[1], names(im.Scenarios(l.Chapter.Name), func(s im.Scenario) string { return s.Name })}
		}
	}
	if len(parts) > 2 {
		if l.Protocol, ok = l.Chapter.Find(parts[2]); !ok {
			return l, &unknownError{"protocol", parts[2], names(l.Chapter.Protocols, func(e protocol.Entry) string { return e.Name })}
		}
	}
	return l, nil
}

var errNoLink = errors.New("this is no address of a run")

// readAddress reads the address of a run without its language. The error is errNoLink or an *unknownError.
func readAddress(lang templates.Lang, address string) (Link, error) {
	u, err := url.Parse(address)
	if err != nil {
		return Link{}, errNoLink
	}
	parts := strings.Split(strings.Trim(u.Path, "/"), "/")
	if len(parts) > 3 || parts[0] == "" {
		return Link{}, errNoLink
	}
	l, err := parsePath(lang, parts)
	if err == nil && len(l.parseQuery(u.Query())) > 0 {
		err = errNoLink
	}
	return l, err
}

// readLink reads the address of a chapter's page.
func readLink(address string) (Link, bool) {
	code, rest, _ := strings.Cut(strings.TrimPrefix(address, "/"), "/")
	lang, ok := templates.ParseLang(code)
	if !ok {
		return Link{}, false
	}
	l, err := readAddress(lang, rest)
	return l, err == nil
}

// anyLanguage is the address without its language.
func (l Link) anyLanguage() string { return strings.TrimPrefix(l.String(), "/"+l.Lang.Code()) }

func names[T any](all []T, name func(T) string) []string {
	var out []string
	for _, v := range all {
		out = append(out, name(v))
	}
	return out
}

// maxPageMessages bounds what one page draws.
const maxPageMessages = 300

// parseQuery reads the query into l. It takes all that is valid and returns an error for each parameter that is not; a value left
// empty, as a form sends it, means the default.
func (l *Link) parseQuery(query url.Values) (errs []*im.ParamError) {
	bad := func(name, value, valid string) {
		errs = append(errs, &im.ParamError{Name: name, Value: value, Range: valid})
	}
	for _, p := range im.Params {
		value := query.Get(p.Name)
		if value == "" {
			continue
		}
		if !p.Applies(&l.Scenario) {
			bad(p.Name, value, "")
			continue
		}
		var wrong *im.ParamError
		if err := p.Set(&l.Scenario, value); errors.As(err, &wrong) {
			errs = append(errs, wrong)
		}
	}
	errs = append(errs, l.limitMessages(query)...)
	if err := l.parseEdits(cmp.Or(query.Get("edits"), sentByHand(query.Get("send")))); err != nil {
		errs = append(errs, err)
	}
	if err := l.parseWith(query.Get("with")); err != nil {
		errs = append(errs, err)
	}
	if l.Embed != nil {
		errs = append(errs, l.parseEmbed(query)...)
	}
	if l.Figure != nil {
		errs = append(errs, l.parseFigure(query)...)
	}
	if text := query.Get("at"); text != "" {
		var ok bool
		if l.At, ok = parseAt(text); !ok || l.At.Time > l.Scenario.End()+im.Overtime {
			l.At = At{}
			bad("at", text, atRange(&l.Scenario))
		}
	}
	if text := query.Get("why"); text != "" {
		var ok bool
		if l.Why, ok = parseWhy(text, l.At); !ok {
			l.Why = Why{}
			bad("why", text, whyForms)
		}
	}
	if g := query.Get("guess"); g != "" {
		l.Guess = g
		if !slices.Contains(l.lesson().guesses(), g) {
			l.Guess = ""
			bad("guess", g, strings.Join(l.lesson().guesses(), ", "))
		}
	}
	if text := query.Get("class"); text != "" && l.Embed == nil && l.Figure == nil && !l.parseClass(text) {
		bad("class", text, strings.Repeat("…", room.CodeLength))
	}
	l.Sliders = map[string]float64{}
	for _, s := range l.lesson().sliders {
		if text := query.Get(s.Name); text != "" {
			v, err := strconv.ParseFloat(text, 64)
			if err != nil || !(v >= s.Min && v <= s.Max) {
				bad(s.Name, text, plainNumber(s.Min)+" … "+plainNumber(s.Max))
			} else if v != s.Value {
				l.Sliders[s.Name] = v
			}
		}
	}
	for name, values := range query {
		if !l.knows(name) {
			bad(name, strings.Join(values, ", "), "")
		}
	}
	return errs
}

// atRange names the moments of a run; no run goes on longer.
func atRange(s *im.Scenario) string { return "0s … " + im.FormatTime(s.End()+im.Overtime) + ", end" }

// column is the place of the link's protocol among the chapter's.
func (l *Link) column() int {
	return slices.IndexFunc(l.Chapter.Protocols, func(e protocol.Entry) bool { return e.Name == l.Protocol.Name })
}

// knows reports whether the page has a parameter of that name.
func (l *Link) knows(name string) bool {
	if _, ok := im.FindParam(name); ok || name == "at" || name == "guess" || name == "edits" || name == "with" || name == "send" || name == "why" {
		return true
	}
	for _, s := range l.lesson().sliders {
		if s.Name == name {
			return true
		}
	}
	return name == "class" && l.Embed == nil && l.Figure == nil || l.Embed != nil && slices.Contains(embedNames, name) ||
		l.Figure != nil && slices.Contains(figureNames, name)
}

// limitMessages holds a drawn run to what a page can show: as many messages as all phones send on average.
func (l *Link) limitMessages(query url.Values) []*im.ParamError {
	s := &l.Scenario
	if l.Chapter.Name == im.OfflineChapter || len(s.Script) > 0 || s.Uniform && s.Messages <= maxPageMessages || !s.Uniform && s.End() <= s.Gap*maxPageMessages/im.Time(s.Phones) {
		return nil
	}
	if query.Get("length") != "" && query.Get("messages") == "" {
		longest := s.Gap * maxPageMessages / im.Time(s.Phones)
		err := &im.ParamError{Name: "length", Value: query.Get("length"), Range: "1s … " + im.FormatTime(longest)}
		s.Length, s.Messages = longest, 0
		return []*im.ParamError{err}
	}
	most := int64(maxPageMessages * 2 / s.Phones)
	if s.Uniform { // one phone sends them all
		most = maxPageMessages
	}
	err := &im.ParamError{Name: "messages", Value: strconv.FormatInt(s.Messages, 10), Range: fmt.Sprintf("1 … %d", most)}
	s.Messages = most
	return []*im.ParamError{err}
}

// String is the canonical address: defaults left out, parameters in the order of the table.
func (l Link) String() string {
	var b strings.Builder
	b.WriteString(l.prefix() + "/" + l.Lang.Code() + "/" + l.Chapter.Name)
	protocolGiven := l.Protocol.Name != l.Chapter.Protocols[0].Name
	if protocolGiven || l.Scenario.Name != im.Scenarios(l.Chapter.Name)[0].Name {
		b.WriteString("/" + l.Scenario.Name)
	}
	if protocolGiven {
		b.WriteString("/" + l.Protocol.Name)
	}
	if l.Figure != nil {
		b.WriteString("." + l.Figure.Kind)
	}
	sep := "?"
	add := func(name, value string) {
		b.WriteString(sep + name + "=" + url.QueryEscape(value))
		sep = "&"
	}
	defaults, _ := im.FindScenario(l.Chapter.Name, l.Scenario.Name)
	for _, p := range im.Params {
		if p.Name == "messages" && l.Scenario.Messages == 0 {
			continue // length stands for it
		}
		if p.Applies(&l.Scenario) && !p.Same(&l.Scenario, &defaults) {
			add(p.Name, p.Value(&l.Scenario))
		}
	}
	if text := l.editsText(); text != "" {
		add("edits", text)
	}
	if len(l.Beside) > 0 {
		add("with", strings.Join(l.Beside, "_"))
	}
	if l.Class != nil && l.prefix() == "" {
		add("class", l.Class.Code)
	}
	for _, pair := range append(l.Embed.pairs(), l.Figure.pairs()...) {
		add(pair[0], pair[1])
	}
	if at := l.At.String(); at != "" {
		add("at", at)
	}
	if why := l.Why.String(); why != "" {
		add("why", why)
	}
	if l.Guess != "" {
		add("guess", l.Guess)
	}
	for _, s := range l.lesson().sliders {
		if v, ok := l.Sliders[s.Name]; ok {
			add(s.Name, plainNumber(v))
		}
	}
	return b.String()
}

func plainNumber(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// with returns a changed copy.
func (l Link) with(change func(*Link)) Link {
	change(&l)
	return l
}

// at returns the link to another moment of the same run.
func (l Link) at(a At) Link { l.At = a; return l }

// moment is the place in the run that a means; with an ordinal, the run must have it.
func (a At) moment() sim.Moment {
	switch {
	case a.End:
		return sim.Moment{At: math.MaxInt64, Tie: math.MaxUint32}
	case a.HasTie:
		return sim.Moment{At: a.Time, Tie: a.Tie}
	default:
		return sim.Moment{At: a.Time, Tie: math.MaxUint32}
	}
}

// moments returns at(a).stage() for any a, without writing the rest of the address anew each time.
func (l Link) moments() func(a At) string {
	const mark = "at=end"
	start := l.at(At{}).stage()
	before, after, _ := strings.Cut(l.at(At{End: true}).stage(), mark)
	return func(a At) string {
		if text := a.String(); text != "" {
			return before + "at=" + text + after // nothing in text needs escaping
		}
		return start
	}
}

// stage is the address with the place of the run on the page, so that whoever steps through without script stays there.
func (l Link) stage() string { return l.String() + "#stage" }

// path is the address without its query.
func (l Link) path() string {
	path, _, _ := strings.Cut(l.String(), "?")
	return path
}

// hidden are the query's parameters that a form carries along: those that keep says.
func hidden(l Link, keep func(name string) bool) []templates.Hidden {
	_, query, _ := strings.Cut(l.String(), "?")
	var out []templates.Hidden
	for _, pair := range strings.Split(query, "&") {
		name, value, _ := strings.Cut(pair, "=")
		if name != "" && keep(name) {
			text, _ := url.QueryUnescape(value)
			out = append(out, templates.Hidden{Name: name, Value: text})
		}
	}
	return out
}

func (l Link) sliderFields() []templates.Hidden {
	return hidden(l, func(name string) bool { _, ok := l.Sliders[name]; return ok })
}
