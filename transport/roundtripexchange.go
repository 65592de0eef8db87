package transport

import (
	"context"
	"net/http"
	"sync"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/retry"
)

// exchange is one call of RoundTrip. It travels through the chain as the request's
// payload, and keeps the response that the chain's chunks come from.
type exchange struct {
	t      *RoundTripper
	req    *http.Request
	up     upload
	first  *result // of an attempt that was made before the chain was asked
	policy *retry.Policy
	ending *Ending // nil where nobody asks for it

	guard     lease           // that of the chain's guard, if it was given one
	described endwell.Request // what the chain is asked with
	key       [1]string       // where its secrets begin
	reply     reply           // what is handed over

	mu      sync.Mutex      // guards what follows; not on the path of a chunk
	last    context.Context // of the last attempt, and all of the following
	resp    *http.Response
	kind    kind           // of resp
	live    bool           // resp is a stream that nobody has closed yet
	failure error          // of the base
	inner   endwell.Stream // the stream of resp
	body    *attemptBody   // what inner reads

	firstBody attemptBody // that of the first attempt that had a stream

	handed  bool          // the answer has been handed over: nothing is re-sent
	expired bool          // the hold is over
	late    chan struct{} // closed when the hold is over and there is a live stream
}

// result is what an attempt came to.
type result struct {
	resp *http.Response
	err  error
}

// kind says what the response of an attempt is.
type kind uint8

const (
	none    kind = iota
	stream       // a stream, which the chain watches
	refused      // unsuccessful, and kept to be handed over
	passed       // no stream at all
)

// exchangeOf returns the exchange of a request that went through the chain.
func exchangeOf(req *endwell.Request) *exchange {
	x, ok := req.Payload.(*exchange)
	if !ok {
		panic("transport: a decorator has changed the payload of a wrapped request")
	}
	return x
}

// run has the chain open the call, and hands over what comes of it.
func (x *exchange) run() (*http.Response, error) {
	st, err := x.t.next.Open(x.req.Context(), x.describe())
	if err != nil {
		return x.failed(err)
	}
	r := &x.reply
	r.x, r.st = x, st
	r.refs, _ = st.(referrer)
	r.ready, _ = st.(readier)
	if x.kind == passed {
		return x.pass(st), nil
	}
	if hold := x.holdFor(); hold > 0 {
		return x.hold(r, hold)
	}
	return x.handOver(r), nil
}

// describe makes the chain's request.
func (x *exchange) describe() *endwell.Request {
	req := &x.described
	req.Secret = secrets(x.key[:0], x.req)
	if x.t.cfg.Describe != nil {
		x.t.cfg.Describe(x.req, req)
	}
	if x.t.cfg.Retry.Policy != nil {
		x.policy = x.narrowed(x.t.cfg.Retry.Policy(req))
	}
	req.Payload = x
	return req
}

// narrowed returns a policy that retries only while the answer has not been handed
// over, and only what can be sent again.
func (x *exchange) narrowed(p *retry.Policy) *retry.Policy {
	if p == nil {
		return nil
	}
	own := *p
	own.Retry = func(e *endwell.Error) bool {
		return x.mayResend() && (p.Retry == nil || p.Retry(e))
	}
	return &own
}

func (x *exchange) mayResend() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return !x.handed && !x.expired && x.up.replayable()
}

// handOver returns the response with r as its body. A chain that got its stream from
// somewhere else, as a fallback does, has no response of its own: nor when the one that it
// asked for here has been closed, and there is more to come all the same.
func (x *exchange) handOver(r *reply) *http.Response {
	x.mu.Lock()
	x.handed = true
	resp := x.resp
	if x.kind != stream || !x.live && !x.t.known() && r.pending == nil && r.end == nil {
		x.drop()
		resp = x.foreign()
	}
	x.mu.Unlock()
	resp.Body = r
	if x.t.cfg.Report || streamsUnasked(x.req) {
		_ = ReportErrors(x.t.cfg.Dialect)(resp) // never fails
	}
	return resp
}

func (x *exchange) foreign() *http.Response {
	return &http.Response{
		Status: "200 OK", StatusCode: http.StatusOK, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{"Content-Type": {streaming[0]}}, ContentLength: -1, Request: x.req,
	}
}

// pass tells the chain that all went well, and returns the response as it is.
func (x *exchange) pass(st endwell.Stream) *http.Response {
	for {
		if _, err := st.Recv(); err != nil {
			break
		}
	}
	_ = st.Close()
	return x.resp
}

// failed says what to return when the chain ended with err before anything was
// handed over.
func (x *exchange) failed(err error) (*http.Response, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.handed = true
	switch by := x.req.Context().Err(); {
	case by != nil:
		x.drop()
		x.note(by)
		return nil, by
	case x.kind == refused:
		x.note(err)
		return x.resp, nil
	default:
		x.drop()
		x.note(err)
		return nil, joined(x.failure, err)
	}
}

// drop closes the response that was kept, if there is one.
func (x *exchange) drop() {
	if x.kind == refused || x.kind == passed {
		_ = x.resp.Body.Close()
	}
	x.resp, x.kind, x.live = nil, none, false
}

// readsOn reports whether there may be more behind a whole answer: not when the chain
// has closed the body, as the stall guard does with one that lingers. What came in that
// instant may have been dropped, and what follows it must not be handed over then.
func (x *exchange) readsOn() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.inner != nil && x.live
}
