package middleware

import (
	"context"
	"sync"

	"github.com/endwell-go/endwell"
)

// relay is the stream that is on, for a decorator that may replace it by another
// one. It has a context of its own, so that Close can interrupt a later Open.
type relay struct {
	ctx    context.Context
	cancel context.CancelCauseFunc

	mu     sync.Mutex // guards what follows; taken when streams change, not for a chunk
	cur    endwell.Stream
	closed bool
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

// stopped returns the caller's own ending; nil while there is none. A Close that
// has begun counts, although it ends the context only when it is through.
func (r *relay) stopped() error {
	if by := callerEnding(r.ctx); by != nil {
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
