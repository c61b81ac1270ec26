package protocol

import "imscope/sim/im"

// byID orders every line by the server's id, which pushes and ACKs carry; lines still sending have no id and stay at the bottom.
// All screens then agree with the server. But ids jump, because other conversations take some: a phone that lacks a message
// cannot tell.
//
// Source: the book's chapter on ordering, section 3, step 1.
type byID struct{ im.Delivery }

func (p *byID) Start(w *im.World) { p.Delivery.Start(w, im.ByID, false) }

func (p *byID) Handle(w *im.World, in *im.Input) {
	switch in.Leg {
	case im.PushLeg:
		p.Show(w, in.To, in.Row(), im.Place{})
	case im.AckLeg:
		p.Confirm(w, in.To, in.Row(), im.Place{})
	default:
		p.Delivery.Handle(w, in)
	}
}
