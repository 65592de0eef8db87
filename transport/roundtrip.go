package transport

import (
	"context"
	"net/http"
	"time"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/clock"
	"github.com/endwell-go/endwell/dialects"
	"github.com/endwell-go/endwell/middleware"
	"github.com/endwell-go/endwell/retry"
)

// DefaultHold and DefaultMaxBody are what a zero Hold and a zero MaxBody of a
// WrapConfig stand for.
const (
	DefaultHold    = time.Minute
	DefaultMaxBody = 1 << 20
)

// WrapConfig configures a RoundTripper. Its zero value watches over every streamed
// answer with middleware.Standard and retries nothing.
type WrapConfig struct {
	// Chain watches over one attempt; nil means middleware.Standard with its
	// defaults. Its provider is the base RoundTripper.
	Chain endwell.Middleware
	// Retry puts a middleware.RetryGate around Chain; the zero value puts none. It
	// belongs here and not into Chain, since a gate only holds the answer back, and
	// only knows when an answer has been handed over or a body cannot be sent twice,
	// where the RoundTripper knows of it. A gate inside Chain still re-sends a call
	// that failed before its response's header came.
	Retry middleware.RetryConfig
	// Around stands outside of the gate: the place of middleware.Observe and
	// middleware.Log. Nil is nothing. Exchanges that are not streams do not come
	// there.
	Around endwell.Middleware
	// Hold is how long a response is held back at most for its first emission, while
	// the request's policy would still send it again: when it is over, the answer
	// is handed over, its keep-alives pass, and nothing is re-sent any more. 0 means
	// DefaultHold; negative hands over at once, as is done without a policy. A
	// positive Hold also holds without a policy, for a Chain that has a gate of its
	// own.
	Hold time.Duration
	// Upfront has RoundTrip return a fault that comes while the answer is held back,
	// although the response's header had come: for a proxy, which can still answer
	// with a status then. By default such an answer is handed over and its body
	// reports the fault, so that an SDK's own retries do not come on top. With it every
	// answer is held back for its first emission, also without a policy.
	Upfront bool
	// Report has the body report its error in the dialect's own error frame before Read
	// returns it, as [ReportErrors] does: for a client that never asks its scanner for
	// the error, and so takes every fault for an end. It is always done for Ollama's own
	// API, whose client is such a one.
	Report bool
	// MaxBody bounds in bytes how much of a request's body is kept to be sent again
	// when the request has no GetBody; 0 means DefaultMaxBody, negative keeps
	// nothing. A longer body is sent once, and its failure is final. A body without
	// GetBody that has a length within the bound is read before the request is sent,
	// so that it is known from the beginning whether it asks for a stream.
	MaxBody int
	// Dialect is how answers are read; nil finds it for each exchange, by the
	// request's host and path, the content type and the first bytes. On a path that
	// tells another family, the first bytes are asked before it is believed: a host has
	// more than one wire.
	Dialect *dialects.Dialect
	// Options say how bodies are read. NoText and Header are set here.
	Options dialects.Options
	// Match says which requests may be watched; what it refuses passes untouched.
	// Nil means all. It is for a client that also reads streams which no model
	// writes. It may be called from any number of goroutines.
	Match func(*http.Request) bool
	// Describe fills in what the chain shall know of a request: Agent, Provider,
	// Model, Private, further secrets. Secret has the keys that the headers and the
	// URL carry. It must not read the request's Body, nor set Payload. It may be
	// called from any number of goroutines.
	Describe func(*http.Request, *endwell.Request)
	// Clock is the clock of Hold, of the default Chain and of a Retry without one;
	// nil means clock.System.
	Clock clock.Clock
}

// RoundTripper is an http.RoundTripper that watches over streamed answers, under an
// SDK or a proxy that knows nothing of it. Make it with Wrap.
type RoundTripper struct {
	base http.RoundTripper
	next endwell.Next
	cfg  WrapConfig

	plain bool // the chain has no contexts but that of its guard
}

// Wrap returns base with a chain over every streamed answer; a nil base means
// http.DefaultTransport:
//
//	client := &http.Client{Transport: transport.Wrap(nil, transport.WrapConfig{})}
//
// The bytes of the body pass unchanged, decoded from gzip or deflate if need be; gzip that is
// not declared is a file where no model's answer is expected and the content type is not that
// of text. Of a
// known wire in SSE there are exceptions, for clients: a last event without its blank line
// gets it, and so does half a pair of blank lines before a fault; a last comment, or a
// last field that is no data, without its blank line is dropped; and a sentinel is handed
// over when the answer is whole, since clients stop reading there.
//
// After the last good byte Read returns io.EOF for an answer that is whole, the error of
// the request's context when that has ended, and the *endwell.Error otherwise, which
// errors.As finds through the SDK's own wrapping; see [WithEnding] for SDKs that keep it
// to themselves. A fault that follows the response's header is reported there and never
// by RoundTrip, so that retries of the SDK do not come on top.
//
// A refused call, whose status is not 2xx, is handed over intact when it is not
// retried: status, header and the whole body. An error of base passes with its text
// and type; errors.As finds the chain's *endwell.Error in it too. A call that
// stalled before its response came is that *endwell.Error.
//
// An exchange is watched when its answer is successful and has the content type of
// a stream, or when the request asks for a stream, whatever comes then: by its URL,
// its Accept header, or a member "stream" in its JSON. All others pass untouched:
// HEAD, upgrades, uploads of forms, redirects, responses without a body, answers
// in one piece, a GET whose URL does not ask for a stream, and streams that are no
// model's answer by their path, such as files, images, audio or MCP; see also
// WrapConfig.Match. What is watched and is of no known wire passes as it comes, and is
// whole when it ends cleanly, unless its path can only be that of a model's answer, or a
// Dialect was named: there it is a fault. In a request that asks for a
// stream, an Accept-Encoding that names what cannot be read here is narrowed.
//
// A RoundTripper is safe for concurrent use. A body is read by one goroutine at a time;
// its Close may run beside Read, which it unblocks. A stream takes no goroutine, but while
// an answer is held back, and while the body of a request or of a refused call is read
// ahead, one is at work.
func Wrap(base http.RoundTripper, cfg WrapConfig) *RoundTripper {
	if base == nil {
		base = http.DefaultTransport
	}
	if cfg.Clock == nil {
		cfg.Clock = clock.System
	}
	if cfg.Retry.Clock == nil {
		cfg.Retry.Clock = cfg.Clock
	}
	if cfg.MaxBody == 0 {
		cfg.MaxBody = DefaultMaxBody
	}
	cfg.Options.NoText = true
	if cfg.Upfront {
		cfg.Retry.Policy = heldBack(cfg.Retry.Policy)
		if cfg.Hold == 0 {
			cfg.Hold = DefaultHold
		}
	}
	plain := cfg.Chain == nil && cfg.Around == nil && cfg.Retry.Policy == nil
	cfg.Options.LastUsage = cfg.Options.LastUsage || plain // nobody asks for any
	t := &RoundTripper{base: base, cfg: cfg, plain: plain}
	t.next = t.chain()(endwell.NextFunc(func(ctx context.Context, req *endwell.Request) (endwell.Stream, error) {
		return exchangeOf(req).attempt(ctx)
	}))
	return t
}

func (t *RoundTripper) chain() endwell.Middleware {
	chain := t.cfg.Chain
	if chain == nil {
		chain = middleware.Standard(middleware.Config{Clock: t.cfg.Clock})
	}
	var gate endwell.Middleware
	if t.cfg.Retry.Policy != nil {
		gate = middleware.RetryGate(middleware.RetryConfig{
			Clock:  t.cfg.Retry.Clock,
			Policy: func(req *endwell.Request) *retry.Policy { return exchangeOf(req).policy },
			Hold:   func(req *endwell.Request) bool { return exchangeOf(req).holds() },
		})
	}
	return endwell.Chain(t.cfg.Around, gate, chain)
}

// known reports whether there are no decorators but those that are known here.
func (t *RoundTripper) known() bool { return t.cfg.Chain == nil && t.cfg.Around == nil }

// RoundTrip implements http.RoundTripper.
func (t *RoundTripper) RoundTrip(req *http.Request) (*http.Response, error) {
	if !watchable(req) || t.cfg.Match != nil && !t.cfg.Match(req) {
		resp, err := t.base.RoundTrip(req)
		return resp, ownError(req.Context(), err)
	}
	x := &exchange{t: t, req: req, ending: endingOf(req.Context())}
	asks, err := x.asksAhead()
	defer x.up.final()
	if err != nil {
		return nil, err
	}
	if !asks {
		resp, err := x.sendUnasked()
		if !x.up.asked() && (err != nil || !x.streams(resp)) {
			return resp, err
		}
		x.first = &result{resp, err}
	}
	return x.run()
}

// CloseIdleConnections closes the idle connections of the base, if it can.
func (t *RoundTripper) CloseIdleConnections() {
	if c, ok := t.base.(interface{ CloseIdleConnections() }); ok {
		c.CloseIdleConnections()
	}
}
