package im

import "time"

// What the scenarios of the chapter on offline sync share unless they say otherwise.
var away = Scenario{
	Chapter: OfflineChapter,
	Phones:  2,
	Seed:    22, // chosen for teaching: see TestOfflineSeed
	Latency: 100 * ms,
	RTO:     time.Second,
	FirstID: 1016,
	Asking: Asking{
		Reader:    Ben,
		Off:       Span{0, 10 * time.Minute},
		Page:      50,
		NoHeaders: true,
	},
	Absence: Absence{
		Conversations: 200,
	},
}

func offlineScenarios() []Scenario {
	return []Scenario{offlineBook(), group(), person(), race(), locks(), several(), pushes(), devices()}
}

// offlineBook is the book's: Ben comes back after ten minutes, in 200 conversations.
func offlineBook() Scenario {
	s := away
	s.Name = "book"
	return s
}

// group adds Ben to a group while he is away. With a cursor for each of 200 conversations his phone cannot ask for the 201st.
func group() Scenario {
	s := away
	s.Name = "group"
	s.Events = []Happening{{Thousandth: 400, Event: Added, Conv: New}}
	return s
}

// person lets all kinds of things happen to Ben that are not a message in one of his conversations.
func person() Scenario {
	s := away
	s.Name = "person"
	s.Events = []Happening{
		{Thousandth: 300, Event: Added, Conv: New},
		{Thousandth: 500, Event: ReadElsewhere, Conv: 1},
		{Thousandth: 700, Event: Pinned, Conv: 2},
		{Thousandth: 990, Event: Removed, Conv: Last},
	}
	return s
}

// race commits two messages while the list is on its way in four pages, after the first of them was read and before the last. One falls
// in the conversation that was listed first, the other in the one that is listed last. Nothing is pushed here: what becomes of the two is
// for the next request to show, which follows five seconds later.
func race() Scenario {
	s := away
	s.Name = "race"
	s.Off.To = 6 * time.Hour
	s.Conversations = 20
	s.Page = 5
	s.TooFar = GiveList
	s.Again = 5 * time.Second
	s.Events = []Happening{comes(150*ms, 1), comes(150*ms, Last)}
	return s
}

// comes is a message that comes some time after the phone is back, or before.
func comes(after Time, conv int64, to ...Actor) Happening {
	return Happening{Thousandth: 1000, After: after, Conv: conv, To: to}
}

// locks writes two messages to Ben at once, just before he is back: the first transaction takes long, the second, in another
// conversation, does not. By global id he is given the second one's while the first is still open, and never asks for the first's. An
// inbox makes the second wait: what has the bigger number commits later.
func locks() Scenario {
	s := away
	s.Name = "locks"
	s.Off.To = time.Minute
	s.Conversations = 10
	s.Write = 100 * ms
	s.SlowMsg, s.Slow = MessageID{Server, 1}, 800*ms
	s.Again = 5 * time.Second
	s.Events = []Happening{comes(-200*ms, 1), comes(-100*ms, 3)}
	return s
}

// several writes two messages at once, both to Ben and Carl, and both take the lock of one before that of the other. If they do so in the
// order of user ids, one waits for the other; if not, each can have what the other needs.
func several() Scenario {
	s := away
	s.Name = "several"
	s.Off.To = time.Minute
	s.Conversations = 10
	s.Write = 600 * ms
	s.Events = []Happening{comes(-10*Second, 2, Ben, Carl), comes(-9950*ms, 3, Carl, Ben)}
	return s
}

// pushes loses one of three pushes, the only message of its conversation. Numbers of a conversation tell the phone when the next of the
// same conversation comes, which none does; numbers of the inbox, with the next from anywhere.
func pushes() Scenario {
	s := away
	s.Name = "push"
	s.Off.To = time.Minute
	s.Conversations = 10
	s.Pushes = true
	s.GapWait = 500 * ms
	s.Events = []Happening{comes(2*Second, 1), comes(4*Second, 2), comes(8*Second, 5)}
	s.Given = []Edit{lost(PushLeg, "M2", Ben)}
	return s
}

// devices brings the tablet back some seconds after the phone. What the phone was given has not moved the tablet's cursor: it is given
// the same once more.
func devices() Scenario {
	s := away
	s.Name = "devices"
	s.Off.To = betweenOpens
	s.Second = 5 * time.Second
	return s
}
