// Package estimate plays very many messages for their figures alone and says how far those can be trusted. Statistics need floating
// point, which is why they are not in sim.
package estimate

import (
	"math"

	"imscope/sim"
	"imscope/sim/im"
)

// Plan says what an estimate plays: its batches, runs that know nothing of one another. What they are and which seeds they have
// depends on nothing else, so that an estimate is the same on any number of cores.
type Plan struct {
	Scenario im.Scenario // of every batch, but for its seed
	Batches  int64       // how many, at least 1
	Size     int64       // how many messages a batch has on average; 0 where a batch is a run as it stands, such as an absence
}

// batchSize is how many messages a batch has, unless there are fewer than ten such batches: close to the book's runs of 9,952.
const batchSize = 10_000

// BatchSize is the number of messages in a batch of about n messages: 10,000, or a tenth of fewer.
func BatchSize(n int64) int64 { return max(1, min(batchSize, n/10)) }

// Expected is about how many messages s will send.
func Expected(s *im.Scenario) int64 {
	if s.Uniform {
		return s.Messages
	}
	return int64(s.End()/s.Gap) * int64(s.Phones)
}

// Split plans a long drawn run, which is played as batches of equal length one by one. Each begins with nothing under way and ends
// when everything has come: against one long run that misses 1 in 100,000 of the pairs, and by seq it adds a lost last push a batch.
// A stretch in which a phone is off belongs to every batch.
func Split(s *im.Scenario) Plan {
	expected := Expected(s)
	size := BatchSize(expected)
	p := Plan{Scenario: *s, Size: size, Batches: max(1, (expected+size/2)/size)}
	p.Scenario.Length = s.End() / im.Time(p.Batches)
	p.Scenario.Messages = 0
	if s.Uniform {
		p.Scenario.Messages = s.Messages / p.Batches
	}
	return p
}

// Repeat plans n runs of s as it stands.
func Repeat(s *im.Scenario, n int64) Plan { return Plan{Scenario: *s, Batches: n} }

// seedDraw keeps the draws of seeds apart from those of runs, which are of scenarios.
const seedDraw = math.MaxUint8

// Seed is the seed of batch i, from 0: the first is the scenario's own, the others are drawn from it. Were they its neighbours, two
// estimates with neighbouring seeds would play the same batches.
func (p *Plan) Seed(i int64) uint64 {
	if i == 0 {
		return p.Scenario.Seed
	}
	return uint64(sim.NewLuck(p.Scenario.Seed).Draw(seedDraw, 0, uint64(i)).Uniform(im.MaxSeed))
}

// batch is the scenario of batch i.
func (p *Plan) batch(i int64) im.Scenario {
	s := p.Scenario
	s.Seed = p.Seed(i)
	return s
}
