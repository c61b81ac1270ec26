package find

import (
	"context"
	"strings"

	"imscope/sim"
	"imscope/sim/im"
)

// Variable is a name that conditions know.
type Variable struct {
	Name   string
	En, Zh string // what it is
	of     func(*outcome) any
}

// Variables lists what conditions on runs of s can be about: figures, and what stands where, as a list of names such as ["A1", "B1"].
func Variables(s *im.Scenario) []Variable {
	out := []Variable{
		number("messages", "messages that were sent", "发了几条消息", func(o *outcome) int64 { return o.metrics.Messages }),
		number("stored", "of them, those that the server stored", "其中服务器存下的", func(o *outcome) int64 { return o.metrics.Stored }),
		number("lost_legs", "legs that were lost, whatever they carried", "丢了几程，不管装的是什么", func(o *outcome) int64 { return o.lostLegs }),
		number("wait_mean", "the mean wait, ms", "平均等待，毫秒", func(o *outcome) int64 { return o.metrics.Wait.Mean() }),
		number("wait_p95", "95% of the waits are within, ms", "95% 的等待不超过，毫秒", func(o *outcome) int64 { return o.metrics.Wait.Quantile(95) }),
		number("wait_max", "the longest wait, ms", "最长的等待，毫秒", func(o *outcome) int64 { return o.metrics.Wait.MaxMillis() }),
	}
	for _, f := range im.FiguresIn(s) {
		out = append(out, number(f.Name, f.Text, figuresZh[f.Name], func(o *outcome) int64 { return f.Of(&o.metrics) }))
	}
	for _, phone := range s.Screens() {
		name := im.Name(phone)
		out = append(out, Variable{strings.ToLower(name), "the lines on " + name + "’s screen, top to bottom", name + " 屏幕上的行，从上到下",
			func(o *outcome) any { return im.MessageNames(o.fold.OnScreen(phone)) }})
	}
	return append(out, Variable{"server", "the stored messages, by id", "服务器存下的消息，按 id",
		func(o *outcome) any { return im.MessageNames(o.fold.OnServer()) }})
}

// figuresZh are the texts of im.Figures in Chinese, by name.
var figuresZh = map[string]string{
	"new_messages": "新消息", "active_conversations": "有新消息的会话", "inverted_pairs": "顺序相反的对数", "left_on_server": "留在服务器上的",
	"missing_unnoticed": "缺了，没发现", "missing_known": "缺了，知道", "lost": "再也拿不到的", "fetches": "补拉", "own_moves": "自己的消息挪过几次",
	"duplicates": "显示了两次的行", "repeated": "来了两次的", "events_unknown": "不知道的事", "polls": "轮询", "empty_polls": "空轮询", "requests": "手机的请求",
	"bytes_up": "上行字节", "bytes_down": "下行字节", "header_bytes_up": "头部上行字节", "header_bytes_down": "头部下行字节", "rows_read": "读的行",
	"reads_for_nothing": "白读的次数", "rows_written": "写的行", "inbox_rows_written": "写的信箱行",
}

func number(name, en, zh string, of func(*outcome) int64) Variable {
	return Variable{name, en, zh, func(o *outcome) any { return int(of(o)) }}
}

// outcome is what a run came to. While it is played it is the run's sink.
type outcome struct {
	fold     *im.Fold
	metrics  im.Metrics
	lostLegs int64
	presses  []im.Time
}

func newOutcome(s *im.Scenario) *outcome { return &outcome{fold: im.NewFold(s, true)} }

// Step folds s in.
func (o *outcome) Step(s *im.Step) sim.StepID {
	switch {
	case s.Data.Kind == im.Left && s.Data.Lost:
		o.lostLegs++
	case s.Data.Kind == im.Pressed:
		o.presses = append(o.presses, s.At)
	}
	return o.fold.Step(s)
}

// play plays a run to its end.
func play(ctx context.Context, s *im.Scenario, p im.Protocol) (*outcome, error) {
	o := newOutcome(s)
	if err := im.Run(ctx, s, p, o); err != nil {
		return nil, err
	}
	o.metrics = o.fold.Metrics()
	return o, nil
}
