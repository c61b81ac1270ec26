package web

import (
	"regexp"
	"strings"
	"testing"
	"unicode"

	"imscope/sim/im"
	"imscope/templates"
)

// TestBookSentences checks, word by word, how the moments of the book's run by seq are told that the chapter is about.
func TestBookSentences(t *testing.T) {
	want := map[string][2]string{
		"5.04s": {"Ana sends A1; the phone shows it at once, as sending. On the way to the server it is lost.",
			"Ana 发出 A1，手机立刻把它显示出来，标着“发送中”。它在去服务器的路上丢了。"},
		"5.61s": {"The server stores A2 as number 3 of the conversation (id 1013). Under way: the ACK to Ana. The push to Ben is lost, and the server does not know.",
			"服务器存下 A2，它是这个会话的第 3 号（id 1013）。在路上：给 Ana 的确认。给 Ben 的推送丢了，而服务器并不知道。"},
		"5.71s": {"The ACK reaches Ana: A2 is sent. Its number puts it above A1: the line moves.",
			"确认到了 Ana：A2 已发出。按编号它该在 A1 上面，于是这一行挪了上去。"},
		"6.04s": {"No ACK for A1 within 1 s: Ana’s phone sends it again (2nd try).",
			"A1 过了 1 秒还没有确认：Ana 的手机再发一次（第 2 次）。"},
		"6.24s": {"A1 reaches Ben with number 4. So Ben knows that number 3 is missing, and waits 0.5 s for it.",
			"A1 到了 Ben，编号 4。于是 Ben 知道缺了 3 号，先等 0.5 秒。"},
		"6.74s": {"The gap is still there: Ben asks the server for number 3.",
			"缺口还在：Ben 向服务器要 3 号。"},
		"6.94s": {"The answer brings A2 to Ben; it goes above A1.",
			"补拉把 A2 带给了 Ben，排在 A1 上面。"},
		"6.98s": {"A3 reaches Ben with number 5 and goes above B3.",
			"A3 到了 Ben，编号 5，排在 B3 上面。"},
	}
	for at, sentences := range want {
		for _, lang := range templates.Langs {
			l := mustLink(t, "/"+lang.Code()+"/ordering/book/by-seq?at="+at)
			if got := play(t, l, nil).view.Sentence; got != sentences[lang] {
				t.Errorf("%v:\n got %s\nwant %s", l, got, sentences[lang])
			}
		}
	}
}

// wrongSentence are signs of a sentence that was put together wrongly.
var wrongSentence = [...]*regexp.Regexp{
	templates.English: regexp.MustCompile(`%!|  |^ | $| [.,;:]|[.,;:]{2}|[^.?]$|\p{Han}|\bwaits 0 s\b|\bnumbers? (is|are)\b`),
	templates.Chinese: regexp.MustCompile(`%!|  |^ | $|\p{Han} \p{Han}|\p{Han} [，。：；]|[，。：；] |[，。：；]{2}|,\D|[;:]|\.\D|[^。？]$`),
}

// TestEverySentence checks that every event of many runs is told in both languages, in whole sentences.
func TestEverySentence(t *testing.T) {
	kinds := map[im.Kind]bool{}
	everyRun(200, func(l Link) {
		for _, l.Lang = range templates.Langs {
			play(t, l, func(s *stage, e taken) {
				for _, step := range e.steps {
					kinds[step.Data.Kind] = true
				}
				text := s.view.Happenings[len(s.view.Happenings)-1].Text
				if wrong := wrongSentence[l.Lang].FindString(text); wrong != "" || text == "" {
					t.Fatalf("%v at %v: %q is wrong in %q", l, e.Moment, wrong, text)
				}
				for _, sentence := range strings.SplitAfter(text, ". ") {
					if first := rune(sentence[0]); l.Lang == templates.English && !unicode.IsUpper(first) && !unicode.IsDigit(rune(sentence[1])) {
						t.Fatalf("%v at %v: %q begins small", l, e.Moment, sentence)
					}
				}
			})
		}
	})
	for kind := im.Connected; kind <= im.Reloaded; kind++ {
		if !kinds[kind] && !raceOn { // or this test does not see what it should
			t.Errorf("no run had a step of kind %d", kind)
		}
	}
}

// TestLanguagesAgree checks that the two languages tell of the same events at the same times, with the same marks.
func TestLanguagesAgree(t *testing.T) {
	everyRun(30, func(l Link) {
		l.Lang = templates.English
		en := play(t, l, nil).view
		l.Lang = templates.Chinese
		zh := play(t, l, nil).view
		if len(en.Happenings) != len(zh.Happenings) {
			t.Fatalf("%v: %d events in English, %d in Chinese", l, len(en.Happenings), len(zh.Happenings))
		}
		for i, e := range en.Happenings {
			if z := zh.Happenings[i]; e.At != z.At || e.Mark != z.Mark || !sameMessages(e.Text, z.Text) {
				t.Fatalf("%v:\n%v %s %s\n%v %s %s", l, e.At, e.Mark, e.Text, z.At, z.Mark, z.Text)
			}
		}
	})
}

var messageName = regexp.MustCompile(`\b[A-Ea-e]\d+\b`)

// sameMessages reports whether two sentences name the same messages, in whatever order.
func sameMessages(en, zh string) bool {
	count := map[string]int{}
	for _, m := range messageName.FindAllString(en, -1) {
		count[m]++
	}
	for _, m := range messageName.FindAllString(zh, -1) {
		count[m]--
	}
	for _, n := range count {
		if n != 0 {
			return false
		}
	}
	return true
}
