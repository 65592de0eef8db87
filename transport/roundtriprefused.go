package transport

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"time"
)

// refuse makes evidence of an unsuccessful response and keeps it as it is.
func (x *exchange) refuse(ctx context.Context, resp *http.Response, l *lease, media string) error {
	body := readAhead(resp.Body)
	resp.Body = body
	doc := unpacked(resp, body.within(ctx, errorTime))
	if ctx.Err() != nil {
		_ = body.Close()
		l.end()
		return ctx.Err()
	}
	x.keep(resp, l, refused)
	return orCompatible(x.refusing()).Refusal(resp.StatusCode, resp.Header, doc)
}

// unpacked decodes an error document, as far as it goes.
func unpacked(resp *http.Response, doc []byte) []byte {
	r, _ := decoded(&http.Response{Header: resp.Header, Body: io.NopCloser(bytes.NewReader(doc))})
	doc, _ = io.ReadAll(io.LimitReader(r, maxErrorBody))
	return doc
}

// ahead is a body whose first bytes are read before anybody asks for them.
type ahead struct {
	body io.ReadCloser
	done chan struct{} // closed when what follows is there
	buf  []byte
	err  error
}

// readAhead begins to read a body, as far as an error document is worth.
func readAhead(body io.ReadCloser) *ahead {
	a := &ahead{body: body, done: make(chan struct{})}
	go func() {
		defer close(a.done)
		a.buf, a.err = io.ReadAll(io.LimitReader(body, maxErrorBody))
	}()
	return a
}

// within returns what has been read when that is all, or a bound is, or the context
// has ended: nothing then.
func (a *ahead) within(ctx context.Context, d time.Duration) []byte {
	late := time.NewTimer(d)
	defer late.Stop()
	select {
	case <-a.done:
		return a.buf
	case <-late.C:
	case <-ctx.Done():
	}
	return nil
}

// Read implements io.Reader.
func (a *ahead) Read(p []byte) (int, error) {
	<-a.done
	switch {
	case len(a.buf) > 0:
		n := copy(p, a.buf)
		a.buf = a.buf[n:]
		return n, nil
	case a.err != nil:
		return 0, a.err
	default:
		return a.body.Read(p)
	}
}

// Close implements io.Closer. It unblocks a Read.
func (a *ahead) Close() error { return a.body.Close() }
