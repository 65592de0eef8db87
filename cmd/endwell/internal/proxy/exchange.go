package proxy

import (
	"cmp"
	"context"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/classify"
	"github.com/endwell-go/endwell/dialects"
	"github.com/endwell-go/endwell/middleware"
	"github.com/endwell-go/endwell/retry"
)

// exchange is one request on its way through the proxy. It is the ResponseWriter, to
// see what the client gets.
type exchange struct {
	http.ResponseWriter
	p       *Proxy
	req     *http.Request
	number  int64  // within this process, from 1
	model   string // that the body asks for; "" when it was not read, or names none
	cancel  context.CancelCauseFunc
	began   time.Time
	status  int
	bytes   int64
	through bool // the handler came to its end: the answer was not aborted
	failure *endwell.Error

	watched atomic.Bool  // the chain watches over it
	answers atomic.Int32 // of the upstream, as they came; they number the tapes

	mu     sync.Mutex // guards what follows
	report *middleware.Report
	bodies []io.Closer // that are recorded, of all attempts
}

type exchangeKey struct{}

// exchangeOf finds the exchange of a request to the upstream.
func exchangeOf(ctx context.Context) *exchange {
	x, _ := ctx.Value(exchangeKey{}).(*exchange)
	return x
}

func newExchange(p *Proxy, w http.ResponseWriter, r *http.Request) *exchange {
	x := &exchange{ResponseWriter: w, p: p, number: p.asked.Add(1), began: time.Now()}
	ctx, cancel := context.WithCancelCause(context.WithValue(r.Context(), exchangeKey{}, x))
	x.cancel, x.req = cancel, r.Clone(ctx)
	return x
}

// WriteHeader implements http.ResponseWriter.
func (x *exchange) WriteHeader(status int) {
	if status >= 200 || status == http.StatusSwitchingProtocols {
		x.status = status
	}
	x.ResponseWriter.WriteHeader(status)
}

// Write implements io.Writer.
func (x *exchange) Write(b []byte) (int, error) {
	n, err := x.ResponseWriter.Write(b)
	x.bytes += int64(n)
	return n, err
}

// Unwrap is for http.ResponseController.
func (x *exchange) Unwrap() http.ResponseWriter { return x.ResponseWriter }

// noticed is a decorator that notes the exchanges that the chain watches.
func noticed(next endwell.Next) endwell.Next {
	return endwell.NextFunc(func(ctx context.Context, req *endwell.Request) (endwell.Stream, error) {
		if x := exchangeOf(ctx); !x.watched.Swap(true) {
			x.p.meter.open.Add(1)
		}
		return next.Open(ctx, req)
	})
}

// reported keeps what the chain reports of an exchange.
func reported(ctx context.Context, r middleware.Report) {
	x := exchangeOf(ctx)
	x.mu.Lock()
	defer x.mu.Unlock()
	x.report = &r
}

// keeps notes a body that is recorded.
func (x *exchange) keeps(body io.Closer) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.bodies = append(x.bodies, body)
}

func (x *exchange) watches() bool { return x.watched.Load() }

// stopped reports whether the proxy has ended the exchange.
func (x *exchange) stopped() bool { return context.Cause(x.req.Context()) == errAborted }

// end notes how the exchange ended.
func (x *exchange) end() {
	if !x.through {
		x.reset()
	}
	x.mu.Lock()
	r, bodies := x.report, x.bodies
	x.mu.Unlock()
	for _, b := range bodies {
		_ = b.Close() // from here on there is a tape, or none
	}
	if x.watches() {
		x.p.meter.open.Add(-1)
		x.outcome(r)
	}
	x.log(r)
	if x.through && x.stopped() {
		// What follows an exchange that has ended may be the server's own stop, after
		// which a header that is still to be sent says Connection: close.
		_ = http.NewResponseController(x.ResponseWriter).Flush()
	}
	x.p.end(x)
}

// outcome counts a stream, and says how it ended: what the proxy did itself comes
// first.
func (x *exchange) outcome(r *middleware.Report) {
	switch {
	case x.stopped():
		x.failure, _ = asError(errStopped)
	case r != nil && r.Ending == retry.EndingFailed:
		x.failure = cmp.Or(r.Err, x.failure)
	}
	x.p.meter.ended(r, x.failure)
}

// reply is an error response.
type reply struct {
	dialect *dialects.Dialect
	err     *endwell.Error
}

// fails notes that the exchange failed before anything was sent, and returns the
// answer.
func (x *exchange) fails(d *dialects.Dialect, provider string, err error) reply {
	e, ok := asError(err)
	if !ok {
		e = classify.Error(err, classify.Call{Request: &endwell.Request{Provider: provider, Model: x.model}, Dialect: d.Name()})
	}
	x.failure = e
	return reply{d, e}
}

func (a reply) answer(w http.ResponseWriter) { a.dialect.WriteError(w, a.err) }

// stoppable is the body of a stream, which ends with errStopped when the proxy stops.
type stoppable struct {
	io.ReadCloser
	x *exchange
}

// Read implements io.Reader.
func (b *stoppable) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil && err != io.EOF && b.x.stopped() {
		err = errStopped
	}
	return n, err
}
