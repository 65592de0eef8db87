package middleware

import (
	"context"
	"errors"
	"sync/atomic"

	"github.com/endwell-go/endwell"
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
var errNoStream = errors.New("endwell: the next handler returned neither a stream nor an error")

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

// Close closes what is below, once.
func (l *link) Close() error {
	if l.closed.Swap(true) {
		return nil
	}
	return l.next.Close()
}

// callerEnding returns how the context that a decorator was given ended; nil while
// it has not. A guard further out ends it with an *endwell.Error as its cause,
// which then is the ending; any other end is the caller's own.
func callerEnding(ctx context.Context) error {
	err := ctx.Err()
	if err == nil {
		return nil
	}
	cause := context.Cause(ctx)
	if cause == endwell.ErrClosed {
		return cause
	}
	if _, ours := cause.(*endwell.Error); ours {
		return cause
	}
	return err
}

// classified reports whether err is, or wraps, an *endwell.Error.
func classified(err error) bool {
	var e *endwell.Error
	return errors.As(err, &e)
}
