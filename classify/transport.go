package classify

import (
	"context"
	"net"
	"net/url"
	"os"

	"github.com/endwell-go/endwell"
)

// transported turns a transport's error into an error without its original.
func transported(c chain, call Call) *endwell.Error {
	e := &endwell.Error{Fault: endwell.Unreachable}
	if call.Opened {
		e.Fault = endwell.Broken
	}
	v := transportVerdict(c, call.Opened)
	e.Category, e.Transient = v.category(), v.transient()
	e.Retryable = e.Transient && !call.Emitted
	e.Type, e.Code = streamTokens(c)
	stamp(e, call)
	return withCauses(e, c)
}

// transportVerdict judges by type only. A deadline is somebody's own, since the
// caller's never comes here.
func transportVerdict(c chain, opened bool) verdict {
	switch {
	case c.has(context.DeadlineExceeded), c.has(os.ErrDeadlineExceeded):
		return timedOut
	case badURL(c):
		return badRequest
	case untrusted(c):
		return badSetup
	case !opened && timeout(c):
		return timedOut
	default:
		return network
	}
}

// timeout reports whether some error of the chain is a timeout by its own account.
func timeout(c chain) bool {
	for _, err := range c {
		if t, ok := err.(net.Error); ok && t.Timeout() {
			return true
		}
	}
	return false
}

// badURL reports an endpoint that cannot be written like that.
func badURL(c chain) bool {
	if e, ok := find[*url.Error](c); ok && e.Op == "parse" {
		return true
	}
	_, escape := find[url.EscapeError](c)
	_, host := find[url.InvalidHostError](c)
	_, network := find[net.UnknownNetworkError](c)
	return escape || host || network
}
