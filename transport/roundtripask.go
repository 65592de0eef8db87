package transport

import (
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/endwell-go/endwell/internal/ask"
)

// watchable reports whether the answer to a request may be a model's stream.
func watchable(req *http.Request) bool {
	switch {
	case req.URL == nil, req.Method == http.MethodHead, req.Method == http.MethodConnect,
		upgrades(req.Header), strings.HasPrefix(ask.Media(req.Header), "multipart/"):
		return false
	case gets(req):
		return asksByQuery(req.URL) || ofReplicate(req.URL)
	default:
		return answers(req.URL) || !elsewhere(req.URL.Path)
	}
}

// gets reports whether a request is a GET, or the redirection of one.
func gets(req *http.Request) bool {
	for req.Response != nil && req.Response.Request != nil {
		req = req.Response.Request
	}
	return req.Method == http.MethodGet || req.Method == ""
}

// upgrades reports whether a request asks for another protocol than HTTP. Clients that
// would like HTTP/2 without TLS say so with every request.
func upgrades(h http.Header) bool {
	for _, v := range h.Values("Upgrade") {
		for protocol := range strings.SplitSeq(v, ",") {
			if p := strings.TrimSpace(protocol); p != "" && !strings.EqualFold(p, "h2c") {
				return true
			}
		}
	}
	return false
}

// answers reports whether an address is that of models' answers, whatever the segments
// before its end are, such as the name of a deployment.
func answers(u *url.URL) bool {
	return routeOf(u.Path) != nil || strings.HasSuffix(u.Path, "/completions") || ofReplicate(u)
}

// ofReplicate reports whether an address is where Replicate streams: its answers are files
// by their path, and asked for with GET.
func ofReplicate(u *url.URL) bool { return u.Hostname() == "stream.replicate.com" }

// apart are segments of paths under which streams live that are no model's answer.
var apart = []string{
	"files", "batches", "fine_tuning", "images", "audio", "videos", "realtime", "threads", "mcp", "sse",
}

// elsewhere reports whether a path is of something else than a model's answer: see
// apart, and what Ollama reports while it moves models about.
func elsewhere(path string) bool {
	for _, end := range [...]string{"/api/pull", "/api/push", "/api/create"} {
		if strings.HasSuffix(path, end) {
			return true
		}
	}
	for segment := range strings.SplitSeq(path, "/") {
		if slices.Contains(apart, segment) {
			return true
		}
	}
	return false
}

// asksAhead reports whether the request is known to ask for a stream before it is
// sent. Where only its body tells, and that can be read once, it is read ahead if it is
// known to be no longer than what is kept anyway, and looked at while it is sent
// otherwise. Whoever is redirected asks for what was asked for before.
func (x *exchange) asksAhead() (bool, error) {
	u := &x.up
	u.req = x.req
	asks := asksByHead(x.req)
	for was := x.req.Response; !asks && was != nil && was.Request != nil; was = was.Request.Response {
		asks = asksByHead(was.Request) || asksByBody(was.Request)
	}
	look := !asks && ask.May(x.req)
	if u.has() && x.req.GetBody == nil {
		u.shared = x.share(look, asks)
	}
	if n := x.req.ContentLength; look && u.shared != nil && n > 0 && n <= int64(x.t.cfg.MaxBody) && x.req.Header.Get("Expect") == "" {
		return u.shared.readAhead(x.req.Context(), n)
	}
	return asks || asksByBody(x.req), nil
}

// share makes the source of a body that can be read once; nil when there is no need
// for it.
func (x *exchange) share(look, asks bool) *source {
	s := &source{body: x.req.Body, left: x.req.ContentLength}
	if s.left == 0 {
		s.left = -1 // not declared
	}
	if x.t.cfg.Chain != nil || x.t.cfg.Retry.Policy != nil {
		s.limit = max(x.t.cfg.MaxBody, 0)
	}
	if look {
		s.ask = &asker{otherwise: streamsUnasked(x.req)}
	}
	if s.limit == 0 && s.ask == nil && !asks {
		return nil
	}
	return s
}

// asksByHead reports whether a request asks for a stream by its URL or its Accept.
func asksByHead(req *http.Request) bool {
	path := req.URL.Path
	for _, end := range [...]string{
		":streamGenerateContent", ":streamRawPredict", "/converse-stream", "/invoke-with-response-stream",
	} {
		if strings.HasSuffix(path, end) {
			return true
		}
	}
	if asksByQuery(req.URL) {
		return true
	}
	accept := strings.ToLower(strings.Join(req.Header.Values("Accept"), ","))
	return slices.ContainsFunc(streaming, func(s string) bool { return strings.Contains(accept, s) }) &&
		!strings.Contains(accept, "application/json")
}

// asksByQuery reports whether a URL asks for a stream by its query.
func asksByQuery(u *url.URL) bool {
	if u.RawQuery == "" {
		return false
	}
	q := u.Query()
	return q.Get("alt") == "sse" || q.Get("stream") == "true"
}

// streamsUnasked reports whether a request is answered by a stream unless its body
// says otherwise, as Ollama does.
func streamsUnasked(req *http.Request) bool {
	return strings.HasSuffix(req.URL.Path, "/api/chat") || strings.HasSuffix(req.URL.Path, "/api/generate")
}

// asksByBody reports whether a body that can be read again asks for a stream.
func asksByBody(req *http.Request) bool {
	if !ask.May(req) || req.GetBody == nil {
		return false
	}
	body, err := req.GetBody()
	if err != nil {
		return false
	}
	a := askers.Get().(*asker)
	defer askers.Put(a)
	*a = asker{otherwise: streamsUnasked(req)}
	_, _ = io.Copy(a, body)
	_ = body.Close()
	return a.asks()
}

var askers = sync.Pool{New: func() any { return new(asker) }}

// streaming are the content types of streams.
var streaming = []string{
	"text/event-stream", "application/x-ndjson", "application/ndjson", "application/stream+json",
	"application/vnd.amazon.eventstream",
}

// streams reports whether a response to a request that did not ask for a stream is one
// all the same, and can be read.
func (x *exchange) streams(resp *http.Response) bool {
	if resp.StatusCode/100 != 2 || resp.Body == nil || resp.Body == http.NoBody || resp.ContentLength == 0 {
		return false
	}
	return slices.Contains(streaming, ask.Media(resp.Header)) && !foreignEncoding(encoding(resp))
}

// noText reports whether what has that content type is no text at all, such as speech.
func noText(media string) bool {
	kind, _, _ := strings.Cut(media, "/")
	return kind == "audio" || kind == "image" || kind == "video"
}
