package estimate

import "math"

// Report is what a number of batches came to.
type Report struct {
	Plan Plan

	batches []batch
}

// Interval is a mean with its 95% interval: 95 of 100 estimates hold the true figure in theirs. It comes from the spread of the batches,
// by Student's t for their number. From fewer than four batches it would be too wide to tell anything; then Low is 0 and High infinite.
type Interval struct{ Mean, Low, High float64 }

// fewestBatches is how many batches an interval needs.
const fewestBatches = 4

// Batches is how many batches were played.
func (r *Report) Batches() int64 { return int64(len(r.batches)) }

// Messages is how many messages they sent.
func (r *Report) Messages() (n int64) {
	for i := range r.batches {
		n += r.batches[i].messages
	}
	return n
}

// Figure estimates the i-th figure: per 100 messages, or per run where the plan repeats one.
func (r *Report) Figure(i int) Interval {
	part := func(b *batch) float64 { return float64(b.counts[i]) }
	if r.Plan.Size == 0 {
		return r.ratio(1, part, func(*batch) float64 { return 1 })
	}
	return r.ratio(100, part, func(b *batch) float64 { return float64(b.messages) })
}

// Value is what one batch came to.
type Value struct {
	Batch int64 // from 0; Plan.Seed tells its seed
	Count int64
}

// Values are the i-th figure of every batch that was played, by number.
func (r *Report) Values(i int) []Value {
	values := make([]Value, len(r.batches))
	for n := range r.batches {
		values[n] = Value{r.batches[n].number, r.batches[n].counts[i]}
	}
	return values
}

// WaitMS estimates the mean wait in milliseconds.
func (r *Report) WaitMS() Interval {
	return r.ratio(1, func(b *batch) float64 { return b.waitedInMS }, func(b *batch) float64 { return b.waits })
}

// ratio estimates scale × part ÷ whole. The mean is that of all batches together, the spread that of the batches around it.
func (r *Report) ratio(scale float64, part, whole func(*batch) float64) Interval {
	var parts, wholes float64
	for i := range r.batches {
		parts += part(&r.batches[i])
		wholes += whole(&r.batches[i])
	}
	if wholes == 0 {
		return Interval{}
	}
	mean := parts / wholes
	if len(r.batches) < fewestBatches {
		return Interval{scale * mean, 0, math.Inf(1)}
	}
	var squares float64
	for i := range r.batches {
		off := part(&r.batches[i]) - mean*whole(&r.batches[i])
		squares += off * off
	}
	n := float64(len(r.batches))
	half := student(n-1) * math.Sqrt(squares*n/(n-1)) / wholes
	return Interval{scale * mean, scale * max(0, mean-half), scale * (mean + half)}
}

// student is the 97.5% quantile of Student's t with the given degrees of freedom, at least 3, to about 0.1%: the expansion around
// the normal quantile (Abramowitz and Stegun 26.7.5).
func student(freedom float64) float64 {
	const z = 1.959963984540054
	z3, z5, z7, z9 := math.Pow(z, 3), math.Pow(z, 5), math.Pow(z, 7), math.Pow(z, 9)
	return z + (z3+z)/(4*freedom) +
		(5*z5+16*z3+3*z)/(96*math.Pow(freedom, 2)) +
		(3*z7+19*z5+17*z3-15*z)/(384*math.Pow(freedom, 3)) +
		(79*z9+776*z7+1482*z5-1920*z3-945*z)/(92160*math.Pow(freedom, 4))
}
