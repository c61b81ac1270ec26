package web

import (
	"context"
	"net/url"
	"slices"
	"strings"

	"imscope/sim/im"
	"imscope/templates"
)

// A challenge asks the reader to make something happen. No link says that one is tried: whatever run is on the page, the engine looks which
// of the chapter's challenges it meets.

// challenge is one of them.
type challenge struct {
	id, scenario, protocol string
	goal, hint             phrase
	free                   []string  // the knobs that may be turned
	most                   int       // changes by hand at most
	only                   []im.Verb // what changes by hand may do; anything if it is nil
	met                    func(*attempt) bool
	solution               string // the query of a link
}

// attempt is a run that may meet a challenge.
type attempt struct {
	ctx  context.Context
	link *Link
	fold *im.Fold
	im.Metrics
}

var challenges = map[string][]challenge{
	im.OrderingChapter: {
		{id: "blind-seq", scenario: "book", protocol: "by-seq", most: 1,
			goal: phrase{"Sorting by seq finds every gap. With a single change, let a phone lack a line all the same, and not know it.",
				"按序号排，缺口都能发现。只动一处，让某部手机还是缺一行，而且不知道。"},
			hint: phrase{"A gap shows when something comes after it. What if nothing does?", "缺口要等后面的来了才看得出来。要是后面没有了呢？"},
			met:  func(a *attempt) bool { return a.MissingUnnoticed() > 0 }, solution: "edits=lose-push-A4-ben"},
		{id: "agreed-and-wrong", scenario: "book", protocol: "arrival", most: 3,
			goal: phrase{"Let both screens show the same lines in the same order, and both be wrong: the server has another.",
				"让两块屏幕一行不差、顺序一样，却都错了：服务器的顺序不是这样。"},
			hint: phrase{"Ana’s A1 is stored after A2. Ben would have to see them as she does.", "Ana 的 A1 比 A2 存得晚。得让 Ben 看到的和她一样。"},
			met: func(a *attempt) bool {
				ana, ben := a.fold.OnScreen(im.Ana), a.fold.OnScreen(im.Ben)
				return slices.Equal(ana, ben) && len(ana) == len(a.fold.Rows) && a.InvertedPairs > 0
			},
			solution: "edits=deliver-push-A2-ben_delay-push-A2-ben-1s_send-B3-8s"},
		{id: "good-timing", scenario: "book", protocol: "arrival", most: 3, only: []im.Verb{im.Press},
			goal: phrase{"Show as they arrive, lose what is lost: and yet no two lines stand the wrong way round. Only move when messages are sent.",
				"照样到了就显示，该丢的照样丢，可没有两行是反的。只许挪动消息发出的时间。"},
			hint: phrase{"Lines cross that are sent within a round trip of each other, or while the first is still being sent again.", "相隔不到一个来回发出的，或者前一条还在重发时发出的，才会交叉。"},
			met: func(a *attempt) bool {
				return a.InvertedPairs == 0 && len(a.fold.Rows) == len(a.link.Scenario.Script)
			},
			solution: "edits=send-A2-6.4s_send-B3-7.2s"},
	},
	im.PollingChapter: {
		{id: "three-polls", scenario: "hole", protocol: "poll-id", free: []string{"interval", "phase", "off"}, most: 1,
			goal: phrase{"Lose 101 for good, with no more than three polls.", "最多三次轮询，就让 101 再也拿不到。"},
			hint: phrase{"One poll between the two commits is all it takes. The settings say when polls leave.", "两次提交之间来一次轮询就够了。什么时候问，在设置里改。"},
			met:  func(a *attempt) bool { return a.Lost > 0 && a.Polls <= 3 }, solution: "interval=4s&phase=4s"},
		{id: "close-the-hole", scenario: "hole", protocol: "poll-id", most: 1,
			goal: phrase{"Close the hole with a single change, so that Ben gets every line that is sent, and all are sent.", "只动一处，把那个洞堵上：该发的都发，Ben 一行不少。"},
			hint: phrase{"The bigger id must not be seen first.", "别让大的 id 先被看见。"},
			met: func(a *attempt) bool {
				return a.Lost == 0 && a.Missing == 0 && len(a.fold.Rows) == len(a.link.Scenario.Script)
			}, solution: "edits=stall-A1-500ms"},
		{id: "six-seconds", scenario: "book", protocol: "poll-id", most: 2, only: []im.Verb{im.Lose},
			goal: phrase{"Let a line wait for more than six seconds, with two lost legs.", "只丢两程，让一行等上六秒多。"},
			hint: phrase{"A poll whose answer is lost brings nothing, and the next leaves at its own time.", "回答丢了，这次就白问，下一次照常到点才走。"},
			met:  func(a *attempt) bool { return a.Wait.MaxMillis() > 6000 }, solution: "edits=lose-answer-ben-2_lose-answer-ben-3"},
	},
	im.OfflineChapter: {
		{id: "cheap-cursors", scenario: "book", protocol: "conversation-cursors", free: []string{"away", "conversations"},
			goal: phrase{"Make cursors cost the server fewer rows, read and written, than the inbox does.", "让游标这种问法，服务器读写的行比信箱还少。"},
			hint: phrase{"What the one costs goes by conversations, the other by messages.", "一个按会话算，一个按消息算。"},
			met:  cheaperThanInbox, solution: "away=1d"},
		{id: "asked-twice", scenario: "book", protocol: "conversation-cursors", free: []string{"away"}, most: 1,
			goal: phrase{"Make the phone carry all its cursors up twice, with a single change.", "只动一处，让手机把所有游标带上去两遍。"},
			hint: phrase{"The server keeps the cursors until the exchange ends. In memory.", "这一轮问完之前，游标都由服务器记着——记在内存里。"},
			met:  func(a *attempt) bool { return a.Cost.BytesUp >= 2*12*a.link.Scenario.Conversations }, solution: "away=evening&edits=restart-14400.3s"},
		{id: "last-push", scenario: "push", protocol: "inbox", most: 1,
			goal: phrase{"Let Ben lack a message at the end and not know it, although the inbox counts.", "信箱明明在数，还是让 Ben 最后缺一条，而且不知道。"},
			hint: phrase{"Whose number would have told him?", "本来是哪条的号会告诉他？"},
			met:  func(a *attempt) bool { return a.MissingUnnoticed() > 0 }, solution: "edits=lose-push-M3-ben"},
	},
}

// cheaperThanInbox compares the rows of a run with those that the inbox reads and writes in the same scenario.
func cheaperThanInbox(a *attempt) bool {
	inbox, _ := a.link.Chapter.Find("inbox")
	f := im.NewFold(&a.link.Scenario, false)
	if err := im.Run(a.ctx, &a.link.Scenario, inbox.New(), f); err != nil {
		return false
	}
	other := f.Metrics()
	return a.NewMessages > 0 && a.Cost.RowsRead+a.Cost.RowsWritten < other.Cost.RowsRead+other.Cost.RowsWritten
}

// solves reports whether a link's run meets a challenge.
func (c *challenge) solves(a *attempt) bool {
	l := a.link
	return l.Scenario.Name == c.scenario && l.Protocol.Name == c.protocol && len(l.Scenario.Edits) <= c.most && c.allowed(l) && c.met(a)
}

// allowed reports whether a run is changed only as the challenge allows.
func (c *challenge) allowed(l *Link) bool {
	given, _ := im.FindScenario(l.Chapter.Name, c.scenario)
	for _, p := range im.Params {
		if p.Applies(&given) && !p.Same(&given, &l.Scenario) && !slices.Contains(c.free, p.Name) {
			return false
		}
	}
	return c.only == nil || !slices.ContainsFunc(l.Scenario.Edits, func(e im.Edit) bool { return !slices.Contains(c.only, e.Verb) })
}

// challengesView lists the chapter's challenges; f is the fold of the whole run, nil before it has ended.
func challengesView(ctx context.Context, l Link, f *im.Fold) templates.Challenges {
	v := templates.Challenges{Lang: l.Lang}
	for _, c := range challenges[l.Chapter.Name] {
		item := templates.Challenge{ID: c.id, Goal: c.goal.in(l.Lang), Hint: c.hint.in(l.Lang), Start: c.start(l, "").stage()}
		solution := c.start(l, c.solution)
		item.Solution, item.Words = solution.stage(), c.words(&solution)
		if f != nil {
			a := &attempt{ctx, &l, f, f.Metrics()}
			item.Solved = c.solves(a)
		}
		v.List = append(v.List, item)
	}
	return v
}

// start is the link to the run that a challenge begins with, with a query.
func (c *challenge) start(l Link, query string) Link {
	to, _ := parsePath(l.Lang, []string{l.Chapter.Name, c.scenario, c.protocol})
	values, _ := url.ParseQuery(query)
	to.parseQuery(values)
	return to
}

// words are a solution's changes, as a text would write them.
func (c *challenge) words(l *Link) string {
	var all []string
	for _, name := range c.free {
		given, _ := im.FindScenario(l.Chapter.Name, c.scenario)
		if p, _ := im.FindParam(name); !p.Same(&given, &l.Scenario) {
			all = append(all, name+" = "+p.Value(&l.Scenario))
		}
	}
	for _, e := range l.Scenario.Edits {
		all = append(all, e.String())
	}
	return strings.Join(all, "; ")
}
