package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"imscope/sim/im"
	"imscope/web"
	"imscope/web/lessonfile"
)

func lessonHelp() string {
	return `imscope lesson check FILE...
imscope lesson sample CHAPTER

check reads the texts of lessons, plays every run they lead to, and lists what is wrong, a line each: FILE:LINE:COLUMN: what. "-" is the
standard input. It exits with 1 if anything is wrong. sample prints a lesson to begin with, for ` + strings.Join(im.Chapters, ", ") + `.

` + lessonfile.Grammar
}

func lessons(_ context.Context, args []string, stdout, _ io.Writer) error {
	for _, arg := range args {
		if strings.HasPrefix(arg, "-") && arg != "-" {
			return wrongUse("lesson takes no flag %s", arg)
		}
	}
	switch {
	case len(args) == 0:
		return wrongUse("lesson check FILE, or lesson sample CHAPTER?")
	case args[0] == "check" && len(args) > 1:
		return checkLessons(args[1:], stdout)
	case args[0] == "sample" && len(args) == 2:
		text, ok := lessonfile.Sample(args[1])
		if !ok {
			return unknown("chapter", args[1], im.Chapters)
		}
		_, err := io.WriteString(stdout, text)
		return err
	case args[0] == "check":
		return wrongUse("lesson check: which file?")
	case args[0] == "sample":
		return wrongUse("lesson sample: which chapter? There is %s", strings.Join(im.Chapters, ", "))
	}
	return unknown("command", "lesson "+args[0], []string{"lesson check", "lesson sample"})
}

// checkLessons lists what is wrong with lessons, and tells of the others how much they hold.
func checkLessons(files []string, stdout io.Writer) error {
	wrong := 0
	for _, name := range files {
		text, err := open(name)
		if err != nil {
			return wrongUse("%v", err)
		}
		l, errs := lessonfile.Parse(text, web.CheckLink)
		for _, e := range errs {
			fmt.Fprintf(stdout, "%s:%v\n", name, e)
		}
		wrong += len(errs)
		if len(errs) == 0 {
			fmt.Fprintf(stdout, "%s: %s\n", name, contents(l))
		}
	}
	if wrong > 0 {
		return fmt.Errorf("%d things are wrong", wrong)
	}
	return nil
}

// contents counts what a lesson holds.
func contents(l *lessonfile.Lesson) string {
	var moments, questions, notes int
	notes = len(l.Notes)
	for _, step := range l.Steps {
		if step.Question != nil {
			questions++
		} else {
			moments++
		}
		notes += len(step.Notes)
	}
	return fmt.Sprintf("good: %d steps (moments %d, questions %d), notes %d, in %s", len(l.Steps), moments, questions, notes, strings.Join(l.Languages, " and "))
}
