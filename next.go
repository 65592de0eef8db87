package endwell

import "context"

// Next opens one streamed answer. A provider is a Next, and so is a provider
// with decorators around it.
//
// Open sends the request and returns the stream of the answer, or an error when
// there will be none. It must give up when ctx is done. The ctx lives as long as
// the stream: ending it ends the stream. Open never changes req, which is not nil,
// and may be called again with the same req, at the same time too.
//
// On an error the returned Stream is nil. On success the caller owns the stream
// and must close it.
type Next interface {
	Open(ctx context.Context, req *Request) (Stream, error)
}

// NextFunc adapts a function to Next.
type NextFunc func(ctx context.Context, req *Request) (Stream, error)

// Open calls f.
func (f NextFunc) Open(ctx context.Context, req *Request) (Stream, error) {
	return f(ctx, req)
}

// Middleware decorates a Next: it returns a Next that adds one concern and calls
// the given one for everything else. What belongs to one call lives in the
// stream it returns, so one Middleware may serve any number of calls at once.
type Middleware func(Next) Next

// Chain composes decorators into one. The first is the outermost: it sees a call
// first and its result last. The nesting is built once, when the Middleware is
// applied, and a decorator that opens its Next twice runs everything below it
// twice. A nil Middleware is skipped; an empty chain changes nothing.
func Chain(mw ...Middleware) Middleware {
	return func(n Next) Next {
		for i := len(mw) - 1; i >= 0; i-- {
			if mw[i] != nil {
				n = mw[i](n)
			}
		}
		return n
	}
}
