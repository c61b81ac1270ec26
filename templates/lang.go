// Package templates draws the pages: templ components, the view models they take, and every text, in English and in Chinese. A
// view model is shaped like the region it fills and lives beside its template. Nothing here knows the engine.
package templates

import (
	"math"
	"strconv"
	"strings"

	"golang.org/x/text/language"
	"golang.org/x/text/message"
	"golang.org/x/text/number"
)

// Lang is a language of the site.
type Lang uint8

// The languages, in the order in which they are offered.
const (
	English Lang = iota
	Chinese
)

// Langs lists the languages.
var Langs = []Lang{English, Chinese}

var (
	tags     = [...]language.Tag{language.English, language.SimplifiedChinese}
	matcher  = language.NewMatcher(tags[:])
	printers = [...]*message.Printer{message.NewPrinter(language.English), message.NewPrinter(language.SimplifiedChinese)}
)

// Code is the language's part of a path: en or zh.
func (l Lang) Code() string { return [...]string{"en", "zh"}[l] }

// Tag is the language's tag in HTML.
func (l Lang) Tag() string { return [...]string{"en", "zh-Hans"}[l] }

// Name is what the language calls itself.
func (l Lang) Name() string { return [...]string{"English", "中文"}[l] }

// Other is the other language.
func (l Lang) Other() Lang { return 1 - l }

// ParseLang reads a Code; ok is false for anything else.
func ParseLang(code string) (l Lang, ok bool) {
	for _, l := range Langs {
		if l.Code() == code {
			return l, true
		}
	}
	return English, false
}

// PreferredLang chooses by an Accept-Language header.
func PreferredLang(header string) Lang {
	_, i := language.MatchStrings(matcher, header)
	return Lang(i)
}

// In chooses between the two texts that say the same. They stand side by side wherever a text is needed, so that whoever changes
// one sees the other.
func (l Lang) In(en, zh string) string {
	if l == Chinese {
		return zh
	}
	return en
}

// Int writes a whole number with separators, which both languages put alike. A page has hundreds.
func (l Lang) Int(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Num writes x to at most digits significant digits, with separators.
func (l Lang) Num(x float64, digits int) string {
	if x != 0 && !math.IsInf(x, 0) {
		scale := math.Pow(10, float64(digits-1)-math.Floor(math.Log10(math.Abs(x))))
		x = math.Round(x*scale) / scale
	}
	return printers[l].Sprint(number.Decimal(x, number.MaxFractionDigits(6)))
}

// Count writes n with a noun: in English its singular or plural, in Chinese with its measure word.
func (l Lang) Count(n int64, one, many, zh string) string {
	if l == Chinese {
		return l.Int(n) + " " + zh
	}
	if n == 1 {
		return l.Int(n) + " " + one
	}
	return l.Int(n) + " " + many
}

// Join writes a list: "a, b and c", 「a、b 和 c」.
func (l Lang) Join(items ...string) string {
	if len(items) < 2 {
		return strings.Join(items, "")
	}
	last := len(items) - 1
	return strings.Join(items[:last], l.In(", ", "、")) + l.In(" and ", " 和 ") + items[last]
}

// Seconds writes a time, to the millisecond, with its unit: 6.24 s, 6.24 秒.
func (l Lang) Seconds(s float64) string {
	return strconv.FormatFloat(math.Round(s*1000)/1000, 'f', -1, 64) + l.In(" s", " 秒")
}

// Duration writes a time in the unit in which people think of it: seconds up to ten minutes, then minutes, hours or days, to three digits.
func (l Lang) Duration(s float64) string {
	switch {
	case s < 600:
		return l.Seconds(s)
	case s < 2*3600:
		return l.Num(s/60, 3) + l.In(" min", " 分钟")
	case s < 2*86400:
		return l.Num(s/3600, 3) + l.In(" h", " 小时")
	default:
		return l.Num(s/86400, 3) + l.In(" days", " 天")
	}
}

// Ordinal numbers tries: 2nd try, 第 2 次.
func (l Lang) Ordinal(n int64) string {
	if l == Chinese {
		return "第 " + l.Int(n) + " 次"
	}
	suffix := "th"
	if n%100 < 11 || n%100 > 13 {
		switch n % 10 {
		case 1:
			suffix = "st"
		case 2:
			suffix = "nd"
		case 3:
			suffix = "rd"
		}
	}
	return l.Int(n) + suffix
}
