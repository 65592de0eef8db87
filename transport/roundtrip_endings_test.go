package transport_test

import (
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/dialects"
	"github.com/endwell-go/endwell/middleware"
	"github.com/endwell-go/endwell/retry"
	"github.com/endwell-go/endwell/transport"
)

// gated is a config whose gate is there, and retries nothing but what comes to a
// second attempt.
func gated(attempts int) transport.WrapConfig {
	return transport.WrapConfig{Dialect: openai, Retry: middleware.RetryConfig{
		Policy: retry.Always(&retry.Policy{MaxAttempts: attempts, MaxWait: 1, NewBackOff: atOnce}),
	}}
}

// Every way in which a server may end an answer, as whoever reads the body sees it.
func TestRoundTripEndings(t *testing.T) {
	for _, row := range endings {
		for _, h2 := range []bool{false, true} {
			if row.over == onlyHTTP1 && h2 || row.over == onlyHTTP2 && !h2 || row.name == "an error body without end" {
				continue
			}
			for name, cfg := range map[string]transport.WrapConfig{"": {Dialect: openai}, ", held": gated(2)} {
				t.Run(row.name+" HTTP/2 "+strconv.FormatBool(h2)+name, func(t *testing.T) {
					b := serve(t, h2, row.handler)
					// Or a second attempt meets a connection that its server is closing.
					b.client.Transport.(*http.Transport).DisableKeepAlives = !h2
					resp, got, err := b.stream(t, b.wrap(cfg))
					if resp == nil {
						require.Equal(t, endwell.Unreachable, row.fault)
						if row.name != "redirected in circles" {
							require.Equal(t, "unreachable network", verdict(err))
						}
						return
					}
					switch {
					case row.name == "an error body that breaks off":
						require.ErrorIs(t, err, io.ErrUnexpectedEOF)
					case row.name == "204", row.fault == endwell.Refused:
						require.NoError(t, err)
					case row.fault == 0:
						require.NoError(t, err)
						require.Equal(t, row.said, text(got))
					default:
						require.Equal(t, row.said, text(got))
						require.Equal(t, row.fault.String()+" "+row.category.String(), verdict(err))
						require.NotErrorIs(t, err, io.EOF)
					}
				})
			}
		}
	}
}

const halfCall = `data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c","function":{"name":"f","arguments":"{\"a"}}]},"finish_reason":"tool_calls"}]}` + "\n\n"

const unary = `{"object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"hi"},"finish_reason":"stop"}]}` + "\n"

const errorFrame = `data: {"error":{"code":"server_error","message":"m"}}` + "\n\n"

// What is read is what the server sent, up to the fault.
func TestRoundTripBytes(t *testing.T) {
	crlf := strings.ReplaceAll(": hi\n\n"+answer, "\n", "\r\n")
	crlfHel := strings.ReplaceAll(hel, "\n", "\r\n")
	bare := strings.TrimSuffix(strings.TrimPrefix(lo, "data: "), "\n")
	cr := strings.ReplaceAll(answer, "\n", "\r")
	for _, row := range []struct {
		name, sent, want, verdict string
	}{
		{"whole", answer, answer, "whole"},
		{"comments and ids", ": a\n\nid: 1\nretry: 5\n\n" + answer, ": a\n\nid: 1\nretry: 5\n\n" + answer, "whole"},
		{"a byte order mark", "\ufeff" + answer, "\ufeff" + answer, "whole"},
		{"CRLF", crlf, crlf, "whole"},
		{"CR", cr, cr, "whole"},
		{"an unknown field between events", hel + "foo: bar\n" + lo + stop + done, hel + "foo: bar\n" + lo + stop + done, "whole"},
		{"an unknown field before the sentinel", hel + lo + stop + "foo: bar\n" + done, hel + lo + stop + "foo: bar\n" + done, "whole"},
		{"text before the first event", "WARNING foo bar\n" + answer, "WARNING foo bar\n" + answer, "whole"},
		{"blanks before the first event", "\n\n  \n" + answer, "\n\n  \n" + answer, "whole"},
		{"a comment without its blank line between events", hel + ": hi\n" + lo + stop + done, hel + ": hi\n" + lo + stop + done, "whole"},
		{"frames behind the sentinel", answer + ": bye\n\ndata: [DONE]\n\n", answer + ": bye\n\ndata: [DONE]\n\n", "whole"},
		{"the sentinel without its blank line", answer[:len(answer)-1], answer, "whole"},
		{"the sentinel without any line end", answer[:len(answer)-2], answer, "whole"},
		{"the finish without its blank line", hel + stop[:len(stop)-1], hel + stop, "whole"},
		{"CRLF without its blank line", crlf[:len(crlf)-2], crlf, "whole"},
		{"CRLF without any line end", crlf[:len(crlf)-4], crlf, "whole"},
		{"CR without its blank line", cr[:len(cr)-1], cr[:len(cr)-1] + "\n\n", "whole"},

		{"a document in one piece", unary, unary, "whole"},
		{"blanks before a whole answer without its blank line", "\n" + answer[:len(answer)-1], "\n" + answer, "whole"},
		{"blanks before half a pair", "\r\n\r\n" + crlfHel + "\r\n", "\r\n\r\n" + crlfHel + "\r\n\r\n", "truncated malformed_response"},
		{"the first event cut behind its name", "event: x\ndata:", "", "empty malformed_response"},

		{"cut between frames", hel + lo, hel + lo, "truncated malformed_response"},
		{"cut before a blank line", hel + lo[:len(lo)-1], hel + lo, "truncated malformed_response"},
		{"CRLF, cut before a blank line", crlfHel[:len(crlfHel)-2], crlfHel, "truncated malformed_response"},
		{"half a pair of CRLF", crlfHel + "\r\n", crlfHel + "\r\n\r\n", "truncated malformed_response"},
		{"half a CRLF", crlfHel[:len(crlfHel)-1], crlfHel, "truncated malformed_response"},
		{"a half and half a CRLF", crlfHel + "\r\n\r", crlfHel + "\r\n\r\n", "truncated malformed_response"},
		{"three halves of a pair of CRLF", crlfHel + "\r\n\r\n\r", crlfHel + "\r\n\r\n\r\n\r\n", "truncated malformed_response"},
		{"half a pair of blank lines", hel + "\n\n\n", hel + "\n\n\n\n", "truncated malformed_response"},
		{"a document on a line, and its blank line", hel + bare + "\n", hel + bare + "\n", "truncated malformed_response"},
		{"pairs of blank lines", hel + "\n\n\n\n", hel + "\n\n\n\n", "truncated malformed_response"},
		{"half a pair of blank lines behind a whole answer", answer + "\n", answer + "\n", "whole"},
		{"cut inside a frame", hel + lo[:20], hel, "truncated malformed_response"},
		{"cut inside an unknown field", hel + "foo: ba", hel, "truncated malformed_response"},
		{"an unknown field, and cut", hel + "foo: bar\n", hel, "truncated malformed_response"},
		{"an error frame", hel + errorFrame + lo, hel, "faulted server_error"},
		{"an error frame before anything else", errorFrame, "", "faulted server_error"},
		{"an error document", `{"error":{"code":"server_error"}}`, "", "faulted server_error"},
		{"a frame that is no JSON", hel + "data: {nonsense\n\n" + lo, hel, "malformed malformed_response"},
		{"a page", "<html>busy</html>", "", "malformed malformed_response"},
		{"nothing but comments", ": a\n\n: b\n\n", ": a\n\n: b\n\n", "empty malformed_response"},
		{"nothing", "", "", "empty malformed_response"},
		{"a sentinel and nothing else", done, "", "empty malformed_response"},
		{"an answer that says nothing", stop + done, stop, "empty malformed_response"},
		{"a tool call without its end", hel + halfCall + done, hel + halfCall, "truncated malformed_response"},
	} {
		for how, handler := range map[string]func(*exchange){
			"in one piece": body(200, row.sent, "Content-Type", "text/event-stream"),
			"bytewise":     bytewise(row.sent, "Content-Type", "text/event-stream"),
			"gzip":         bytewise(zipped(row.sent), "Content-Type", "text/event-stream", "Content-Encoding", "gzip"),
			"as JSON":      body(200, row.sent, "Content-Type", "application/json"),
			"as text":      body(200, row.sent, "Content-Type", "text/plain"),
			"with length":  body(200, row.sent, "Content-Type", "text/event-stream", "Content-Length", strconv.Itoa(len(row.sent))),
		} {
			for which, cfg := range map[string]transport.WrapConfig{"named": {Dialect: openai}, "detected": {}} {
				t.Run(row.name+", "+how+", "+which, func(t *testing.T) {
					b := serve(t, false, handler)
					resp, got, err := b.stream(t, b.wrap(cfg))
					require.NotNil(t, resp, err)
					require.Equal(t, row.verdict, verdict(err))
					if which == "detected" && row.verdict != "whole" && got == "" {
						return // what does not tell its dialect before the fault is not delivered
					}
					require.Equal(t, row.want, got)
				})
			}
		}
	}
}

// Lines that are not those of SSE are handed over as they are, whatever is behind them.
func TestRoundTripBytesOfOtherFramings(t *testing.T) {
	const part = `{"candidates":[{"content":{"parts":[{"text":"hel"}]},"index":0}],"modelVersion":"m"}`
	const last = `{"candidates":[{"content":{"parts":[{"text":"lo"}]},"finishReason":"STOP","index":0}],"modelVersion":"m"}`
	const line = `{"model":"m","created_at":"2026-01-01T00:00:00Z","message":{"role":"assistant","content":"hel"},"done":false}` + "\n"
	const end = `{"model":"m","created_at":"2026-01-01T00:00:01Z","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop"}`
	for _, row := range []struct{ name, dialect, kind, sent, verdict string }{
		{"a list", "gemini", "application/json", "[" + part + "\n,\r\n" + last + "\n]", "whole"},
		{"a list that is cut", "gemini", "application/json", "[" + part, "truncated malformed_response"},
		{"lines", "ollama", "application/x-ndjson", line + end, "whole"},
		{"a line of text behind lines", "ollama", "application/x-ndjson", line + line + "oops\n", "truncated malformed_response"},
	} {
		for _, split := range []func(io.Reader) io.Reader{func(r io.Reader) io.Reader { return r }, iotest.OneByteReader} {
			base := roundTrip(func(*http.Request) (*http.Response, error) {
				return respond(io.NopCloser(split(strings.NewReader(row.sent))), "Content-Type", row.kind), nil
			})
			cfg := transport.WrapConfig{Dialect: dialects.MustByName(row.dialect)}
			resp, err := transport.Wrap(base, cfg).RoundTrip(asks(t.Context(), "http://host.invalid/x"))
			require.NoError(t, err)
			got, err := io.ReadAll(resp.Body)
			require.Equal(t, row.verdict, verdict(err), row.name)
			require.True(t, strings.HasPrefix(string(got), row.sent) && (err != nil || len(got) == len(row.sent)), "%s: %q", row.name, got)
		}
	}
}

// What ends the last event is told however its bytes came.
func TestRoundTripMissing(t *testing.T) {
	for _, row := range []struct {
		parts []string
		fault bool
		want  string
	}{
		{[]string{"data: x"}, true, "\n\n"},
		{[]string{"data: x\n"}, true, "\n"},
		{[]string{"data: x\n\n"}, true, ""},
		{[]string{"data: x\n\n", "\n"}, true, "\n"},
		{[]string{"data: x\n\n", "\n"}, false, ""},
		{[]string{"data: x\n\n", "\n", "\n"}, true, ""},
		{[]string{"data: x\r\n"}, true, "\r\n"},
		{[]string{"data: x\r"}, true, "\n\n"},
		{[]string{"a\r\nb\r"}, true, "\n\r\n"},
		{[]string{"\r", "\ndata: x\r\n\r\n", "\r\n"}, true, "\r\n"},
		{[]string{"\r", "\ndata: x"}, true, "\r\n\r\n"},
		{[]string{"data: x\r\n\r", "\n\r", "\n"}, true, "\r\n"},
		{[]string{"data: x\r\r", "\r"}, true, ""},
		{[]string{"\r"}, true, ""},
		{nil, true, ""},
	} {
		parts := make([][]byte, len(row.parts))
		for i, p := range row.parts {
			parts[i] = []byte(p)
		}
		require.Equal(t, row.want, transport.Missing(row.fault, parts...), "%q", row.parts)
	}
}

// bytewise sends each byte by itself, but the last ones at once: those behind the
// sentinel are not waited for.
func bytewise(s string, header ...string) func(*exchange) {
	return func(x *exchange) {
		body(200, "", header...)(x)
		last := max(len(s)-24, 0)
		for _, c := range []byte(s[:last]) {
			x.send(string([]byte{c}))
		}
		x.send(s[last:])
	}
}

func TestRoundTripHeader(t *testing.T) {
	for _, row := range []struct {
		name     string
		header   []string
		sent     string
		unpacked bool
	}{
		{"plain", []string{"Content-Length", strconv.Itoa(len(answer))}, answer, false},
		{"gzip", []string{"Content-Encoding", "gzip"}, zipped(answer), true},
		{"gzip, undeclared", nil, zipped(answer), false},
		{"deflate", []string{"Content-Encoding", "deflate"}, deflated(answer), true},
	} {
		t.Run(row.name, func(t *testing.T) {
			b := serve(t, false, body(200, row.sent, append(row.header, "X-Request-Id", "r1", "Content-Type", "text/event-stream")...))
			resp, got, err := b.stream(t, b.wrap(transport.WrapConfig{}))
			require.NoError(t, err)
			require.Equal(t, answer, got)
			require.Equal(t, "r1", resp.Header.Get("X-Request-Id"))
			require.Empty(t, resp.Header.Get("Content-Encoding"))
			require.Empty(t, resp.Header.Get("Content-Length"))
			require.EqualValues(t, -1, resp.ContentLength)
			require.Equal(t, row.unpacked, resp.Uncompressed)
			require.Equal(t, "/v1/chat/completions", resp.Request.URL.Path)
			require.Equal(t, t.Context().Value(0), resp.Request.Context().Value(0))
		})
	}
}

// A transport that asks for gzip by itself decodes it by itself.
func TestRoundTripOverTransparentGzip(t *testing.T) {
	b := serve(t, false, body(200, zipped(answer), "Content-Encoding", "gzip", "Content-Type", "text/event-stream"))
	b.client.Transport.(*http.Transport).DisableCompression = false
	resp, got, err := b.stream(t, b.wrap(transport.WrapConfig{}))
	require.NoError(t, err)
	require.Equal(t, answer, got)
	require.True(t, resp.Uncompressed)
}

func TestRoundTripTrailer(t *testing.T) {
	overBoth(t, func(t *testing.T, h2 bool) {
		b := serve(t, h2, func(x *exchange) {
			x.ResponseWriter.Header().Set("Trailer", "X-Cost")
			_, _ = io.WriteString(x.ResponseWriter, answer)
			x.ResponseWriter.Header().Set("X-Cost", "3")
		})
		resp, got, err := b.stream(t, b.wrap(transport.WrapConfig{}))
		require.NoError(t, err)
		require.Equal(t, answer, got)
		require.Equal(t, "3", resp.Trailer.Get("X-Cost"))
	})
}

// An ending stays, and a body that was closed says so.
func TestRoundTripEndingIsSticky(t *testing.T) {
	for name, sent := range map[string]string{"whole": answer, "cut": hel} {
		t.Run(name, func(t *testing.T) {
			b := serve(t, false, body(200, sent))
			resp, err := b.ask(t.Context(), b.wrap(transport.WrapConfig{}), strings.NewReader(asking))
			require.NoError(t, err)
			_, first := io.Copy(io.Discard, resp.Body)
			if first == nil {
				first = io.EOF
			}
			for range 2 {
				n, again := resp.Body.Read(make([]byte, 8))
				require.Zero(t, n)
				require.True(t, again == first, "%v", again)
				require.NoError(t, resp.Body.Close())
			}
		})
	}
	t.Run("closed", func(t *testing.T) {
		b := serve(t, false, body(200, answer))
		resp, err := b.ask(t.Context(), b.wrap(transport.WrapConfig{}), strings.NewReader(asking))
		require.NoError(t, err)
		_, err = resp.Body.Read(make([]byte, 8))
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		for range 2 {
			_, err = resp.Body.Read(make([]byte, 8))
			require.True(t, err == endwell.ErrClosed, "%v", err)
		}
	})
}
