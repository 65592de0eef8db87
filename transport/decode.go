package transport

import (
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/dialects"
)

// The bounds of what is read beyond an answer.
const (
	maxErrorBody = 32 << 10
	drainBytes   = 64 << 10
	drainTime    = 50 * time.Millisecond
	errorTime    = 5 * time.Second
)

// Decode reads a response as a stream. It owns the response's body from then on.
//
// An unsuccessful response, one whose status is not 2xx, becomes an
// *endwell.Evidence, with as much of its body as came within 32 KiB and 5 s. A successful one is decoded
// whatever its content type says, since hosts lie there both ways: a page, an error
// document and an answer that is not streamed are recognised by their bytes. Bodies
// in gzip are decoded, declared or not. A nil dialect is detected from the host of
// resp.Request and the first bytes.
func Decode(resp *http.Response, d *dialects.Dialect, opt dialects.Options) (endwell.Stream, error) {
	opt.Header = resp.Header
	body, err := decoded(resp)
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		return nil, refusal(resp, body, orCompatible(d))
	}
	if err != nil {
		_ = resp.Body.Close()
		return nil, err
	}
	if d == nil {
		return dialects.Detecting(body, resp.Header.Get("Content-Type"), host(resp), opt), nil
	}
	return d.Stream(body, opt), nil
}

// refusal reads as much of an error body as it is worth, and closes it. A body that
// breaks off, or does not end, is judged by what came.
func refusal(resp *http.Response, body io.ReadCloser, d *dialects.Dialect) error {
	late := time.AfterFunc(errorTime, func() { _ = body.Close() })
	defer late.Stop()
	doc, _ := io.ReadAll(io.LimitReader(body, maxErrorBody))
	_ = body.Close()
	return d.Refusal(resp.StatusCode, resp.Header, doc)
}

func orCompatible(d *dialects.Dialect) *dialects.Dialect {
	if d == nil {
		return dialects.MustByName("compatible")
	}
	return d
}

// host is the host that answered, "" when unknown.
func host(resp *http.Response) string {
	if resp.Request == nil || resp.Request.URL == nil {
		return ""
	}
	return resp.Request.URL.Hostname()
}

// encoding is the content encoding that a response declares, in lower case.
func encoding(resp *http.Response) string {
	return strings.ToLower(strings.TrimSpace(resp.Header.Get("Content-Encoding")))
}
