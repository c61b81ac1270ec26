package room

import (
	"context"
	"sync"
	"sync/atomic"
)

// Follower is one who follows a room. It has a slot for the newest update and no more: who is slow misses what lies between. One goroutine
// uses it.
type Follower struct {
	hub   *hub
	slot  *atomic.Pointer[published]
	seen  *published // what was taken last; nil before the first
	close func()
}

// Follow follows a room as one of its class. Close must be called. The error is ErrUnknownRoom, a *FullError, ErrCutOff or ErrEnded.
func (rs *Rooms) Follow(ctx context.Context, code string) (*Follower, error) {
	h, err := rs.hub(ctx, code)
	if err != nil {
		return nil, err
	}
	if most := rs.config.Limits.Followers; h.class.Load().update.Here >= most || h.here.Load() >= int64(most) {
		rs.release(h)
		return nil, &FullError{"followers", most}
	}
	if !rs.come() {
		rs.release(h)
		return nil, &FullError{"process", rs.config.Limits.Process}
	}
	h.here.Add(1)
	h.poke()
	return &Follower{hub: h, slot: &h.class, close: sync.OnceFunc(func() {
		h.here.Add(-1)
		rs.part()
		h.poke()
		rs.release(h)
	})}, nil
}

// FollowDesk follows a room as its presenter, who also sees how many follow and how many have answered, and does not count as a follower.
// Close must be called. The error is ErrUnknownRoom, ErrWrongSecret, ErrCutOff or ErrEnded.
func (rs *Rooms) FollowDesk(ctx context.Context, p Presenter) (*Follower, error) {
	if _, _, err := rs.readFor(ctx, p); err != nil {
		return nil, err
	}
	h, err := rs.hub(ctx, p.Code)
	if err != nil {
		return nil, err
	}
	return &Follower{hub: h, slot: &h.desks, close: sync.OnceFunc(func() { rs.release(h) })}, nil
}

// Close ends following. It may be called more than once.
func (f *Follower) Close() { f.close() }

// Next waits until there is an update newer than the one that it returned before, and returns the newest; the first time it returns at
// once. The error is ErrEnded if this process shuts down, ErrUnknownRoom after an update that said that the room is gone, or ctx's.
func (f *Follower) Next(ctx context.Context) (Update, error) {
	for {
		before := f.seen
		p, err := f.take(ctx)
		if err != nil {
			return Update{}, err
		}
		if before == nil || p.content != before.content {
			return p.update, nil
		}
	}
}

// take waits until something was published after what was taken last.
func (f *Follower) take(ctx context.Context) (*published, error) {
	if f.seen != nil {
		if f.seen.update.Gone {
			return nil, ErrUnknownRoom
		}
		select {
		case <-f.seen.replaced:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	p := f.slot.Load()
	if p.ended {
		return nil, ErrEnded
	}
	f.seen = p
	return p, nil
}
