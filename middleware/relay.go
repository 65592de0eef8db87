package middleware

import (
	"context"
	"sync"

	"github.com/endwell-go/endwell"
)

// relay is the stream that is on, for a decorator that may replace it by another
// one. It has a context of its own, so that Close can interrupt a later Open.
type relay struct {
	caller context.Context
	ctx    context.Context // derived from the caller's
	cancel context.CancelCauseFunc

	mu     sync.Mutex // guards what follows; taken when streams change, not for a chunk
	cur    endwell.Stream
	closed bool
}

func newRelay(ctx context.Context) relay {
	below, cancel := context.WithCancelCause(ctx)
	return relay{caller: ctx, ctx: below, cancel: cancel}
}

// put makes st the stream that is on. When the caller has closed the relay it
// closes st instead and reports false.
func (r *relay) put(st endwell.Stream) bool {
	r.mu.Lock()
	closed := r.closed
	if !closed {
		r.cur = st
	}
	r.mu.Unlock()
	if closed {
		_ = st.Close()
	}
	return !closed
}

// drop closes the stream that is on, unless Close has taken it.
func (r *relay) drop() {
	r.mu.Lock()
	st, taken := r.cur, r.closed
	r.cur = nil
	r.mu.Unlock()
	if !taken {
		_ = st.Close()
	}
}

// gone returns the caller's own ending; nil while there is none. The caller's
// context is asked itself, since the derived one ends a moment later.
func (r *relay) gone() error {
	if by := callerEnding(r.caller); by != nil {
		return by
	}
	return callerEnding(r.ctx)
}

// stopped is gone, except that a Close that has begun counts too, although it ends
// the context only when it is through.
func (r *relay) stopped() error {
	if by := r.gone(); by != nil {
		return by
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return endwell.ErrClosed
	}
	return nil
}

// shut begins a Close. It hands out the stream to close, which may be nil, and
// says whether this Close is the first one.
func (r *relay) shut() (st endwell.Stream, first bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	first, r.closed = !r.closed, true
	return r.cur, first
}
