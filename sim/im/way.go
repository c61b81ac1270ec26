package im

// Item is an entry of the list of conversations.
type Item struct {
	Conv   uint16
	Seq    int64 // its last
	Newest Mail  // zero if it was there before the phone left
}

// Way is what a phone asks with, and how the server finds out what is new.
type Way interface {
	// Leave is the device's: it has everything of this moment.
	Leave(w *World)
	// Another is the same way for another device, with what they have in common.
	Another() (Way, *Catching)
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
	// Passed reports whether the phone asks for nothing any more that could bring the message.
	Passed(m *Mail) bool
	// Push is the phone's: a message has come by itself.
	Push(m *Mail)
	// Gap is the phone's: what it knows to be missing.
	Gap() Gap
	// Take is the phone's: a message has come in an answer.
	Take(m *Mail)
	// Skip is the phone's: an entry of the list has come.
	Skip(i *Item)
	// Jump is the phone's: the list is complete, and it goes on from head.
	Jump(head int64)
}

// Gap is how many of the numbers Lo … Hi are missing, in the inbox, or in a conversation.
type Gap struct {
	N, Lo, Hi int64
	Conv      uint16 // 0 is the inbox
}

// Question is what a request carries.
type Question struct {
	By    AskedBy
	At    int64  // the number that it asks what is behind of; a seq of Conv with a pair
	Conv  uint16 // with a single pair: of which conversation
	Pairs uint16 // how many pairs of a conversation and a seq it carries; 0 is one number without

	Version bool // it carries the version of the phone's memberships too
}

// AskedBy says what a phone asks with.
type AskedBy int64

// What a phone can ask with.
const (
	ByGlobalID AskedBy = iota
	ByCursors
	ByInbox
)

// withVersion in Hi marks a request that carries a version of memberships.
const withVersion = 1

// Question is the question that a step tells.
func (d *Data) Question() Question {
	return Question{AskedBy(d.Key), d.ID, d.Conv, d.Rows, d.Hi == withVersion}
}
