package im

import "time"

// What the scenarios of the chapter on polling share unless they say otherwise.
var asking = Scenario{
	Chapter: PollingChapter,
	Phones:  2,
	Seed:    1,
	Gap:     2 * time.Second,
	Latency: 100 * ms,
	RTO:     time.Second,
	FirstID: 1000,
	Asking: Asking{
		Reader:    Ben,
		Interval:  2 * time.Second,
		Overlap:   5 * time.Second,
		Hold:      30 * time.Second,
		Heartbeat: 30 * time.Second,
		Page:      100,
	},
}

func pollingScenarios() []Scenario {
	return []Scenario{pollingBook(), pollingOff(), pollingRandom(), hole(), gaps(), retry(), week()}
}

// pollingBook is the run of the book's chapter on the minimal chat. The heartbeat is faster than anybody's would be, so that the
// connection of push has one in these 20 seconds.
func pollingBook() Scenario {
	s := asking
	s.Name = "book"
	s.Length = 20 * time.Second
	s.Heartbeat = 4 * time.Second
	s.Script = []Send{send("A1", 2150), send("A2", 6250), send("A3", 9700), send("A4", 10200), send("A5", 12350), send("A6", 16900)}
	return s
}

// pollingOff is the same run with Ben's phone off from 6 to 14 s, as the book has it.
func pollingOff() Scenario {
	s := pollingBook()
	s.Name = "off"
	s.Off = Span{6 * time.Second, 14 * time.Second}
	return s
}

// pollingRandom is ten minutes in which Ana sends 300 messages.
func pollingRandom() Scenario {
	s := asking
	s.Name = "random"
	s.Length = 10 * time.Minute
	s.Messages = 300
	s.Uniform = true
	return s
}

// hole loses a message by id. Ana's transaction takes 101 and stays open for three seconds; Carl's takes 102 and commits at once;
// the poll at 4 s reads between the two. Ana's next message shows that polling goes on, and that 101 does not come. Phones wait
// long for an ACK here, since sending again would only hide what happens.
func hole() Scenario {
	s := asking
	s.Name = "hole"
	s.Phones = 3
	s.Length = 12 * time.Second
	s.RTO = 30 * time.Second
	s.Write = 200 * ms
	s.SlowMsg, s.Slow = MessageID{Ana, 1}, 3*time.Second
	s.FirstID = 100
	s.Script = []Send{send("A1", 1500), send("C1", 2500), send("A2", 6900)}
	s.Given = []Edit{skip("A1", 0), skip("C1", 0), skip("A2", 0)}
	return s
}

// gaps shows that ids order but do not count. Other conversations take three ids, and one is gone with a transaction that was rolled
// back: nothing is missing on Ben's screen, and yet its ids have three holes.
func gaps() Scenario {
	s := asking
	s.Name = "gaps"
	s.Length = 12 * time.Second
	s.Write = 50 * ms
	s.FirstID = 100
	s.Script = []Send{send("A1", 900), send("A2", 3300), send("A3", 4500), send("A4", 8300)}
	s.Given = []Edit{skip("A1", 0), skip("A2", 2), skip("A3", 0), skip("A4", 1), {Verb: Rollback, Msg: MessageID{Ana, 3}}}
	return s
}

// retry stores a message twice: the ACK of A1 is lost, so the phone sends again what is stored already, and without a message id the
// server cannot tell.
func retry() Scenario {
	s := asking
	s.Name = "retry"
	s.Length = 8 * time.Second
	s.NoIDs = true
	s.Script = []Send{send("A1", 700), send("A2", 4300)}
	s.Given = []Edit{lost(AckLeg, "A1", Ana)}
	return s
}

// week leaves Ben's phone off for a week, in which 267 messages come, as many as anybody receives on one day of the book. It takes
// three pages to bring them.
func week() Scenario {
	s := asking
	s.Name = "week"
	s.Length = 7*24*time.Hour + 10*time.Second
	s.Off = Span{4 * time.Second, 7 * 24 * time.Hour}
	s.Messages = 267
	s.Uniform = true
	return s
}
