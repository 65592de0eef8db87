package classify

import (
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"syscall"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/internal/errtree"
	"github.com/endwell-go/endwell/internal/reason"
)

// sentinels are the causes that are kept for errors.Is: their text is the standard
// library's and names no host. context.Canceled is not among them, so that nobody
// takes a failure for the caller's stop; nor is io.EOF.
var sentinels = [...]error{
	context.DeadlineExceeded, os.ErrDeadlineExceeded, io.ErrUnexpectedEOF, net.ErrClosed,
	io.ErrClosedPipe, http.ErrBodyReadAfterClose, http.ErrHandlerTimeout, http.ErrServerClosed,
	http.ErrSchemeMismatch,
}

// withCauses keeps what may be kept of a chain as causes of e.
func withCauses(e *endwell.Error, c errtree.Tree) *endwell.Error {
	for _, cause := range causes(c) {
		e = e.WithCause(cause)
	}
	return e
}

func causes(c errtree.Tree) []error {
	var kept []error
	for _, s := range sentinels {
		if c.Has(s) {
			kept = append(kept, s)
		}
	}
	if e := io.ErrUnexpectedEOF; c.Has(io.EOF) && !c.Has(e) {
		kept = append(kept, e)
	}
	if why, ok := errtree.Find[*reason.Reason](c); ok {
		kept = append(kept, why)
	}
	if no, ok := errtree.Find[syscall.Errno](c); ok {
		kept = append(kept, no)
	}
	if alert, ok := alertOf(c); ok {
		kept = append(kept, alert)
	}
	if dns, ok := errtree.Find[*net.DNSError](c); ok {
		kept = append(kept, nameless(dns))
	}
	return kept
}

// nameless is a DNS error without the names of host and server, and with a text
// that holds no address.
func nameless(e *net.DNSError) *net.DNSError {
	text := "lookup failed"
	switch {
	case e.IsNotFound:
		text = "no such host"
	case e.IsTimeout:
		text = "lookup timed out"
	}
	return &net.DNSError{Err: text, IsTimeout: e.IsTimeout, IsTemporary: e.IsTemporary, IsNotFound: e.IsNotFound}
}
