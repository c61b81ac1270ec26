package room

import (
	"context"
	"errors"
	"net/http/httptest"
	"sync"
	"testing"
	"time"
)

func TestDriveAndFollow(t *testing.T) {
	c := newClass(t, open(t, Config{}))
	f := c.follow(c.Rooms)
	until(t, f, "the first update", func(u Update) bool { return u.Live && u.State.Link == link && u.Version == c.version })
	c.at("6.24s")
	until(t, f, "the clock", at("6.24s"))
	was := c.version
	c.drive(func(s *State) { s.Playing = true })
	u := until(t, f, "playing", func(u Update) bool { return u.State.Playing })
	if age := u.State.Age(time.Now().Add(time.Second)); age < time.Second || age > 3*time.Second {
		t.Errorf("it has been playing for %v", age)
	}

	var late *LateError
	_, _, err := c.Drive(t.Context(), c.Presenter, was, func(s *State) error { s.At = "1s"; return nil })
	if !errors.As(err, &late) || late.Version != c.version || late.State.At != "6.24s" {
		t.Errorf("a late command: %v", err)
	}
	wrong := c.Presenter
	wrong.Secret = "wrong"
	if _, _, err := c.Drive(t.Context(), wrong, c.version, nothing); err != ErrWrongSecret {
		t.Errorf("a wrong secret: %v", err)
	}
	if _, _, err := c.Get(t.Context(), "XXXXX"); err != ErrUnknownRoom {
		t.Errorf("a wrong code: %v", err)
	}
	var invalid *InvalidError
	_, _, err = c.Drive(t.Context(), c.Presenter, c.version, func(s *State) error { s.At = "\n"; return nil })
	if !errors.As(err, &invalid) || invalid.What != "at" {
		t.Errorf("a moment that is none: %v", err)
	}
	if _, _, lesson, err := c.Inspect(t.Context(), c.Presenter); lesson != "a lesson" || err != nil {
		t.Errorf("the lesson is %q, %v", lesson, err)
	}
}

func nothing(*State) error { return nil }

// TestOneDriver checks that a second window moves nothing until it takes over, and that then the first does not.
func TestOneDriver(t *testing.T) {
	c := newClass(t, open(t, Config{}))
	c.at("1s")
	second := c.Presenter
	second.Window = "window-two"
	if s, _, err := c.Drive(t.Context(), second, c.version, nothing); err != ErrNotDriver || s.Driver != c.Window {
		t.Errorf("the second window drives: %v", err)
	}
	desk := c.desk(c.Rooms)
	s, version, err := c.TakeOver(t.Context(), second)
	if err != nil || s.At != "1s" {
		t.Fatalf("taking over: %+v, %v", s, err)
	}
	until(t, desk, "the first window learns of it", func(u Update) bool { return u.State.Driver == "window-two" })
	if _, _, err := c.Drive(t.Context(), c.Presenter, version, nothing); err != ErrNotDriver {
		t.Errorf("the first window drives on: %v", err)
	}
	if _, _, err := c.Drive(t.Context(), second, version, nothing); err != nil {
		t.Errorf("the second window does not drive: %v", err)
	}
}

func TestQuestion(t *testing.T) {
	c := newClass(t, open(t, Config{Limits: Limits{Answers: 3}}))
	f, desk := c.follow(c.Rooms), c.desk(c.Rooms)
	q := Question{ID: "q1", Text: map[string]string{"en": "Which?"}, Choices: 3, Open: true, Right: "2"}
	if err := c.Answer(t.Context(), c.Code, "q1", token(1), "0"); err != ErrNoQuestion {
		t.Errorf("answered before it was asked: %v", err)
	}
	c.ask(q)
	c.answer("q1", token(1), "0")
	c.answer("q1", token(2), "2")
	c.answer("q1", token(1), "2")
	if given, _ := c.Given(t.Context(), c.Code, "q1", token(2)); given != "2" {
		t.Errorf("the second browser gave %q", given)
	}
	until(t, desk, "the number of answers", func(u Update) bool { return u.Answers == 2 && u.Here == 1 && u.Tally == nil })
	u := until(t, f, "the question", func(u Update) bool { return u.State.Question != nil })
	if u.State.Question.Right != "" {
		t.Error("followers learn the right answer")
	}
	if tally, err := c.Tally(t.Context(), c.Code); err != nil || tally.Answers != 2 || tally.Options != nil {
		t.Errorf("the tally before it is revealed: %+v, %v", tally, err)
	}
	for answer, want := range map[string]string{"3": "answer", "x": "answer", "": "answer", "-1": "answer", "02": "answer"} {
		var invalid *InvalidError
		if err := c.Answer(t.Context(), c.Code, "q1", token(1), answer); !errors.As(err, &invalid) || invalid.What != want {
			t.Errorf("answer %q: %v", answer, err)
		}
	}
	c.answer("q1", token(3), "1")
	until(t, desk, "three answers", func(u Update) bool { return u.Answers == 3 })
	var full *FullError
	if err := c.Answer(t.Context(), c.Code, "q1", token(4), "1"); !errors.As(err, &full) || full.What != "answers" {
		t.Errorf("one answer too many: %v", err)
	}
	c.answer("q1", token(3), "0")

	q.Open = false
	c.ask(q)
	if err := c.Answer(t.Context(), c.Code, "q1", token(1), "1"); err != ErrClosed {
		t.Errorf("answered after it was closed: %v", err)
	}
	q.Revealed = true
	c.ask(q)
	u = until(t, f, "the histogram", func(u Update) bool { return u.Tally != nil })
	if got := u.Tally.Options; len(got) != 3 || got[0] != 1 || got[1] != 0 || got[2] != 2 || u.State.Question.Right != "2" {
		t.Errorf("the histogram is %v, right is %q", got, u.State.Question.Right)
	}
}

func TestHistogram(t *testing.T) {
	answers := make(map[string]string)
	for i, a := range []string{"9", "10", "10", "11", "12", "14", "1e6"} {
		answers[token(i)] = a
	}
	bins, median := histogram(answers)
	if median != 11 || len(bins) > mostBins || bins[0].From > 9 || bins[0].To > 12 {
		t.Errorf("median %v, bins %v", median, bins)
	}
	sum := 0
	for _, b := range bins {
		sum += b.Count
	}
	if sum != len(answers) {
		t.Errorf("%d of %d are in the bins", sum, len(answers))
	}
	for _, all := range [][]string{{"1e308", "-1e308"}, {"5"}, {"1e17", "1.00000000000000016e17"}, {"0", "0"}, {}} {
		one := make(map[string]string)
		for i, a := range all {
			one[token(i)] = a
		}
		bins, _ := histogram(one)
		sum := 0
		for _, b := range bins {
			sum += b.Count
		}
		if sum != len(all) || len(bins) > mostBins {
			t.Errorf("%v: %v", all, bins)
		}
	}
}

func TestLimits(t *testing.T) {
	t.Parallel()
	rs := open(t, Config{Limits: Limits{Rooms: 2, Followers: 2, Process: 3, Lesson: 10}})
	a, b := newClass(t, rs), newClass(t, rs)
	wants := func(what string, err error) {
		t.Helper()
		var full *FullError
		if !errors.As(err, &full) || full.What != what {
			t.Errorf("want %s to be full: %v", what, err)
		}
	}
	_, _, err := rs.Create(t.Context(), State{Link: link, Speed: 1}, "")
	wants("rooms", err)
	_, _, err = rs.Create(t.Context(), State{Link: link, Speed: 1}, "01234567890")
	wants("lesson", err)
	a.follow(rs)
	last := a.follow(rs)
	_, err = rs.Follow(t.Context(), a.Code)
	wants("followers", err)
	b.follow(rs)
	_, err = rs.Follow(t.Context(), b.Code)
	wants("process", err)
	last.Close()
	last.Close()
	b.follow(rs)

	if err := rs.End(t.Context(), a.Presenter); err != nil {
		t.Fatal(err)
	}
	for until := time.Now().Add(5 * time.Second); rs.roomForOne(t.Context()) != nil; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(until) {
			t.Fatal("the place of a room that ended is not free")
		}
	}
}

func TestEnd(t *testing.T) {
	c := newClass(t, open(t, Config{}))
	f := c.follow(c.Rooms)
	if err := c.End(t.Context(), c.Presenter); err != nil {
		t.Fatal(err)
	}
	until(t, f, "the end", func(u Update) bool { return u.Gone })
	if _, err := f.Next(t.Context()); err != ErrUnknownRoom {
		t.Errorf("after the end: %v", err)
	}
	if _, _, err := c.Get(t.Context(), c.Code); err != ErrUnknownRoom {
		t.Errorf("its code: %v", err)
	}
	if _, err := c.Follow(t.Context(), c.Code); err != ErrUnknownRoom {
		t.Errorf("following: %v", err)
	}
}

// TestExpiry checks that a room goes when nobody has used it for long, with all that is in it, and that one that is followed stays.
func TestExpiry(t *testing.T) {
	t.Parallel()
	rs := open(t, Config{Keep: 1500 * time.Millisecond, Sweep: 100 * time.Millisecond, Beat: 100 * time.Millisecond})
	unused, followed := newClass(t, rs), newClass(t, rs)
	followed.follow(rs)
	until := time.Now().Add(10 * time.Second)
	for {
		_, _, err := rs.Get(t.Context(), unused.Code)
		if err == ErrUnknownRoom {
			break
		}
		if err != nil || time.Now().After(until) {
			t.Fatalf("the unused room: %v", err)
		}
		time.Sleep(20 * time.Millisecond)
	}
	time.Sleep(500 * time.Millisecond)
	if _, _, err := rs.Get(t.Context(), followed.Code); err != nil {
		t.Errorf("the room that is followed: %v", err)
	}
	if keys, err := rs.kv.ListKeysFiltered(t.Context(), allKeys(unused.Code)); err != nil {
		t.Error(err)
	} else if key, ok := <-keys.Keys(); ok {
		t.Errorf("%s is left", key)
	}
}

// TestFollowedStays checks that a room stays whose followers are told of just while it is looked whether there are any.
func TestFollowedStays(t *testing.T) {
	t.Parallel()
	rs := open(t, Config{Keep: 1500 * time.Millisecond, Sweep: time.Hour})
	c := newClass(t, rs)
	ctx, cancel := context.WithCancel(t.Context())
	var telling sync.WaitGroup
	defer telling.Wait()
	defer cancel()
	telling.Go(func() {
		for ctx.Err() == nil {
			_, _ = rs.kv.PutString(ctx, hereKey(c.Code, "other"), "1")
		}
	})
	time.Sleep(rs.config.Keep + 100*time.Millisecond)
	for range 200 {
		if err := rs.removeUnused(); err != nil {
			t.Fatal(err)
		}
		if _, _, err := rs.Get(t.Context(), c.Code); err != nil {
			t.Fatal(err)
		}
	}
}

// TestWrongCodes checks that an address that tries many codes learns no more, while the class behind it stays in.
func TestWrongCodes(t *testing.T) {
	rs := open(t, Config{Limits: Limits{WrongCodes: 5, NewRooms: 2}})
	in, other := newClass(t, rs), newClass(t, rs)
	enter := func(address, code string) error {
		r := httptest.NewRequestWithContext(t.Context(), "GET", "/", nil)
		r.RemoteAddr = address + ":1234"
		_, _, err := rs.Enter(httptest.NewRecorder(), r, code)
		return err
	}
	for range 200 { // right codes cost nothing
		if err := enter("192.0.2.1", in.Code); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 5 {
		if err := enter("192.0.2.1", "CCCCC"); err != ErrUnknownRoom {
			t.Fatalf("wrong code %d: %v", i+1, err)
		}
	}
	var slow *SlowDownError
	if err := enter("192.0.2.1", "CCCCC"); !errors.As(err, &slow) || slow.After <= 0 {
		t.Errorf("one wrong code too many: %v", err)
	}
	if err := enter("192.0.2.1", other.Code); !errors.As(err, &slow) {
		t.Errorf("a right code after too many wrong ones: %v", err)
	}
	if err := enter("192.0.2.1", in.Code); err != nil {
		t.Errorf("the class that was in: %v", err)
	}
	if err := enter("192.0.2.2", other.Code); err != nil {
		t.Errorf("another address: %v", err)
	}
	for i := range 3 {
		err := rs.MayCreate(httptest.NewRecorder(), httptest.NewRequest("POST", "/", nil))
		if errors.As(err, &slow) != (i == 2) {
			t.Errorf("room %d of one address: %v", i+1, err)
		}
	}
}

func TestCodes(t *testing.T) {
	for range 1000 {
		code := newCode()
		if got, ok := ParseCode(" " + code[:2] + "-" + code[2:]); !ok || got != code {
			t.Fatalf("%s is read as %s", code, got)
		}
	}
	if got, ok := ParseCode("k7m2x"); !ok || got != "K7M2X" {
		t.Errorf("small letters: %q", got)
	}
	for _, text := range []string{"", "K7M2", "K7M2XX", "K7M2O", "K7.2X", "K7*2X", "ééééé"} {
		if _, ok := ParseCode(text); ok {
			t.Errorf("%q is a code", text)
		}
	}
}
