package transport

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"reflect"
	"strings"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/dialects"
	"github.com/endwell-go/endwell/internal/errtree"
	"github.com/endwell-go/endwell/internal/reason"
)

// Config configures a provider over HTTP.
type Config struct {
	// URL is where requests are posted to.
	URL string
	// Dialect is how the answer is read; nil detects it from the URL's host and
	// from the first bytes.
	Dialect *dialects.Dialect
	// Client sends the requests. Nil means one of its own over
	// http.DefaultTransport, which follows no redirect to another host, since keys
	// and prompt would go along, and none that would drop the body; such a response
	// is a refusal. A client's Timeout bounds the whole answer, which then ends as
	// Broken or Unreachable with category Timeout: leave it 0 and let a stall guard
	// bound the waits.
	Client *http.Client
	// Header is added to every request. Content-Type, Accept and Accept-Encoding are
	// set unless it has them.
	Header http.Header
	// Prepare, when set, changes a request before it is sent, for keys that
	// rotate, or signatures. It is called for every attempt. It may read the body, which
	// is sent from its beginning all the same, or put another one there with its length.
	Prepare func(*http.Request, *endwell.Request) error
	// Options say how the body is read.
	Options dialects.Options
}

// New returns a provider that posts a request's payload and decodes the answer. It
// panics when the URL cannot be posted to.
//
// A payload is sent as it is when it is text or bytes, of any named type that has no
// MarshalJSON of its own, and as JSON otherwise. An io.Reader is refused, since it
// could be sent only once. Nothing is re-sent here. The provider is safe for
// concurrent use.
//
// Open returns when the response's header has come. An unsuccessful response is an
// *endwell.Evidence, an error of the HTTP client passes as it is. A request that
// cannot be sent, for its payload or a header's value, is an *endwell.Error of
// category RequestInvalid.
func New(cfg Config) endwell.Next {
	u, err := url.Parse(cfg.URL)
	if err != nil || !postable(u) {
		panic("transport: Config.URL is not an absolute http or https URL")
	}
	if cfg.Client == nil {
		cfg.Client = &http.Client{CheckRedirect: sameHost}
	}
	return &provider{cfg: cfg}
}

type provider struct{ cfg Config }

// Open implements endwell.Next.
func (p *provider) Open(ctx context.Context, req *endwell.Request) (endwell.Stream, error) {
	httpReq, sent, err := p.request(ctx, req)
	if err != nil {
		return nil, err
	}
	resp, err := p.cfg.Client.Do(httpReq)
	if bad := sent.fault(); err != nil && bad != nil && ctx.Err() == nil {
		return nil, bad
	}
	if own := ownError(ctx, err); own != err {
		return nil, &url.Error{Op: httpReq.Method, URL: httpReq.URL.Redacted(), Err: own}
	}
	if err != nil {
		return nil, err
	}
	return Decode(resp, p.cfg.Dialect, p.cfg.Options)
}

// request makes the request. Its body is noted when Prepare has put another one there.
func (p *provider) request(ctx context.Context, req *endwell.Request) (*http.Request, *sentBody, error) {
	if req == nil {
		return nil, nil, invalid(errNoRequest, errNoRequest)
	}
	body, err := payload(req.Payload)
	if err != nil {
		return nil, nil, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, p.cfg.URL, bytes.NewReader(body))
	if err != nil {
		return nil, nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "text/event-stream, application/json;q=0.9, */*;q=0.8")
	// Asked for by name, gzip is decoded here and not inside net/http, so that a body
	// which is cut cleanly is found to be.
	r.Header.Set("Accept-Encoding", "gzip")
	for name, values := range p.cfg.Header {
		r.Header[http.CanonicalHeaderKey(name)] = append([]string(nil), values...)
	}
	if p.cfg.Prepare == nil {
		return r, nil, checkRequest(r)
	}
	sent, err := p.prepare(r, req)
	return r, sent, err
}

// prepare has Prepare change a request. A body that it has only read, to sign it, is sent
// all the same.
func (p *provider) prepare(r *http.Request, req *endwell.Request) (*sentBody, error) {
	body, again := r.Body, r.GetBody
	if err := p.cfg.Prepare(r, req); err != nil {
		return nil, notSent(r.Context(), err)
	}
	if err := checkRequest(r); err != nil {
		return nil, err
	}
	if r.Body == body && again != nil {
		r.Body, _ = again() // of bytes, which never fails
		return nil, nil
	}
	return noting(r, body), nil
}

// checkRequest refuses what cannot be sent, and what Prepare may have made of a request:
// the HTTP client's errors for it look like those of the network.
func checkRequest(r *http.Request) error {
	switch {
	case !postable(r.URL), !hostName(r.URL.Host), !hostName(r.Host):
		return invalid(errURL, errURL)
	case r.Method != "" && !headerName(r.Method):
		return invalid(errMethod, fmt.Errorf("transport: %q is no method", r.Method))
	case r.ContentLength != 0 && r.Body == nil:
		return invalid(errNoBody, errNoBody)
	}
	for name := range r.Trailer {
		if !headerName(name) {
			return invalid(errHeaderName, fmt.Errorf("transport: %q is no name of a trailer", name))
		}
	}
	return checkHeader(r.Header)
}

// hostName reports whether a host can be named so in a request. It need not exist.
func hostName(host string) bool {
	return !strings.ContainsFunc(host, func(c rune) bool { return c <= ' ' || c == 0x7f || c == '/' || c == '\\' })
}

// postable reports whether there is a host to send a request to.
func postable(u *url.URL) bool {
	return u != nil && u.Host != "" && (u.Scheme == "http" || u.Scheme == "https")
}

// checkHeader refuses a value that cannot be sent, such as a key that was read
// with its newline: the HTTP client's error for it looks like one of the network.
func checkHeader(h http.Header) error {
	for name, values := range h {
		if !headerName(name) {
			return invalid(errHeaderName, fmt.Errorf("transport: %q is no name of a header", name))
		}
		for _, v := range values {
			if strings.ContainsFunc(v, func(c rune) bool { return c < ' ' && c != '\t' || c == 0x7f }) {
				return invalid(errHeaderValue, fmt.Errorf("transport: header %q has a control character in its value", name))
			}
		}
	}
	return nil
}

var errNoRequest = reason.New("transport", "no_request", "there is no request", "")

var errURL = reason.New("transport", "request_url", "its address is not an absolute http or https URL", "")

var errMethod = reason.New("transport", "request_method", "its method is none of HTTP", "")

var errNoPayload = reason.New("transport", "no_payload", "the request has no payload", "")

var errReader = reason.New("transport", "payload_is_reader", "the payload is an io.Reader, which could be sent only once", "")

var errEncode = reason.New("transport", "payload_not_json", "the payload cannot be encoded as JSON", "")

var errHeaderName = reason.New("transport", "header_name", "the name of a header cannot be sent", "")

var errHeaderValue = reason.New("transport", "header_value", "a header has a control character in its value", "")

var errPrepare = reason.New("transport", "prepare_failed", "Prepare failed",
	"The program is at fault, and neither the provider nor the request: see what its Prepare returned.")

// payload returns the bytes to send.
func payload(v any) ([]byte, error) {
	switch v := v.(type) {
	case nil:
		return nil, invalid(errNoPayload, errNoPayload)
	case []byte:
		return v, nil
	case json.RawMessage:
		return v, nil
	case string:
		return []byte(v), nil
	case json.Marshaler:
	case io.Reader:
		return nil, invalid(errReader, errReader)
	default:
		if b, ok := bytesOf(v); ok {
			return b, nil
		}
	}
	b, err := json.Marshal(v)
	if err != nil {
		return nil, invalid(errEncode, fmt.Errorf("transport: encode payload: %w", err))
	}
	return b, nil
}

// bytesOf returns the bytes of a named type of text or bytes.
func bytesOf(v any) ([]byte, bool) {
	switch r := reflect.ValueOf(v); {
	case r.Kind() == reflect.String:
		return []byte(r.String()), true
	case r.Kind() == reflect.Slice && r.Type().Elem().Kind() == reflect.Uint8:
		return r.Bytes(), true
	default:
		return nil, false
	}
}

// invalid is an error of the request itself: it was never sent. The text of why holds
// nothing of the request, that of err may.
func invalid(why *reason.Reason, err error) error {
	e := &endwell.Error{Fault: endwell.Unreachable, Category: endwell.RequestInvalid}
	return e.WithCause(why).WithOriginal(err)
}

// notSent is an error of Prepare: that of the request, unless the caller's context
// has ended, or the error says itself what it is.
func notSent(ctx context.Context, err error) error {
	if _, ok := errtree.As[*endwell.Error](err); ok || ctx.Err() != nil {
		return err
	}
	e := &endwell.Error{Fault: endwell.Unreachable, Category: endwell.RequestInvalid}
	return e.WithCause(errPrepare).WithCause(prepareError{err}).WithOriginal(err)
}

// prepareError is the host's own error, for errors.Is and errors.As, without its
// text, which may hold anything.
type prepareError struct{ err error }

// Error says where it came from.
func (prepareError) Error() string { return errPrepare.Error() }

// Is and As look into the host's error.
func (p prepareError) Is(target error) bool { return errtree.Is(p.err, target) }
func (p prepareError) As(target any) bool   { return errtree.Flatten(p.err).As(target) }

// headerName reports whether a name can be sent: RFC 9110 §5.6.2.
func headerName(name string) bool {
	return name != "" && !strings.ContainsFunc(name, func(c rune) bool {
		return c <= ' ' || c >= 0x7f || strings.ContainsRune(`"(),/:;<=>?@[\]{}`, c)
	})
}

// sameHost follows a redirect only if it sends the same request to the same host.
func sameHost(r *http.Request, via []*http.Request) error {
	first := via[0]
	if len(via) >= 10 || r.URL.Host != first.URL.Host || r.URL.Scheme != first.URL.Scheme || r.Method != first.Method {
		return http.ErrUseLastResponse
	}
	return nil
}

// String names the host and nothing else, since URL and Header may hold keys.
func (c Config) String() string {
	u, err := url.Parse(c.URL)
	if err != nil {
		return "transport.Config"
	}
	return "transport.Config(" + u.Host + ")"
}

// Format prints String for every verb.
func (c Config) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, c.String()) }

// Format prints the host for every verb.
func (p *provider) Format(f fmt.State, verb rune) { p.cfg.Format(f, verb) }
