package protocol

import "imscope/sim/im"

// ahead is what a phone has from beyond a gap in contiguous numbers.
type ahead struct {
	held map[int64]bool
	most int64 // the biggest number that it has heard of
}

// take notes number n of a phone that has everything up to upto, and returns up to where it has everything now.
func (a *ahead) take(upto, n int64) int64 {
	if a.held == nil {
		a.held = make(map[int64]bool)
	}
	a.most = max(a.most, n)
	if n > upto {
		a.held[n] = true
	}
	for a.held[upto+1] {
		delete(a.held, upto+1)
		upto++
	}
	return upto
}

// gap is what a phone lacks that has everything up to upto.
func (a *ahead) gap(upto int64) im.Gap {
	if a.most <= upto {
		return im.Gap{}
	}
	return im.Gap{N: a.most - upto - int64(len(a.held)), Lo: upto + 1, Hi: a.most - 1}
}
