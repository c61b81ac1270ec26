package web

import (
	"imscope/templates"
	"imscope/web/room"
)

func lessonSamples(l Link) []templates.LessonSample                       { return nil }
func lessonFaults(lang templates.Lang, text string) []templates.TextFault { return nil }
func stepViews(lang templates.Lang, text string) []templates.LessonStep   { return nil }
func walk(s *room.State, text string, forward bool) error                 { return nil }
