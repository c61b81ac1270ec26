package room

import "time"

// Limits bound what rooms may hold. The defaults let a lecture hall behind one address follow, and keep one process below 1 GB.
type Limits struct {
	Rooms      int // in the bucket, whoever serves them
	Followers  int // of one room, in all processes
	Process    int // followers of all rooms in this process
	Answers    int // to one question
	Lesson     int // bytes of a lesson's text
	State      int // bytes of a state as JSON
	WrongCodes int // of one address in WrongTime
	NewRooms   int // of one address in WrongTime
	// WrongTime is the time in which they are counted. A class of 200 may well mistype 100 codes in its first minutes.
	WrongTime time.Duration
}

// DefaultLimits are used where a limit is 0.
var DefaultLimits = Limits{Rooms: 1000, Followers: 12_000, Process: 15_000, Answers: 20_000, Lesson: 64 << 10, State: 32 << 10, WrongCodes: 150,
	NewRooms: 40, WrongTime: 10 * time.Minute}

func (l *Limits) complete() {
	d := DefaultLimits
	orDefault(&l.Rooms, d.Rooms)
	orDefault(&l.Followers, d.Followers)
	orDefault(&l.Process, d.Process)
	orDefault(&l.Answers, d.Answers)
	orDefault(&l.Lesson, d.Lesson)
	orDefault(&l.State, d.State)
	orDefault(&l.WrongCodes, d.WrongCodes)
	orDefault(&l.NewRooms, d.NewRooms)
	orDefault(&l.WrongTime, d.WrongTime)
}
