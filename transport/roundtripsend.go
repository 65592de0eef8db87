package transport

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
)

// lease is the life of one attempt's HTTP request. Its context is the caller's, which
// the chain's ends too, until the response turns out to be none of the chain's. A
// nil lease is the caller's request, made before the chain was asked.
type lease struct {
	cancel context.CancelFunc
	stop   func() bool
}

// unlink lets go of the chain's context.
func (l *lease) unlink() {
	if l != nil {
		l.stop()
	}
}

// end ends the request. It may be called any number of times.
func (l *lease) end() {
	if l != nil {
		l.stop()
		l.cancel()
	}
}

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
	below, cancel := context.WithCancel(x.req.Context())
	l := &lease{cancel: cancel, stop: context.AfterFunc(ctx, cancel)}
	r := x.clone(below)
	r.Body = body
	narrow(r)
	resp, err := x.base(r)
	if err != nil {
		l.end()
		return nil, nil, err
	}
	return resp, l, nil
}

var errNoResponse = errors.New("transport: the base returned neither a response nor an error")

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
		return nil, err
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

// leased is a body that is handed over as it is. Its end ends the request.
type leased struct {
	io.ReadCloser
	lease *lease
}

// Read implements io.Reader.
func (b *leased) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil {
		b.lease.end()
	}
	return n, err
}

// Close implements io.Closer.
func (b *leased) Close() error {
	err := b.ReadCloser.Close()
	b.lease.end()
	return err
}
