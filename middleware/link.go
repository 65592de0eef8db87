package middleware

import (
	"context"
	"sync/atomic"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/internal/errtree"
	"github.com/endwell-go/endwell/internal/reason"
)

// link is what the streams of all decorators share: the stream below, the context
// that the decorator was given, and the ending, which is sticky.
type link struct {
	next   endwell.Stream
	ctx    context.Context
	end    error // for the goroutine of Recv
	closed atomic.Bool
}

// errNoStream is a provider that breaks the contract of Open.
var errNoStream = reason.New("middleware", "no_stream", "the next handler returned neither a stream nor an error",
	"The program is at fault, and neither the provider nor the request: its provider has to return a stream or an error.")

// open opens what is below. It never returns both a stream and an error, nor
// neither.
func open(next endwell.Next, ctx context.Context, req *endwell.Request) (endwell.Stream, error) {
	st, err := next.Open(ctx, req)
	switch {
	case err != nil && st != nil:
		_ = st.Close()
		return nil, err
	case err == nil && st == nil:
		return nil, errNoStream
	default:
		return st, err
	}
}

// finish makes err the ending, unless the caller ended the stream: whose context
// ended decides, whatever the error says.
func (l *link) finish(err error) (endwell.Chunk, error) {
	if by := callerEnding(l.ctx); by != nil {
		err = by
	} else if l.closed.Load() {
		err = endwell.ErrClosed
	}
	l.end = err
	return endwell.Chunk{}, err
}

// RecvReady reports whether Recv returns without waiting, as far as the stream below
// knows. It counts as a Recv: what the last one returned is over. A decorator that hands
// on every chunk as it comes has this one.
func (l *link) RecvReady() bool {
	return l.end != nil || ready(l.next)
}

// ready reports whether a stream knows that its Recv returns without waiting.
func ready(st endwell.Stream) bool {
	r, ok := st.(readier)
	return ok && r.RecvReady()
}

// Close closes what is below, once.
func (l *link) Close() error {
	if l.closed.Swap(true) {
		return nil
	}
	return l.next.Close()
}

// guardCause is the cause with which a decorator ends the context that it gave to
// what is below. Its type is what tells the decorator's own end from the caller's: a
// caller may have an *endwell.Error of another stream as its cause, as an errgroup
// does.
type guardCause struct{ error }

// Unwrap returns the ending itself, for errors.As on context.Cause.
func (c guardCause) Unwrap() error { return c.error }

// GuardCause marks the cause for a transport, which may meet it in another call's
// error: see package transport.
func (guardCause) GuardCause() {}

// callerEnding returns how the context that a decorator was given ended; nil while
// it has not. A decorator further out says with its cause what the ending is; any
// other end is the caller's own.
func callerEnding(ctx context.Context) error {
	err := ctx.Err()
	if err == nil {
		return nil
	}
	if own, ok := context.Cause(ctx).(guardCause); ok {
		return own.error
	}
	return err
}

// asError finds an *endwell.Error in err; false for none and for a nil one.
func asError(err error) (*endwell.Error, bool) {
	return errtree.As[*endwell.Error](err)
}

// asEvidence finds an *endwell.Evidence likewise.
func asEvidence(err error) (*endwell.Evidence, bool) {
	return errtree.As[*endwell.Evidence](err)
}

// classified reports whether err is, or wraps, an *endwell.Error.
func classified(err error) bool {
	_, ok := asError(err)
	return ok
}
