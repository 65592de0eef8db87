package classify

import (
	"time"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/internal/errtree"
	"github.com/endwell-go/endwell/internal/token"
)

// Call is what is known about the call that failed. Its zero value is a call of
// which nothing is known: no request, no response, nothing emitted.
type Call struct {
	// Request is the request; nil is allowed and leaves Provider and Model empty.
	Request *endwell.Request
	// Dialect names the dialect, as in dialects.ByName, where the evidence names
	// none; "" uses the codes that mean the same everywhere.
	Dialect string
	// Opened means that a response had come: the error is from Recv, not from Open.
	Opened bool
	// Emitted means that something was emitted before the failure.
	Emitted bool
	// Now is the time from which dates count when the response has no Date of its
	// own. The zero time makes such dates unreadable.
	Now time.Time
}

// Error classifies err. It is nil only for a nil err; a nil pointer inside an
// interface is a failure of which nothing is known. The result may be shared and
// must be treated as read-only; it is never err's own *endwell.Error, whose fault,
// category and hints are nevertheless kept as they are.
//
// The caller's own cancellation must not be handed to it: it would be taken for a
// transport's failure. Error is safe for concurrent use.
func Error(err error, call Call) *endwell.Error {
	if err == nil {
		return nil
	}
	c := errtree.Flatten(err)
	if e, ok := errtree.Find[*endwell.Error](c); ok {
		return complete(e, call)
	}
	if ev, ok := errtree.Find[*endwell.Evidence](c); ok {
		return reported(ev, c, call).WithOriginal(err)
	}
	if ev, ok := adapted(c); ok {
		return reported(ev, c, call).WithOriginal(err)
	}
	if len(c) == 0 {
		err = nil // a nil pointer, on which no method can be called
	}
	return transported(c, call).WithOriginal(err)
}

// RetryAfter returns the wait for which ev asks, 0 when it asks for none. The first
// positive one wins: the header retry-after-ms; Retry-After as seconds, an HTTP
// date or a Go duration; the rate limit reset headers, for a rate limit only; the
// wait that the body names; the wait in the message's text. A date counts from the
// response's own Date, else from now. What is negative, past or unreadable counts
// as absent; nothing exceeds [MaxRetryAfter]. A nil ev asks for nothing.
func RetryAfter(ev *endwell.Evidence, now time.Time) time.Duration {
	if ev == nil {
		return 0
	}
	ev = spoken(ev)
	return hint(ev, decide(ev, false).category(), now)
}

// stamp fills in what the call says about an error. A name that is a URL, or holds a
// secret of the request, is left out.
func stamp(e *endwell.Error, call Call) {
	if call.Request == nil {
		return
	}
	if e.Provider == "" {
		e.Provider = token.Visible(call.Request.Provider, call.Request.Secret)
	}
	if e.Model == "" {
		e.Model = token.Visible(call.Request.Model, call.Request.Secret)
	}
}
