package web

import (
	"testing"
)

// judge plays a link's run to its end and says which challenges it solves.
func judge(t *testing.T, l Link) map[string]bool {
	t.Helper()
	s := mustPlay(t, l)
	solved := map[string]bool{}
	for _, c := range challengesView(t.Context(), l, s.sides[0].fold).List {
		solved[c.ID] = c.Solved
	}
	return solved
}

// TestChallenges checks that what is shown as a solution is one, that nothing is solved before it is begun, and that each chapter has three.
func TestChallenges(t *testing.T) {
	for _, chapter := range chapters {
		if len(challenges[chapter.Name]) < 3 {
			t.Errorf("%s has %d challenges", chapter.Name, len(challenges[chapter.Name]))
		}
		for _, c := range challenges[chapter.Name] {
			l := Link{Chapter: chapter}
			if start := judge(t, c.start(l, "")); start[c.id] {
				t.Errorf("%s is solved before it is begun", c.id)
			}
			solution := c.start(l, c.solution)
			if solved := judge(t, solution); !solved[c.id] {
				t.Errorf("%s: %v is no solution", c.id, solution)
			}
			if c.words(&solution) == "" {
				t.Errorf("%s: the solution says nothing", c.id)
			}
		}
	}
}

// TestChallengesAreStrict checks that what a challenge does not allow does not solve it.
func TestChallengesAreStrict(t *testing.T) {
	for address, id := range map[string]string{
		"/en/ordering/book/by-seq?edits=lose-push-A4-ben_lose-push-B3-ana": "blind-seq",      // two changes
		"/en/ordering/book/by-seq?loss=0.9":                                "blind-seq",      // a setting that is not free
		"/en/ordering/book/by-id?edits=lose-push-A4-ben":                   "blind-seq",      // another protocol
		"/en/ordering?edits=drop-A2_drop-B3":                               "good-timing",    // not only moved
		"/en/polling/hole/poll-id?edits=drop-C1":                           "close-the-hole", // not all are sent
		"/en/polling/hole/poll-token?edits=stall-A1-500ms":                 "close-the-hole",
		"/en/polling/book/poll-id?edits=off-ben-2s-9s":                     "six-seconds",
	} {
		if judge(t, mustLink(t, address))[id] {
			t.Errorf("%s solves %s", address, id)
		}
	}
}
