// Package endwell makes every streamed answer of a language model end in one of
// three ways: whole (io.EOF), by the caller's own cancellation (ctx.Err() or
// ErrClosed), or with one *Error that says what happened, whose fault it is and what
// to do. Whatever was streamed before a fault stays with the caller.
//
// A provider is a Next, a decorator is a Middleware, and a chain is nesting:
//
//	next := middleware.Standard(middleware.Config{})(provider)
//
// Package middleware has the decorators, dialects the wires, transport a provider
// over HTTP, retry the opt-in policies. This package has what they share: the
// contract (Next, Stream, Chunk), the Error with its closed sets of faults and
// categories, and the ways to consume a stream (All, Collect, Collector).
//
// The contract holds above a complete stack. Below it, endings are raw: an *Evidence,
// or a transport's error.
package endwell
