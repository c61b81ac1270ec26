package im

import (
	"fmt"
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
	// Random says that the knob only means something where the run is drawn, not scripted.
	Random bool

	get func(*Scenario) int64
	set func(*Scenario, int64)
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
)

// MaxSeed is the largest seed: every whole number up to it is exact in a browser too.
const MaxSeed = 1<<53 - 1

const (
	none = "none"
	on   = "on"
	off  = "off"
)

// Params lists every knob, in the order of links and forms.
var Params = []Param{
	{Name: "seed", Hi: MaxSeed, get: func(s *Scenario) int64 { return int64(s.Seed) }, set: func(s *Scenario, v int64) { s.Seed = uint64(v) }},
	{Name: "phones", Lo: 2, Hi: int64(MaxPhones), Random: true,
		get: func(s *Scenario) int64 { return int64(s.Phones) }, set: func(s *Scenario, v int64) { s.Phones = int(v) }},
	{Name: "messages", Lo: 1, Hi: 100_000_000, Random: true,
		get: func(s *Scenario) int64 { return s.Messages }, set: func(s *Scenario, v int64) { s.Messages = v }},
	{Name: "length", Kind: Duration, Lo: int64(time.Second), Hi: int64(1000 * time.Hour), Random: true,
		get: func(s *Scenario) int64 { return int64(s.Length) },
		set: func(s *Scenario, v int64) { s.Length, s.Messages = Time(v), 0 }},
	durationParam("gap", 50*ms, time.Hour, true, func(s *Scenario) *Time { return &s.Gap }),
	durationParam("latency", 0, 10*time.Second, false, func(s *Scenario) *Time { return &s.Latency }),
	{Name: "loss", Kind: Ratio, Hi: int64(sim.Certain) * 9 / 10,
		get: func(s *Scenario) int64 { return int64(s.Loss) }, set: func(s *Scenario, v int64) { s.Loss = sim.Chance(v) }},
	durationParam("rto", 50*ms, time.Minute, false, func(s *Scenario) *Time { return &s.RTO }),
	{Name: "attempts", Hi: 100, get: func(s *Scenario) int64 { return s.Attempts }, set: func(s *Scenario, v int64) { s.Attempts = v }},
	durationParam("gapwait", 0, 10*time.Second, false, func(s *Scenario) *Time { return &s.GapWait }),
	durationParam("write", 0, 10*time.Second, false, func(s *Scenario) *Time { return &s.Write }),
	switchParam("reorder", func(s *Scenario) *bool { return &s.Reorder }, false),
	switchParam("fetchloss", func(s *Scenario) *bool { return &s.FetchLoss }, false),
	switchParam("ids", func(s *Scenario) *bool { return &s.NoIDs }, true),
	switchParam("ack", func(s *Scenario) *bool { return &s.NoACK }, true),
	switchParam("dedupe", func(s *Scenario) *bool { return &s.NoDedupe }, true),
	{Name: "reopen", Kind: Person, Hi: int64(MaxPhones),
		get: func(s *Scenario) int64 { return int64(s.Reopen) }, set: func(s *Scenario, v int64) { s.Reopen = Actor(v) }},
}

func durationParam(name string, lo, hi Time, random bool, field func(*Scenario) *Time) Param {
	return Param{Name: name, Kind: Duration, Lo: int64(lo), Hi: int64(hi), Random: random,
		get: func(s *Scenario) int64 { return int64(*field(s)) }, set: func(s *Scenario, v int64) { *field(s) = Time(v) }}
}

// switchParam is on or off; with negated the field says what is off.
func switchParam(name string, field func(*Scenario) *bool, negated bool) Param {
	return Param{Name: name, Kind: Switch, Hi: 1,
		get: func(s *Scenario) int64 {
			if *field(s) != negated {
				return 1
			}
			return 0
		},
		set: func(s *Scenario, v int64) { *field(s) = (v == 1) != negated }}
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
func (p Param) Applies(s *Scenario) bool { return !p.Random || len(s.Script) == 0 }

// Value writes the knob's value in s, in the one canonical way.
func (p Param) Value(s *Scenario) string { return p.format(p.get(s)) }

// Number is the knob's value in s, in the unit of Lo and Hi.
func (p Param) Number(s *Scenario) int64 { return p.get(s) }

func (p Param) format(v int64) string {
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
	case Person:
		names := []string{none}
		for a := Ana; int64(a) <= p.Hi; a++ {
			names = append(names, p.format(int64(a)))
		}
		return strings.Join(names, ", ")
	default:
		return p.format(p.Lo) + " … " + p.format(p.Hi)
	}
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
	v, ok := p.parse(text)
	if !ok || v < p.Lo || v > p.Hi {
		return &ParamError{p.Name, text, p.Range()}
	}
	p.set(s, v)
	return nil
}

// limit is the upper end of the range in s: nobody can open the conversation again who is not in it.
func (p Param) limit(s *Scenario) int64 {
	if p.Kind == Person {
		return int64(s.Phones)
	}
	return p.Hi
}

func (p Param) parse(text string) (v int64, ok bool) {
	switch p.Kind {
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
