package im

import (
	"errors"
	"testing"
	"time"
)

// TestKnobs checks that every knob takes both ends of its range, writes them as it reads them, and refuses what lies beyond.
func TestKnobs(t *testing.T) {
	for _, p := range Params {
		for _, end := range []int64{p.Lo, p.Hi} {
			if p.Kind == Stretch {
				break // it is no number: TestStretches
			}
			s := random()
			s.Phones = MaxPhones
			if err := p.Set(&s, p.format(end)); err != nil || p.Number(&s) != end || p.Value(&s) != p.format(end) {
				t.Errorf("%s = %s: %v, and it is %s", p.Name, p.format(end), err, p.Value(&s))
			}
		}
		s := random()
		before := p.Value(&s)
		for _, text := range []string{"", "x", "-1", "1e400", "99999999999999999999", "NaN"} {
			var wrong *ParamError
			if err := p.Set(&s, text); !errors.As(err, &wrong) || wrong.Name != p.Name || wrong.Range == "" || p.Value(&s) != before {
				t.Errorf("%s = %q: %v, and it is %s", p.Name, text, err, p.Value(&s))
			}
		}
		if p.Kind == Count || p.Kind == Ratio || p.Kind == Duration {
			for _, v := range []int64{p.Lo - 1, p.Hi + 1} {
				if err := p.Set(&s, p.format(v)); err == nil {
					t.Errorf("%s takes %s, beyond its range", p.Name, p.format(v))
				}
			}
		}
	}
}

// TestStretches checks how stretches of time are written, and that one in which there is no time is refused.
func TestStretches(t *testing.T) {
	p, _ := FindParam("off")
	s := pollingBook()
	for _, text := range []string{"6s-14s", "0s-100ms", "1.5s-3600000s", "none"} {
		if err := p.Set(&s, text); err != nil || p.Value(&s) != text {
			t.Errorf("%s: %v, and it is %s", text, err, p.Value(&s))
		}
	}
	for _, text := range []string{"6s", "6s-", "-6s", "14s-6s", "6s-6s", "6s-14", "0s-3600001s", "6s-14s-20s", "off"} {
		if err := p.Set(&s, text); err == nil || p.Value(&s) != "none" {
			t.Errorf("%s passes for a stretch: %s", text, p.Value(&s))
		}
	}
}

// TestNotation checks how times and chances are written: exactly, in the shortest way.
func TestNotation(t *testing.T) {
	for text, want := range map[string]Time{"100ms": 100 * ms, "6.24s": 6240 * ms, "0s": 0, "1.000000001s": time.Second + 1, "90s": 90 * time.Second} {
		if got := FormatTime(want); got != text {
			t.Errorf("got %s, want %s", got, text)
		}
		if got, ok := ParseTime(text); !ok || got != want {
			t.Errorf("%s: got %d", text, got)
		}
	}
	for text, want := range map[string]int64{"0": 0, "0.1": 100_000, "0.000001": 1, "0.9": 900_000, "1": 1_000_000} {
		if got, ok := parseMillionths(text); !ok || got != want || formatMillionths(want) != text {
			t.Errorf("%s: got %d, written %s", text, got, formatMillionths(want))
		}
	}
	for _, text := range []string{"0.0000001", ".1", "1e-1", "0,1", "+0.1", "-0.1", "0x1", "1000000000"} {
		if v, ok := parseMillionths(text); ok {
			t.Errorf("%s passes for a chance: %d", text, v)
		}
	}
}

// TestAway checks how absences are written: by name where they have one, and the busy evening by name only.
func TestAway(t *testing.T) {
	p, _ := FindParam("away")
	s := offlineBook()
	for text, want := range map[string]Time{"10m": 10 * time.Minute, "open": 72 * time.Minute, "1d": day, "1w": 7 * day, "evening": eveningLong,
		"7200s": 2 * time.Hour, "60s": time.Minute, "2592000s": 30 * day} {
		if err := p.Set(&s, text); err != nil || p.Value(&s) != text || s.Off != (Span{0, want}) || s.Evening != (text == "evening") {
			t.Errorf("%s: %v, and it is %s, %v", text, err, p.Value(&s), s.Off)
		}
	}
	for given, want := range map[string]string{"600s": "10m", "24h": "1d", "168h": "1w", "1h12m": "open", "4h": "14400s"} {
		if err := p.Set(&s, given); err != nil || p.Value(&s) != want {
			t.Errorf("%s: %v, and it is %s, not %s", given, err, p.Value(&s), want)
		}
	}
	for _, text := range []string{"0s", "59s", "721h", "2d", "Evening", "-1w", ""} {
		if err := p.Set(&s, text); err == nil {
			t.Errorf("%q passes for an absence: %s", text, p.Value(&s))
		}
	}
	if got, want := p.Range(), "60s … 2592000s, 10m, open, 1d, 1w, evening"; got != want {
		t.Errorf("the range is %s", got)
	}
}

// TestMissed checks how many messages come: 267 a day, rounded half up.
func TestMissed(t *testing.T) {
	p, _ := FindParam("away")
	for text, want := range map[string]int64{"10m": 2, "open": 13, "1d": 267, "1w": 1869, "evening": 230, "1m": 0, "12h": 134, "720h": 8010} {
		s := offlineBook()
		if err := p.Set(&s, text); err != nil || s.Missed() != want || int64(len(s.Arrivals())) != want {
			t.Errorf("%s: %v, %d messages, want %d", text, err, s.Missed(), want)
		}
	}
}
