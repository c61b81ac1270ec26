package lessonfile

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

// anyLink takes every link that begins with a slash.
func anyLink(link string) (string, string, *Wrong) {
	if !strings.HasPrefix(link, "/") {
		return "", "", &Wrong{Want: WantLink}
	}
	if strings.Contains(link, "no") {
		return "", "", &Wrong{Part: "no", Want: WantPlace, Valid: "yes"}
	}
	_, at, _ := strings.Cut(link, "at=")
	return link, at, nil
}

func TestParse(t *testing.T) {
	const text = "\ufeff# a lesson\n\nlanguages zh en\ntitle 标题 | Title\nnote 先说 | first\n  at /a?at=3s\t\r\nnote once\nquestion 哪个？ | Which?\nanswer 甲 | A\n" +
		"right 乙 | B\nnote # no comment\nquestion How many?\nnumber 1.5\nquestion chapter\n"
	got, errs := Parse(text, anyLink)
	if len(errs) > 0 {
		t.Fatal(errs[0])
	}
	both := func(zh, en string) Text { return Text{"zh": zh, "en": en} }
	want := &Lesson{Languages: []string{"zh", "en"}, Title: both("标题", "Title"), Notes: []Text{both("先说", "first")}, Steps: []Step{
		{Line: 6, Link: "/a?at=3s", At: "3s", Notes: []Text{both("once", "once")}},
		{Line: 8, Question: &Question{Text: both("哪个？", "Which?"), Answers: []Text{both("甲", "A"), both("乙", "B")}, Right: "1"},
			Notes: []Text{both("# no comment", "# no comment")}},
		{Line: 12, Question: &Question{Text: both("How many?", "How many?"), Right: "1.5"}},
		{Line: 14, Question: &Question{Chapter: true}},
	}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v\nwant %+v", got, want)
	}
	asked := got.Steps[1].Question.Asked("q1")
	if asked.Choices != 2 || asked.Right != "1" || !asked.Open || asked.Options["en"][1] != "B" || asked.Options["zh"][0] != "甲" {
		t.Errorf("asked is %+v", asked)
	}
	if got.Title.In("en", got.Languages) != "Title" || (Text{"zh": "只有"}).In("en", got.Languages) != "只有" {
		t.Error("a text is told in the wrong language")
	}
}

func TestErrors(t *testing.T) {
	long, most := strings.Repeat("x", maxWords+1), strings.Repeat("at /a\n", MaxSteps)
	for text, want := range map[string]string{
		"":                           "1:1:", // no step
		"foo":                        "1:1: “foo”",
		" 问 x":                       "1:2: “问”",
		"at":                         "1:3: the end of the line",
		"at x":                       "1:4: “x”",
		"at /a/no?x":                 "1:7: “no”: there is only: yes",
		"at /a  b":                   "1:8: “b”: the line should end",
		"languages":                  "1:10: the end",
		"languages en fr":            "1:14: “fr”",
		"languages en en":            "1:",
		"at /a\nlanguages en":        "2:1: “languages”: the languages come before",
		"languages en zh\nnote a |":  "2:6: “a”: a text",
		"languages en zh\nnote  | b": "2:7: “|”: a text",
		"languages en zh\nnote a | b | 丙\nat /a": "2:14: “丙”: there may be at most: 2",
		"note":                              "1:5: the end of the line",
		"note " + long + "\nat /a":          "1:6:",
		"question":                          "1:9:",
		"question a":                        "1:1: “question”: a question has 2 to 6",
		"question a\nanswer b\nanswer c":    "1:1: “question”: one answer is right",
		"question a\nright b\nright c":      "3:1: “right”: one answer",
		"question a\nright b\nnumber 1":     "3:1: “number”: a question has either",
		"question a\nnumber 1\nright b":     "3:1: “right”: a question has either",
		"question a\nnumber x":              "2:8: “x”: a number",
		"question a\nnumber 1e999":          "2:8:",
		"question chapter":                  "1:1: “question”: a moment",
		"at /a\nquestion chapter\nanswer b": "3:1: “answer”: a question should",
		"answer b":                          "1:1: “answer”",
		"number 3":                          "1:1: “number”",
		most + "at /a":                      fmt.Sprintf("%d:1: “at”", MaxSteps+1),
		strings.Repeat("#", MaxText+1):      "1:1: the end of the line: there may be at most: 64 KB",
		"question a\n" + strings.Repeat("answer b\n", 7) + "right c": "8:1: “answer”: there may be at most: 6",
	} {
		_, errs := Parse(text, anyLink)
		if len(errs) == 0 {
			t.Errorf("%.60q is taken", text)
			continue
		}
		if !strings.HasPrefix(errs[0].Error(), want) {
			t.Errorf("%.60q: %v, want %s", text, errs[0], want)
		}
		if zh := errs[0].In("zh"); strings.Contains(zh, "%!") || zh == errs[0].In("en") {
			t.Errorf("%.60q: %s", text, zh)
		}
	}
}

// FuzzParse checks that whatever is read, a lesson without errors keeps its promises, and errors lead to a place in the text.
func FuzzParse(f *testing.F) {
	for _, chapter := range []string{"ordering", "polling", "offline"} {
		text, _ := Sample(chapter)
		f.Add(text)
	}
	f.Add("question a\nright b\nanswer c\nnote  | \n at /no")
	f.Fuzz(func(t *testing.T, text string) {
		l, errs := Parse(text, anyLink)
		lines := strings.Split(text, "\n")
		for _, e := range errs {
			if e.Line < 1 || e.Line > len(lines) || e.Column < 1 || e.Column > utf8.RuneCountInString(lines[e.Line-1])+1 {
				t.Errorf("%v is not in the text", e)
			}
		}
		if len(errs) > 0 {
			return
		}
		for i, step := range l.Steps {
			if (step.Question == nil) == (step.Link == "") {
				t.Errorf("step %d is %+v", i, step)
			}
			if q := step.Question; q != nil && !q.Chapter && (len(q.Answers) == 1 || len(q.Answers) > 6 || q.Right == "" || len(q.Text) != len(l.Languages)) {
				t.Errorf("step %d asks %+v", i, q)
			}
		}
	})
}
