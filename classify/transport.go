package classify

import (
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"syscall"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/internal/errtree"
)

// transported turns a transport's error, or one of which nothing is known, into an
// error without its original.
func transported(c errtree.Tree, call Call) *endwell.Error {
	e := &endwell.Error{Fault: endwell.Unreachable}
	if call.Opened {
		e.Fault = endwell.Broken
	}
	v := transportVerdict(c, call.Opened)
	if own, ok := errtree.Find[endwell.Fault](c); ok {
		e.Fault = own
	}
	if own, ok := errtree.Find[endwell.Category](c); ok {
		v = verdict(own)
		e.Fault = spokenFault(c, call)
	}
	e.Category, e.Transient = v.category(), v.transient()
	e.Retryable = e.Transient && !call.Emitted
	e.Type, e.Code = streamTokens(c)
	stamp(e, call)
	return withCauses(e, c)
}

// transportVerdict judges by type only. A deadline is somebody's own, since the
// caller's never comes here.
func transportVerdict(c errtree.Tree, opened bool) verdict {
	switch {
	case c.Has(context.DeadlineExceeded), c.Has(os.ErrDeadlineExceeded):
		return timedOut
	case badURL(c):
		return badRequest
	case untrusted(c):
		return badSetup
	case !opened && timeout(c):
		return timedOut
	case fromTransport(c):
		return network
	default:
		return unclear
	}
}

// spokenFault is the fault of an error that names its category and may name its
// fault: a provider that says what is wrong has refused or, after a response,
// reported it.
func spokenFault(c errtree.Tree, call Call) endwell.Fault {
	if own, ok := errtree.Find[endwell.Fault](c); ok {
		return own
	}
	if call.Opened {
		return endwell.Faulted
	}
	return endwell.Refused
}

// fromTransport reports whether an error is known to come from a transport: by its
// type, or since whoever read the body says so with endwell.Broken or Unreachable.
// Anything else, such as a bug in a provider, is nobody's network.
func fromTransport(c errtree.Tree) bool {
	if own, ok := errtree.Find[endwell.Fault](c); ok {
		return own == endwell.Broken || own == endwell.Unreachable
	}
	for _, err := range c {
		switch err.(type) {
		case net.Error, syscall.Errno, *url.Error, *tls.RecordHeaderError, tls.RecordHeaderError:
			return true
		}
	}
	typ, _ := streamTokens(c)
	_, alert := alertOf(c)
	return typ != "" || alert || c.Has(io.ErrUnexpectedEOF) || c.Has(io.EOF) || c.Has(net.ErrClosed) ||
		c.Has(context.Canceled) ||
		c.Has(io.ErrClosedPipe) || c.Has(http.ErrSchemeMismatch) || c.Has(http.ErrServerClosed)
}

// timeout reports whether some error of the chain is a timeout by its own account.
func timeout(c errtree.Tree) bool {
	for _, err := range c {
		if t, ok := err.(net.Error); ok && t.Timeout() {
			return true
		}
	}
	return false
}

// badURL reports an endpoint that cannot be written like that.
func badURL(c errtree.Tree) bool {
	if e, ok := errtree.Find[*url.Error](c); ok && e.Op == "parse" {
		return true
	}
	_, escape := errtree.Find[url.EscapeError](c)
	_, host := errtree.Find[url.InvalidHostError](c)
	_, network := errtree.Find[net.UnknownNetworkError](c)
	return escape || host || network
}
