package web

import (
	"fmt"
	"slices"

	"imscope/sim/im"
	"imscope/templates"
)

// columns follows the phones' screens and the server's rows through the run. A line that changes (sending, then sent, then moved)
// is a new variant of it; a column at a moment is a list of variants, and each event changes it by one splice. So all of the run
// is in the page, each variant drawn once.
type columns struct {
	narrator
	list []column
	chat *chat // where a phone was away and opens a conversation; else nil
	// lost notes the messages of which a push was lost, for each phone.
	lost [im.MaxPhones + 1]map[im.MessageID]bool
	// heard is the biggest number that each phone has heard of, be it for a line that stands already.
	heard [im.MaxPhones + 1]int64
	// writes are the rows that transactions have written and not committed, and those that were undone.
	writes []lineKey
	// asks is where in the table the reader asks from next, once he has asked.
	asks    im.Position
	asked   bool
	self    *side
	against []*side // the runs that are compared with this one
	// What lines works with, kept from one call to the next: a column is listed anew at every event that concerns it.
	keys  []lineKey
	ranks []int64
	here  map[im.MessageID]bool
}

// column is what one actor shows.
type column struct {
	actor    im.Actor
	view     templates.Column
	variants map[lineKey]int // to the index in view.Variants
	shown    []int           // the variants that stand now
	keys     []lineKey       // what they are, apart from what stands beside
}

// lineKey is all that a line's looks depend on.
type lineKey struct {
	msg     im.MessageID
	copy    uint16
	id, seq int64
	state   im.State
	own     bool
	looks   looks
	asks    im.Position // of the line that tells where the reader asks from
}

// looks are the remarks on a line, a bit each.
type looks uint16

const (
	looksMoved looks = 1 << iota
	looksFetched
	looksTwice
	looksInverted
	looksMissing // not a line at all: a hole where one is missing
	looksKnown   // and the phone knows
	looksOpen    // a row that is written and not committed
	looksUndone  // a row that was written and rolled back
	looksAsks    // not a line at all: where the phone asks from
	looksApart   // it is not so in a run beside this one
)

// newColumns sets up the columns in the order of the lifelines.
func newColumns(n narrator) *columns {
	c := &columns{narrator: n, here: map[im.MessageID]bool{}}
	if n.away() {
		if n.scenario.Opens > 0 { // else nobody looks at a screen
			c.chat = &chat{conv: uint16(n.scenario.Opens)}
			c.add(n.scenario.Reader, n.f("%s’s phone: conversation %d", "%s 的手机：会话 %d", im.Name(n.scenario.Reader), n.scenario.Opens))
		}
		return c
	}
	half := im.Actor(n.scenario.Phones / 2)
	for phone := im.Ana; phone <= im.Actor(n.scenario.Phones); phone++ {
		c.lost[phone] = map[im.MessageID]bool{}
		c.add(phone, n.f("%s’s phone", "%s 的手机", im.Name(phone)))
		if phone == half {
			c.add(im.Server, n.In("Server", "服务器"))
		}
	}
	return c
}

func (c *columns) add(a im.Actor, name string) {
	c.list = append(c.list, column{actor: a, variants: map[lineKey]int{}, view: templates.Column{Name: name, Class: actorClass(a),
		Server: a == im.Server, Empty: c.In("no message yet", "还没有消息")}})
}

// touched says which actors' columns may have changed.
type touched [im.MaxPhones + 1]bool

// follow takes in an event, and says whose columns it concerns.
func (c *columns) follow(e *event) (touched touched) {
	if c.away() {
		touched[c.scenario.Reader] = true
		return touched
	}
	for i := range e.steps {
		s := &e.steps[i]
		touched[s.Actor] = true
		switch s.Data.Kind {
		case im.Acked, im.AckedAgain, im.Shown, im.Ignored:
			c.heard[s.Actor] = max(c.heard[s.Actor], s.Data.Seq)
		}
		c.write(&s.Data)
		switch d := &s.Data; {
		case d.Kind == im.Polled || d.Kind == im.Answered:
			c.asks, c.asked = d.Position(), true
		case d.Kind == im.Left && d.Leg == im.PushLeg && d.Lost:
			c.lost[d.To][d.Msg] = true
			touched[d.To] = true
		case d.Kind == im.ReadPast:
			c.lost[d.To][d.Msg] = true
			touched[d.To] = true
		case d.Kind == im.Stored:
			touched[d.Msg.Sender] = true // from now on its line can stand in the wrong order
		}
	}
	return touched
}

// look notes what those who were touched show now. The run may be drawn ahead of the page's clock as soon as this event is over.
func (r *side) look(touched touched) {
	for i := range r.columns.list {
		if col := &r.columns.list[i]; touched[col.actor] && !r.away() {
			col.keys = append(col.keys[:0], r.columns.lines(col.actor, r.fold)...)
		}
	}
	for phone, yes := range touched {
		if yes && len(r.columns.against) > 0 {
			r.order[phone] = r.shows(im.Actor(phone))
		}
	}
}

// refresh brings the columns of those who were touched, in this run or one beside it, up to date and returns what changed.
func (c *columns) refresh(touched touched) (out []templates.Splice) {
	if c.away() {
		return nil
	}
	for i := range c.list {
		col := &c.list[i]
		if !touched[col.actor] {
			continue
		}
		c.keys = append(c.keys[:0], col.keys...)
		if col.actor != im.Server {
			c.apart(col.actor, c.keys)
		}
		if splice, changed := col.become(c.narrator, c.keys); changed {
			splice.Column = c.self.first + i
			out = append(out, splice)
		}
	}
	return out
}

// followChat brings the conversation that is opened up to date, where a phone was away.
func (c *columns) followChat(e *event) []templates.Splice {
	if c.chat == nil {
		return nil
	}
	c.chat.follow(e)
	if splice, changed := c.list[0].become(c.narrator, c.chat.lines()); changed {
		splice.Column = c.self.first
		return []templates.Splice{splice}
	}
	return nil
}

// write follows a transaction from its row to its end.
func (c *columns) write(d *im.Data) {
	i := slices.IndexFunc(c.writes, func(k lineKey) bool { return k.msg == d.Msg && k.looks == looksOpen })
	switch {
	case d.Kind == im.Began:
		c.writes = append(c.writes, lineKey{msg: d.Msg, id: d.ID, seq: d.Seq, looks: looksOpen})
	case d.Kind == im.Stored && i >= 0:
		c.writes = slices.Delete(c.writes, i, i+1)
	case d.Kind == im.RolledBack && i >= 0:
		c.writes[i].looks = looksUndone
	}
}

// lines lists what an actor shows now; the list is good until the next call.
func (c *columns) lines(a im.Actor, f *im.Fold) []lineKey {
	c.keys = c.keys[:0]
	if a == im.Server {
		c.serverLines(f)
	} else {
		c.phoneLines(a, f)
	}
	if c.asked && a == c.scenario.Reader {
		c.keys = slices.Insert(c.keys, 0, lineKey{looks: looksAsks, asks: c.asks})
	}
	return c.keys
}

func (c *columns) serverLines(f *im.Fold) {
	for _, r := range f.Rows {
		c.keys = append(c.keys, lineKey{msg: r.Msg, copy: r.Copy, id: r.ID, seq: r.Seq})
	}
	c.keys = append(c.keys, c.writes...)
	slices.SortFunc(c.keys, func(a, b lineKey) int { return int(a.id - b.id) })
}

// phoneLines are the lines of a phone's screen, with a hole wherever the server has one that was lost on its way here.
func (c *columns) phoneLines(phone im.Actor, f *im.Fold) {
	lines := f.Screens[phone].Lines
	c.ranks = c.ranks[:0]
	clear(c.here)
	inverted := invertedLines(lines)
	biggest := c.heard[phone]
	for i := range lines {
		l := &lines[i]
		key := lineKey{msg: l.Msg, copy: l.Copy, id: l.ID, seq: l.Seq, state: l.State, own: l.Msg.Sender == phone}
		for _, has := range []struct {
			yes bool
			l   looks
		}{{l.Moved, looksMoved}, {l.Fetched && c.scenario.Chapter == im.OrderingChapter, looksFetched}, {l.Duplicate, looksTwice}, {inverted[i], looksInverted}} {
			if has.yes {
				key.looks |= has.l
			}
		}
		c.keys, c.ranks = append(c.keys, key), append(c.ranks, l.Rank())
		c.here[l.Msg] = true
		biggest = max(biggest, l.Seq)
	}
	for _, row := range f.Rows {
		known := row.Seq != 0 && row.Seq < biggest
		if row.Copy > 0 || c.here[row.Msg] || !known && !c.lost[phone][row.Msg] {
			continue
		}
		at := slices.IndexFunc(c.ranks, func(r int64) bool { return r == 0 || r > row.ID })
		if at < 0 {
			at = len(c.ranks)
		}
		hole := lineKey{msg: row.Msg, looks: looksMissing}
		if known {
			hole.seq, hole.looks = row.Seq, looksMissing|looksKnown
		}
		c.keys, c.ranks = slices.Insert(c.keys, at, hole), slices.Insert(c.ranks, at, row.ID)
	}
}

// invertedLines marks the lines that stand in the opposite order to the server's with another.
func invertedLines(lines []im.Line) []bool {
	ranks := make([]int64, len(lines))
	for i := range lines {
		ranks[i] = lines[i].Rank()
	}
	return invertedRanks(ranks)
}

// invertedRanks marks the ranks that stand in the opposite order with another; 0 is none.
func invertedRanks(ranks []int64) []bool {
	marked := make([]bool, len(ranks))
	var biggest int64
	for i, r := range ranks {
		marked[i] = r != 0 && r < biggest
		biggest = max(biggest, r)
	}
	var least int64
	for i := len(ranks) - 1; i >= 0; i-- {
		r := ranks[i]
		if r == 0 {
			continue
		}
		marked[i] = marked[i] || least != 0 && r > least
		if least == 0 || r < least {
			least = r
		}
	}
	return marked
}

// become changes the column to the given lines and returns the splice that does it.
func (c *column) become(n narrator, keys []lineKey) (s templates.Splice, changed bool) {
	next := make([]int, len(keys))
	for i, key := range keys {
		v, ok := c.variants[key]
		if !ok {
			v = len(c.view.Variants)
			c.variants[key] = v
			c.view.Variants = append(c.view.Variants, n.line(key))
		}
		next[i] = v
	}
	lo := 0
	for lo < len(next) && lo < len(c.shown) && next[lo] == c.shown[lo] {
		lo++
	}
	hiNext, hiShown := len(next), len(c.shown)
	for hiNext > lo && hiShown > lo && next[hiNext-1] == c.shown[hiShown-1] {
		hiNext, hiShown = hiNext-1, hiShown-1
	}
	changed = hiNext > lo || hiShown > lo
	s = templates.Splice{At: lo, Remove: hiShown - lo, Insert: next[lo:hiNext]}
	c.shown = next
	return s, changed
}

// line draws a variant.
func (n narrator) line(key lineKey) templates.ScreenLine {
	if key.looks == looksAsks {
		return n.asksFrom(key.asks)
	}
	if key.msg == (im.MessageID{}) {
		return n.holeOf(key)
	}
	line := templates.ScreenLine{Name: key.msg.String(), Class: actorClass(key.msg.Sender), Number: rowNumber(key.id, key.seq), Own: key.own,
		Hole: key.looks&(looksMissing|looksOpen|looksUndone) != 0}
	note := func(icon, text, class string) {
		line.Notes = append(line.Notes, templates.Note{Icon: icon, Text: text, Class: class})
	}
	if key.own {
		switch key.state {
		case im.Sending:
			note("◌", n.In("sending", "发送中"), "sending")
		case im.Sent:
			note("✓", n.In("sent", "已发出"), "sent")
		case im.GivenUp:
			note("!", n.In("failed", "失败"), "lost")
		}
	}
	for _, r := range []struct {
		looks               looks
		icon, en, zh, class string
	}{
		{looksMoved, "↥", "moved", "挪过", "moved"},
		{looksFetched, "⤓", "fetched", "补拉的", "fetched"},
		{looksTwice, "⧉", "twice", "重复", "crossed"},
		{looksInverted, "⇅", "out of order", "顺序反了", "crossed"},
		{looksOpen, "◌", "not committed: nobody sees it", "没提交：谁也看不见", "open"},
		{looksApart, "≠", "not so beside", "旁边不一样", "apart"},
		{looksUndone, "↶", "rolled back, the number is gone", "回滚了，号也没了", "lost"},
	} {
		if key.looks&r.looks != 0 {
			note(r.icon, n.In(r.en, r.zh), r.class)
		}
	}
	switch {
	case key.looks&looksKnown != 0:
		note("?", n.In("missing, and known", "缺了，手机知道"), "known")
	case key.looks&looksMissing != 0:
		note("∅", n.In("not here, unnoticed", "没到，没人发现"), "unknown")
	}
	return line
}

// asksFrom is the line on a phone that tells from where it will ask.
func (n narrator) asksFrom(p im.Position) templates.ScreenLine {
	line := templates.ScreenLine{Class: "asks", Number: fmt.Sprint(p.ID)}
	switch p.By {
	case im.AfterID:
		line.Name = n.In("asks above id", "问更大的 id：")
	case im.SinceTime:
		line.Name, line.Number = n.In("asks from", "从这时问起："), n.Seconds(p.At.Seconds())
	default:
		line.Name = n.In("asks from token", "从令牌问起：")
	}
	return line
}

func rowNumber(id, seq int64) string {
	switch {
	case seq != 0:
		return fmt.Sprintf("#%d", seq)
	case id != 0:
		return fmt.Sprint(id)
	}
	return ""
}
