package room

import (
	"errors"
	"fmt"
	"time"
)

// What can go wrong. Every method's error is one of these or one of the types below, perhaps wrapped.
var (
	ErrUnknownRoom = errors.New("there is no such room")
	ErrWrongSecret = errors.New("this is not the secret of the room")
	ErrNotDriver   = errors.New("another window drives the room") // TakeOver makes the caller's the one
	ErrNoQuestion  = errors.New("nothing like that is asked")
	ErrClosed      = errors.New("the question is closed")
	ErrCutOff      = errors.New("the server of the rooms cannot be reached") // or did not answer in time: try again
	ErrEnded       = errors.New("this process is shutting down")
	ErrDirInUse    = errors.New("another process uses the data folder")
)

// LateError refuses a command whose sender had not seen the newest version. State and Version are what there is now.
type LateError struct {
	State   State
	Version uint64
}

func (e *LateError) Error() string {
	return fmt.Sprintf("the room has moved on to version %d", e.Version)
}

// FullError says that a limit is reached.
type FullError struct {
	What string // rooms, followers, process (all followers of one process), answers, lesson (bytes), state (bytes)
	Most int
}

func (e *FullError) Error() string { return fmt.Sprintf("at most %d: %s", e.Most, e.What) }

// InvalidError says that a value cannot be.
type InvalidError struct {
	What string // link, at, speed, question, options, right, answer, token, window
	Text string // what is wrong, in English, for logs
}

func (e *InvalidError) Error() string { return e.What + ": " + e.Text }

// SlowDownError asks an address that gave too many wrong codes, or opened too many rooms, to wait.
type SlowDownError struct{ After time.Duration }

func (e *SlowDownError) Error() string { return fmt.Sprintf("too often; try again in %v", e.After) }
