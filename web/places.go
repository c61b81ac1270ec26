package web

import (
	"context"
	"time"

	"imscope/sim/im"
	"imscope/templates"
)

// placeSteps is how many places a grid has each way.
const placeSteps = 10

// slowStep is from one place of the slow commit to the next.
const slowStep = 500 * time.Millisecond

// placesOn are the places of a link whose page shows them.
func placesOn(ctx context.Context, l Link) (*templates.Places, error) {
	if !l.shows().Has(templates.ShowChanges) {
		return nil, nil
	}
	return places(ctx, l)
}

// places plays the run with its slow commit and its polls moved, each against each, and says where a row is lost for good. It is nil
// for a scenario that has no such commit.
func places(ctx context.Context, l Link) (*templates.Places, error) {
	s := l.Scenario
	if s.Chapter != im.PollingChapter || s.SlowMsg == (im.MessageID{}) {
		return nil, nil
	}
	n := narrator{l.Lang, &s}
	out := &templates.Places{Style: askedStyle(), Steps: placeSteps, Of: placeSteps * placeSteps}
	for row := range placeSteps {
		for column := range placeSteps {
			to := l
			to.At = At{End: true}
			to.Scenario.Slow, to.Scenario.Phase = im.Time(row+1)*slowStep, im.Time(column)*s.Interval/placeSteps
			lost, err := losesRow(ctx, &to)
			if err != nil {
				return nil, err
			}
			p := templates.Place{Column: column, Row: row, Lost: lost, Href: to.stage(), Current: to.Scenario.Slow == s.Slow && to.Scenario.Phase == s.Phase,
				Text: n.f("first poll at %s, commit after %s: %s", "第一次轮询在 %s，%s 后提交：%s", n.Seconds(to.Scenario.Phase.Seconds()), n.Seconds(to.Scenario.Slow.Seconds()), outcome(n, lost))}
			out.Places = append(out.Places, p)
			if lost {
				out.Lost++
			}
		}
	}
	move := func(slow, phase im.Time) string {
		to := l.with(func(l *Link) { l.At.HasTie, l.At.Tie = false, 0 }) // which mean nothing in another run
		to.Scenario.Slow = min(max(s.Slow+slow, 0), placeSteps*slowStep)
		to.Scenario.Phase = (s.Phase + phase + s.Interval) % s.Interval
		return to.stage()
	}
	step := s.Interval / placeSteps
	out.CommitEarlier, out.CommitLater = move(-slowStep, 0), move(slowStep, 0)
	out.PollEarlier, out.PollLater = move(0, -step), move(0, step)
	out.Commit = n.f("%s’s row %s commits %s after it is written", "%s 的第 %s 条写下后过 %s 提交", im.Name(s.SlowMsg.Sender), s.SlowMsg, n.Seconds(s.Slow.Seconds()))
	out.Poll = n.f("%s’s phone asks first at %s, then every %s", "%s 的手机第一次在 %s 问，然后每 %s 一次", im.Name(s.Reader), n.Seconds(s.Phase.Seconds()), n.Seconds(s.Interval.Seconds()))
	return out, nil
}

func outcome(n narrator, lost bool) string {
	if lost {
		return n.In("lost", "丢了")
	}
	return n.In("not lost", "没丢")
}

func losesRow(ctx context.Context, l *Link) (bool, error) {
	fold := im.NewFold(&l.Scenario, false)
	err := im.Run(ctx, &l.Scenario, l.Protocol.New(), fold)
	m := fold.Metrics()
	return m.Lost > 0, err
}
