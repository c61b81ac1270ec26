package room

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// Presenter is a window of a presenter.
type Presenter struct {
	Code   string // of the room
	Secret string // of the room, that Create returned
	Window string // 8–64 letters, digits, - and _ that the window made up: a reload of it is the same window if it keeps them
}

// Create opens a room. The state must have a Link and a Speed; its Driver may name the window that drives. lesson is the text of the
// presenter's lesson, or empty; what it says is not looked at. The code is for the audience, the secret for the presenter's browser
// alone. The error is a *FullError, *InvalidError or ErrCutOff.
func (rs *Rooms) Create(ctx context.Context, s State, lesson string) (code, secret string, err error) {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	if len(lesson) > rs.config.Limits.Lesson {
		return "", "", &FullError{"lesson", rs.config.Limits.Lesson}
	}
	if err := rs.roomForOne(ctx); err != nil {
		return "", "", err
	}
	s.Created = time.Now().UTC()
	s.Since = s.Created
	if err := s.check(); err != nil {
		return "", "", err
	}
	secret = randomText(16)
	data, err := (&record{s, hash(secret)}).encode(rs.config.Limits.State)
	if err != nil {
		return "", "", err
	}
	for {
		code = newCode()
		_, err := rs.kv.Create(ctx, stateKey(code), data)
		if errors.Is(err, jetstream.ErrKeyExists) {
			continue // somebody has it
		}
		if err == nil && lesson != "" {
			_, err = rs.kv.PutString(ctx, lessonKey(code), lesson)
		}
		return code, secret, told(err)
	}
}

// roomForOne is a *FullError if there are as many rooms as may be.
func (rs *Rooms) roomForOne(ctx context.Context) error {
	stream, err := rs.js.Stream(ctx, streamName)
	if err != nil {
		return told(err)
	}
	info, err := stream.Info(ctx, jetstream.WithSubjectFilter(subject(stateKey("*"))))
	if err != nil {
		return told(err)
	}
	if len(info.State.Subjects) >= rs.config.Limits.Rooms {
		return &FullError{"rooms", rs.config.Limits.Rooms}
	}
	return nil
}

// read reads the record of a room. A code that is none is unknown.
func (rs *Rooms) read(ctx context.Context, code string) (r record, version uint64, err error) {
	if parsed, ok := ParseCode(code); !ok || parsed != code {
		return r, 0, ErrUnknownRoom
	}
	if !rs.Connected() {
		return r, 0, ErrCutOff
	}
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	entry, err := rs.kv.Get(ctx, stateKey(code))
	if err != nil {
		return r, 0, told(err)
	}
	if json.Unmarshal(entry.Value(), &r) != nil {
		return r, 0, ErrUnknownRoom // of a version that nobody knows any more
	}
	return r, entry.Revision(), nil
}

// readFor reads the record for its presenter.
func (rs *Rooms) readFor(ctx context.Context, p Presenter) (record, uint64, error) {
	r, version, err := rs.read(ctx, p.Code)
	if err == nil && !sameSecret(r.Secret, p.Secret) {
		err = ErrWrongSecret
	}
	return r, version, err
}

// Get returns the state of a room as its followers may see it: without the right answer until it is revealed. The error is
// ErrUnknownRoom or ErrCutOff.
func (rs *Rooms) Get(ctx context.Context, code string) (State, uint64, error) {
	r, version, err := rs.read(ctx, code)
	return r.forClass(), version, err
}

// Inspect returns all of the state and the lesson, for the presenter. The error is ErrUnknownRoom, ErrWrongSecret or ErrCutOff.
func (rs *Rooms) Inspect(ctx context.Context, p Presenter) (s State, version uint64, lesson string, err error) {
	r, version, err := rs.readFor(ctx, p)
	if err != nil {
		return State{}, 0, "", err
	}
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	entry, err := rs.kv.Get(ctx, lessonKey(p.Code))
	if err == nil {
		lesson = string(entry.Value())
	} else if errors.Is(err, jetstream.ErrKeyNotFound) {
		err = nil
	}
	return r.State, version, lesson, told(err)
}

// Drive changes the state of a room. version is the one that the window saw last: if there is a newer one, nothing changes and the error
// is a *LateError with what there is. Only the driver may change anything: for others the error is ErrNotDriver. change gets the state
// as it is, and its error, if any, is returned; it must not keep the pointer. If it changes Link, At, Playing or Speed, Since becomes now:
// who changes the speed of a run that plays must set At as well. Other errors are ErrUnknownRoom, ErrWrongSecret, ErrCutOff (perhaps it was
// done, perhaps not: sent again it is late or does it), *InvalidError and *FullError.
func (rs *Rooms) Drive(ctx context.Context, p Presenter, version uint64, change func(*State) error) (State, uint64, error) {
	r, newest, err := rs.readFor(ctx, p)
	if err != nil {
		return State{}, 0, err
	}
	if r.Driver != "" && r.Driver != p.Window {
		return r.State, newest, ErrNotDriver
	}
	if version != newest {
		return r.State, newest, &LateError{r.State, newest}
	}
	return rs.write(ctx, p, r, version, change)
}

// TakeOver makes a window the driver. The window that was it learns so from its stream, and from ErrNotDriver.
func (rs *Rooms) TakeOver(ctx context.Context, p Presenter) (State, uint64, error) {
	for {
		r, version, err := rs.readFor(ctx, p)
		if err != nil {
			return State{}, 0, err
		}
		s, version, err := rs.write(ctx, p, r, version, func(*State) error { return nil })
		var late *LateError
		if errors.As(err, &late) {
			continue // the other window was quicker; this one was not about to change anything that it saw
		}
		return s, version, err
	}
}

// write writes what change makes of a record, with the presenter's window as the driver, if nobody was quicker.
func (rs *Rooms) write(ctx context.Context, p Presenter, r record, version uint64, change func(*State) error) (State, uint64, error) {
	was := r.State
	if was.Question != nil { // change may write into it
		q := *was.Question
		r.Question = &q
	}
	if err := change(&r.State); err != nil {
		return was, version, err
	}
	r.Driver, r.Created, r.Since = p.Window, was.Created, was.Since
	if r.Link != was.Link || r.At != was.At || r.Playing != was.Playing || r.Speed != was.Speed || r.TrueTime != was.TrueTime {
		r.Since = time.Now().UTC()
	}
	if err := r.check(); err != nil {
		return was, version, err
	}
	data, err := r.encode(rs.config.Limits.State)
	if err != nil {
		return was, version, err
	}
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	newer, err := rs.kv.Update(ctx, stateKey(p.Code), data, version)
	if errors.Is(err, jetstream.ErrKeyRevisionMismatch) || errors.Is(err, jetstream.ErrKeyExists) {
		r, newest, err := rs.read(ctx, p.Code)
		if err != nil {
			return was, version, err
		}
		return r.State, newest, &LateError{r.State, newest}
	}
	if err != nil {
		return was, version, told(err)
	}
	return r.State, newer, nil
}

// SetLesson replaces the text of the lesson. The error is as of Create and Drive.
func (rs *Rooms) SetLesson(ctx context.Context, p Presenter, lesson string) error {
	if len(lesson) > rs.config.Limits.Lesson {
		return &FullError{"lesson", rs.config.Limits.Lesson}
	}
	r, _, err := rs.readFor(ctx, p)
	if err != nil {
		return err
	}
	if r.Driver != "" && r.Driver != p.Window {
		return ErrNotDriver
	}
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	_, err = rs.kv.PutString(ctx, lessonKey(p.Code), lesson)
	return told(err)
}

// End removes a room at once, with all that is in it. The streams of its followers say so and end.
func (rs *Rooms) End(ctx context.Context, p Presenter) error {
	r, _, err := rs.readFor(ctx, p)
	if err != nil {
		return err
	}
	if r.Driver != "" && r.Driver != p.Window {
		return ErrNotDriver
	}
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	return rs.remove(ctx, p.Code)
}
