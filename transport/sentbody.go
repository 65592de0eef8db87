package transport

import (
	"io"
	"net/http"
	"sync"

	"github.com/endwell-go/endwell/internal/reason"
)

var errNoBody = reason.New("transport", "no_body", "its body was taken away, and its length was not", "")

var errBody = reason.New("transport", "body_unreadable", "the body of the request cannot be read", "")

var errLength = reason.New("transport", "body_length", "its body is not as long as its length says", "")

// sentBody is a body that Prepare has put in the place of the payload. It notes why it
// cannot be sent, since the HTTP client's errors for that look like those of the network.
type sentBody struct {
	io.ReadCloser
	length int64 // as declared; not above 0 when it is not known

	mu     sync.Mutex // guards what follows: a client may read on when it has returned
	given  int64
	end    error // of the body itself, before anybody closed it
	closed bool
}

// noting puts a sentBody under a request whose body is not the one that it was made with.
func noting(r *http.Request, made io.ReadCloser) *sentBody {
	if r.Body == nil || r.Body == http.NoBody || r.Body == made {
		return nil
	}
	b := &sentBody{ReadCloser: r.Body, length: r.ContentLength}
	r.Body = b
	return b
}

// Read implements io.Reader.
func (b *sentBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.given += int64(n)
	if err != nil && !b.closed {
		b.end = err
	}
	return n, err
}

// Close implements io.Closer.
func (b *sentBody) Close() error {
	b.mu.Lock()
	b.closed = true
	b.mu.Unlock()
	return b.ReadCloser.Close()
}

// fault is the request's own error; nil when its body was sent, or something else has kept
// it from being. A nil sentBody has none.
func (b *sentBody) fault() error {
	if b == nil {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.end != nil && b.end != io.EOF:
		return invalid(errBody, b.end)
	case b.length > 0 && (b.given > b.length || b.given < b.length && b.end == io.EOF):
		return invalid(errLength, errLength)
	default:
		return nil
	}
}
