package room

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// sweep removes rooms that nobody uses, from time to time. Every process does; to remove a room twice does no harm. (A time to live of the
// bucket would let a room lose its lesson and its first answers while it is still in use: each key has an age of its own.)
func (rs *Rooms) sweep() {
	ticker := time.NewTicker(rs.config.Sweep)
	defer ticker.Stop()
	for {
		select {
		case <-rs.ctx.Done():
			return
		case <-ticker.C:
		}
		rs.known.forgetOld()
		if err := rs.removeUnused(); err != nil && rs.Connected() {
			rs.config.Log.Warn("old rooms could not be removed", "err", err)
		}
	}
}

// removeUnused removes the rooms whose state and followers are all older than Config.Keep: a process that has followers says so again and
// again.
func (rs *Rooms) removeUnused() error {
	ctx, cancel := context.WithTimeout(rs.ctx, time.Minute)
	defer cancel()
	used, err := rs.lastUses(ctx)
	if err != nil {
		return err
	}
	for code, at := range used {
		if time.Since(at) <= rs.config.Keep {
			continue
		}
		if inUse, err := rs.inUse(ctx, code); err != nil {
			return err
		} else if inUse {
			continue
		}
		if err := rs.remove(ctx, code); err != nil {
			return err
		}
	}
	return nil
}

// inUse looks at one room closely: it asks for its state and for each process that follows it by itself. A listing like that of lastUses
// leaves out a value that is replaced while it runs.
func (rs *Rooms) inUse(ctx context.Context, code string) (bool, error) {
	stream, err := rs.js.Stream(ctx, streamName)
	if err != nil {
		return false, err
	}
	info, err := stream.Info(ctx, jetstream.WithSubjectFilter(subject(hereKey(code, "*"))))
	if err != nil {
		return false, err
	}
	signs := append(slices.Collect(maps.Keys(info.State.Subjects)), subject(stateKey(code)))
	for _, sign := range signs {
		last, err := stream.GetLastMsgForSubject(ctx, sign)
		switch {
		case errors.Is(err, jetstream.ErrMsgNotFound):
		case err != nil:
			return false, err
		case time.Since(last.Time) <= rs.config.Keep:
			return true, nil
		}
	}
	return false, nil
}

// lastUses tells when each room was last driven or followed.
func (rs *Rooms) lastUses(ctx context.Context) (map[string]time.Time, error) {
	watch, err := rs.kv.WatchFiltered(ctx, []string{stateKey("*"), hereKey("*", "*")}, jetstream.MetaOnly(), jetstream.IgnoreDeletes())
	if err != nil {
		return nil, err
	}
	defer func() { _ = watch.Stop() }()
	used := make(map[string]time.Time)
	for {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case e, ok := <-watch.Updates():
			if !ok {
				return nil, ErrCutOff
			}
			if e == nil { // that was all
				return used, nil
			}
			if code, _, _ := splitKey(e.Key()); e.Created().After(used[code]) {
				used[code] = e.Created()
			}
		}
	}
}

// remove removes a room. Whoever watches it sees the state go: its marker stands for a second, the least there can be.
func (rs *Rooms) remove(ctx context.Context, code string) error {
	if err := rs.kv.Purge(ctx, stateKey(code), jetstream.PurgeTTL(time.Second)); err != nil {
		return told(err)
	}
	stream, err := rs.js.Stream(ctx, streamName)
	if err != nil {
		return told(err)
	}
	for _, keys := range []string{lessonKey(code), answerKey(code, "*", "*"), hereKey(code, "*")} {
		if err := stream.Purge(ctx, jetstream.WithPurgeSubject(subject(keys))); err != nil {
			return told(err)
		}
	}
	return nil
}
