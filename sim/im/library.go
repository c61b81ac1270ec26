package im

import (
	"time"

	"imscope/sim"
)

const ms = time.Millisecond

// The chapters that scenarios belong to.
const (
	OrderingChapter = "ordering"
	PollingChapter  = "polling"
	OfflineChapter  = "offline"
)

// Chapters lists them, in the order of the book.
var Chapters = []string{PollingChapter, OrderingChapter, OfflineChapter}

// base holds what all scenarios share unless they say otherwise.
var base = Scenario{
	Chapter: OrderingChapter,
	Phones:  2,
	Seed:    1,
	Gap:     2 * time.Second,
	Latency: 100 * ms,
	RTO:     time.Second,
	GapWait: 500 * ms,
	FirstID: 1007,
}

// Scenarios returns a chapter's scenarios, the default one first.
func Scenarios(chapter string) []Scenario {
	switch chapter {
	case PollingChapter:
		return pollingScenarios()
	case OfflineChapter:
		return offlineScenarios()
	}
	return []Scenario{book(), trio(), random()}
}

// FindScenario returns the chapter's scenario of that name; ok is false if there is none.
func FindScenario(chapter, name string) (s Scenario, ok bool) {
	for _, s := range Scenarios(chapter) {
		if s.Name == name {
			return s, true
		}
	}
	return Scenario{}, false
}

func send(m string, at time.Duration) Send {
	id, _ := ParseMessage(m)
	return Send{at * ms, id}
}

func lost(leg Leg, m string, to Actor) Edit {
	id, _ := ParseMessage(m)
	return Edit{Verb: Lose, Leg: newLegID(leg, Server, to, id, 0, 1)}
}

func skip(m string, n int64) Edit {
	id, _ := ParseMessage(m)
	return Edit{Verb: Skip, Msg: id, N: n}
}

// book is the run of the book's chapter on ordering.
func book() Scenario {
	s := base
	s.Name = "book"
	s.Length = 12 * time.Second
	s.Script = []Send{send("B1", 1400), send("B2", 3620), send("A1", 5040), send("A2", 5510), send("A3", 6780), send("B3", 6830),
		send("A4", 9370)}
	s.Given = []Edit{lost(MessageLeg, "A1", Server), lost(PushLeg, "A2", Ben),
		skip("B1", 0), skip("B2", 3), skip("A2", 0), skip("A1", 2), skip("A3", 2), skip("B3", 0), skip("A4", 3)}
	return s
}

// trio has three phones and three disagreements, each of another kind.
//
// First all three press send within 100 ms. Each sees itself first, so by arrival the screens read A B C, B A C and C A B: no two
// agree, and only Ana's happens to be right. Then C2 is lost on its way to Ana alone, who answers it blindly: by seq her own ACK
// tells her. Then B2's first transmission is lost, so that C3, sent later, is stored first. Last, A3 never reaches Carl, and as
// nothing follows it, no protocol here lets him know: what by-seq cannot do is in the picture too.
func trio() Scenario {
	s := base
	s.Name = "trio"
	s.Phones = 3
	s.Length = 10 * time.Second
	s.Script = []Send{send("A1", 1000), send("B1", 1050), send("C1", 1100), send("C2", 3000), send("A2", 3400), send("B2", 5500),
		send("C3", 5900), send("A3", 8200)}
	s.Given = []Edit{lost(PushLeg, "C2", Ana), lost(MessageLeg, "B2", Server), lost(PushLeg, "A3", Carl)}
	return s
}

// random is drawn from its seed. The default seed was chosen for teaching: see TestDefaultSeed.
func random() Scenario {
	s := base
	s.Name = "random"
	s.Seed = 21
	s.Messages = 20
	s.Loss = sim.Certain / 10
	return s
}
