package im

import "testing"

// TestOutbox follows messages of one phone. The second is given up: an ACK of it can come until a message sent after that is
// confirmed, and a fetch can bring it back at any time.
func TestOutbox(t *testing.T) {
	o := NewOutbox(false)
	a := func(n uint32) MessageID { return MessageID{Ana, n} }
	check := func(when string, floor uint32, waiting ...bool) {
		t.Helper()
		if got := o.Floor(); got != floor {
			t.Errorf("%s: the floor is %d, want %d", when, got, floor)
		}
		for i, want := range waiting {
			if got := o.Waiting(a(uint32(i) + 1)); got != want {
				t.Errorf("%s: A%d waits: %v, want %v", when, i+1, got, want)
			}
		}
	}
	o.Add(a(1))
	o.Add(a(2))
	o.Add(a(3))
	check("sent", 1, true, true, true, false)
	o.Done(a(3))
	check("the last is confirmed first", 1, true, true, false)
	o.Done(a(1))
	check("then the first", 2, false, true, false)
	o.Fail(a(2))
	check("the second is given up", 2, false, true, false)
	o.Add(a(4))
	o.Done(a(3)) // once more: it was sent before the giving up
	check("another is sent", 2, false, true, false, true)
	o.Done(a(4))
	check("and confirmed", 5, false, true, false, false)
	o.Done(a(2))
	check("a fetch brings the second back", 5, false, false, false, false)

	o.Add(a(5))
	o.Fail(a(5))
	o.Done(a(5))
	check("given up, and confirmed all the same", 6, false, false, false, false, false)
}
