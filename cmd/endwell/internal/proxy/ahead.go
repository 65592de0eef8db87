package proxy

import (
	"bytes"
	"io"
	"net/http"

	"github.com/endwell-go/endwell/internal/ask"
	"github.com/endwell-go/endwell/internal/jsonscan"
	"github.com/endwell-go/endwell/internal/token"
)

// maxAhead is how much of a request's body is read before it is sent on: images are
// large.
const maxAhead = 16 << 20

// readAhead reads the body of a request that may ask for a stream, so that the chain
// knows of it before it is sent, bounds the wait for its answer too, and can send it
// again, and returns it. A longer body, or another one, is passed on as it comes. The
// error is the client's.
func readAhead(r *http.Request) ([]byte, error) {
	if r.ContentLength > maxAhead || !ask.May(r) {
		return nil, nil
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, maxAhead+1))
	switch {
	case err != nil:
		return nil, err
	case len(body) > maxAhead:
		r.Body = &rest{io.MultiReader(bytes.NewReader(body), r.Body), r.Body}
		return nil, nil
	}
	r.Header.Del("Expect") // it has been answered
	r.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	r.Body, err = r.GetBody()
	return body, err
}

// modelIn returns the model that a body names, if its name can be shown and holds no
// secret of the request; "" otherwise.
func modelIn(body []byte, secrets []string) string {
	var c jsonscan.Cursor
	c.Reset(body)
	for c.Object(); ; {
		key, ok := c.Key()
		if !ok {
			return ""
		}
		if string(key) == "model" {
			s, _ := c.Str()
			return token.Visible(s.String(), secrets)
		}
	}
}

// rest is a body whose beginning has been read already.
type rest struct {
	io.Reader
	io.Closer
}
