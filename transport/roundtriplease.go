package transport

import (
	"context"
	"io"
	"sync/atomic"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/internal/errtree"
)

// lease is the life of one attempt's HTTP request. Its context is that of the chain's
// guard, until the response turns out to be none of the chain's: such a one outlives the
// call of the chain. A nil lease is the caller's request, made before the chain was
// asked.
type lease struct {
	ctx    context.Context
	cancel context.CancelFunc
	stop   func() bool // lets go of the chain's context; nil where ctx is the chain's
	kept   atomic.Bool // the chain's end is not that of the request

	cause atomic.Pointer[endwell.Error] // with which the chain's guard has ended it
}

// Guard makes the context of a guarded call; see package middleware. Decorators around
// the guard may end contexts of their own, such as a gate's, so that it is the request's
// only where there are none.
func (x *exchange) Guard(ctx context.Context) (context.Context, interface{ Cancel(cause error) }) {
	if !x.t.plain {
		return nil, nil
	}
	x.guard.ctx, x.guard.cancel = context.WithCancel(ctx)
	return x.guard.ctx, &x.guard
}

// lease returns the lease of an attempt that the chain gave that context. It is the
// guard's, or has a context of its own, the caller's, which the chain's ends too.
func (x *exchange) lease(ctx context.Context) *lease {
	if x.guard.ctx == ctx {
		return &x.guard
	}
	own, cancel := context.WithCancel(x.req.Context())
	return &lease{ctx: own, cancel: cancel, stop: context.AfterFunc(ctx, cancel)}
}

// Cancel is how the chain's guard ends the request. Its cause stays here: net/http tells
// it to other calls on the connection too.
func (l *lease) Cancel(cause error) {
	l.cause.CompareAndSwap(nil, errorIn(cause))
	if !l.kept.Load() {
		l.cancel()
	}
}

// verdict returns the error with which a guard of the chain has ended the context of an
// attempt; nil when it has not.
func (x *exchange) verdict(ctx context.Context) *endwell.Error {
	if x.guard.ctx == ctx {
		return x.guard.cause.Load()
	}
	return errorIn(context.Cause(ctx))
}

// errorIn finds the *endwell.Error in a cause; nil for none.
func errorIn(cause error) *endwell.Error {
	e, _ := errtree.As[*endwell.Error](cause)
	return e
}

// unlink lets go of the chain's context.
func (l *lease) unlink() {
	if l == nil {
		return
	}
	l.kept.Store(true)
	if l.stop != nil {
		l.stop()
	}
}

// end ends the request, unless the chain's guard does. It may be called any number of
// times.
func (l *lease) end() {
	switch {
	case l == nil:
	case l.stop != nil:
		l.stop()
		l.cancel()
	case l.kept.Load():
		l.cancel()
	}
}

// leased is a body that is handed over as it is. Its end ends the request.
type leased struct {
	io.ReadCloser
	lease *lease
}

// Read implements io.Reader.
func (b *leased) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil {
		b.lease.end()
	}
	return n, err
}

// Close implements io.Closer.
func (b *leased) Close() error {
	err := b.ReadCloser.Close()
	b.lease.end()
	return err
}
