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
	keys   []lineKey
	ranks  []int64
	common []int
	here   map[im.MessageID]bool
}

// column is what one actor shows.
type column struct {
	actor    im.Actor
	view     templates.Column
	variants map[lineKey]int // to the index in view.Variants
	shown    []int           // the variants that stand now
	stands   []lineKey       // what they are
	keys     []lineKey       // what they will be, apart from what stands beside
	stale    bool            // what stands is not yet what it will be
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
		c.write(&s.Data)
		switch d := &s.Data; d.Kind {
		case im.Polled, im.Answered:
			if p := d.Position(); !c.asked || p != c.asks {
				c.asks, c.asked = p, true
				touched[s.Actor] = true
			}
		case im.Left:
			if d.Leg == im.PushLeg && d.Lost {
				c.lost[d.To][d.Msg] = true
				touched[d.To] = true
			}
		case im.ReadPast:
			c.lost[d.To][d.Msg] = true
			touched[d.To] = true
		case im.PollRead, im.Held, im.HoldEnded, im.PollSkipped: // most of a long run, and nothing of it is seen
		case im.Acked, im.AckedAgain, im.Shown, im.Ignored:
			c.heard[s.Actor] = max(c.heard[s.Actor], d.Seq)
			touched[s.Actor] = true
		case im.Stored:
			touched[s.Actor] = true
			touched[d.Msg.Sender] = true // from now on its line can stand in the wrong order
		default:
			touched[s.Actor] = true
		}
	}
	return touched
}

// look notes what those who were touched show now. The run may be drawn ahead of the page's clock as soon as this event is over.
func (r *side) look(touched touched) {
	if !r.away() {
		for i := range r.columns.list {
			col := &r.columns.list[i]
			if !touched[col.actor] {
				continue
			}
			if keys := r.columns.lines(col.actor, r.fold); !slices.Equal(keys, col.keys) {
				col.keys, col.stale = append(col.keys[:0], keys...), true
			}
		}
	}
	for phone, yes := range touched {
		if yes && len(r.columns.against) > 0 {
			r.lookBeside(im.Actor(phone))
		}
	}
}

// lookBeside notes what a phone shows now for the runs that are compared with this one, whose lines it may set apart.
func (r *side) lookBeside(phone im.Actor) {
	order := r.shows(phone)
	if slices.Equal(order, r.order[phone]) {
		return
	}
	r.order[phone] = append(r.order[phone][:0], order...)
	for _, other := range r.columns.against {
		for i := range other.columns.list {
			if col := &other.columns.list[i]; col.actor == phone {
				col.stale = true
			}
		}
	}
}

// refresh brings the columns up to date and returns what changed.
func (c *columns) refresh() (out []templates.Splice) {
	for i := range c.list {
		col := &c.list[i]
		if !col.stale {
			continue
		}
		col.stale = false
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
	biggest := c.heard[phone]
	for i := range lines {
		l := &lines[i]
		c.keys, c.ranks = append(c.keys, c.lineKey(phone, l)), append(c.ranks, l.Rank())
		biggest = max(biggest, l.Seq)
	}
	for i, inverted := range invertedRanks(c.ranks) {
		if inverted {
			c.keys[i].looks |= looksInverted
		}
	}
	c.holes(phone, lines, f.Rows, biggest)
}

// lineKey is the key of a line on a phone's screen, whatever stands around it.
func (c *columns) lineKey(phone im.Actor, l *im.Line) lineKey {
	key := lineKey{msg: l.Msg, copy: l.Copy, id: l.ID, seq: l.Seq, state: l.State, own: l.Msg.Sender == phone}
	if l.Moved {
		key.looks |= looksMoved
	}
	if l.Fetched && c.scenario.Chapter == im.OrderingChapter {
		key.looks |= looksFetched
	}
	if l.Duplicate {
		key.looks |= looksTwice
	}
	return key
}

// holes puts the holes between the lines. biggest is the biggest number that the phone has heard of.
func (c *columns) holes(phone im.Actor, lines []im.Line, rows []im.Row, biggest int64) {
	clear(c.here)
	for _, row := range rows {
		known := row.Seq != 0 && row.Seq < biggest
		if row.Copy > 0 || !known && !c.lost[phone][row.Msg] {
			continue
		}
		if len(c.here) == 0 { // most runs lose nothing and get no further than this
			for i := range lines {
				c.here[lines[i].Msg] = true
			}
		}
		if c.here[row.Msg] {
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

// become changes the column to the given lines and returns the splice that does it. What stays is not looked at further: a long column
// changes often, and each time in little.
func (c *column) become(n narrator, keys []lineKey) (s templates.Splice, changed bool) {
	lo := 0
	for lo < len(keys) && lo < len(c.stands) && keys[lo] == c.stands[lo] {
		lo++
	}
	hi, hiStands := len(keys), len(c.stands)
	for hi > lo && hiStands > lo && keys[hi-1] == c.stands[hiStands-1] {
		hi, hiStands = hi-1, hiStands-1
	}
	if hi == lo && hiStands == lo {
		return s, false
	}
	s = templates.Splice{At: lo, Remove: hiStands - lo}
	for _, key := range keys[lo:hi] {
		s.Insert = append(s.Insert, c.variant(n, key))
	}
	c.shown = slices.Concat(c.shown[:lo], s.Insert, c.shown[hiStands:]) // anew: the view has the old one
	c.stands = slices.Replace(c.stands, lo, hiStands, keys[lo:hi]...)
	return s, true
}

// variant is the index of a line's variant, which is drawn when it is first seen.
func (c *column) variant(n narrator, key lineKey) int {
	v, ok := c.variants[key]
	if !ok {
		v = len(c.view.Variants)
		c.variants[key] = v
		c.view.Variants = append(c.view.Variants, n.line(key))
	}
	return v
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
