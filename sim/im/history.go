package im

// untilOpened is how long after catching up the reader opens a conversation.
const untilOpened = Second

// open opens a conversation, of which the phone may have but the newest message, and fetches what it lacks.
func (c *Catching) open(w *World) {
	conv := uint16(w.Opens)
	w.Because(w.Record(c.device, Data{Kind: Opened, Conv: conv}))
	c.fetch(w, conv)
}

// fetch asks for the page of a conversation's history that lies just below what the phone has: a reader looks at the newest first.
func (c *Catching) fetch(w *World, conv uint16) {
	if c.lowest == 0 {
		return // there is no hole
	}
	lo, hi := max(c.Chats.Left(conv)+1, c.lowest-w.Page), c.lowest-1
	if lo > hi {
		return
	}
	w.Because(w.Record(c.device, Data{Kind: Asked, Conv: conv, Lo: lo, Hi: hi, Attempt: 1}))
	w.Send(Input{Leg: AskLeg, From: c.device, To: Server, Conv: conv, Lo: lo, Hi: hi, Attempt: 1})
}

// fill takes a page of history.
func (c *Catching) fill(w *World, in *Input) {
	cause := w.Cause()
	for _, m := range c.Chats.After(in.Conv, in.Lo-1, int(in.Hi-in.Lo+1)) {
		w.Record(in.To, Data{Kind: Shown, Msg: m.Msg, Conv: m.Conv, ID: m.ID, Seq: m.Seq, Fetched: true})
	}
	c.lowest = in.Lo
	w.Because(cause)
	c.fetch(w, in.Conv)
}
