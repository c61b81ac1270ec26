package im

// Symptoms lists what is not as the server has it, phone after phone: first what is missing, then line by line what stands.
func (q *Inquiry) Symptoms() (all []Symptom) {
	if q.fold.away != nil {
		return q.leftAway()
	}
	for phone := Ana; phone <= Actor(q.scenario.Phones); phone++ {
		all = append(all, q.missing(phone)...)
		screen := &q.fold.Screens[phone]
		for i := range screen.Lines {
			l := &screen.Lines[i]
			if l.Moved {
				all = append(all, Symptom{Kind: Moved, Phone: phone, Msg: l.Msg})
			}
			if l.Duplicate {
				all = append(all, Symptom{Kind: Doubled, Phone: phone, Msg: l.Msg})
			}
			for _, above := range screen.invertedAbove(i) {
				all = append(all, Symptom{Kind: Inverted, Phone: phone, Msg: l.Msg, With: above})
			}
		}
	}
	return all
}

// invertedAbove lists the lines above line i that the server has below it.
func (s *Screen) invertedAbove(i int) (with []MessageID) {
	rank := s.Lines[i].rank
	for j := range s.Lines[:i] {
		if rank != 0 && s.Lines[j].rank > rank {
			with = append(with, s.Lines[j].Msg)
		}
	}
	return with
}

// missing lists the stored messages that a phone is to show, and does not.
func (q *Inquiry) missing(phone Actor) (all []Symptom) {
	f := q.fold
	if f.readers&(1<<phone) == 0 {
		return nil
	}
	for _, row := range f.Rows {
		msg := f.message(row.Msg)
		if row.Copy == 0 && row.Msg.Sender != phone && msg.shown&(1<<phone) == 0 {
			known := row.Seq < f.Screens[phone].biggest
			all = append(all, Symptom{Kind: Missing, Phone: phone, Msg: row.Msg, Known: known, Lost: msg.lost})
		}
	}
	return all
}

// leftAway lists the messages that a phone that was away has not been given.
func (q *Inquiry) leftAway() (all []Symptom) {
	given, lost := map[MessageID]bool{}, map[MessageID]bool{}
	for i := range q.steps {
		switch d := &q.steps[i].Data; {
		case d.Kind == ReadPast && d.To != Tablet:
			lost[d.Msg] = true
		case (d.Kind == Shown || d.Kind == Listed) && q.steps[i].Actor != Tablet:
			given[d.Msg] = true
		}
	}
	for i := range q.steps {
		d := &q.steps[i].Data
		if d.Kind == Stored && !given[d.Msg] {
			known := d.Seq <= q.fold.Conversation(int(d.Conv)).Heard
			all = append(all, Symptom{Kind: Missing, Phone: q.scenario.Reader, Msg: d.Msg, Known: known, Lost: lost[d.Msg]})
		}
	}
	return all
}
