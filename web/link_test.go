package web

import (
	"maps"
	"math/rand/v2"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"imscope/sim/im"
	"imscope/sim/protocol"
	"imscope/templates"
)

// randomLink draws a link with any value that each knob allows; nobody plays it.
func randomLink(seed uint64) Link {
	l := oddLink(seed)
	r := rand.New(rand.NewPCG(seed, 1))
	for _, p := range im.Params {
		if !p.Applies(&l.Scenario) || p.Name == "messages" || p.Name == "length" || p.Name == "phones" || p.Name == "opens" || r.IntN(2) == 0 {
			continue
		}
		text := strconv.FormatInt(p.Lo+r.Int64N(p.Hi-p.Lo+1), 10)
		switch p.Kind {
		case im.Duration:
			text += "ns"
		case im.Choice:
			text = p.Presets[r.IntN(len(p.Presets))].Name
		case im.Ratio:
			text = [...]string{"0", "0.9", "0.000001", "0.123456"}[r.IntN(4)]
		case im.Switch:
			text = [...]string{"on", "off"}[r.IntN(2)]
		case im.Person:
			text = [...]string{"none", "ana", "ben"}[r.IntN(3)]
		case im.Stretch:
			text = [...]string{"none", "0s-1ns", "6.5s-14s"}[r.IntN(3)]
		}
		if err := p.Set(&l.Scenario, text); err != nil {
			panic(err)
		}
	}
	l.Scenario.Edits = nil // oddLink's times belong to another gap
	if l.Chapter.Name != im.OfflineChapter && r.IntN(3) == 0 {
		for n := range 1 + r.IntN(20) {
			l.Scenario.Edits = append(l.Scenario.Edits, im.Edit{Verb: im.Press, At: im.Time(n) * im.Millisecond / 3, Msg: im.HandMessage(im.Actor(1+n%l.Scenario.Phones), uint32(n+1))})
		}
	}
	if p, _ := im.FindParam("length"); p.Applies(&l.Scenario) && r.IntN(3) == 0 {
		if err := p.Set(&l.Scenario, im.FormatTime(l.Scenario.Gap*im.Time(1+r.IntN(20))+im.Second)); err != nil {
			panic(err)
		}
	}
	switch r.IntN(4) {
	case 1:
		l.At = At{End: true}
	case 2:
		l.At = At{Time: im.Time(r.Int64N(int64(l.Scenario.End())))}
	case 3:
		l.At = At{Time: im.Time(r.Int64N(int64(l.Scenario.End()))), Tie: r.Uint32N(9), HasTie: true}
	}
	if r.IntN(3) == 0 {
		l.Why = Why{[]string{"step", "ben.A2", "inverted"}[r.IntN(3)], l.At}
	}
	l.Guess = append(l.lesson().guesses(), "")[r.IntN(len(l.lesson().guesses())+1)]
	l.Sliders = map[string]float64{}
	for _, s := range l.lesson().sliders {
		if r.IntN(3) == 0 {
			l.Sliders[s.Name] = s.Min + float64(r.Int64N(1+int64((s.Max-s.Min)/s.Step)))*s.Step
		}
		if l.Sliders[s.Name] == s.Value {
			delete(l.Sliders, s.Name)
		}
	}
	return l
}

// sameLink compares all of two links but what the catalogue makes them point to.
func sameLink(a, b Link) bool {
	return a.Lang == b.Lang && a.Chapter.Name == b.Chapter.Name && a.Protocol.Name == b.Protocol.Name && a.At == b.At && a.Why == b.Why && a.Guess == b.Guess &&
		maps.Equal(a.Sliders, b.Sliders) && reflect.DeepEqual(a.Scenario, b.Scenario)
}

// TestLinkRoundTrip checks that an address holds all of a link, and that the one address written for it is the one read.
func TestLinkRoundTrip(t *testing.T) {
	queries := map[string]int{}
	for seed := range uint64(5000) {
		want := randomLink(seed)
		address := want.String()
		got := mustLink(t, address)
		if !sameLink(got, want) {
			t.Fatalf("seed %d: %s is read as\n%+v, not\n%+v", seed, address, got, want)
		}
		_, query, _ := strings.Cut(address, "?")
		values, err := url.ParseQuery(query)
		if err != nil {
			t.Fatalf("%s: %v", address, err)
		}
		for name := range values {
			queries[name]++
		}
	}
	for _, p := range im.Params { // or the links were not as random as they should be
		if queries[p.Name] == 0 && slices.ContainsFunc(chapters, func(c protocol.Chapter) bool { return p.AppliesIn(c.Name) }) {
			t.Errorf("no link had %s", p.Name)
		}
	}
}

func TestLinkCanonical(t *testing.T) {
	for _, c := range []struct{ given, want string }{
		{"/en/ordering", "/en/ordering"},
		{"/en/ordering/book", "/en/ordering"},
		{"/zh/ordering/book/arrival", "/zh/ordering"},
		{"/en/ordering/random/arrival?at=end", "/en/ordering/random?at=end"},
		{"/en/ordering/book/by-seq?at=6240ms", "/en/ordering/book/by-seq?at=6.24s"},
		{"/en/ordering?at=0s", "/en/ordering"},
		{"/en/ordering?at=0s~0", "/en/ordering?at=0s~0"},
		{"/en/ordering?at=6.24s~0&loss=0.10&seed=007&seed=8", "/en/ordering?seed=7&loss=0.1&at=6.24s~0"},
		{"/en/ordering?seed=1&loss=&guess=&latency=100ms", "/en/ordering"},
		{"/en/ordering/random?length=1m&messages=20", "/en/ordering/random?length=60s"},
		{"/en/ordering/random?length=20s&messages=20&phones=3", "/en/ordering/random?phones=3&length=20s"},
		{"/en/ordering?edits=send-b1-7s_lose-push-A1-ben-1_drop-A9_send-b1-6300ms", "/en/ordering?edits=send-b1-6.3s_lose-push-A1-ben_drop-A9"},
		{"/en/ordering?users=1e5&took=5&rate=0.50", "/en/ordering?users=100000"},
	} {
		l := mustLink(t, c.given)
		if got := l.String(); got != c.want {
			t.Errorf("%s is written %s, not %s", c.given, got, c.want)
		}
	}
}

func TestAt(t *testing.T) {
	const s, ms = im.Second, im.Millisecond
	for text, want := range map[string]At{
		"":          {},
		"end":       {End: true},
		"6s":        {Time: 6 * s},
		"6.24s":     {Time: 6240 * ms},
		"100ms":     {Time: 100 * ms},
		"6.24s~0":   {Time: 6240 * ms, HasTie: true},
		"0s~0":      {HasTie: true},
		"1.5s~12":   {Time: 1500 * ms, Tie: 12, HasTie: true},
		"0.000001s": {Time: 1000},
	} {
		got, ok := parseAt(text)
		if !ok || got != want || got.String() != text {
			t.Errorf("%q is read as %+v (%v) and written %q", text, got, ok, got)
		}
	}
	for _, text := range []string{"x", "6", "-1s", "6s~", "6s~x", "6s~-1", "6s~1~2", "~1", "end~0", "End", "6s ", "6s~4294967296", "9223372037s", "NaNs"} {
		if at, ok := parseAt(text); ok {
			t.Errorf("%q is read as %+v", text, at)
		}
	}
}

// FuzzLink checks that no address ends the server, and that what is read of it, right or wrong, is written as an address that is
// right and is written the same again.
func FuzzLink(f *testing.F) {
	for _, seed := range []string{
		"/ordering", "/ordering/book/by-seq?at=6.24s~1", "/ordering/random?seed=x&loss=2&phones=10&messages=301&at=1h",
		"/ordering/random?messages=100000000&gap=1h", "/ordering/random?length=999h&gap=50ms", "/ordering?send=a1-6.3s_b1-7s&guess=lines&rate=NaN",
		"/ordering/trio?reopen=erik&write=10s", "/ordering/random/by-id?phones=2&reopen=carl&at=end", "/ordering?a=1;b=2&%zz=%",
	} {
		f.Add(seed)
	}
	for seed := range uint64(20) {
		f.Add(randomLink(seed).String()[len("/en"):])
	}
	f.Fuzz(func(t *testing.T, address string) {
		path, query, _ := strings.Cut(address, "?")
		l, err := parsePath(templates.English, strings.Split(strings.Trim(path, "/"), "/"))
		if err != nil {
			return
		}
		values, _ := url.ParseQuery(query)
		l.parseQuery(values)
		canonical := l.String()
		again, errs := parseLink(t, canonical)
		if len(errs) > 0 {
			t.Fatalf("%q is written %s, where %v", address, canonical, errs[0])
		}
		if !sameLink(again, l) || again.String() != canonical {
			t.Fatalf("%q is written %s, and that %s", address, canonical, again)
		}
		s := &again.Scenario
		if s.Chapter == im.OfflineChapter {
			return
		}
		n := int64(s.End()/s.Gap) * int64(s.Phones)
		if s.Uniform {
			n = s.Messages
		}
		if len(s.Script) == 0 && (n < 0 || n > maxPageMessages) {
			t.Fatalf("%s has about %d messages", canonical, n)
		}
	})
}
