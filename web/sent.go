package web

import (
	"imscope/sim/im"
	"imscope/templates"
)

// sendLink is the link that sends a message by hand from a phone, now.
func sendLink(n narrator, l Link, a im.Actor) *templates.SendLink { return nil }

// sentLinks are the messages sent by hand, each with the link that takes it back.
func sentLinks(n narrator, l Link) []templates.TextLink { return nil }
