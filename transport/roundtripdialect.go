package transport

import (
	"cmp"
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
		return orCompatible(x.refusing())
	}
	d, guess := x.dialect(ask.Media(header))
	return orCompatible(cmp.Or(d, guess))
}

// route is an end of paths that tells the dialect.
type route struct {
	end, name string
	media     string // of a stream in it; "" for any
	sure      bool   // whatever host has the path, since no other API has one like it
}

var routes = []route{
	{"/messages", "anthropic", "text/event-stream", false},
	{"/responses", "responses", "text/event-stream", false},
	{"/v2/chat", "cohere", "text/event-stream", false},
	{":streamGenerateContent", "gemini", "", true},
	{"/converse-stream", "bedrock-converse", "application/vnd.amazon.eventstream", true},
	{"/invoke-with-response-stream", "bedrock-invoke", "application/vnd.amazon.eventstream", true},
	{"/api/chat", "ollama", "application/x-ndjson", false},
	{"/api/generate", "ollama", "application/x-ndjson", false},
	{"/chat/completions", "compatible", "", true},
}

// chat reports whether a route is that of chat.
func (r *route) chat() bool { return r != nil && r.name == "compatible" }

// routeOf returns the route of a path; nil for none.
func routeOf(path string) *route {
	for i := range routes {
		if strings.HasSuffix(path, routes[i].end) {
			return &routes[i]
		}
	}
	return nil
}

// dialect returns the dialect of an answer with that content type; nil when only its
// bytes tell, and then perhaps what to guess. What the caller has named holds, but on a
// path of another family the bytes are asked first.
func (x *exchange) dialect(media string) (d, guess *dialects.Dialect) {
	named, r := x.t.cfg.Dialect, routeOf(x.req.URL.Path)
	switch {
	case r == nil && named == nil && ofReplicate(x.req.URL):
		return dialects.MustByName("replicate"), nil
	case r == nil:
		return named, nil
	}
	d, sure := x.onRoute(r)
	switch {
	case d == named:
		return d, nil
	case named != nil:
		return nil, named
	case r.media != "" && r.media != media && media != "application/json":
		return nil, nil
	case r.media != "" && r.media != media:
		return nil, d // a document: an answer in one piece, or an error
	case sure:
		return d, nil
	default:
		return nil, d
	}
}

// onRoute returns the dialect of a route, in the variant that the caller has named or the
// host speaks. It is sure where one of them agrees, or where no other API has such a path
// and no variants.
func (x *exchange) onRoute(r *route) (d *dialects.Dialect, sure bool) {
	told := dialects.MustByName(r.name)
	if named := x.t.cfg.Dialect; named != nil && named.Family() == told.Family() {
		return named, true
	}
	chat := told.Family() == dialects.FamilyChat
	host, ok := dialects.ByHost(x.req.URL.Hostname())
	switch ok = ok && host.Family() == told.Family(); {
	case ok && chat:
		return host, true
	default:
		return told, ok || r.sure && !chat
	}
}

// strict reports whether an answer with that status that is of no known wire is a fault,
// and not something else than a model's answer: where a dialect was named, or the path is
// that of a model's and of no other API, or is that of a model's on a host of models.
func (x *exchange) strict(status int) bool {
	if status != http.StatusOK {
		return false
	}
	u := x.req.URL
	if x.t.cfg.Dialect != nil || ofReplicate(u) || strings.HasSuffix(u.Path, "/v1/completions") {
		return true
	}
	r := routeOf(u.Path)
	if r == nil || r.sure {
		return r != nil
	}
	_, known := dialects.ByHost(u.Hostname())
	return known
}

// refusing returns the dialect of an unsuccessful response, whose content type tells
// nothing; nil when it is not known.
func (x *exchange) refusing() *dialects.Dialect {
	named := x.t.cfg.Dialect
	if r := routeOf(x.req.URL.Path); r != nil && (r.sure || named == nil) {
		d, _ := x.onRoute(r)
		return d
	}
	if named != nil {
		return named
	}
	d, _ := dialects.ByHost(x.req.URL.Hostname())
	return d
}
