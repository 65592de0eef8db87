package proxy

import (
	"bytes"
	"io"
	"net/http"
	"strings"
)

// maxAhead is how much of a request's body is read before it is sent on: images are
// large.
const maxAhead = 16 << 20

// readAhead reads the body of a request that may ask for a stream, so that the chain
// knows of it before it is sent, bounds the wait for its answer too, and can send it
// again. A longer body, or another one, is passed on as it comes. The error is the
// client's.
func readAhead(r *http.Request) error {
	t := strings.ToLower(r.Header.Get("Content-Type"))
	if r.Body == nil || r.Body == http.NoBody || r.ContentLength > maxAhead || t != "" && !strings.Contains(t, "json") {
		return nil
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, maxAhead+1))
	switch {
	case err != nil:
		return err
	case len(body) > maxAhead:
		r.Body = &rest{io.MultiReader(bytes.NewReader(body), r.Body), r.Body}
		return nil
	}
	r.Header.Del("Expect") // it has been answered
	r.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	r.Body, err = r.GetBody()
	return err
}

// rest is a body whose beginning has been read already.
type rest struct {
	io.Reader
	io.Closer
}
