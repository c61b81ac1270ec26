package web

import (
	"strings"
	"testing"

	"imscope/web/lessonfile"
)

// TestSampleLessons checks that each chapter has a lesson, that each of its links leads to a moment of a run of that chapter, and that it is
// whole in both languages.
func TestSampleLessons(t *testing.T) {
	for _, c := range chapters {
		text, ok := lessonfile.Sample(c.Name)
		if !ok {
			t.Errorf("%s has no lesson", c.Name)
			continue
		}
		l, errs := lessonfile.Parse(text, CheckLink)
		for _, e := range errs {
			t.Errorf("%s:%v", c.Name, e)
		}
		moments, questions := 0, 0
		whole := func(texts ...lessonfile.Text) {
			for _, text := range texts {
				if text["en"] == "" || text["zh"] == "" || text["en"] == text["zh"] {
					t.Errorf("%s: %v is not in both languages", c.Name, text)
				}
			}
		}
		whole(l.Title)
		whole(l.Notes...)
		for _, step := range l.Steps {
			whole(step.Notes...)
			if q := step.Question; q == nil {
				moments++
				if !strings.HasPrefix(step.Link, "/"+c.Name) {
					t.Errorf("%s leads to %s", c.Name, step.Link)
				}
			} else if questions++; !q.Chapter {
				whole(q.Text)
				whole(q.Answers...)
				if err := q.Asked("q").Check(); err != nil {
					t.Errorf("%s: %v: %v", c.Name, q.Text, err)
				}
			}
		}
		if moments < 6 || questions < 3 {
			t.Errorf("%s: %d moments, %d questions", c.Name, moments, questions)
		}
	}
}

func TestCheckLink(t *testing.T) {
	for link, want := range map[string]string{
		"/ordering": "/ordering ",
		"https://chat.example/zh/ordering/book/by-seq?at=6.98s&guess=same&rate=1#stage": "/ordering/book/by-seq?at=6.98s 6.98s",
		"/en/polling/hole?at=end":                                 "/polling/hole?at=end end",
		"/ordering/book/by-seq?edits=lose-push-A4-ben&with=by-id": "/ordering/book/by-seq?edits=lose-push-A4-ben&with=by-id ",
	} {
		canonical, at, wrong := CheckLink(link)
		if wrong != nil || canonical+" "+at != want {
			t.Errorf("%s leads to %s at %s, %+v", link, canonical, at, wrong)
		}
	}
	for link, want := range map[string]lessonfile.Wrong{
		"":                             {Want: lessonfile.WantLink},
		"ordering":                     {Want: lessonfile.WantLink},
		"/zh":                          {Want: lessonfile.WantLink},
		"/healthz":                     {Part: "healthz", Want: lessonfile.WantPlace},
		"/ordering/book/by-seq/often":  {Want: lessonfile.WantLink},
		"/ordering/boo":                {Part: "boo", Want: lessonfile.WantPlace},
		"/ordering/book/by-seq?loss=2": {Part: "loss=2", Want: lessonfile.WantParam},
		"/ordering?x=2":                {Part: "x", Want: lessonfile.WantParam},
		"/ordering?at=3":               {Part: "at=3", Want: lessonfile.WantMoment},
		"/ordering?at=3s~1":            {Part: "at=3s~1", Want: lessonfile.WantMoment},
		"/ordering?edits=lose-x":       {Part: "lose-x", Want: lessonfile.WantParam},
	} {
		if _, _, wrong := CheckLink(link); wrong == nil || wrong.Part != want.Part || wrong.Want != want.Want {
			t.Errorf("%s: %+v, want %+v", link, wrong, want)
		}
	}
}
