package main

import (
	"context"

	"imscope/sim"
	"imscope/sim/im"
	"imscope/sim/protocol"
)

// byID makes the protocol that all play.
func byID() im.Protocol {
	chapter, _ := protocol.FindChapter(im.OrderingChapter)
	entry, _ := chapter.Find("by-id")
	return entry.New()
}

// ours plays s with the engine of this project, for its figures alone.
func ours(s *im.Scenario) im.Metrics {
	m, err := im.Tally(context.Background(), s, byID(), func() {})
	if err != nil {
		panic(err) // only a context ends a run early
	}
	return m
}

// kept is a trace whose buffer is used again.
var kept = new(im.Trace)

// oursKept keeps every step instead.
func oursKept(s *im.Scenario) im.Metrics {
	*kept = (*kept)[:0]
	if err := im.Run(context.Background(), s, byID(), kept); err != nil {
		panic(err)
	}
	return im.Metrics{}
}

var _ sim.Sink[im.Data] = kept
