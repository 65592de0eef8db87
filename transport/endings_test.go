package transport_test

import (
	"compress/gzip"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/dialects"
	"github.com/endwell-go/endwell/transport"
)

// protocols are the versions of HTTP that a row can run over.
type protocols uint8

const (
	both protocols = iota
	onlyHTTP1
	onlyHTTP2
)

// body answers with a header and a body.
func body(status int, s string, header ...string) func(*exchange) {
	return func(x *exchange) {
		for i := 0; i < len(header); i += 2 {
			x.ResponseWriter.Header().Set(header[i], header[i+1])
		}
		x.WriteHeader(status)
		x.send(s)
	}
}

// raw answers with bytes of our own making and closes the connection.
func raw(s string) func(*exchange) {
	return func(x *exchange) {
		c := x.hijacked()
		_, _ = io.WriteString(c, s)
		_ = c.Close()
	}
}

const rawHead = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"

// endings is every way in which a server may end an answer: what the provider says
// raw, and what the whole stack makes of it.
var endings = []struct {
	name     string
	over     protocols
	handler  func(*exchange)
	raw      string // "" where the two versions of HTTP differ
	said     string
	fault    endwell.Fault // 0 for whole
	category endwell.Category
}{
	{"whole", both, body(200, answer), "eof", "hello", 0, 0},
	{"whole without content type", both, body(200, answer, "Content-Type", "text/html"), "eof", "hello", 0, 0},
	{"whole and compressed by declaration only", both, body(200, answer, "Content-Encoding", "gzip"), "eof", "hello", 0, 0},
	{"whole with an encoding that is none", both, body(200, answer, "Content-Encoding", "None"), "eof", "hello", 0, 0},
	{"whole with a charset for an encoding", both, body(200, answer, "Content-Encoding", "utf-8"), "eof", "hello", 0, 0},
	{"finished without a sentinel", both, body(200, hel+lo+stop), "eof", "hello", 0, 0},
	{"201", both, body(201, answer), "eof", "hello", 0, 0},
	{"content length", both, body(200, answer, "Content-Length", strconv.Itoa(len(answer))), "eof", "hello", 0, 0},
	{"not streamed", both, body(200, `{"object":"chat.completion","choices":[{"index":0,"message":{"content":"hello"},"finish_reason":"stop"}]}`, "Content-Type", "application/json"), "eof", "hello", 0, 0},

	{"closed cleanly, too early", both, body(200, hel+lo), "eof", "hello", endwell.Truncated, endwell.MalformedResponse},
	{"closed cleanly inside a frame", both, body(200, hel+lo[:20]), "cut 0 ", "hel", endwell.Truncated, endwell.MalformedResponse},
	{"closed without a body", both, body(200, ""), "eof", "", endwell.Empty, endwell.MalformedResponse},
	{"204", both, func(x *exchange) { x.WriteHeader(204) }, "eof", "", endwell.Empty, endwell.MalformedResponse},
	{"comments only", both, body(200, ": ping\n\n: ping\n\n"), "eof", "", endwell.Empty, endwell.MalformedResponse},
	{"a finish and nothing else", both, body(200, stop+done), "eof", "", endwell.Empty, endwell.MalformedResponse},

	{"reset mid-stream", onlyHTTP1, func(x *exchange) {
		x.send(hel)
		x.await()
		c := x.hijacked()
		_ = c.SetLinger(0)
		_ = c.Close()
	}, "reset", "hel", endwell.Broken, endwell.Network},
	{"closed mid-chunked", onlyHTTP1, func(x *exchange) {
		x.send(hel)
		_ = x.hijacked().Close()
	}, "unexpected eof", "hel", endwell.Broken, endwell.Network},
	{"closed inside a transfer chunk", onlyHTTP1, raw(rawHead + "Transfer-Encoding: chunked\r\n\r\nffff\r\n" + hel), "unexpected eof", "hel", endwell.Broken, endwell.Network},
	{"chunked, ended by the book", onlyHTTP1, raw(rawHead + "Transfer-Encoding: chunked\r\n\r\n2\r\n: \r\n1\r\n\n\r\n0\r\n\r\n"), "eof", "", endwell.Empty, endwell.MalformedResponse},
	{"a broken transfer chunk", onlyHTTP1, raw(rawHead + "Transfer-Encoding: chunked\r\n\r\nxyz\r\n"), "", "", endwell.Broken, endwell.Network},
	{"shorter than its length", onlyHTTP1, raw(rawHead + "Content-Length: 999\r\n\r\n" + hel), "unexpected eof", "hel", endwell.Broken, endwell.Network},
	{"HTTP/1.0, closed cleanly", onlyHTTP1, raw(strings.Replace(rawHead, "1.1", "1.0", 1) + "\r\n" + hel), "eof", "hel", endwell.Truncated, endwell.MalformedResponse},
	{"closed before any header", onlyHTTP1, func(x *exchange) { _ = x.hijacked().Close() }, "", "", endwell.Unreachable, endwell.Network},
	{"no HTTP at all", onlyHTTP1, raw("SSH-2.0-OpenSSH\r\n\r\n"), "", "", endwell.Unreachable, endwell.Network},
	{"RST_STREAM mid-stream", onlyHTTP2, func(x *exchange) {
		x.send(hel)
		panic(http.ErrAbortHandler)
	}, "", "hel", endwell.Broken, endwell.Network},
	{"RST_STREAM before any header", onlyHTTP2, func(*exchange) { panic(http.ErrAbortHandler) }, "", "", endwell.Unreachable, endwell.Network},
	{"reset after the finish", onlyHTTP1, func(x *exchange) {
		x.send(hel + lo + stop)
		_ = x.hijacked().Close()
	}, "unexpected eof", "hello", 0, 0},

	{"a JSON error document", both, body(200, `{"error":{"type":"rate_limit_error","code":"rate_limit_exceeded","message":"m"}}`), "reported 0 rate_limit_errorrate_limit_exceeded", "", endwell.Faulted, endwell.RateLimited},
	{"an error frame mid-stream", both, body(200, hel+`data: {"error":{"code":"server_error"}}`+"\n\n"), "reported 0 server_error", "hel", endwell.Faulted, endwell.ServerError},
	{"a page", both, body(200, "<!DOCTYPE html><html>busy</html>", "Content-Type", "text/html"), "not_a_stream 0 ", "", endwell.Malformed, endwell.MalformedResponse},
	{"a frame that is no JSON", both, body(200, "data: nonsense\n\n"), "unparseable 0 ", "", endwell.Malformed, endwell.MalformedResponse},

	{"401", both, body(401, `{"error":{"code":"invalid_api_key","message":"m"}}`), "reported 401 invalid_api_key", "", endwell.Refused, endwell.AuthInvalid},
	{"429", both, body(429, `{"error":{"code":"rate_limit_exceeded"}}`, "Retry-After", "7"), "reported 429 rate_limit_exceeded", "", endwell.Refused, endwell.RateLimited},
	{"503 with a page", both, body(503, "<html>busy</html>", "Content-Type", "text/html"), "reported 503 ", "", endwell.Refused, endwell.Overloaded},
	{"500 as a stream", both, body(500, `data: {"error":{"code":"server_error"}}`+"\n\n"), "reported 500 server_error", "", endwell.Refused, endwell.ServerError},
	{"413 without a body", both, body(413, ""), "reported 413 ", "", endwell.Refused, endwell.ContextTooLong},
	{"401 compressed", both, body(401, zipped(`{"error":{"code":"invalid_api_key"}}`), "Content-Encoding", "gzip"), "reported 401 invalid_api_key", "", endwell.Refused, endwell.AuthInvalid},
	{"401 compressed, undeclared", both, body(401, zipped(`{"error":{"code":"invalid_api_key"}}`)), "reported 401 invalid_api_key", "", endwell.Refused, endwell.AuthInvalid},
	{"401 in an unknown encoding", both, body(401, "\x00\x01", "Content-Encoding", "br"), "reported 401 ", "", endwell.Refused, endwell.AuthInvalid},
	{"an error body that breaks off", onlyHTTP1, raw("HTTP/1.1 401 Unauthorized\r\nContent-Length: 999\r\n\r\n" + `data: {"error":{"code":"invalid_api_key"}}` + "\n\n"), "reported 401 invalid_api_key", "", endwell.Refused, endwell.AuthInvalid},
	{"an error body without end", both, func(x *exchange) {
		x.WriteHeader(503)
		for x.Context().Err() == nil {
			x.send(strings.Repeat("x", 4<<10))
		}
	}, "reported 503 ", "", endwell.Refused, endwell.Overloaded},
	{"301 to nowhere", both, body(301, ""), "reported 301 ", "", endwell.Refused, endwell.RequestInvalid},
	{"304", both, func(x *exchange) { x.WriteHeader(304) }, "reported 304 ", "", endwell.Refused, endwell.RequestInvalid},
	{"307 to the answer", both, redirect(307, answer), "eof", "hello", 0, 0},
	{"302 to a page", both, redirect(302, "<html>login</html>"), "not_a_stream 0 ", "", endwell.Malformed, endwell.MalformedResponse},
	{"redirected in circles", both, func(x *exchange) { http.Redirect(x.ResponseWriter, x.Request, "/", http.StatusTemporaryRedirect) }, "", "", endwell.Unreachable, endwell.Network},

	{"gzip", both, body(200, zipped(answer), "Content-Encoding", "gzip"), "eof", "hello", 0, 0},
	{"gzip by its old name", both, body(200, zipped(answer), "Content-Encoding", " X-GZIP "), "eof", "hello", 0, 0},
	{"gzip, undeclared", both, body(200, zipped(answer)), "eof", "hello", 0, 0},
	{"gzip, a member each event", both, body(200, zipped(hel)+zipped(lo)+zipped(stop+done), "Content-Encoding", "gzip"), "eof", "hello", 0, 0},
	{"gzip, bytewise", both, func(x *exchange) {
		for _, b := range []byte(zipped(answer)) {
			x.send(string([]byte{b}))
		}
	}, "eof", "hello", 0, 0},
	{"gzip, flushed at each event", both, flushed(hel, lo, stop, done), "eof", "hello", 0, 0},
	{"gzip, cut cleanly after an event", both, cutZipped(hel, lo), "cut 0 ", "hello", endwell.Truncated, endwell.MalformedResponse},
	{"gzip, cut cleanly inside its header", both, body(200, zipped(answer)[:5], "Content-Encoding", "gzip"), "cut 0 ", "", endwell.Truncated, endwell.MalformedResponse},
	{"gzip, cut after its first byte", both, body(200, "\x1f"), "cut 0 ", "", endwell.Truncated, endwell.MalformedResponse},
	{"gzip, cut cleanly after the finish", both, cutZipped(hel, lo, stop), "cut 0 ", "hello", 0, 0},
	{"gzip, broken off", onlyHTTP1, raw(rawHead + "Content-Length: 999\r\n\r\n" + zipped(answer)[:60]), "unexpected eof", "", endwell.Broken, endwell.Network},
	{"gzip, no header", both, body(200, "\x1fnonsense and more", "Content-Encoding", "gzip"), "unparseable 0 ", "", endwell.Malformed, endwell.MalformedResponse},
	{"gzip, corrupt", both, body(200, zipped("")[:10]+"\xff\xff\xff\xff\xff\xff\xff\xff"), "unparseable 0 ", "", endwell.Malformed, endwell.MalformedResponse},
	{"gzip, wrong checksum", both, body(200, zipped(hel)[:len(zipped(hel))-8]+"12345678"), "unparseable 0 ", "hel", endwell.Malformed, endwell.MalformedResponse},
	{"gzip, wrong checksum after the sentinel", both, body(200, zipped(answer)[:len(zipped(answer))-8]+"12345678"), "unparseable 0 ", "hello", 0, 0},
	{"deflate", both, body(200, deflated(answer), "Content-Encoding", "deflate"), "eof", "hello", 0, 0},
	{"deflate, no header", both, body(200, "nonsense", "Content-Encoding", "deflate"), "unparseable 0 ", "", endwell.Malformed, endwell.MalformedResponse},
	{"deflate, a dictionary that nobody has", both, body(200, "\x78\xbb\x00\x00\x00\x02more", "Content-Encoding", "deflate"), "unparseable 0 ", "", endwell.Malformed, endwell.MalformedResponse},
	{"deflate, wrong checksum", both, body(200, deflated(hel)[:len(deflated(hel))-4]+"1234", "Content-Encoding", "deflate"), "unparseable 0 ", "hel", endwell.Malformed, endwell.MalformedResponse},
	{"brotli, which nobody asked for", both, body(200, "\x0b\x02\x80", "Content-Encoding", "br"), "not_a_stream 0 ", "", endwell.Malformed, endwell.MalformedResponse},
}

// redirect sends a call on to /there, which answers s.
func redirect(status int, s string) func(*exchange) {
	return func(x *exchange) {
		if x.URL.Path != "/there" {
			http.Redirect(x.ResponseWriter, x.Request, "/there", status)
			return
		}
		x.send(s)
	}
}

// flushed compresses events as they come. After the first one it waits until the
// client has got it.
func flushed(events ...string) func(*exchange) {
	return func(x *exchange) {
		zip := pour(x, events...)
		_ = zip.Close()
	}
}

// cutZipped is flushed without the end of the compressed body.
func cutZipped(events ...string) func(*exchange) {
	return func(x *exchange) { pour(x, events...) }
}

func pour(x *exchange, events ...string) *gzip.Writer {
	x.ResponseWriter.Header().Set("Content-Encoding", "gzip")
	zip := gzip.NewWriter(x.ResponseWriter)
	for _, e := range events {
		_, _ = io.WriteString(zip, e)
		_ = zip.Flush()
		x.send("")
		x.await()
	}
	return zip
}

func TestEndings(t *testing.T) {
	for _, row := range endings {
		for _, h2 := range []bool{false, true} {
			if row.over == onlyHTTP1 && h2 || row.over == onlyHTTP2 && !h2 {
				continue
			}
			name := row.name + " over HTTP/1.1"
			if h2 {
				name = row.name + " over HTTP/2"
			}
			t.Run(name+", raw", func(t *testing.T) {
				said, err := serve(t, h2, row.handler).run(t, transport.Config{Dialect: openai}, false)
				require.Equal(t, row.said, said)
				if row.raw != "" {
					require.Equal(t, row.raw, describe(err))
				}
			})
			t.Run(name+", standard", func(t *testing.T) {
				requireEnding(t, serve(t, h2, row.handler), row.said, row.fault, row.category)
			})
		}
	}
}

// requireEnding checks what the whole stack says of a call.
func requireEnding(t *testing.T, b *bench, wantSaid string, fault endwell.Fault, category endwell.Category) {
	t.Helper()
	said, err := b.run(t, transport.Config{Dialect: openai}, true)
	require.Equal(t, wantSaid, said)
	if fault == 0 {
		require.True(t, err == io.EOF, "%v", err)
		return
	}
	var e *endwell.Error
	require.True(t, errors.As(err, &e), "%v", err)
	require.Equal(t, fault.String()+" "+category.String(), e.Fault.String()+" "+e.Category.String(), "%v", e.Unredacted())
	require.Equal(t, "small", e.Model)
	require.False(t, e.Retryable && said != "", "re-sent after an emission")
	require.NotErrorIs(t, err, io.EOF)
	require.NotContains(t, err.Error(), b.URL)
}

// Without DisableCompression net/http asks for gzip and decodes it itself.
func TestCompressionThatTheClientAskedFor(t *testing.T) {
	b := serve(t, false, flushed(hel, lo, stop, done))
	b.client.Transport.(*http.Transport).DisableCompression = false
	requireEnding(t, b, "hello", 0, 0)
}

func TestRefusalIsEvidence(t *testing.T) {
	b := serve(t, false, body(429, `{"error":{"message":"slow down"}}`, "Retry-After", "7", "X-Request-Id", "req_1"))
	_, err := b.run(t, transport.Config{Dialect: dialects.MustByName("groq")}, false)
	var ev *endwell.Evidence
	require.True(t, errors.As(err, &ev))
	require.False(t, ev.InBand)
	require.Equal(t, "groq", ev.Dialect)
	require.Equal(t, "slow down", ev.Message)
	require.Equal(t, "7", http.Header(ev.Header).Get("Retry-After"))
	require.Equal(t, `{"error":{"message":"slow down"}}`, string(ev.Body))

	_, err = b.run(t, transport.Config{}, false)
	require.True(t, errors.As(err, &ev))
	require.Equal(t, "compatible", ev.Dialect, "nothing tells the dialect of a refusal")
}

func TestRefusalIsReadWithinABound(t *testing.T) {
	b := serve(t, false, body(500, strings.Repeat("x", 1<<20)))
	_, err := b.run(t, transport.Config{Dialect: openai}, false)
	var ev *endwell.Evidence
	require.True(t, errors.As(err, &ev))
	require.Len(t, ev.Body, 32<<10)
}
