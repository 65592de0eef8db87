package transport

import (
	"context"
	"io"
	"sync"

	"github.com/endwell-go/endwell"
)

// Ending is how a call's last answer ended, for the caller of an SDK that keeps it to
// itself: one that never asks its scanner for the error, or makes text of it. Make it
// with [WithEnding]. It is safe for concurrent use.
type Ending struct {
	mu  sync.Mutex // guards err
	err error
}

// WithEnding returns a context for one call of an SDK over a [RoundTripper], and where
// to ask afterwards how the answer ended:
//
//	ctx, ending := transport.WithEnding(ctx)
//	err := client.Chat(ctx, req, show)
//	err = cmp.Or(err, ending.Err())
//
// Of several exchanges in one call, as an SDK's own retries make them, the last one
// to end counts.
func WithEnding(ctx context.Context) (context.Context, *Ending) {
	e := new(Ending)
	return context.WithValue(ctx, endingKey{}, e), e
}

// Err is what the body's last Read returned, or would have returned: nil for an answer
// that is whole, for one that has not ended, and where nothing was watched; the error
// of the request's context; endwell.ErrClosed for an answer that the SDK stopped
// reading; and the *endwell.Error otherwise. That is also there for a call that was
// refused or reached nobody, where the SDK has an error of its own.
func (e *Ending) Err() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.err
}

// endingKey finds the Ending of a call in its context.
type endingKey struct{}

// endingOf returns the Ending of a call; nil when nobody has asked for one.
func endingOf(ctx context.Context) *Ending {
	e, _ := ctx.Value(endingKey{}).(*Ending)
	return e
}

// note tells whoever wants to know how the exchange ended.
func (x *exchange) note(err error) {
	e := x.ending
	if e == nil {
		return
	}
	if err == io.EOF {
		err = nil
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.err = err
}

// closing is how an answer ended that is closed now.
func (r *reply) closing() error {
	switch by := r.x.req.Context().Err(); {
	case r.end != nil:
		return r.end
	case r.whole:
		return io.EOF
	case by != nil:
		return by
	default:
		return endwell.ErrClosed
	}
}
