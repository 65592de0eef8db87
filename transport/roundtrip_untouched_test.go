package transport_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/transport"
)

const sse = "text/event-stream"

// Which exchanges are watched: the answer breaks off, and only the chain tells. What
// is not watched is read as it is.
func TestRoundTripWatches(t *testing.T) {
	for _, row := range []struct {
		name                 string
		method, path, accept string
		upgrade              string
		request              string // its content type, JSON when empty
		body                 string
		answer               string // its content type
		watched              bool
	}{
		{name: "a stream that was asked for", body: asking, answer: sse, watched: true},
		{name: "asked for, with a wrong type", body: asking, answer: "application/json", watched: true},
		{name: "asked for, with a page's type", body: asking, answer: "text/html", watched: true},
		{name: "asked for at the end", body: `{"a":[{"stream":false},"\"stream\":"],"s":{"stream":1} , "stream" : true }`, answer: "text/plain", watched: true},
		{name: "asked for, without a content type", request: " ", body: asking, answer: "text/plain", watched: true},
		{name: "asked for with a type of its own", request: "application/vnd.api+json", body: asking, answer: "text/plain", watched: true},
		{name: "HTTP/2 without TLS is offered", upgrade: "h2c", body: asking, answer: "text/plain", watched: true},
		{name: "a deployment named as something else", path: "/openai/deployments/audio/chat/completions", body: asking, answer: sse, watched: true},
		{name: "asked for in what fetch calls a text", request: "text/plain;charset=UTF-8", body: asking, answer: "text/plain", watched: true},
		{name: "asked for in what curl calls a form", request: "application/x-www-form-urlencoded", body: asking, answer: "text/plain", watched: true},
		{name: "asked for by Accept", accept: sse, body: `{}`, answer: "text/plain", watched: true},
		{name: "asked for by the query", method: "GET", path: "/x?alt=sse", answer: "application/json", watched: true},
		{name: "asked for by the path", path: "/v1beta/models/m:streamGenerateContent", body: `{}`, answer: "application/json", watched: true},
		{name: "Ollama, which streams unasked", path: "/api/chat", body: `{"model":"m"}`, answer: "text/plain", watched: true},
		{name: "SSE that was not asked for", body: `{}`, answer: sse + "; charset=utf-8", watched: true},
		{name: "NDJSON that was not asked for", body: `{}`, answer: "application/x-ndjson", watched: true},
		{name: "a GET", method: "GET", path: "/v1/responses/r?stream=true", answer: sse, watched: true},

		{name: "an answer in one piece", body: `{"stream":false}`, answer: "application/json"},
		{name: "nothing said", body: `{"model":"m"}`, answer: "application/json"},
		{name: "a string that says true", body: `{"stream":"true"}`, answer: "application/json"},
		{name: "further in", body: `{"a":{"stream":true}}`, answer: "application/json"},
		{name: "a list", body: `[{"stream":true}]`, answer: "application/json"},
		{name: "in a text", body: `{"a":"\",\"stream\":true"}`, answer: "application/json"},
		{name: "no JSON", request: "application/xml", body: asking, answer: "application/json"},
		{name: "an upgrade", upgrade: "websocket", body: asking, answer: sse},
		{name: "a form", request: "application/x-www-form-urlencoded", body: "stream=true", answer: "application/json"},
		{name: "no body", method: "GET", path: "/v1/models", answer: "application/json"},
		{name: "Ollama, told not to", path: "/api/chat", body: `{"stream":false}`, answer: "text/plain"},
		{name: "Accept of either", accept: "application/json, " + sse, body: `{}`, answer: "application/json"},
		{name: "a model that is fetched", path: "/api/pull", body: asking, answer: "application/x-ndjson"},
		{name: "speech", path: "/v1/audio/speech", body: asking, answer: sse},
		{name: "speech elsewhere", path: "/v1/say", body: asking, answer: "audio/mpeg"},
		{name: "a form", request: "multipart/form-data; boundary=x", body: asking, answer: sse},
		{name: "MCP", path: "/mcp", accept: sse, body: `{}`, answer: sse},
	} {
		for kind, wrap := range map[string]func(string) io.Reader{
			"":             func(s string) io.Reader { return strings.NewReader(s) },
			", no GetBody": func(s string) io.Reader { return once{strings.NewReader(s), new(atomic.Int32)} },
		} {
			t.Run(row.name+kind, func(t *testing.T) {
				var header string
				b := serve(t, false, func(x *exchange) {
					_, _ = io.Copy(io.Discard, x.Body)
					header = x.Request.Header.Get("Accept-Encoding")
					body(200, hel, "Content-Type", row.answer, "Content-Length", fmt.Sprint(len(hel)))(x)
				})
				if row.path == "" {
					row.path = "/"
				}
				var sent io.Reader
				if row.body != "" {
					sent = wrap(row.body)
				}
				if row.method == "" {
					row.method = http.MethodPost
				}
				req, err := http.NewRequestWithContext(t.Context(), row.method, b.URL+row.path, sent)
				require.NoError(t, err)
				if row.request == "" {
					row.request = "application/json"
				}
				req.Header.Set("Content-Type", strings.TrimSpace(row.request))
				if row.accept != "" {
					req.Header.Set("Accept", row.accept)
				}
				if row.upgrade != "" {
					req.Header.Set("Connection", "Upgrade")
					req.Header.Set("Upgrade", row.upgrade)
				}
				resp, err := b.wrap(transport.WrapConfig{}).Do(req)
				require.NoError(t, err)
				got, err := b.readAll(resp.Body)
				require.Equal(t, row.watched, err != nil, "%v", err)
				if row.watched {
					var e *endwell.Error
					require.ErrorAs(t, err, &e)
				} else {
					require.EqualValues(t, len(hel), resp.ContentLength)
				}
				if row.watched && row.path != "/" {
					return // another dialect may read it
				}
				require.Equal(t, hel, got)
				require.Empty(t, header)
			})
		}
	}
}

// Exchanges that are not streams pass byte for byte, header and all.
func TestRoundTripUntouched(t *testing.T) {
	for name, handler := range map[string]func(*exchange){
		"a document":  body(200, `{"a":1}`, "Content-Type", "application/json"),
		"gzip":        body(200, zipped("hello"), "Content-Type", "application/json", "Content-Encoding", "gzip"),
		"refused":     body(401, `{"error":{}}`, "Content-Type", "application/json", "Www-Authenticate", "x"),
		"a page":      body(502, "<html></html>"),
		"204":         func(x *exchange) { x.WriteHeader(204) },
		"304":         func(x *exchange) { x.ResponseWriter.Header().Set("Etag", `"x"`); x.WriteHeader(304) },
		"nothing":     body(200, "", "Content-Type", sse, "Content-Length", "0"),
		"undecodable": body(200, "\x01\x02", "Content-Type", sse, "Content-Encoding", "br"),
	} {
		overBoth(t, func(t *testing.T, h2 bool) {
			t.Run(name, func(t *testing.T) {
				b := serve(t, h2, handler)
				var dumps [2]string
				for i, client := range []*http.Client{b.client, b.wrap(transport.WrapConfig{})} {
					resp, err := b.ask(t.Context(), client, strings.NewReader(`{"stream":false}`), "X", "1")
					require.NoError(t, err)
					resp.Header.Del("Date")
					got, err := b.readAll(resp.Body)
					require.NoError(t, err)
					dumps[i] = fmt.Sprint(resp.Status, resp.Header, resp.ContentLength, resp.Uncompressed, got)
				}
				require.Equal(t, dumps[0], dumps[1])
			})
		})
	}
}

// A refused call that asked for a stream is handed over as it came.
func TestRoundTripRefusedIntact(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	for name, handler := range map[string]func(*exchange){
		"a document":  body(429, `{"error":{"code":"rate_limit_exceeded"}}`, "Content-Type", "application/json", "Retry-After", "7"),
		"gzip":        body(400, zipped(`{"error":{}}`), "Content-Encoding", "gzip"),
		"long":        body(500, long),
		"length":      body(500, "abc", "Content-Length", "3"),
		"nothing":     body(413, ""),
		"as a stream": body(500, hel, "Content-Type", sse),
		"slow":        func(x *exchange) { x.WriteHeader(500); bytewise("a body that comes bit by bit")(x) },
		"304":         func(x *exchange) { x.WriteHeader(304) },
	} {
		for which, cfg := range map[string]transport.WrapConfig{"no gate": {}, "gate": gated(2)} {
			overBoth(t, func(t *testing.T, h2 bool) {
				t.Run(name+", "+which, func(t *testing.T) {
					b := serve(t, h2, handler)
					var dumps [2]string
					for i, client := range []*http.Client{b.client, b.wrap(cfg)} {
						resp, err := b.ask(t.Context(), client, strings.NewReader(asking))
						require.NoError(t, err)
						resp.Header.Del("Date")
						got, err := b.readAll(resp.Body)
						require.NoError(t, err)
						dumps[i] = fmt.Sprint(resp.Status, resp.Header, resp.ContentLength, resp.Uncompressed, got)
					}
					require.Equal(t, dumps[0], dumps[1])
				})
			})
		}
	}
}

// A refusal whose body does not come is handed over all the same, after a bound, and
// loses nothing.
func TestRoundTripRefusedSlowly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		body, server := io.Pipe()
		base := roundTrip(func(*http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: 500, Header: http.Header{}, Body: body}, nil
		})
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://host.invalid/", strings.NewReader(asking))
		require.NoError(t, err)
		go func() { _, _ = io.WriteString(server, "a") }()
		start := time.Now()
		resp, err := transport.Wrap(base, transport.WrapConfig{}).RoundTrip(req)
		require.NoError(t, err)
		require.Equal(t, 5*time.Second, time.Since(start))
		require.Equal(t, 500, resp.StatusCode)
		go func() { _, _ = io.WriteString(server, "b"); _ = server.Close() }()
		got, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		require.Equal(t, "ab", string(got))
		require.NoError(t, resp.Body.Close())
	})
}

func TestRoundTripRedirects(t *testing.T) {
	b, calls := inTurn(t, false, func(x *exchange) {
		http.Redirect(x.ResponseWriter, x.Request, "/v1/chat/completions", http.StatusTemporaryRedirect)
	}, body(200, hel))
	_, got, err := b.stream(t, b.wrap(gated(2)))
	require.Equal(t, "truncated malformed_response", verdict(err))
	require.Equal(t, hel, got)
	require.Equal(t, []string{asking, asking}, calls())
}

func TestRoundTripExpect(t *testing.T) {
	b, calls := inTurn(t, false, whole)
	b.client.Transport.(*http.Transport).ExpectContinueTimeout = patience
	for _, sent := range []io.Reader{strings.NewReader(asking), readOnce(asking)} {
		resp, err := b.ask(t.Context(), b.wrap(transport.WrapConfig{}), sent, "Expect", "100-continue")
		require.NoError(t, err)
		got, err := b.readAll(resp.Body)
		require.NoError(t, err)
		require.Equal(t, answer, got)
	}
	require.Equal(t, []string{asking, asking}, calls())
}

// HEAD has no body, and an upgrade's body is a connection.
func TestRoundTripHeadAndUpgrade(t *testing.T) {
	b := serve(t, false, func(x *exchange) {
		if x.Method == http.MethodHead {
			body(200, "", "Content-Type", sse, "Content-Length", "7")(x)
			return
		}
		x.ResponseWriter.Header().Set("Connection", "Upgrade")
		x.ResponseWriter.Header().Set("Upgrade", "echo")
		x.WriteHeader(http.StatusSwitchingProtocols)
		// What the server had read ahead of the hijack is in the buffer.
		c, buffered, err := http.NewResponseController(x.ResponseWriter).Hijack()
		if err != nil {
			panic(err)
		}
		_, _ = io.Copy(c, buffered)
		_ = c.Close()
	})
	client := b.wrap(transport.WrapConfig{})
	resp, err := client.Head(b.URL)
	require.NoError(t, err)
	require.EqualValues(t, 7, resp.ContentLength)

	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, b.URL, http.NoBody)
	require.NoError(t, err)
	req.Header.Set("Connection", "Upgrade")
	req.Header.Set("Upgrade", "echo")
	resp, err = client.Do(req)
	require.NoError(t, err)
	conn, ok := resp.Body.(io.ReadWriteCloser)
	require.True(t, ok)
	_, err = io.WriteString(conn, "hello\n")
	require.NoError(t, err)
	line, err := bufio.NewReader(conn).ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, "hello\n", line)
	require.NoError(t, conn.Close())
}

func TestRoundTripMatch(t *testing.T) {
	b := serve(t, false, body(200, hel, "Content-Type", sse))
	cfg := transport.WrapConfig{Match: func(r *http.Request) bool { return r.Header.Get("X-Watch") != "" }}
	for _, watched := range []string{"", "1"} {
		resp, err := b.ask(t.Context(), b.wrap(cfg), strings.NewReader(asking), "X-Watch", watched)
		require.NoError(t, err)
		_, err = b.readAll(resp.Body)
		require.Equal(t, watched != "", err != nil)
	}
}

// A request for a stream allows no encoding that cannot be read.
func TestRoundTripNarrowsTheEncoding(t *testing.T) {
	for _, row := range []struct{ body, sent, want string }{
		{asking, "gzip, deflate, br", "gzip"},
		{asking, "br;q=1.0, zstd", "identity"},
		{asking, "gzip;q=0.5, identity", "gzip;q=0.5, identity"},
		{`{}`, "gzip, br", "gzip, br"},
	} {
		got := ""
		b := serve(t, false, func(x *exchange) { got = x.Request.Header.Get("Accept-Encoding"); whole(x) })
		resp, err := b.ask(t.Context(), b.wrap(transport.WrapConfig{}), strings.NewReader(row.body), "Accept-Encoding", row.sent)
		require.NoError(t, err)
		_, err = b.readAll(resp.Body)
		require.NoError(t, err)
		require.Equal(t, row.want, got)
		b.client.CloseIdleConnections()
		b.Close()
	}
}
