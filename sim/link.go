package sim

// Verdict is what becomes of one leg: lost on the way, or delivered after a delay.
type Verdict struct {
	Lost  bool
	Delay Time
}

// Link decides the fate of legs. It knows no clock: the same draws get the same verdict whenever the leg leaves.
type Link struct {
	Latency Time   // one way, at least 0
	Loss    Chance // of each leg
	Jitter  Time   // an extra delay, uniform from 0 to Jitter, so that legs overtake one another; 0 keeps their order
}

// Judge gives the verdict on a leg. loss and jitter must be draws of the leg's own identity, for one purpose each.
func (l Link) Judge(loss, jitter Draw) Verdict {
	v := Verdict{Lost: loss.Below(l.Loss), Delay: l.Latency}
	if l.Jitter > 0 {
		v.Delay += jitter.Uniform(l.Jitter)
	}
	return v
}
