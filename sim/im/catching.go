package im

// Catching is what all protocols have in common by which a phone catches up: what comes while it is away is stored; once back, it
// asks, one request after another, until nothing more is new. What differs, what it asks with and where the server looks, is the
// protocol's own: its Way.
//
// An exchange has numbered requests. One is in flight at a time; it goes out again, with the same number, when no answer has come for
// RTO, and the server answers a number that it has answered before as before.
type Catching struct {
	Chats *Chats

	way   Way
	inbox bool // the server keeps one

	// The phone.
	asking  bool
	first   uint32 // the number of the exchange's first request
	number  uint32 // of the request in flight or answered last
	attempt uint32

	// The server, from the first request of the exchange to its last answer.
	looked  []int64 // the heads that it has read, by conversation; 0 is not yet
	listing bool
	listed  uint16 // the conversations that the list has come to
	head    int64  // where the phone is to go on from after the list
	reply   reply
}

// reply is an answer under way.
type reply struct {
	to    uint32 // the number of the request
	mails []Mail
	list  []Item
	more  bool
	head  int64
}

// Item is an entry of the list of conversations.
type Item struct {
	Conv   uint16
	Seq    int64 // its last
	Newest Mail  // zero if it was there before the phone left
}

// Way is what a phone asks with, and how the server finds out what is new.
type Way interface {
	// Ask is the phone's: what it asks with; next says that it goes on in the same exchange.
	Ask(next bool) Question
	// Hear is the server's: it takes what a request carries.
	Hear(in *Input)
	// Behind is the server's: how many messages are new to the phone.
	Behind(w *World) int64
	// Read is the server's: the next page, and whether there is more behind it.
	Read(w *World) (page []Mail, more bool)
	// Head is the server's: the one number from which a phone goes on that has everything of this moment; 0 if it needs none.
	Head() int64
	// Take is the phone's: a message has come.
	Take(m *Mail)
	// Skip is the phone's: an entry of the list has come.
	Skip(i *Item)
	// Jump is the phone's: the list is complete, and it goes on from head.
	Jump(head int64)
}

// Question is what a request carries.
type Question struct {
	By    AskedBy
	At    int64  // the number that it asks what is behind of; a seq of Conv with a pair
	Conv  uint16 // with a single pair: of which conversation
	Pairs uint16 // how many pairs of a conversation and a seq it carries; 0 is one number without
}

// AskedBy says what a phone asks with.
type AskedBy int64

// What a phone can ask with.
const (
	ByGlobalID AskedBy = iota
	ByCursors
	ByInbox
)

// Question is the question that a step tells.
func (d *Data) Question() Question {
	return Question{AskedBy(d.Key), d.ID, d.Conv, d.Rows}
}

// Start sets up the database and the phone's being away; inbox says that the server keeps one.
func (c *Catching) Start(w *World, way Way, inbox bool) {
	c.way, c.inbox = way, inbox
	c.Chats = NewChats(w.Scenario)
}

// Handle does the part of an input that is not the protocol's own.
func (c *Catching) Handle(w *World, in *Input) {
	switch in.On {
	case OnArrive:
		c.arrive(w, in)
	case OnOff:
		w.Record(in.To, Data{Kind: TurnedOff})
	case OnOn:
		w.Because(w.Record(in.To, Data{Kind: TurnedOn}))
		w.Because(w.Record(in.To, Data{Kind: Connected}))
		c.begin(w)
	case OnResend:
		if c.asking && c.number == uint32(in.Lo) && c.attempt == in.Attempt {
			c.attempt++
			c.transmit(w)
		}
	case OnLeg:
		switch in.Leg {
		case SyncLeg:
			c.answer(w, in)
		case SyncReplyLeg:
			c.take(w, in)
		}
	}
}

// arrive stores a message. Its phone has no connection, so nothing is pushed.
func (c *Catching) arrive(w *World, in *Input) {
	a := Arrival{Msg: in.Msg, Conv: in.Conv}
	m := c.Chats.Take(&a, w.idGap(w.luck, in.Msg), c.inbox)
	c.Chats.Commit(m)
	w.Record(Server, Data{Kind: Stored, Msg: m.Msg, Conv: m.Conv, ID: m.ID, Seq: m.Seq, Inbox: m.Inbox})
}

// begin starts an exchange.
func (c *Catching) begin(w *World) {
	c.looked = make([]int64, c.Chats.Count()+1)
	c.listing, c.listed, c.head = false, 0, 0
	c.first = c.number + 1
	c.ask(w)
}

func (c *Catching) ask(w *World) {
	c.asking, c.attempt = true, 1
	c.number++
	c.transmit(w)
}

func (c *Catching) transmit(w *World) {
	q := c.way.Ask(c.number > c.first)
	w.Because(w.Record(w.Reader, Data{Kind: SyncAsked, Lo: int64(c.number), Attempt: c.attempt, Key: int64(q.By), ID: q.At, Conv: q.Conv, Rows: q.Pairs}))
	w.Send(Input{Leg: SyncLeg, From: w.Reader, To: Server, Lo: int64(c.number), Attempt: c.attempt, Key: int64(q.By), ID: q.At, Conv: q.Conv,
		Rows: q.Pairs})
	w.Timer(Input{On: OnResend, From: w.Reader, To: w.Reader, Lo: int64(c.number), Attempt: c.attempt})
}

// answer is the server's.
func (c *Catching) answer(w *World, in *Input) {
	if number := uint32(in.Lo); number == c.reply.to {
		w.Because(w.Record(Server, Data{Kind: SyncRepeated, To: in.From, Lo: in.Lo, Attempt: in.Attempt}))
	} else {
		c.read(w, in)
		w.Because(w.Record(Server, Data{Kind: SyncRead, To: in.From, Lo: in.Lo, Rows: uint16(len(c.reply.mails)), New: uint16(len(c.reply.list)),
			More: c.reply.more}))
	}
	w.Send(Input{Leg: SyncReplyLeg, From: Server, To: in.From, Lo: in.Lo, Attempt: in.Attempt, Rows: uint16(len(c.reply.mails)),
		New: uint16(len(c.reply.list)), More: c.reply.more, ID: c.reply.head})
}

// read finds the answer to a request.
func (c *Catching) read(w *World, in *Input) {
	c.way.Hear(in)
	if uint32(in.Lo) == c.first && c.tooFar(w) {
		c.listing = true
		c.head = c.way.Head()
		if c.head != 0 {
			w.Record(Server, Data{Kind: HeadRead, To: in.From, ID: c.head})
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
	w.Because(w.Record(Server, Data{Kind: TooMany, To: w.Reader, Gap: behind}))
	return true
}

// list puts the next page of conversations into the answer.
func (c *Catching) list(w *World) {
	for int64(len(c.reply.list)) < w.Page && c.listed < c.Chats.Count() {
		c.listed++
		c.reply.list = append(c.reply.list, c.item(w, c.listed))
	}
	c.reply.more = c.listed < c.Chats.Count()
	c.reply.head = c.head
}

// item is a conversation's entry, as of the moment at which the server read its head.
func (c *Catching) item(w *World, conv uint16) Item {
	i := Item{Conv: conv, Seq: c.Look(w, conv)}
	if left := c.Chats.Left(conv); i.Seq > left {
		i.Newest = c.Chats.After(conv, i.Seq-1, 1)[0]
	}
	return i
}

// Look is the server's: it reads the head of a conversation, once in an exchange.
func (c *Catching) Look(w *World, conv uint16) int64 {
	if c.looked[conv] == 0 {
		head := c.Chats.Head(conv)
		c.looked[conv] = head + 1
		w.Record(Server, Data{Kind: Looked, To: w.Reader, Conv: conv, Seq: head, New: uint16(head - c.Chats.Left(conv))})
	}
	return c.looked[conv] - 1
}

// LookAll reads the heads of all conversations, and returns how many messages have come in them since the phone left.
func (c *Catching) LookAll(w *World) (n int64) {
	for conv := uint16(1); conv <= c.Chats.Count(); conv++ {
		n += c.Look(w, conv) - c.Chats.Left(conv)
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
	answered := w.Record(in.To, Data{Kind: SyncAnswered, Lo: in.Lo, Attempt: in.Attempt, Rows: in.Rows, New: in.New, More: in.More})
	w.Because(answered)
	for i := range r.mails {
		m := &r.mails[i]
		c.way.Take(m)
		w.Record(in.To, Data{Kind: Shown, Msg: m.Msg, Conv: m.Conv, ID: m.ID, Seq: m.Seq, Inbox: m.Inbox, Fetched: true})
	}
	for i := range r.list {
		c.enter(w, &r.list[i])
	}
	if in.More {
		c.ask(w)
		return
	}
	if len(r.list) > 0 {
		c.way.Jump(in.ID)
	}
	q := c.way.Ask(false)
	done := Data{Kind: CaughtUp, Key: int64(q.By)}
	if q.Pairs == 0 {
		done.ID = q.At
	}
	w.Record(in.To, done)
}

// enter takes an entry of the list.
func (c *Catching) enter(w *World, i *Item) {
	c.way.Skip(i)
	hidden := max(0, i.Seq-c.Chats.Left(i.Conv)-1)
	w.Record(w.Reader, Data{Kind: Listed, Conv: i.Conv, Seq: i.Seq, Msg: i.Newest.Msg, ID: i.Newest.ID, Gap: hidden})
}
