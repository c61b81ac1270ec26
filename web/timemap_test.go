package web

import (
	"math/rand/v2"
	"testing"

	"imscope/sim/im"
)

func TestTimeMap(t *testing.T) {
	m := newTimeMap()
	for _, c := range []struct {
		at        im.Time // milliseconds
		y         int
		shortened bool
	}{
		{0, 0, false},       // the start is there from the start
		{1, 17, false},      // next to nothing still gets room
		{1, 17, false},      // the same moment again
		{101, 42, false},    // 100 ms are 25
		{261, 82, false},    // 160 ms are just 40
		{421, 122, false},   // so are these
		{60421, 162, true},  // a minute gets no more, and that is marked
		{60521, 187, false}, // which says nothing of what follows
	} {
		m.add(c.at * im.Millisecond)
		if m.last() != c.y || m.shortened() != c.shortened {
			t.Errorf("%d ms: %d, shortened %v; want %d, %v", c.at, m.last(), m.shortened(), c.y, c.shortened)
		}
	}
	for at, want := range map[im.Time]int{51: 29, 30421: 142, 60471: 174, 70000: 187} { // between two moments, and after the last
		if got := m.Y(at * im.Millisecond); got != want {
			t.Errorf("%d ms lies at %d, want %d", at, got, want)
		}
	}
}

// TestTimeMapGrows checks, over random runs of moments, what a diagram to which one only appends lives on: order is kept, every moment
// has room, and no place ever changes.
func TestTimeMapGrows(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		m := newTimeMap()
		var times []im.Time
		var places []int
		var now im.Time
		for range 50 {
			now += im.Time(r.Int64N(1 << (r.IntN(36)))) // from a nanosecond to a minute
			m.add(now)
			times, places = append(times, now), append(places, m.last())
		}
		for i, at := range times {
			switch y := m.Y(at); {
			case y != places[i]:
				t.Fatalf("%v moved from %d to %d", at, places[i], y)
			case i > 0 && at > times[i-1] && (y < places[i-1]+leastStep || y > places[i-1]+longestStep):
				t.Fatalf("%v and %v lie at %d and %d", times[i-1], at, places[i-1], y)
			}
		}
		for range 50 {
			a, b := im.Time(r.Int64N(int64(now)+2)), im.Time(r.Int64N(int64(now)+2))
			if a <= b && m.Y(a) > m.Y(b) {
				t.Fatalf("%v lies below %v", a, b)
			}
		}
	}
}
