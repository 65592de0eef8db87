package endwelltest

import (
	"bytes"
	"io"
	"net/http"
	"slices"
	"strings"
)

// The bounds of what a gateway remembers.
const (
	maxRequests = 1000
	maxBody     = 1 << 20
)

// Request is a request that a [Gateway] got.
type Request struct {
	// Attempt is its number among those for the same scripts, from 1.
	Attempt int
	// Method, Path and Proto are the request line's. The query is left out, since
	// some providers take a key there.
	Method, Path, Proto string
	// Header is the request's header. The value of a header that may hold a secret
	// is replaced by "(secret)", so that a test can see that it was there.
	Header http.Header
	// Body is the request's body, at most its first MiB.
	Body []byte
}

// Requests are the requests so far, the last 1000 of them, the oldest first. What
// is returned is the caller's.
func (g *Gateway) Requests() []Request {
	g.mu.Lock()
	defer g.mu.Unlock()
	all := slices.Clone(g.requests)
	for i := range all {
		all[i].Header, all[i].Body = all[i].Header.Clone(), slices.Clone(all[i].Body)
	}
	return all
}

// Count is the number of requests so far.
func (g *Gateway) Count() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.total
}

// note remembers a request.
func (g *Gateway) note(r *http.Request, body []byte, attempt int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.total++
	if len(g.requests) == maxRequests {
		g.requests = slices.Delete(g.requests, 0, 1)
	}
	g.requests = append(g.requests, Request{
		Attempt: attempt, Method: r.Method, Path: r.URL.Path, Proto: r.Proto, Header: withoutSecrets(r.Header), Body: body,
	})
}

// secretive are the parts of names by which headers that hold secrets are known.
var secretive = []string{"auth", "key", "token", "secret", "cookie", "credential", "signature", "password"}

func withoutSecrets(h http.Header) http.Header {
	out := h.Clone()
	for name := range out {
		lower := strings.ToLower(name)
		if slices.ContainsFunc(secretive, func(part string) bool { return strings.Contains(lower, part) }) {
			out[name] = []string{"(secret)"}
		}
	}
	return out
}

// readBody reads a body to its end and keeps its beginning.
func readBody(r io.Reader) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(r, maxBody))
	if err == nil {
		_, err = io.Copy(io.Discard, r)
	}
	return b, err
}

// lazyBody is a request's body that is read when somebody asks for it.
type lazyBody struct {
	x    *exchange
	rest *bytes.Reader
}

func (b *lazyBody) Read(p []byte) (int, error) {
	if b.rest == nil {
		b.x.hear()
		b.rest = bytes.NewReader(b.x.body)
	}
	return b.rest.Read(p)
}

func (*lazyBody) Close() error { return nil }

func firstElement(path string) string {
	first, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	return first
}
