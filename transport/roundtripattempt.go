package transport

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/dialects"
	"github.com/endwell-go/endwell/internal/ask"
	"github.com/endwell-go/endwell/internal/errtree"
)

// attempt is the provider of the chain: it sends the request once.
func (x *exchange) attempt(ctx context.Context) (endwell.Stream, error) {
	if err := x.begin(ctx); err != nil {
		return nil, err
	}
	resp, l, err := x.send(ctx)
	if err = ownError(ctx, err); err != nil {
		x.mu.Lock()
		if x.verdict(ctx) == nil {
			x.failure = err
		}
		x.mu.Unlock()
		return nil, x.named(err)
	}
	if resp.Body == nil {
		resp.Body = http.NoBody // http.Client allows it, and mocks make use of that
	}
	media := ask.Media(resp.Header)
	switch x.judge(resp, media) {
	case passed:
		return x.keep(resp, l, passed), nil
	case refused:
		return nil, x.refuse(ctx, resp, l, media)
	default:
		return x.open(resp, l, media), nil
	}
}

// named is an error of the base as http.Client would have it, by which the chain knows
// whose it is: the request's, if its header or its body cannot be sent.
func (x *exchange) named(err error) error {
	if u, ok := err.(unsent); ok {
		return invalid(errBody, u.error)
	}
	if bad := x.up.broken(); bad != nil {
		return invalid(errBody, bad)
	}
	if errtree.Is(err, errNoResponse) {
		return err
	}
	if bad := checkHeader(x.req.Header); bad != nil {
		return bad
	}
	return &url.Error{Op: x.req.Method, URL: x.req.URL.Redacted(), Err: err}
}

// begin forgets the last attempt. It fails when there must not be another one.
func (x *exchange) begin(ctx context.Context) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.last != nil && (x.handed || !x.up.replayable()) {
		return x.spent()
	}
	x.drop()
	x.last, x.failure = ctx, nil
	return nil
}

// spent is the last failure once more, for a gate that does not know that nothing
// can be re-sent.
func (x *exchange) spent() error {
	e := x.verdict(x.last)
	if e == nil {
		e = &endwell.Error{Fault: endwell.Broken, Category: endwell.Network, Transient: true}
	}
	e = e.WithCause(errSpent)
	e.Retryable = false
	return e
}

var errSpent = errors.New("transport: the request cannot be sent again")

// judge says what a response is, for a request that is watched.
func (x *exchange) judge(resp *http.Response, media string) kind {
	switch {
	case resp.StatusCode == http.StatusNoContent, resp.StatusCode == http.StatusSwitchingProtocols,
		resp.StatusCode/100 == 3, noText(media), x.otherEvents(media):
		return passed
	case resp.StatusCode/100 != 2:
		return refused
	default:
		return stream
	}
}

// otherEvents reports whether a response is an AWS event stream of another service than
// those that are known: its path is not theirs.
func (x *exchange) otherEvents(media string) bool {
	if media != "application/vnd.amazon.eventstream" {
		return false
	}
	d, guess := x.dialect(media)
	return d == nil && guess == nil
}

// keep keeps a response that is not a stream, and lets go of the chain's context.
// The stream that it returns tells the chain of an answer in one piece.
func (x *exchange) keep(resp *http.Response, l *lease, k kind) endwell.Stream {
	l.unlink()
	if l != nil {
		resp.Body = &leased{resp.Body, l}
	}
	x.mu.Lock()
	x.resp, x.kind = resp, k
	x.mu.Unlock()
	return new(onePiece)
}

// open makes the stream of a response.
func (x *exchange) open(resp *http.Response, l *lease, media string) endwell.Stream {
	b := x.bodyOf(l)
	err := b.decode(resp)
	plain(resp)
	var st endwell.Stream
	opt := x.t.cfg.Options
	opt.Header = resp.Header
	d, guess := x.dialect(media)
	opt.Guess = guess
	opt.Lenient = (d == nil || media == "application/json") && !x.strict(resp.StatusCode)
	b.file = opt.Lenient && !ask.Text(media)
	switch {
	case err != nil:
		st = &unreadable{b, err}
	case d == nil:
		st = dialects.Detecting(b, resp.Header.Get("Content-Type"), host(resp), opt)
	default:
		st = d.Stream(b, opt)
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.resp, x.kind, x.live, x.inner, x.body = resp, stream, true, st, b
	if x.expired {
		x.commit()
	}
	return st
}

// plain makes a header say that the body has no encoding and no known length, as
// net/http does where it decodes gzip. The length may differ in any case.
func plain(resp *http.Response) {
	switch encoding(resp) {
	case "gzip", "x-gzip", "deflate":
		resp.Header.Del("Content-Encoding")
		resp.Uncompressed = true
	}
	resp.Header.Del("Content-Length")
	resp.ContentLength = -1
}

// bodyOf returns the body of an attempt. The first one has it in the exchange.
func (x *exchange) bodyOf(l *lease) *attemptBody {
	x.mu.Lock()
	defer x.mu.Unlock()
	b := &x.firstBody
	if b.x != nil {
		b = new(attemptBody)
	}
	b.x, b.lease = x, l
	return b
}

// attemptBody is the body that a dialect reads.
type attemptBody struct {
	body
	x     *exchange
	lease *lease
	read  int // bytes; for the goroutine that reads
}

// Read implements io.Reader.
func (b *attemptBody) Read(p []byte) (int, error) {
	n, err := b.body.Read(p)
	b.read += n
	return n, err
}

// Close implements io.Closer.
func (b *attemptBody) Close() error {
	b.x.mu.Lock()
	if b.x.body == b {
		b.x.live = false
	}
	b.x.mu.Unlock()
	err := b.body.Close()
	b.lease.end()
	return err
}

// onePiece is the stream of an answer that is none of the chain's: it is whole.
type onePiece struct{ said bool }

// Recv implements endwell.Stream.
func (s *onePiece) Recv() (endwell.Chunk, error) {
	if s.said {
		return endwell.Chunk{}, io.EOF
	}
	s.said = true
	return endwell.Chunk{Kind: endwell.KindOutput, End: endwell.Ended}, nil
}

// Close implements endwell.Stream.
func (*onePiece) Close() error { return nil }

// unreadable is the stream of a body whose encoding is not known.
type unreadable struct {
	body *attemptBody
	err  error
}

// Recv implements endwell.Stream.
func (s *unreadable) Recv() (endwell.Chunk, error) { return endwell.Chunk{}, s.err }

// Close implements endwell.Stream.
func (s *unreadable) Close() error { return s.body.Close() }
