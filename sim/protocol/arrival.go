package protocol

import "imscope/sim/im"

// arrival is the most natural phone there is: an own line goes to the bottom when it is sent, everybody else's when it arrives,
// and nothing moves. The screen is then in the order in which this phone saw things, which is nobody else's order.
//
// Source: the book's chapter on ordering, section 1.
type arrival struct{ im.Delivery }

func (p *arrival) Start(w *im.World) { p.Delivery.Start(w, im.ByAppearance, false) }

func (p *arrival) Handle(w *im.World, in *im.Input) {
	switch in.Leg {
	case im.PushLeg:
		p.Show(w, in.To, in.Row(), im.Place{})
	case im.AckLeg:
		p.Confirm(w, in.To, in.Row(), im.Place{})
	default:
		p.Delivery.Handle(w, in)
	}
}
