package web

import (
	"context"
	"errors"
	"net/url"
	"strings"

	"imscope/sim/im"
	"imscope/templates"
	"imscope/web/lessonfile"
)

// CheckLink finds what a link of a lesson leads to, as a lessonfile.Checker does: an address of a chapter's page, whole or without the site's
// name, with or without a language, and whatever place on the page it ends in. It plays the run, to see whether it has the moment.
func CheckLink(link string) (canonical, at string, wrong *lessonfile.Wrong) {
	l, wrong := lessonLink(link)
	if wrong == nil {
		wrong = checkRun(l)
	}
	if wrong != nil {
		return "", "", wrong
	}
	return l.anyLanguage(), l.At.String(), nil
}

// findLink does the same for a link that was checked before.
func findLink(link string) (canonical, at string, wrong *lessonfile.Wrong) {
	l, wrong := lessonLink(link)
	if wrong != nil {
		return "", "", wrong
	}
	return l.anyLanguage(), l.At.String(), nil
}

// lessonLink reads a link of a lesson.
func lessonLink(link string) (Link, *lessonfile.Wrong) {
	const example = "/ordering/book/by-seq?at=6.98s"
	address, err := url.Parse(link)
	if err != nil || !strings.HasPrefix(address.Path, "/") || strings.Trim(address.Path, "/") == "" {
		return Link{}, &lessonfile.Wrong{Want: lessonfile.WantLink, Valid: example}
	}
	parts := strings.Split(strings.Trim(address.Path, "/"), "/")
	lang, ok := templates.ParseLang(parts[0])
	if ok {
		parts = parts[1:]
	}
	if len(parts) == 0 || len(parts) > 3 {
		return Link{}, &lessonfile.Wrong{Want: lessonfile.WantLink, Valid: example}
	}
	l, err := parsePath(lang, parts)
	var unknown *unknownError
	if errors.As(err, &unknown) {
		return l, &lessonfile.Wrong{Part: unknown.name, Want: lessonfile.WantPlace, Valid: strings.Join(unknown.known, ", ")}
	}
	wrong := checkQuery(&l, address.Query())
	l.Guess, l.Sliders = "", nil // what a reader was about is no part of a lesson
	return l, wrong
}

// checkQuery reads the query of a lesson's link.
func checkQuery(l *Link, query url.Values) *lessonfile.Wrong {
	if errs := l.parseQuery(query); len(errs) > 0 {
		e := errs[0]
		wrong := &lessonfile.Wrong{Part: e.Name + "=" + e.Value, Want: lessonfile.WantParam, Valid: e.Name + "=" + e.Range}
		if e.Name == "at" {
			wrong.Want, wrong.Valid = lessonfile.WantMoment, e.Range
		} else if e.Range == "" {
			wrong.Part, wrong.Valid = e.Name, strings.Join(paramNames(l), ", ")
		}
		return wrong
	}
	if len(l.Ignored) > 0 {
		e := l.Ignored[0]
		return &lessonfile.Wrong{Part: im.LinkWords(e.Text), Want: lessonfile.WantParam, Valid: "edits=" + e.Valid}
	}
	return nil
}

// paramNames lists what the query of a page may say of its run.
func paramNames(l *Link) []string {
	var all []string
	for _, p := range im.Params {
		if p.Applies(&l.Scenario) {
			all = append(all, p.Name)
		}
	}
	return append(all, "edits", "with", "at", "why")
}

// checkRun plays the run of a link.
func checkRun(l Link) *lessonfile.Wrong {
	s := newStage(l)
	err := s.play(context.Background(), func(bool) error { return nil })
	switch {
	case errors.Is(err, errTooLong):
		return &lessonfile.Wrong{Want: lessonfile.WantShorter}
	case err != nil:
		return &lessonfile.Wrong{Want: lessonfile.WantLink}
	case !s.found:
		return &lessonfile.Wrong{Part: "at=" + l.At.String(), Want: lessonfile.WantMoment, Valid: atRange(&l.Scenario)}
	}
	return nil
}
