package im

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"imscope/sim"
)

// Param is a knob of a scenario. The one table of them serves links, forms, flags and error messages alike.
type Param struct {
	Name   string
	Kind   ParamKind
	Lo, Hi int64 // the range, both included: nanoseconds, millionths, or a count

	// where says in which scenarios the knob means something; nil is in all.
	where func(*Scenario) bool
	get   func(*Scenario) int64
	set   func(*Scenario, int64)
	span  func(*Scenario) *Span // instead of get and set
	// Presets are the values that have a name. Of a Choice they are all there is; elsewhere one may lie outside the range.
	Presets []Preset
}

// Preset is a value of a knob that has a name.
type Preset struct {
	Name  string
	Value int64
}

// ParamKind is how a knob's value is written.
type ParamKind uint8

// The kinds of knob.
const (
	Count    ParamKind = iota // 3
	Duration                  // 100ms, 1.5s
	Ratio                     // 0.1
	Switch                    // on, off
	Person                    // ana, or none
	Stretch                   // 6s-14s, or none
	Choice                    // one of the Presets, by its name
)

// MaxSeed is the largest seed: every whole number up to it is exact in a browser too.
const MaxSeed = 1<<53 - 1

const (
	none = "none"
	on   = "on"
	off  = "off"
)

// The lengths of an absence that have a name. What the busy evening is, is not told by a length.
var absences = []Preset{
	{"10m", int64(10 * time.Minute)}, {"open", int64(betweenOpens)}, {"1d", int64(day)}, {"1w", int64(7 * day)}, {"evening", 0},
}

// Params lists every knob, in the order of links and forms.
var Params = []Param{
	{Name: "seed", Hi: MaxSeed, get: func(s *Scenario) int64 { return int64(s.Seed) }, set: func(s *Scenario, v int64) { s.Seed = uint64(v) }},
	{Name: "phones", Lo: 2, Hi: int64(MaxPhones), where: all(pushed, drawn),
		get: func(s *Scenario) int64 { return int64(s.Phones) }, set: func(s *Scenario, v int64) { s.Phones = int(v) }},
	{Name: "messages", Lo: 1, Hi: 100_000_000, where: drawn,
		get: func(s *Scenario) int64 { return s.Messages }, set: func(s *Scenario, v int64) { s.Messages = v }},
	{Name: "length", Kind: Duration, Lo: int64(time.Second), Hi: int64(1000 * time.Hour), where: drawn,
		get: func(s *Scenario) int64 { return int64(s.Length) }, set: setLength},
	durationParam("gap", 50*ms, time.Hour, all(pushed, drawn), func(s *Scenario) *Time { return &s.Gap }),
	durationParam("interval", 100*ms, time.Hour, polled, func(s *Scenario) *Time { return &s.Interval }),
	durationParam("phase", 0, time.Hour, polled, func(s *Scenario) *Time { return &s.Phase }),
	{Name: "away", Kind: Duration, Lo: int64(time.Minute), Hi: int64(30 * day), where: absent, Presets: absences, get: awayFor, set: setAway},
	{Name: "conversations", Lo: 10, Hi: 2000, where: absent,
		get: func(s *Scenario) int64 { return s.Conversations }, set: func(s *Scenario, v int64) { s.Conversations = v }},
	{Name: "too-far", Kind: Choice, Hi: int64(GiveList), where: absent, Presets: []Preset{{"page", int64(PageAll)}, {"list", int64(GiveList)}},
		get: func(s *Scenario) int64 { return int64(s.TooFar) }, set: func(s *Scenario, v int64) { s.TooFar = TooFar(v) }},
	{Name: "opens", Hi: 2000, where: absent, get: func(s *Scenario) int64 { return s.Opens }, set: func(s *Scenario, v int64) { s.Opens = v }},
	{Name: "locks", Kind: Choice, Hi: 1, where: severally, Presets: []Preset{{"ordered", 0}, {"unordered", 1}},
		get: func(s *Scenario) int64 { return number(s.Unordered) }, set: func(s *Scenario, v int64) { s.Unordered = v == 1 }},
	switchParam("version", eventful, func(s *Scenario) *bool { return &s.Version }, false),
	{Name: "head", Kind: Choice, Hi: 1, where: racing, Presets: []Preset{{"before", 0}, {"after", 1}},
		get: func(s *Scenario) int64 { return number(s.HeadLast) }, set: func(s *Scenario, v int64) { s.HeadLast = v == 1 }},
	{Name: "off", Kind: Stretch, Hi: int64(1000 * time.Hour), where: polled, span: func(s *Scenario) *Span { return &s.Off }},
	durationParam("latency", 0, 10*time.Second, nil, func(s *Scenario) *Time { return &s.Latency }),
	chanceParam("loss", nil, func(s *Scenario) *sim.Chance { return &s.Loss }),
	durationParam("rto", 50*ms, time.Minute, nil, func(s *Scenario) *Time { return &s.RTO }),
	{Name: "attempts", Hi: 100, where: sends, get: func(s *Scenario) int64 { return s.Attempts }, set: func(s *Scenario, v int64) { s.Attempts = v }},
	durationParam("gapwait", 0, 10*time.Second, pushing, func(s *Scenario) *Time { return &s.GapWait }),
	durationParam("write", 0, 10*time.Second, writes, func(s *Scenario) *Time { return &s.Write }),
	durationParam("slow", 0, 10*time.Second, slowed, func(s *Scenario) *Time { return &s.Slow }),
	chanceParam("rollback", polled, func(s *Scenario) *sim.Chance { return &s.Rollback }),
	durationParam("overlap", 0, time.Minute, polled, func(s *Scenario) *Time { return &s.Overlap }),
	durationParam("hold", 100*ms, 10*time.Minute, polled, func(s *Scenario) *Time { return &s.Hold }),
	durationParam("heartbeat", 100*ms, 10*time.Minute, polled, func(s *Scenario) *Time { return &s.Heartbeat }),
	{Name: "page", Lo: 1, Hi: 1000, where: asks,
		get: func(s *Scenario) int64 { return s.Page }, set: func(s *Scenario, v int64) { s.Page = v }},
	switchParam("onewriter", polled, func(s *Scenario) *bool { return &s.OneWriter }, false),
	switchParam("rowlock", polled, func(s *Scenario) *bool { return &s.RowLock }, false),
	switchParam("apart", slowed, func(s *Scenario) *bool { return &s.Apart }, false),
	switchParam("reorder", pushing, func(s *Scenario) *bool { return &s.Reorder }, false),
	switchParam("fetchloss", pushed, func(s *Scenario) *bool { return &s.FetchLoss }, false),
	switchParam("ids", sends, func(s *Scenario) *bool { return &s.NoIDs }, true),
	switchParam("ack", sends, func(s *Scenario) *bool { return &s.NoACK }, true),
	switchParam("dedupe", sends, func(s *Scenario) *bool { return &s.NoDedupe }, true),
	switchParam("headers", polled, func(s *Scenario) *bool { return &s.NoHeaders }, true),
	{Name: "reopen", Kind: Person, Hi: int64(MaxPhones), where: pushed,
		get: func(s *Scenario) int64 { return int64(s.Reopen) }, set: func(s *Scenario, v int64) { s.Reopen = Actor(v) }},
}

// Where knobs mean something.
func drawn(s *Scenario) bool  { return len(s.Script) == 0 && sends(s) }
func pushed(s *Scenario) bool { return s.Chapter == OrderingChapter }
func polled(s *Scenario) bool { return s.Chapter == PollingChapter }
func absent(s *Scenario) bool { return s.Chapter == OfflineChapter }
func sends(s *Scenario) bool  { return s.Chapter != OfflineChapter }
func asks(s *Scenario) bool   { return s.Reader != Server }
func racing(s *Scenario) bool { return s.Again > 0 && !writes(s) }
func writes(s *Scenario) bool { return sends(s) || slices.ContainsFunc(s.Events, simultaneous) }

// simultaneous are messages that a scenario about locks has: those that come just before the phone is back.
func simultaneous(h Happening) bool { return h.After < 0 }

func severally(s *Scenario) bool {
	return slices.ContainsFunc(s.Events, func(h Happening) bool { return len(h.To) > 1 })
}
func eventful(s *Scenario) bool {
	return slices.ContainsFunc(s.Events, func(h Happening) bool { return h.Event != MessageSent })
}
func pushing(s *Scenario) bool { return pushed(s) || s.Pushes }
func slowed(s *Scenario) bool  { return s.SlowMsg.N != 0 }

func all(a, b func(*Scenario) bool) func(*Scenario) bool {
	return func(s *Scenario) bool { return a(s) && b(s) }
}

// awayFor is how long the phone is away; 0 is the busy evening.
func awayFor(s *Scenario) int64 {
	if s.Evening {
		return 0
	}
	return int64(s.Off.To)
}

func setAway(s *Scenario, v int64) {
	s.Evening = v == 0
	s.Off = Span{0, Time(v)}
	if s.Evening {
		s.Off.To = eveningLong
	}
}

// setLength makes the length count, where a number of messages would give another.
func setLength(s *Scenario, v int64) {
	s.Length = Time(v)
	if !s.Uniform {
		s.Messages = 0
	}
}

func durationParam(name string, lo, hi Time, where func(*Scenario) bool, field func(*Scenario) *Time) Param {
	return Param{Name: name, Kind: Duration, Lo: int64(lo), Hi: int64(hi), where: where,
		get: func(s *Scenario) int64 { return int64(*field(s)) }, set: func(s *Scenario, v int64) { *field(s) = Time(v) }}
}

func chanceParam(name string, where func(*Scenario) bool, field func(*Scenario) *sim.Chance) Param {
	return Param{Name: name, Kind: Ratio, Hi: int64(sim.Certain) * 9 / 10, where: where,
		get: func(s *Scenario) int64 { return int64(*field(s)) }, set: func(s *Scenario, v int64) { *field(s) = sim.Chance(v) }}
}

// switchParam is on or off; with negated the field says what is off.
func switchParam(name string, where func(*Scenario) bool, field func(*Scenario) *bool, negated bool) Param {
	return Param{Name: name, Kind: Switch, Hi: 1, where: where,
		get: func(s *Scenario) int64 {
			return number(*field(s) != negated)
		},
		set: func(s *Scenario, v int64) { *field(s) = (v == 1) != negated }}
}

func number(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// FindParam returns the knob of that name; ok is false if there is none.
func FindParam(name string) (p Param, ok bool) {
	for _, p := range Params {
		if p.Name == name {
			return p, true
		}
	}
	return Param{}, false
}

// Applies reports whether the knob means something in s.
func (p Param) Applies(s *Scenario) bool { return p.where == nil || p.where(s) }

// AppliesIn reports whether the knob means something in some scenario of a chapter.
func (p Param) AppliesIn(chapter string) bool {
	return slices.ContainsFunc(Scenarios(chapter), func(s Scenario) bool { return p.Applies(&s) })
}

// Value writes the knob's value in s, in the one canonical way.
func (p Param) Value(s *Scenario) string {
	if p.span != nil {
		return p.span(s).String()
	}
	return p.format(p.get(s))
}

// Same reports whether the knob has the same value in two scenarios.
func (p Param) Same(a, b *Scenario) bool {
	if p.span != nil {
		return *p.span(a) == *p.span(b)
	}
	return p.get(a) == p.get(b)
}

// Number is the knob's value in s, in the unit of Lo and Hi.
func (p Param) Number(s *Scenario) int64 { return p.get(s) }

func (p Param) format(v int64) string {
	if name, ok := p.preset(v); ok {
		return name
	}
	switch p.Kind {
	case Duration:
		return FormatTime(Time(v))
	case Ratio:
		return formatMillionths(v)
	case Switch:
		return [...]string{off, on}[v]
	case Person:
		if Actor(v) == Server {
			return none
		}
		return strings.ToLower(Name(Actor(v)))
	default:
		return strconv.FormatInt(v, 10)
	}
}

// Range writes the knob's range for an error message, in no particular language.
func (p Param) Range() string {
	switch p.Kind {
	case Switch:
		return on + ", " + off
	case Stretch:
		return none + ", 0s-1s … 0s-" + FormatTime(Time(p.Hi))
	case Person:
		names := []string{none}
		for a := Ana; int64(a) <= p.Hi; a++ {
			names = append(names, p.format(int64(a)))
		}
		return strings.Join(names, ", ")
	case Choice:
		return strings.Join(p.names(), ", ")
	default:
		text := p.format(p.Lo) + " … " + p.format(p.Hi)
		return strings.Join(append([]string{text}, p.names()...), ", ")
	}
}

// names are those of the presets.
func (p Param) names() (names []string) {
	for _, o := range p.Presets {
		names = append(names, o.Name)
	}
	return names
}

// preset is the name of a value; ok is false if it has none.
func (p Param) preset(v int64) (name string, ok bool) {
	for _, o := range p.Presets {
		if o.Value == v {
			return o.Name, true
		}
	}
	return "", false
}

// RangeIn writes the knob's range in s, which may be narrower.
func (p Param) RangeIn(s *Scenario) string {
	p.Hi = p.limit(s)
	return p.Range()
}

// A ParamError tells which knob was set wrongly, and how it can be set.
type ParamError struct {
	Name, Value string
	Range       string // empty if there is no such knob here
}

func (e *ParamError) Error() string {
	if e.Range == "" {
		return fmt.Sprintf("unknown parameter %q", e.Name)
	}
	return fmt.Sprintf("%s: %q is not in the range %s", e.Name, e.Value, e.Range)
}

// Set sets the knob in s from text; the error is a *ParamError.
func (p Param) Set(s *Scenario, text string) error {
	p.Hi = p.limit(s)
	if p.span != nil {
		stretch, ok := parseSpan(text)
		if !ok || stretch.To > Time(p.Hi) {
			return &ParamError{p.Name, text, p.Range()}
		}
		*p.span(s) = stretch
		return nil
	}
	v, ok := p.parse(text)
	if named := slices.Contains(p.names(), text); !ok || !named && (v < p.Lo || v > p.Hi) {
		return &ParamError{p.Name, text, p.Range()}
	}
	p.set(s, v)
	return nil
}

// limit is the upper end of the range in s: nobody can open the conversation again who is not in it, nor one that there is not, and
// uniform times are drawn all at once.
func (p Param) limit(s *Scenario) int64 {
	switch {
	case p.Kind == Person:
		return int64(s.Phones)
	case p.Name == "opens" && absent(s):
		return s.Conversations
	case p.Name == "messages" && s.Uniform:
		return 1_000_000
	default:
		return p.Hi
	}
}

// String writes a span as a link does: 6s-14s, or none.
func (s Span) String() string {
	if s == (Span{}) {
		return none
	}
	return FormatTime(s.From) + "-" + FormatTime(s.To)
}

// parseSpan reads what String writes; ok is false for anything else, and for a span in which there is no time.
func parseSpan(text string) (s Span, ok bool) {
	if text == none {
		return Span{}, true
	}
	from, to, _ := strings.Cut(text, "-")
	s.From, ok = ParseTime(from)
	if !ok {
		return Span{}, false
	}
	s.To, ok = ParseTime(to)
	return s, ok && s.From < s.To
}

func (p Param) parse(text string) (v int64, ok bool) {
	for _, o := range p.Presets {
		if o.Name == text {
			return o.Value, true
		}
	}
	switch p.Kind {
	case Choice:
		return 0, false
	case Duration:
		t, ok := ParseTime(text)
		return int64(t), ok
	case Ratio:
		return parseMillionths(text)
	case Switch:
		return map[string]int64{on: 1, off: 0}[text], text == on || text == off
	case Person:
		for a := Server; a <= Actor(MaxPhones); a++ {
			if p.format(int64(a)) == text {
				return int64(a), true
			}
		}
		return 0, false
	default:
		v, err := strconv.ParseInt(text, 10, 64)
		return v, err == nil
	}
}

// FormatTime writes a time as a link does: whole milliseconds below a second (100ms), else seconds (6.24s, 1.5s); anything finer
// than a millisecond is written out in full.
func FormatTime(t Time) string {
	if t > 0 && t < time.Second && t%ms == 0 {
		return strconv.FormatInt(int64(t/ms), 10) + "ms"
	}
	return decimal(int64(t), 9) + "s"
}

// ParseTime reads what FormatTime writes, and anything else that time.ParseDuration takes; negative times are refused.
func ParseTime(text string) (t Time, ok bool) {
	t, err := time.ParseDuration(text)
	return t, err == nil && t >= 0
}

// decimal writes v ÷ 10^digits without trailing zeros.
func decimal(v int64, digits int) string {
	s := fmt.Sprintf("%0*d", digits+1, v)
	whole, part := s[:len(s)-digits], strings.TrimRight(s[len(s)-digits:], "0")
	if part == "" {
		return whole
	}
	return whole + "." + part
}

func formatMillionths(v int64) string { return decimal(v, 6) }

// parseMillionths reads a plain decimal of at most six digits after the point, without a float in between.
func parseMillionths(text string) (v int64, ok bool) {
	whole, part, _ := strings.Cut(text, ".")
	if len(whole) == 0 || len(whole) > 6 || len(part) > 6 || strings.Trim(whole+part, "0123456789") != "" {
		return 0, false
	}
	v, err := strconv.ParseInt(whole+part+"000000"[:6-len(part)], 10, 64)
	return v, err == nil
}
