package transport

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/dialects"
)

// Config configures a provider over HTTP.
type Config struct {
	// URL is where requests are posted to.
	URL string
	// Dialect is how the answer is read; nil detects it from the URL's host and
	// from the first bytes.
	Dialect *dialects.Dialect
	// Client sends the requests; nil means http.DefaultClient. Its Timeout bounds
	// the whole answer and, since it ends the request's context, looks like the
	// caller's deadline does: leave it 0 and let a stall guard bound the waits.
	Client *http.Client
	// Header is added to every request. Content-Type, Accept and Accept-Encoding are set unless it
	// has them.
	Header http.Header
	// Prepare, when set, changes a request before it is sent, for keys that
	// rotate, or signatures. It is called for every attempt.
	Prepare func(*http.Request, *endwell.Request) error
	// Options say how the body is read.
	Options dialects.Options
}

// New returns a provider that posts a request's payload and decodes the answer. It
// panics when the URL cannot be posted to.
//
// A payload is sent as it is when it is a []byte, a json.RawMessage or a string,
// and as JSON otherwise. Nothing is re-sent here. The provider is safe for
// concurrent use.
//
// Open returns when the response's header has come. An unsuccessful response is an
// *endwell.Evidence, an error of the HTTP client passes as it is. A request that
// cannot be sent, for its payload or a header's value, is an *endwell.Error of
// category RequestInvalid.
func New(cfg Config) endwell.Next {
	u, err := url.Parse(cfg.URL)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		panic("transport: Config.URL is not an absolute http or https URL")
	}
	if cfg.Client == nil {
		cfg.Client = http.DefaultClient
	}
	return &provider{cfg: cfg}
}

type provider struct{ cfg Config }

// Open implements endwell.Next.
func (p *provider) Open(ctx context.Context, req *endwell.Request) (endwell.Stream, error) {
	httpReq, err := p.request(ctx, req)
	if err != nil {
		return nil, err
	}
	resp, err := p.cfg.Client.Do(httpReq)
	if err != nil {
		return nil, err
	}
	return Decode(resp, p.cfg.Dialect, p.cfg.Options)
}

func (p *provider) request(ctx context.Context, req *endwell.Request) (*http.Request, error) {
	body, err := payload(req.Payload)
	if err != nil {
		return nil, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, p.cfg.URL, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "text/event-stream, application/json;q=0.9, */*;q=0.8")
	// Asked for by name, gzip is decoded here and not inside net/http, so that a body
	// which is cut cleanly is found to be.
	r.Header.Set("Accept-Encoding", "gzip")
	for name, values := range p.cfg.Header {
		r.Header[http.CanonicalHeaderKey(name)] = append([]string(nil), values...)
	}
	if p.cfg.Prepare != nil {
		if err := p.cfg.Prepare(r, req); err != nil {
			return nil, fmt.Errorf("transport: prepare request: %w", err)
		}
	}
	return r, checkHeader(r.Header)
}

// checkHeader refuses a value that cannot be sent, such as a key that was read
// with its newline: the HTTP client's error for it looks like one of the network.
func checkHeader(h http.Header) error {
	for name, values := range h {
		for _, v := range values {
			if strings.ContainsFunc(v, func(c rune) bool { return c < ' ' && c != '\t' || c == 0x7f }) {
				return invalid(fmt.Errorf("transport: header %q has a control character in its value", name))
			}
		}
	}
	return nil
}

var errNoPayload = errors.New("transport: the request has no payload")

// payload returns the bytes to send.
func payload(v any) ([]byte, error) {
	switch v := v.(type) {
	case nil:
		return nil, invalid(errNoPayload)
	case []byte:
		return v, nil
	case json.RawMessage:
		return v, nil
	case string:
		return []byte(v), nil
	default:
		b, err := json.Marshal(v)
		if err != nil {
			return nil, invalid(fmt.Errorf("transport: encode payload: %w", err))
		}
		return b, nil
	}
}

// invalid is an error of the request itself: it was never sent.
func invalid(err error) error {
	e := &endwell.Error{Fault: endwell.Unreachable, Category: endwell.RequestInvalid}
	return e.WithOriginal(err)
}
