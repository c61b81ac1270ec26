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
	return []Scenario{offlineBook()}
}

// offlineBook is the book's: Ben comes back after ten minutes, in 200 conversations.
func offlineBook() Scenario {
	s := away
	s.Name = "book"
	return s
}
