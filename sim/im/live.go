package im

// live is the phone's: it takes what was pushed, and minds the gap that it may show.
func (c *Catching) live(w *World, in *Input) {
	m := Mail{Row: in.Row(), Conv: in.Conv, Inbox: in.Inbox}
	c.way.Push(&m)
	d := Data{Kind: Shown, Msg: m.Msg, Conv: m.Conv, ID: m.ID, Seq: m.Seq, Inbox: m.Inbox, Gap: c.way.Gap().N}
	if c.shown[m.Msg] {
		d.Kind = Ignored
	}
	c.shown[m.Msg] = true
	if m.Seq == c.have[m.Conv]+1 {
		c.have[m.Conv] = m.Seq
	}
	w.Because(w.Record(in.To, d))
	c.mind(w)
}

// mind starts or ends the wait, as the gap demands. While the phone asks it does not wait; if a gap is left then, the wait starts anew.
func (c *Catching) mind(w *World) {
	gap := c.way.Gap()
	switch {
	case gap.N > 0 && !c.waiting && !c.asking:
		c.waiting = true
		c.round++
		w.Because(w.Record(c.device, Data{Kind: GapSeen, Conv: gap.Conv, Gap: gap.N, Lo: gap.Lo, Hi: gap.Hi}))
		w.Timer(Input{On: OnGap, From: c.device, To: c.device, Attempt: c.round})
	case gap.N == 0 && c.waiting:
		c.waiting = false
		w.Record(c.device, Data{Kind: GapClosed})
	}
}
