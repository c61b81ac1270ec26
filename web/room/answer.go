package room

import (
	"context"
	"errors"
	"math"
	"slices"
	"strconv"

	"github.com/nats-io/nats.go/jetstream"
)

// Tally is what a class answered. Answers can be told any time; the rest only once the question is revealed.
type Tally struct {
	Question string // its id
	Answers  int    // how many have answered
	// Options are how many gave each answer; nil if the answer is a number.
	Options []int
	// Bins are the histogram of numbers, in order and side by side; nil with options.
	Bins []Bin
	// Median is the number in the middle.
	Median float64
}

// Bin is a bar of a histogram: the numbers from From up to, but for the last one, not including To.
type Bin struct {
	From, To float64
	Count    int
}

// Answer takes the answer of a browser to the question that is open, or changes it. token is the browser's own, as NewToken makes them;
// answer is the place of an option, from "0", or a number. The error is ErrNoQuestion if another question is asked, or none, ErrClosed,
// *InvalidError, *FullError, ErrUnknownRoom or ErrCutOff. (An answer that meets the closing of the question within a few milliseconds may
// still count.)
func (rs *Rooms) Answer(ctx context.Context, code, question, token, answer string) error {
	if err := checkSeat(token); err != nil {
		return err
	}
	h, err := rs.hub(ctx, code)
	if err != nil {
		return err
	}
	defer rs.release(h)
	r, _, err := rs.read(ctx, code)
	if err != nil {
		return err
	}
	q := r.Question
	if q == nil || q.ID != question {
		return ErrNoQuestion
	}
	if !q.Open {
		return ErrClosed
	}
	if err := q.checkAnswer(answer); err != nil {
		return err
	}
	if most := rs.config.Limits.Answers; !h.mayAnswer(question, token, most) {
		return &FullError{"answers", most}
	}
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	_, err = rs.kv.PutString(ctx, answerKey(code, question, token), answer)
	return told(err)
}

// Given returns what a browser answered to a question; empty if nothing. It asks where answers are kept, not what this process has heard
// of them so far: who has just answered sees it, in whatever process. The error is *InvalidError or ErrCutOff.
func (rs *Rooms) Given(ctx context.Context, code, question, token string) (string, error) {
	if err := checkSeat(token); err != nil {
		return "", err
	}
	if !rs.Connected() {
		return "", ErrCutOff
	}
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	entry, err := rs.kv.Get(ctx, answerKey(code, question, token))
	switch {
	case err == nil:
		return string(entry.Value()), nil
	case errors.Is(err, jetstream.ErrKeyNotFound):
		return "", nil
	}
	return "", told(err)
}

// checkSeat checks the token of a browser.
func checkSeat(token string) error {
	if !isToken(token, 16, 64) {
		return &InvalidError{"token", "not 16 to 64 letters, digits, - and _"}
	}
	return nil
}

// Tally counts the answers to the room's question: how many there are, and what they say if it is revealed. The error is ErrNoQuestion,
// ErrUnknownRoom or ErrCutOff.
func (rs *Rooms) Tally(ctx context.Context, code string) (Tally, error) {
	h, err := rs.hub(ctx, code)
	if err != nil {
		return Tally{}, err
	}
	defer rs.release(h)
	r, version, err := rs.read(ctx, code)
	if err != nil {
		return Tally{}, err
	}
	if r.Question == nil {
		return Tally{}, ErrNoQuestion
	}
	if err := h.seen(ctx, version); err != nil {
		return Tally{}, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if r.Question.Revealed {
		return *tally(r.Question, h.answers[r.Question.ID]), nil
	}
	return Tally{Question: r.Question.ID, Answers: len(h.answers[r.Question.ID])}, nil
}

// seen waits until the hub has seen a version of the state, and with it all that was written before.
func (h *hub) seen(ctx context.Context, version uint64) error {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	for p := h.class.Load(); p.update.Version < version && !p.update.Gone; p = h.class.Load() {
		select {
		case <-p.replaced:
		case <-ctx.Done():
			return ErrCutOff
		}
	}
	return nil
}

// tally counts answers to a question.
func tally(q *Question, answers map[string]string) *Tally {
	t := &Tally{Question: q.ID, Answers: len(answers)}
	if q.Number() {
		t.Bins, t.Median = histogram(answers)
		return t
	}
	t.Options = make([]int, q.Choices)
	for _, a := range answers {
		if n, err := strconv.Atoi(a); err == nil && n >= 0 && n < len(t.Options) {
			t.Options[n]++
		}
	}
	return t
}

// mostBins is how many bars a histogram of numbers has at most.
const mostBins = 12

// histogram sorts numbers into bins of a round width: 1, 2 or 5 times a power of ten. What lies far out, beyond three times the distance
// of the quartiles, goes to the first or last bin: one joker is not to squeeze all others into one bar.
func histogram(answers map[string]string) (bins []Bin, median float64) {
	var numbers []float64
	for _, a := range answers {
		if v, err := strconv.ParseFloat(a, 64); err == nil {
			numbers = append(numbers, v)
		}
	}
	if len(numbers) == 0 {
		return nil, 0
	}
	slices.Sort(numbers)
	at := func(share float64) float64 { return numbers[int(share*float64(len(numbers)-1))] }
	median = at(0.5)
	spread := 3 * (at(0.75) - at(0.25))
	low, high := max(numbers[0], at(0.25)-spread), min(numbers[len(numbers)-1], at(0.75)+spread)
	width := roundWidth((high - low) / (mostBins - 1))
	from := math.Floor(low/width) * width
	n := min(mostBins, int(math.Floor((high-from)/width))+1)
	if n < 1 || math.IsInf(width, 0) || from+width == from { // so far apart or so large that no bar could be told from the next
		return []Bin{{numbers[0], numbers[len(numbers)-1], len(numbers)}}, median
	}
	for i := range n {
		bins = append(bins, Bin{From: from + float64(i)*width, To: from + float64(i+1)*width})
	}
	for _, v := range numbers {
		i := slices.IndexFunc(bins, func(b Bin) bool { return v < b.To })
		if i < 0 {
			i = n - 1
		}
		bins[i].Count++
	}
	return bins, median
}

// roundWidth is the smallest of 1, 2 or 5 times a power of ten that is no less than w; 1 if w is 0.
func roundWidth(w float64) float64 {
	if !(w > 0) {
		return 1
	}
	ten := math.Pow(10, math.Floor(math.Log10(w)))
	for _, m := range []float64{1, 2, 5} {
		if m*ten >= w {
			return m * ten
		}
	}
	return 10 * ten
}
