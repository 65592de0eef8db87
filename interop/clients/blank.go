package clients

import (
	"bytes"
	"io"
	"net/http"
)

// blankLater is for cohere-go, which takes each read of the body for whole events: a
// blank line that arrives by itself is an event without JSON to it, and the two parts
// of an event are two. It hands over one event at a time, and the blank line behind it
// with the next one.
func blankLater(base http.RoundTripper) http.RoundTripper { return later{base} }

type later struct{ base http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (l later) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := l.base.RoundTrip(req)
	if err == nil && resp.StatusCode == http.StatusOK {
		resp.Body = &lateBody{ReadCloser: resp.Body}
	}
	return resp, err
}

// lateBody hands over what it has read up to the end of a line of data.
type lateBody struct {
	io.ReadCloser
	buf  []byte
	cut  int // how much of buf may go
	err  error
	room [4 << 10]byte
}

// Read implements io.Reader.
func (b *lateBody) Read(p []byte) (int, error) {
	for b.cut == 0 {
		if b.cut = event(b.buf); b.cut > 0 {
			break
		}
		if b.err != nil {
			return 0, b.err
		}
		var n int
		n, b.err = b.ReadCloser.Read(b.room[:])
		b.buf = append(b.buf, b.room[:n]...)
	}
	n := copy(p, b.buf[:b.cut])
	b.buf = b.buf[:copy(b.buf, b.buf[n:])]
	b.cut -= n
	return n, nil
}

// most is how much is held back at most.
const most = 1 << 20

// event is the length of the first event in what has been read, up to the end of its
// line of data; 0 when that has not come.
func event(buf []byte) int {
	if len(buf) > most {
		return len(buf)
	}
	data := bytes.Index(buf, []byte("data:"))
	if data < 0 {
		return 0
	}
	end := bytes.IndexByte(buf[data:], '\n')
	if end < 0 {
		return 0
	}
	return data + end + 1
}
