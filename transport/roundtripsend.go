package transport

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/endwell-go/endwell/internal/reason"
)

// send sends the request once, unless that has been done.
func (x *exchange) send(ctx context.Context) (*http.Response, *lease, error) {
	if first := x.first; first != nil {
		x.first = nil
		return first.resp, nil, first.err
	}
	body, err := x.up.open()
	if err != nil {
		return nil, nil, err
	}
	l := x.lease(ctx)
	r := x.clone(l.ctx)
	r.Body = body
	narrow(r)
	resp, err := x.base(r)
	if err != nil {
		l.end()
		return nil, nil, err
	}
	return resp, l, nil
}

var errNoResponse = reason.New("transport", "no_response", "the base RoundTripper returned neither a response nor an error",
	"The program is at fault, and neither the provider nor the request: its RoundTripper has to return a response or an error.")

// sendUnasked sends a request that did not ask for a stream, as far as is known, as it
// is. While it goes, its body is looked at, if need be.
func (x *exchange) sendUnasked() (*http.Response, error) {
	r := x.req
	//lint:ignore SA1019 see clone
	if x.up.shared != nil || r.Cancel != nil {
		r = x.clone(r.Context())
		r.Body, _ = x.up.open()
	} else {
		x.up.opened++
	}
	return x.base(r)
}

// clone is the caller's request with another context. An http.Client with a Timeout
// tells a RoundTripper that it does not know of it twice: by the context's deadline, and
// by the channel that came before contexts, whose end would look like the network's.
func (x *exchange) clone(ctx context.Context) *http.Request {
	r := x.req.WithContext(ctx)
	if _, ok := ctx.Deadline(); ok {
		//lint:ignore SA1019 it is deprecated, and set by http.Client all the same
		r.Cancel = nil
	}
	return r
}

// base has the base send a request, in the name of the caller's.
func (x *exchange) base(r *http.Request) (*http.Response, error) {
	resp, err := x.t.base.RoundTrip(r)
	switch {
	case err != nil:
		return nil, ownError(r.Context(), err)
	case resp == nil:
		return nil, errNoResponse
	case r != x.req:
		resp.Request = x.req
	}
	return resp, nil
}

// narrow changes an Accept-Encoding that allows what cannot be read here.
func narrow(r *http.Request) {
	values := r.Header.Values("Accept-Encoding")
	if !slices.ContainsFunc(values, foreignEncoding) {
		return
	}
	to := "identity"
	if strings.Contains(strings.Join(values, ","), "gzip") {
		to = "gzip"
	}
	r.Header = r.Header.Clone()
	r.Header.Set("Accept-Encoding", to)
}

// foreignEncoding reports whether a list of encodings has one that cannot be decoded.
func foreignEncoding(list string) bool {
	for coding := range strings.SplitSeq(list, ",") {
		coding, _, _ = strings.Cut(coding, ";")
		switch strings.ToLower(strings.TrimSpace(coding)) {
		case "", "gzip", "x-gzip", "deflate", "identity":
		default:
			return true
		}
	}
	return false
}
