package im

import "slices"

// Catching is what all protocols have in common by which a phone catches up: what comes while it is away is stored; once back, it
// asks, one request after another, until nothing more is new. What differs, what it asks with and where the server looks, is the
// protocol's own: its Way.
//
// An exchange has numbered requests. One is in flight at a time; it goes out again, with the same number, when no answer has come for
// RTO, and the server answers a number that it has answered before as before.
type Catching struct {
	Chats *Chats

	way    Way
	device Actor     // the phone, or the tablet
	second *Catching // the tablet's, once it is on; it shares the database
	inbox  bool      // the server keeps one
	tx     transactions

	// The phone.
	asking  bool
	first   uint32 // the number of the exchange's first request
	number  uint32 // of the request in flight or answered last
	attempt uint32
	have    []int64 // the biggest seq that it has, by conversation
	shown   map[MessageID]bool
	opened  bool
	online  bool
	waiting bool   // to see whether a gap closes by itself
	round   uint32 // counts the waits, so that a timer knows whether it is still meant
	lowest  int64  // in the conversation that was opened: the smallest seq that it has above a hole

	// The server, from the first request of the exchange to its last answer.
	since   []int64 // what the phone has, by conversation, by which a read is judged: the server need not know
	looked  []int64 // the heads that it has read, by conversation; 0 is not yet
	listing bool
	listed  uint16 // the conversations that the list has come to
	head    int64  // where the phone is to go on from after the list
	reply   reply
	lost    bool // it has forgotten the exchange
}

// reply is an answer under way.
type reply struct {
	to    uint32 // the number of the request
	mails []Mail
	list  []Item
	more  bool
	head  int64
}

// Start sets up the database and the phone's being away; inbox says that the server keeps one.
func (c *Catching) Start(w *World, way Way, inbox bool) {
	c.setUp(w, way, inbox, NewChats(w.Scenario), w.Reader)
}

// setUp begins with a device that has everything of the moment in which it left.
func (c *Catching) setUp(w *World, way Way, inbox bool, chats *Chats, device Actor) {
	c.way, c.inbox, c.device = way, inbox, device
	c.Chats = chats
	c.tx = transactions{locks: make(map[row]*rowLock), open: make(map[MessageID]*transaction)}
	c.shown = make(map[MessageID]bool)
	c.have = make([]int64, w.Conversations+2) // with room for a group that the phone is added to
	for conv := uint16(1); conv <= c.Chats.Count(); conv++ {
		c.have[conv] = c.Chats.Left(conv)
	}
	way.Leave(w)
}

// Handle does the part of an input that is not the protocol's own.
func (c *Catching) Handle(w *World, in *Input) {
	if (in.From == Tablet || in.To == Tablet) && c.device != Tablet {
		c.tablet(w).Handle(w, in)
		return
	}
	switch in.On {
	case OnArrive:
		c.arrive(w, in)
	case OnOff:
		w.Record(in.To, Data{Kind: TurnedOff})
	case OnOn:
		w.Because(w.Record(in.To, Data{Kind: TurnedOn}))
		w.Because(w.Record(in.To, Data{Kind: Connected}))
		c.online = true
		c.begin(w)
	case OnRestart:
		c.restart(w)
	case OnResend:
		if c.asking && c.number == uint32(in.Lo) && c.attempt == in.Attempt {
			c.attempt++
			c.transmit(w)
		}
	case OnCommit:
		c.goOn(w, in)
	case OnStuck:
		c.stuck(w, in)
	case OnTick:
		c.again(w)
	case OnGap:
		if c.waiting && c.round == in.Attempt {
			c.waiting = false
			c.again(w)
		}
	case OnOpen:
		c.open(w)
	case OnLeg:
		switch in.Leg {
		case AskLeg:
			w.Because(w.Record(Server, Data{Kind: RangeRead, To: in.From, Conv: in.Conv, Lo: in.Lo, Hi: in.Hi}))
			w.Send(Input{Leg: AnswerLeg, From: Server, To: in.From, Conv: in.Conv, Lo: in.Lo, Hi: in.Hi, Attempt: in.Attempt})
		case AnswerLeg:
			c.fill(w, in)
		case PushLeg:
			c.live(w, in)
		case SyncLeg:
			c.answer(w, in)
		case SyncReplyLeg:
			c.take(w, in)
		}
	}
}

// arrive writes a message, at once where a transaction takes no time.
func (c *Catching) arrive(w *World, in *Input) {
	a := &w.incoming[in.Lo]
	if !a.Event.Bare() && w.writeTime(a.Msg) > 0 {
		c.write(w, a, 1)
		return
	}
	m := c.Chats.Take(a, w.idGap(w.luck, in.Msg), c.inbox)
	c.commit(w, &m, int(number(c.inbox)))
}

// commit makes a message readable; inboxes is in how many it has a row. It is pushed where the scenario has pushes, once, if the phone has
// a connection: if the push is lost the server does not know.
func (c *Catching) commit(w *World, m *Mail, inboxes int) {
	c.Chats.Commit(*m)
	kind := Stored
	if m.Event.Bare() {
		kind = Noted
	}
	w.Because(w.Record(Server, Data{Kind: kind, Msg: m.Msg, Conv: m.Conv, Event: m.Event, ID: m.ID, Seq: m.Seq, Inbox: m.Inbox, Rows: uint16(inboxes)}))
	if !m.Event.Bare() && c.way.Passed(m) {
		c.readPast(w, m)
	}
	if w.Pushes && c.online {
		w.Send(Input{Leg: PushLeg, From: Server, To: c.device, Msg: m.Msg, Conv: m.Conv, ID: m.ID, Seq: m.Seq, Inbox: m.Inbox, Attempt: 1})
	}
}

// readPast notes that no request can bring a message any more.
func (c *Catching) readPast(w *World, m *Mail) {
	w.Record(Server, Data{Kind: ReadPast, To: c.device, Msg: m.Msg, Conv: m.Conv, ID: m.ID, Inbox: m.Inbox})
}

// anew in Hi tells the phone that it must start another exchange.
const anew = -1

// restart loses what the server has only in memory: the exchange, and transactions that are open. Whoever wrote them writes them again.
func (c *Catching) restart(w *World) {
	w.Because(w.Record(Server, Data{Kind: Restarted}))
	c.lost, c.reply = true, reply{}
	if c.second != nil {
		c.second.lost, c.second.reply = true, reply{}
	}
	c.undo(w)
}

// needed reports whether the server cannot go on without what it kept of the exchange: the cursors that came with its first request, or
// how far the list has come. With one number that each request carries it can.
func (c *Catching) needed() bool { return c.listing || c.way.Ask(false).By == ByCursors }

// begin starts an exchange.
func (c *Catching) begin(w *World) {
	c.since = slices.Clone(c.have)
	c.looked = make([]int64, len(c.have))
	c.listing, c.listed, c.head = false, 0, 0
	c.first = c.number + 1
	c.ask(w)
}

// again starts another exchange, unless one is under way, which will do.
func (c *Catching) again(w *World) {
	if !c.asking {
		c.begin(w)
	}
}

func (c *Catching) ask(w *World) {
	c.asking, c.attempt = true, 1
	c.number++
	c.transmit(w)
}

func (c *Catching) transmit(w *World) {
	q := c.way.Ask(c.number > c.first)
	version := int64(0)
	if q.Version {
		version = withVersion
	}
	w.Because(w.Record(c.device, Data{Kind: SyncAsked, Lo: int64(c.number), Attempt: c.attempt, Key: int64(q.By), ID: q.At, Conv: q.Conv, Rows: q.Pairs,
		Hi: version}))
	w.Send(Input{Leg: SyncLeg, From: c.device, To: Server, Lo: int64(c.number), Attempt: c.attempt, Key: int64(q.By), ID: q.At, Conv: q.Conv,
		Rows: q.Pairs, Hi: version})
	w.Timer(Input{On: OnResend, From: c.device, To: c.device, Lo: int64(c.number), Attempt: c.attempt})
}

// answer is the server's.
func (c *Catching) answer(w *World, in *Input) {
	switch {
	case uint32(in.Lo) < c.reply.to:
		w.Record(Server, Data{Kind: Ignored, Lo: in.Lo}) // an older one that came late
		return
	case c.lost && uint32(in.Lo) != c.first && c.needed():
		w.Because(w.Record(Server, Data{Kind: Unknown, To: in.From, Lo: in.Lo}))
		w.Send(Input{Leg: SyncReplyLeg, From: Server, To: in.From, Lo: in.Lo, Attempt: in.Attempt, Hi: anew})
		return
	case uint32(in.Lo) == c.reply.to:
		w.Because(w.Record(Server, Data{Kind: SyncRepeated, To: in.From, Lo: in.Lo, Attempt: in.Attempt}))
	default:
		c.read(w, in)
		rows, events := c.reply.rows()
		w.Because(w.Record(Server, Data{Kind: SyncRead, To: in.From, Lo: in.Lo, Rows: rows, New: uint16(len(c.reply.list)), More: c.reply.more,
			Hi: events}))
	}
	rows, events := c.reply.rows()
	w.Send(Input{Leg: SyncReplyLeg, From: Server, To: in.From, Lo: in.Lo, Attempt: in.Attempt, Rows: rows, New: uint16(len(c.reply.list)),
		More: c.reply.more, ID: c.reply.head, Hi: events})
}

// rows is how many messages and how many bare events an answer brings.
func (r *reply) rows() (messages uint16, events int64) {
	for i := range r.mails {
		if r.mails[i].Event.Bare() {
			events++
		} else {
			messages++
		}
	}
	return messages, events
}

// read finds the answer to a request.
func (c *Catching) read(w *World, in *Input) {
	c.way.Hear(in)
	c.lost = c.lost && uint32(in.Lo) != c.first
	if uint32(in.Lo) == c.first && c.tooFar(w) {
		c.listing = true
		if !w.HeadLast {
			c.readHead(w)
		}
	}
	c.reply = reply{to: uint32(in.Lo)}
	if c.listing {
		c.list(w)
	} else {
		c.reply.mails, c.reply.more = c.way.Read(w)
	}
}

// tooFar reports whether the phone is to be answered with the list.
func (c *Catching) tooFar(w *World) bool {
	old := w.Off.To-w.Off.From > Kept
	if !old && w.TooFar != GiveList {
		return false
	}
	behind := c.way.Behind(w)
	if !old && behind <= MostPages*w.Page {
		return false
	}
	w.Because(w.Record(Server, Data{Kind: TooMany, To: c.device, Gap: behind}))
	return true
}

// list puts the next page of conversations into the answer.
func (c *Catching) list(w *World) {
	for int64(len(c.reply.list)) < w.Page && c.listed < c.Chats.Count() {
		c.listed++
		c.reply.list = append(c.reply.list, c.item(w, c.listed))
	}
	c.reply.more = c.listed < c.Chats.Count()
	if w.HeadLast && !c.reply.more {
		c.readHead(w)
	}
	c.reply.head = c.head
}

// readHead reads where the phone is to go on from after the list. It must come first: what is committed between the two is then in the
// list, or behind the head, or in both. Read last, the head can be in front of what the list has not got.
func (c *Catching) readHead(w *World) {
	if c.head = c.way.Head(); c.head != 0 {
		w.Record(Server, Data{Kind: HeadRead, To: c.device, ID: c.head})
	}
}

// item is a conversation's entry, as of the moment at which the server read its head.
func (c *Catching) item(w *World, conv uint16) Item {
	i := Item{Conv: conv, Seq: c.Look(w, conv)}
	if i.Seq > c.since[conv] {
		i.Newest = c.Chats.After(conv, i.Seq-1, 1)[0]
	}
	return i
}

// Look is the server's: it reads the head of a conversation, once in an exchange.
func (c *Catching) Look(w *World, conv uint16) int64 {
	if c.looked[conv] == 0 {
		head := c.Chats.Head(conv)
		c.looked[conv] = head + 1
		w.Record(Server, Data{Kind: Looked, To: c.device, Conv: conv, Seq: head, New: uint16(head - c.since[conv])})
	}
	return c.looked[conv] - 1
}

// LookAll reads the heads of the first conversations, and returns how many messages the phone lacks in them.
func (c *Catching) LookAll(w *World, count uint16) (n int64) {
	for conv := uint16(1); conv <= count; conv++ {
		n += c.Look(w, conv) - c.since[conv]
	}
	return n
}

// take is the phone's: it takes what an answer brings, and asks on if there is more.
func (c *Catching) take(w *World, in *Input) {
	if !c.asking || uint32(in.Lo) != c.number {
		w.Record(in.To, Data{Kind: Ignored, Lo: in.Lo})
		return
	}
	c.asking = false
	r := &c.reply
	if in.Hi == anew {
		w.Because(w.Record(in.To, Data{Kind: Ignored, Lo: in.Lo}))
		c.begin(w)
		return
	}
	answered := w.Record(in.To, Data{Kind: SyncAnswered, Lo: in.Lo, Attempt: in.Attempt, Rows: in.Rows, New: in.New, More: in.More, Hi: in.Hi})
	w.Because(answered)
	for i := range r.mails {
		c.way.Take(&r.mails[i])
		c.show(w, &r.mails[i])
	}
	for i := range r.list {
		c.enter(w, &r.list[i])
	}
	if in.More {
		c.ask(w)
		return
	}
	if len(r.list) > 0 {
		c.jump(w, in.ID)
	}
	q := c.way.Ask(false)
	done := Data{Kind: CaughtUp, Key: int64(q.By)}
	if q.Pairs == 0 {
		done.ID = q.At
	}
	w.Because(w.Record(in.To, done))
	c.then(w)
}

// jump ends the list, which shows what became of each conversation too: whether the reader is in it, what was read, what is pinned. What
// was committed between list and head, in that order, no later request can bring.
func (c *Catching) jump(w *World, head int64) {
	c.way.Jump(head)
	for _, m := range c.Chats.Events() {
		c.show(w, &m)
	}
	for _, m := range c.Chats.mails {
		if c.way.Passed(&m) && m.Seq > c.have[m.Conv] {
			c.readPast(w, &m)
		}
	}
}

// show puts a message on the phone, unless it stands there.
func (c *Catching) show(w *World, m *Mail) {
	d := Data{Kind: Shown, Msg: m.Msg, Conv: m.Conv, Event: m.Event, ID: m.ID, Seq: m.Seq, Inbox: m.Inbox, Fetched: true}
	switch {
	case m.Event.Bare():
		d.Kind = Learned
	case c.shown[m.Msg]:
		d.Kind = Ignored
		fallthrough
	default:
		c.shown[m.Msg] = true
		c.have[m.Conv] = max(c.have[m.Conv], m.Seq)
	}
	w.Record(c.device, d)
}

// then is what the phone does once it has caught up.
func (c *Catching) then(w *World) {
	c.mind(w)
	if w.Second > 0 && c.first == 1 && c.device != Tablet {
		w.TimerAt(w.Now()+w.Second, Input{On: OnOn, From: Tablet, To: Tablet})
	}
	if w.Again > 0 && c.first == 1 && c.device != Tablet {
		w.TimerAt(w.Now()+w.Again, Input{On: OnTick, From: c.device, To: c.device})
	}
	if w.Opens > 0 && !c.opened {
		c.opened = true
		w.TimerAt(w.Now()+untilOpened, Input{On: OnOpen, From: c.device, To: c.device})
	}
}

// enter takes an entry of the list.
func (c *Catching) enter(w *World, i *Item) {
	c.way.Skip(i)
	if c.shown[i.Newest.Msg] {
		i.Newest = Mail{}
	}
	c.shown[i.Newest.Msg] = i.Newest.Msg.N > 0
	hidden := max(0, i.Seq-c.have[i.Conv]-1)
	c.have[i.Conv] = max(c.have[i.Conv], i.Seq)
	if hidden > 0 && int64(i.Conv) == w.Opens {
		c.lowest = i.Seq
	}
	w.Record(c.device, Data{Kind: Listed, Conv: i.Conv, Seq: i.Seq, Msg: i.Newest.Msg, ID: i.Newest.ID, Gap: hidden})
}
