package im

// Figure is one of the counts that a run is judged by, under the name that files and conditions use. Those of several runs add up.
type Figure struct {
	Name string                 // as in inverted_pairs
	Text string                 // the same in words
	Of   func(m *Metrics) int64 // at least 0
	// where says in which scenarios it is counted.
	where func(*Scenario) bool
}

// Figures lists them, in the order of tables. Those of a phone that asks mean nothing elsewhere, nor do those of one that was away.
var Figures = []Figure{
	{"new_messages", "new messages", func(m *Metrics) int64 { return m.NewMessages }, absent},
	{"active_conversations", "conversations with news", func(m *Metrics) int64 { return m.ActiveConversations }, absent},
	{"inverted_pairs", "pairs in the opposite order", func(m *Metrics) int64 { return m.InvertedPairs }, sends},
	{"left_on_server", "left on the server", func(m *Metrics) int64 { return m.Missing }, absent},
	{"missing_unnoticed", "missing, unnoticed", (*Metrics).MissingUnnoticed, always},
	{"missing_known", "missing, known", func(m *Metrics) int64 { return m.MissingKnown }, always},
	{"lost", "lost for good", func(m *Metrics) int64 { return m.Lost }, asks},
	{"fetches", "fetches", func(m *Metrics) int64 { return m.Fetches }, always},
	{"own_moves", "own messages that moved", func(m *Metrics) int64 { return m.OwnMoves }, sends},
	{"duplicates", "duplicates shown", func(m *Metrics) int64 { return m.Duplicates }, sends},
	{"repeated", "came again", func(m *Metrics) int64 { return m.Repeated }, absent},
	{"events_unknown", "events unknown", func(m *Metrics) int64 { return m.EventsUnknown }, absent},
	{"polls", "polls", func(m *Metrics) int64 { return m.Polls }, polled},
	{"empty_polls", "empty polls", func(m *Metrics) int64 { return m.EmptyPolls }, polled},
	{"requests", "requests of phones", func(m *Metrics) int64 { return m.Cost.Requests }, always},
	{"bytes_up", "bytes up", func(m *Metrics) int64 { return m.Cost.BytesUp }, always},
	{"bytes_down", "bytes down", func(m *Metrics) int64 { return m.Cost.BytesDown }, always},
	{"header_bytes_up", "header bytes up", func(m *Metrics) int64 { return m.HeadersUp }, polled},
	{"header_bytes_down", "header bytes down", func(m *Metrics) int64 { return m.HeadersDown }, polled},
	{"rows_read", "rows read", func(m *Metrics) int64 { return m.Cost.RowsRead }, always},
	{"reads_for_nothing", "reads for nothing", func(m *Metrics) int64 { return m.ReadsForNothing }, absent},
	{"rows_written", "rows written", func(m *Metrics) int64 { return m.Cost.RowsWritten }, always},
	{"inbox_rows_written", "inbox rows written", func(m *Metrics) int64 { return m.Cost.InboxRows }, absent},
}

// FiguresIn lists those that mean something in s.
func FiguresIn(s *Scenario) (out []Figure) {
	for _, c := range Figures {
		if c.where(s) {
			out = append(out, c)
		}
	}
	return out
}

func always(*Scenario) bool { return true }
