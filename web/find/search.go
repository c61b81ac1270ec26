package find

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"imscope/sim/im"
	"imscope/web/estimate"
)

// Search looks for a run of a scenario, under one protocol, that satisfies a condition: with the scenario's own seed, the next one, and
// so on. It takes the smallest of the first fifty that it finds, each made as small as it gets; but it does not go on for long: at most
// to twice as many seeds as the first one took, and a thousand. What it finds is the same on any number of cores.
type Search struct {
	scenario  im.Scenario
	protocol  func() im.Protocol
	condition *Condition
	seeds     int64

	next   atomic.Int64 // the stretch of seeds to try next
	mu     sync.Mutex
	tried  int64
	failed int64   // of them, those whose condition could not be computed
	err    error   // for the last of those
	hits   []int64 // the seeds found so far, counted from the scenario's, rising
}

// Run is a run that was found.
type Run struct {
	Scenario im.Scenario // made small
	Was      Size        // before
	Size
	Tried int64 // seeds, of which this run was the smallest found
}

// Size is what a run is made small by: fewer messages first, then fewer lost legs.
type Size struct{ Messages, LostLegs int64 }

// compare puts the smaller size first.
func (s Size) compare(o Size) int {
	return cmp.Or(cmp.Compare(s.Messages, o.Messages), cmp.Compare(s.LostLegs, o.LostLegs))
}

func (o *outcome) size() Size { return Size{o.metrics.Messages, o.lostLegs} }

const (
	// stretch is how many seeds are tried in one go.
	stretch = 16
	// enough is how many runs are found before the smallest is taken.
	enough = 50
	// further is how many seeds are tried beyond twice those that the first took.
	further = 1000
)

// New returns a search of so many seeds, at least 1, that has tried none yet; protocol makes the protocol of one run. The error is a
// *ConditionError.
func New(s *im.Scenario, protocol func() im.Protocol, condition string, seeds int64) (*Search, error) {
	c, err := Parse(condition, s)
	if err != nil {
		return nil, err
	}
	return &Search{scenario: *s, protocol: protocol, condition: c, seeds: seeds}, nil
}

// Progress tells how many seeds were tried, of how many at most.
func (s *Search) Progress() (tried, of int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.tried, s.seeds
}

// Run searches on all cores, each stretch of seeds once gate lets it in; a nil gate lets in all. It returns nil if no run satisfies the
// condition, a *ConditionError if it could be computed for none, and ctx's error when ctx ends.
func (s *Search) Run(ctx context.Context, gate estimate.Gate) (*Run, error) {
	err := s.everywhere(ctx, func(ctx context.Context) error {
		for from := (s.next.Add(1) - 1) * stretch; from < s.until(); from = (s.next.Add(1) - 1) * stretch {
			if err := estimate.Through(ctx, gate, func() error { return s.try(ctx, from) }); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil && s.failed == s.tried {
		err = s.err
	}
	if err != nil {
		return nil, err
	}
	return s.smallest(ctx, gate)
}

// everywhere works on all cores.
func (s *Search) everywhere(ctx context.Context, work func(context.Context) error) error {
	group, ctx := errgroup.WithContext(ctx)
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() error { return work(ctx) })
	}
	return group.Wait()
}

// until is the first seed not to try, given what was found so far. It only ever comes nearer.
func (s *Search) until() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	until := s.seeds
	if len(s.hits) > 0 {
		until = min(until, 2*s.hits[0]+further)
	}
	if len(s.hits) >= enough {
		until = min(until, s.hits[enough-1]+1)
	}
	return until
}

// try plays a stretch of seeds.
func (s *Search) try(ctx context.Context, from int64) error {
	for i := from; i < min(from+stretch, s.seeds); i++ {
		run := s.with(i)
		o, err := play(ctx, &run, s.protocol())
		if err != nil {
			return err
		}
		s.note(i, o)
	}
	return nil
}

// with is the scenario with its i-th seed.
func (s *Search) with(i int64) im.Scenario {
	run := s.scenario
	run.Seed = (run.Seed + uint64(i)) % (im.MaxSeed + 1)
	return run
}

// note judges a run.
func (s *Search) note(i int64, o *outcome) {
	holds, err := s.condition.holds(o)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tried++
	if err != nil {
		s.failed, s.err = s.failed+1, err
	}
	if holds {
		at, _ := slices.BinarySearch(s.hits, i)
		s.hits = slices.Insert(s.hits, at, i)
	}
}

// smallest makes what was found small and takes the smallest; nil if nothing was.
func (s *Search) smallest(ctx context.Context, gate estimate.Gate) (*Run, error) {
	until := s.until()
	hits := slices.DeleteFunc(s.hits, func(i int64) bool { return i >= until })
	runs := make([]*Run, len(hits))
	var next atomic.Int64
	err := s.everywhere(ctx, func(ctx context.Context) error {
		for n := next.Add(1) - 1; n < int64(len(hits)); n = next.Add(1) - 1 {
			err := estimate.Through(ctx, gate, func() (err error) {
				runs[n], err = s.shrink(ctx, hits[n])
				return err
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil || len(runs) == 0 {
		return nil, err
	}
	found := slices.MinFunc(runs, func(a, b *Run) int { return a.compare(b.Size) }) // the first of equals
	found.Tried = until
	return found, nil
}
