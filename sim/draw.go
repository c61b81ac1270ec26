package sim

import (
	"math"
	"math/bits"
	"slices"
)

// Draws are pure functions of (seed, purpose, identity): a draw belongs to the thing it decides, not to the order in which
// draws are made, so changing one part of a run leaves the luck of every other part alone.
//
// This is the only file of sim with floating point. Every product is wrapped in float64(…), which forbids the compiler to fuse
// it with an addition: with fused operations the last bit, hence a whole run, could differ between machines.

// Luck is a run's source of draws.
type Luck uint64

// NewLuck returns the luck of a seed.
func NewLuck(seed uint64) Luck { return Luck(mix(seed + 0x9e3779b97f4a7c15)) }

// Draw is 64 uniformly random bits.
type Draw uint64

// Draw returns the draw for a purpose and an identity, packed by the model into two words.
func (l Luck) Draw(purpose uint8, a, b uint64) Draw {
	h := mix(uint64(l) ^ a ^ uint64(purpose)<<56)
	return Draw(mix(h ^ b))
}

// mix is the finalizer of SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014), with an odd
// increment so that 0 does not stay 0.
func mix(z uint64) uint64 {
	z += 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// Chance is a probability in millionths, from 0 to Certain.
type Chance uint32

// Certain is the chance of what always happens.
const Certain Chance = 1_000_000

// Below is true with probability c.
func (d Draw) Below(c Chance) bool { return d.IntN(uint64(Certain)) < uint64(c) }

// IntN is uniform over 0 … n-1.
func (d Draw) IntN(n uint64) uint64 {
	hi, _ := bits.Mul64(uint64(d), n)
	return hi
}

// Pick is i with a probability that is the i-th of some shares; sums are their running sums, rising, the last below 2^63.
func (d Draw) Pick(sums []uint64) int {
	x := d.IntN(sums[len(sums)-1])
	i, found := slices.BinarySearch(sums, x)
	if found { // x belongs to the share that begins at this sum
		i++
	}
	return i
}

// Uniform is uniform over 0 … most, both included.
func (d Draw) Uniform(most Time) Time { return Time(d.IntN(uint64(most) + 1)) }

// Exponential is an exponentially distributed time with the given mean, at least 1 ns.
func (d Draw) Exponential(mean Time) Time {
	u := float64(d>>11+1) / (1 << 53) // in (0, 1]
	t := float64(float64(mean) * -ln(u))
	return max(Time(math.Round(t)), 1)
}

// ln is the natural logarithm of x > 0 to about 15 digits. math.Log is written in assembly on some machines and may differ in
// its last bit there; this is a handful of exactly rounded operations, the same everywhere.
func ln(x float64) float64 {
	// x = m × 2^exp with m in (√½, √2]. Subtracting the first number above √½ from the bits leaves exp on top; a comparison with √2
	// would be a branch that goes either way at random.
	b := math.Float64bits(x)
	exp := int64(b-aboveRootHalf) >> 52
	m := math.Float64frombits(b - uint64(exp)<<52)
	// ln m = 2 artanh s = 2 (s + s³/3 + s⁵/5 + …), and |s| < 0.172.
	s := (m - 1) / (m + 1)
	s2 := float64(s * s)
	sum := float64(s2*(1.0/17)) + 1.0/15
	sum = float64(s2*sum) + 1.0/13
	sum = float64(s2*sum) + 1.0/11
	sum = float64(s2*sum) + 1.0/9
	sum = float64(s2*sum) + 1.0/7
	sum = float64(s2*sum) + 1.0/5
	sum = float64(s2*sum) + 1.0/3
	sum = float64(s2*sum) + 1
	return float64(float64(2*s)*sum) + float64(float64(exp)*math.Ln2)
}

// aboveRootHalf is the bits of the float64 just above √½.
const aboveRootHalf = 0x3fe6a09e667f3bce
