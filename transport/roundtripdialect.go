package transport

import (
	"net/http"
	"strings"

	"github.com/endwell-go/endwell/dialects"
	"github.com/endwell-go/endwell/internal/ask"
)

// DialectOf returns the dialect of the answer to a request that goes to a provider: that
// of the request's path or host, and else the tolerant base, named "compatible". The
// header is that of a successful response, whose content type must then agree; nil
// stands for a refused call, or for one that is to be answered with an error.
func DialectOf(req *http.Request, header http.Header) *dialects.Dialect {
	x := &exchange{t: new(RoundTripper), req: req}
	if header == nil {
		return orCompatible(x.refusing(""))
	}
	return orCompatible(x.dialect(ask.Media(header)))
}

// paths are the ends of paths that tell the dialect, and what the content type of a
// stream in it is.
var paths = []struct{ end, name, media string }{
	{"/messages", "anthropic", "text/event-stream"},
	{"/responses", "responses", "text/event-stream"},
	{"/v2/chat", "cohere", "text/event-stream"},
	{":streamGenerateContent", "gemini", ""},
	{"/converse-stream", "bedrock-converse", "application/vnd.amazon.eventstream"},
	{"/invoke-with-response-stream", "bedrock-invoke", "application/vnd.amazon.eventstream"},
	{"/api/chat", "ollama", "application/x-ndjson"},
	{"/api/generate", "ollama", "application/x-ndjson"},
}

// dialect returns the dialect of an answer with that content type; nil when only its
// bytes tell.
func (x *exchange) dialect(media string) *dialects.Dialect {
	if d := x.t.cfg.Dialect; d != nil {
		return d
	}
	path := x.req.URL.Path
	for _, p := range paths {
		if strings.HasSuffix(path, p.end) && (p.media == "" || p.media == media) {
			return dialects.MustByName(p.name)
		}
	}
	if !strings.HasSuffix(path, "/chat/completions") {
		return nil
	}
	if d, ok := dialects.ByHost(x.req.URL.Hostname()); ok && d.Family() == dialects.FamilyChat {
		return d
	}
	return nil
}

// refusing returns the dialect of an unsuccessful response, whose content type tells
// nothing; nil when it is not known.
func (x *exchange) refusing(media string) *dialects.Dialect {
	if d := x.dialect(media); d != nil {
		return d
	}
	for _, p := range paths {
		if strings.HasSuffix(x.req.URL.Path, p.end) {
			return dialects.MustByName(p.name)
		}
	}
	d, _ := dialects.ByHost(x.req.URL.Hostname())
	return d
}
