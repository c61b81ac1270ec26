package sim

import (
	"math"
	"testing"
	"time"
)

// TestGoldenDraws notices a change of the draws, which would change every run that somebody has linked to.
func TestGoldenDraws(t *testing.T) {
	for _, c := range []struct {
		seed    uint64
		purpose uint8
		a, b    uint64
		want    Draw
		mean    Time
	}{
		{0, 1, 0, 0, 0x8faaee50bb6a6ecf, 1155348916},
		{1, 1, 0, 0, 0x9a1461de627f5778, 1015415947},
		{1, 2, 0, 0, 0xdc1f73f865e81448, 301983169},
		{1, 1, 1, 0, 0x1e49453addb3814a, 4268969729},
		{1, 1, 0, 1, 0xe4ccbd79d5db8759, 224660414},
		{1<<53 - 1, 4, 0x203040506070809, 42, 0xf5036d42363ec640, 87729198},
	} {
		d := NewLuck(c.seed).Draw(c.purpose, c.a, c.b)
		if mean := d.Exponential(2 * time.Second); d != c.want || mean != c.mean {
			t.Errorf("seed %d, purpose %d, identity (%d, %d): got %#x and %d", c.seed, c.purpose, c.a, c.b, uint64(d), mean)
		}
	}
}

// TestDrawsAreIndependent looks at neighbours: draws whose seed, purpose or identity differ by one bit agree in about half of
// their own bits.
func TestDrawsAreIndependent(t *testing.T) {
	const n = 2000
	differing := map[string]func(i uint64, bit int) (Draw, Draw){
		"seed": func(i uint64, bit int) (Draw, Draw) {
			return NewLuck(i).Draw(1, 7, 9), NewLuck(i^1<<bit).Draw(1, 7, 9)
		},
		"purpose": func(i uint64, bit int) (Draw, Draw) {
			return NewLuck(3).Draw(1, i, 9), NewLuck(3).Draw(1^1<<(bit%8), i, 9)
		},
		"first word": func(i uint64, bit int) (Draw, Draw) {
			return NewLuck(3).Draw(1, i, 9), NewLuck(3).Draw(1, i^1<<bit, 9)
		},
		"second word": func(i uint64, bit int) (Draw, Draw) {
			return NewLuck(3).Draw(1, 9, i), NewLuck(3).Draw(1, 9, i^1<<bit)
		},
	}
	for what, pair := range differing {
		var flips [64]int
		for i := range uint64(n) {
			a, b := pair(i, int(i%53))
			for bit := range flips {
				flips[bit] += int((a ^ b) >> bit & 1)
			}
		}
		for bit, count := range flips { // a binomial count has a deviation of 22; of 256 such, none should be 4.5 of them away
			if math.Abs(float64(count)-n/2) > 4.5*math.Sqrt(n)/2 {
				t.Errorf("%s: bit %d differs in %d of %d pairs", what, bit, count, n)
			}
		}
	}
}

func TestDistributions(t *testing.T) {
	const n = 200_000
	const most = 9 * Time(1)
	var below, zeros int
	var sum, squares float64
	counts := make([]int, most+1)
	for i := range uint64(n) {
		luck := NewLuck(1)
		if luck.Draw(1, 0, i).Below(Certain / 10) {
			below++
		}
		if luck.Draw(1, 0, i).Below(0) || !luck.Draw(1, 0, i).Below(Certain) {
			zeros++
		}
		counts[luck.Draw(2, 0, i).Uniform(most)]++
		x := luck.Draw(3, 0, i).Exponential(2 * time.Second).Seconds()
		sum += x
		squares += x * x
	}
	near := func(what string, got, want, deviation float64) {
		if math.Abs(got-want) > 4*deviation {
			t.Errorf("%s: got %v, want %v ± %v", what, got, want, deviation)
		}
	}
	near("a chance of 0.1", float64(below), n/10, math.Sqrt(n*0.1*0.9))
	if zeros > 0 {
		t.Errorf("chance 0 happened or chance 1 did not, %d times", zeros)
	}
	shares := []uint64{1, 3, 9, 10} // running sums of 1, 2, 6, 1
	picked := make([]int, len(shares))
	for i := range uint64(n) {
		picked[NewLuck(1).Draw(4, 0, i).Pick(shares)]++
	}
	for i, share := range []float64{0.1, 0.2, 0.6, 0.1} {
		near("a share", float64(picked[i]), n*share, math.Sqrt(n*share*(1-share)))
	}
	for value, count := range counts {
		near("uniform "+Time(value).String(), float64(count), n/10, math.Sqrt(n*0.1*0.9))
	}
	near("exponential mean", sum/n, 2, 2/math.Sqrt(n))
	near("exponential square", squares/n, 8, 8*math.Sqrt(5)/math.Sqrt(n)) // E x² = 2m², sd of x² = √20 m²
}

// TestExponentialEnds checks the two ends of the range of draws.
func TestExponentialEnds(t *testing.T) {
	if got := Draw(math.MaxUint64).Exponential(time.Second); got != 1 {
		t.Errorf("the shortest is %d ns, want 1", got)
	}
	if got, want := Draw(0).Exponential(time.Second).Seconds(), 53*math.Ln2; math.Abs(got-want) > 1e-9 {
		t.Errorf("the longest is %v s, want %v", got, want)
	}
}

func TestLn(t *testing.T) {
	for i := 1; i <= 200_000; i++ {
		x := float64(i) / 100_000 // up to 2, most of it below 1 as in use
		if i%1000 == 0 {
			x = math.Ldexp(x, -i/5000) // and some very small ones
		}
		got, want := ln(x), math.Log(x)
		if math.Abs(got-want) > 4e-15*max(1, math.Abs(want)) {
			t.Fatalf("ln %v: got %v, want %v", x, got, want)
		}
	}
}

// TestVerdict checks that a link loses, delays and keeps as its draws say.
func TestVerdict(t *testing.T) {
	l := Link{Latency: 100, Loss: Certain / 2}
	if v := l.Judge(0, math.MaxUint64); !v.Lost || v.Delay != 100 {
		t.Errorf("got %+v", v)
	}
	if v := l.Judge(math.MaxUint64, math.MaxUint64); v.Lost || v.Delay != 100 {
		t.Errorf("got %+v", v)
	}
	l.Jitter = 20
	if v := l.Judge(math.MaxUint64, math.MaxUint64); v.Delay != 120 {
		t.Errorf("got %+v", v)
	}
}
