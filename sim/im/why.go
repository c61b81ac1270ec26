package im

import "imscope/sim"

// Why a moment of a run is as it is, is found in the trace: nothing is recorded for it while the run is played. An inquiry follows a
// symptom, a line that is not as the server has it, back to its root. Each answer is a chain of reasons. It ends in a fault, without which
// the symptom would not be; or, if nothing went wrong, in a crossing, or in a rule of the protocol.

// Symptom is a line of a phone that is not as the server has it.
type Symptom struct {
	Kind  SymptomKind
	Phone Actor
	Msg   MessageID
	With  MessageID // Inverted: the line above, which the server has below
	Known bool      // Missing: the phone knows
	Lost  bool      // Missing: the phone will never be given it
}

// SymptomKind says what is wrong with a line.
type SymptomKind uint8

// The kinds of symptom.
const (
	Missing  SymptomKind = iota + 1 // stored, and not shown
	Inverted                        // in the opposite order to the server's with another
	Doubled                         // shown twice
	Moved                           // an own line that moved up when it got its number
)

// Chain is why something is so.
type Chain struct {
	Links []Link // from the symptom back to the root, which is the last
	End   End
	Fault Edit // what went wrong, if the end is a fault, as an edit would say it
	By    Origin
}

// Link is one reason of a chain, with at most two more that go with it.
type Link struct {
	Reason
	Further []Reason
}

// Reason is something that is so in the run, and that explains something else.
type Reason struct {
	Cause Cause
	Step  sim.StepID // what happened; 0 where it is not something that happens
	Msg   MessageID
	Other MessageID // with which Msg is compared
	Phone Actor
}

// End is what a chain ends in.
type End uint8

// The ends.
const (
	ByFault    End = iota + 1 // something went wrong; without it the symptom would not be
	ByCrossing                // nothing went wrong: two messages passed each other, on the way or in the database
	ByRule                    // the protocol has it so
	ByNature                  // of a step: the user or a timer began it
)

// Origin says who wanted a fault.
type Origin uint8

// The origins.
const (
	Luck       Origin = iota
	TheSetting        // the scenario, or a knob of it
	TheReader         // an edit
)

// Cause says how a reason explains.
type Cause uint8

// The causes: what happened, and from firstRule on what the protocol has so.
const (
	Happened      Cause = iota + 1 // the step is the reason
	LegLost                        // the leg is lost on its way
	ReachedNobody                  // the leg comes while Phone is off
	WasOff                         // Phone is off
	LegLate                        // the leg takes longer than others
	WroteSlowly                    // the transaction of Msg takes longer than others
	WroteQuickly                   // that of Msg is over sooner than others
	WriteUndone                    // the transaction of Msg is rolled back
	ServerAnew                     // the server starts anew, and forgets what is not stored
	CameLater                      // Msg is shown below Other, since it comes to Phone later
	StoredBefore                   // the server has stored Msg before Other
	StoredLater                    // Msg took its number before Other, and is committed after it
	NoNumberYet                    // Phone's own Msg has no number, for want of an ACK
	GotNumber                      // Msg got its number and went above Other
	StillSending                   // Other stood above as sending
	BiggerNumber                   // Other stood above with a bigger number
	StoredTwice                    // the server stores Msg once more
	SentAgain                      // Phone sends Msg again, having no ACK
	BroughtOwn                     // Phone is brought its own Msg as if it were somebody's
	BroughtTwice                   // Phone opens the chat again, and what is under way comes on top
	PassedOver                     // Phone asks for nothing any more that could bring Msg
	ReadBetween                    // the server reads for Phone when Other is committed and Msg is not
	KnowsGap                       // Phone knows that something is missing
	AskedForIt                     // and has asked for it
	LegsCrossed                    // two legs passed each other: this one and the one of the reason that goes with it
	WritesCrossed                  // two transactions did: Msg's and Other's

	NotYet       // nothing is wrong yet: what is under way, or being written, takes its time
	BottomStays  // a line goes to the bottom when it comes, and stays there
	IDsJump      // ids jump, so nothing tells that one is missing
	NothingAfter // a gap in contiguous numbers shows with the next one, and none has come
	NoMessageID  // without a message id nobody can tell a repeat, nor an own line
	DedupeOff    // the server is told to store repeats
	NoAnswers    // the server confirms nothing
	TooImpatient // Phone sends again before an ACK can be there
	AsksAtTimes  // Phone hears of what is new when it asks, and it has not asked since
	AsVisible    // an answer brings what is visible at the read, and Msg was stored later
	HeldBack     // nothing behind a transaction that is not over, that of Other, is given
	LeftByList   // the list brings the newest message of a conversation and leaves the rest on the server
	HeadReadLast // the head is read after the list: what is stored between the two is passed over
	GroupUnknown // with a cursor for each conversation that it knows, Phone cannot ask for one that it does not
	StillAway    // Phone has not come back yet
	LocksCrossed // each of two transactions had the lock that the other needed, and one began anew
)

// firstRule is the first cause that is a rule.
const firstRule = NotYet

// Rule reports whether the cause is something that the protocol has so, and not something that happened.
func (c Cause) Rule() bool { return c >= firstRule }

// Inquiry asks why a moment of a run is as it is.
type Inquiry struct {
	scenario *Scenario
	steps    Trace
	fold     *Fold
	kinds    [kindEnd][]sim.StepID // the steps of each kind
}

// NewInquiry is about the moment that a run of s has come to with these steps.
func NewInquiry(s *Scenario, steps Trace) *Inquiry {
	q := &Inquiry{scenario: s, steps: steps, fold: FoldTrace(s, steps)}
	for i := range steps {
		kind := steps[i].Data.Kind
		q.kinds[kind] = append(q.kinds[kind], sim.StepID(i+1))
	}
	return q
}

// Why returns the chain of a symptom, which must be one of Symptoms.
func (q *Inquiry) Why(sym Symptom) Chain {
	c := &chain{Inquiry: q}
	switch {
	case sym.Kind == Missing && q.fold.away != nil:
		c.notCaughtUp(sym)
	case sym.Kind == Missing && q.fold.asks:
		c.notGiven(sym)
	case sym.Kind == Missing:
		c.notPushed(sym)
	case sym.Kind == Inverted:
		c.inverted(sym)
	case sym.Kind == Doubled:
		c.doubled(sym)
	default:
		c.moved(sym)
	}
	return c.Chain
}

// chain is a chain that is being made. Its methods that return a bool report whether they have come to its root.
type chain struct {
	*Inquiry
	Chain
}

// add goes on to a reason.
func (c *chain) add(r Reason, further ...Reason) {
	c.Links = append(c.Links, Link{r, further})
}

// fault ends the chain in what went wrong.
func (c *chain) fault(r Reason, e Edit) bool {
	c.add(r)
	c.End, c.Fault, c.By = ByFault, e, c.scenario.origin(e)
	return true
}

// rule ends it in what the protocol has so.
func (c *chain) rule(r Reason, further ...Reason) bool {
	c.add(r, further...)
	c.End = ByRule
	return true
}

// crossing ends it in two messages that passed each other.
func (c *chain) crossing(r Reason, further ...Reason) bool {
	c.add(r, further...)
	c.End = ByCrossing
	return true
}
