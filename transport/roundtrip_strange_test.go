package transport_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/transport"
)

// What is healthy and no model's answer passes, asked for or not, and is sent once;
// what is a model's answer, or reports a fault, is judged all the same.
func TestRoundTripStrangeBodies(t *testing.T) {
	data := func(docs ...string) string { return "data: " + strings.Join(docs, "\n\ndata: ") + "\n\n" }
	for _, row := range []struct {
		name, path, kind string
		status           int
		body, verdict    string
	}{
		{"a prediction that was made", "/v1/predictions", "application/json", 201, `{"id":"p","status":"starting","urls":{"stream":"https://host.invalid/s"}}`, "whole"},
		{"an answer that is not ready", "/v1/chat/completions", "application/json", 202, `{"requestId":"r","status":"pending-evaluation"}`, "whole"},
		{"embeddings", "/v1/embeddings", "application/json", 200, `{"object":"list","data":[{"embedding":[1,2]}]}`, "whole"},
		{"a count of tokens", "/v1/messages/count_tokens", "application/json", 200, `{"input_tokens":3}`, "whole"},
		{"a list of models", "/v1/models", "application/json", 200, `{"object":"list","data":[]}`, "whole"},
		{"a stream of some other server", "/generate", sse, 200, data(`{"token":{"text":"a"},"n":1}`, `{"token":{"text":"b"},"n":2}`), "whole"},
		{"events of a graph", "/runs/stream", sse, 200, "event: metadata\n" + data(`{"run_id":"1"}`) + "event: values\n" + data(`{"messages":[]}`), "whole"},
		{"messages of a protocol", "/rpc", sse, 200, "event: message\n" + data(`{"jsonrpc":"2.0","id":1,"result":{}}`), "whole"},
		{"rows", "/rows", "application/x-ndjson", 200, "{\"row\":1}\n{\"row\":2}\n", "whole"},
		{"the legacy text completions of Anthropic", "/v1/complete", sse, 200, "event: completion\n" + data(`{"type":"completion","completion":" Hel","stop_reason":null}`) + "event: ping\n" + data(`{"type":"ping"}`) + "event: completion\n" + data(`{"type":"completion","completion":"","stop_reason":"stop_sequence"}`), "whole"},
		{"parts of a user interface, and a sentinel", "/api/chat", sse, 200, data(`{"type":"start"}`, `{"type":"text-delta","id":"1","delta":"a"}`, `{"type":"finish"}`, "[DONE]"), "whole"},
		{"text, and a sentinel", "/ask", sse, 200, data("Hello", " you", "[DONE]"), "whole"},
		{"text alone", "/ask", sse, 200, data("Hello", " you"), "whole"},
		{"values of a chain", "/chain/stream", sse, 200, "event: data\n" + data(`"a"`) + "event: data\n" + data(`1`) + "event: end\n\n", "whole"},
		{"numbers", "/ask", sse, 200, data("1", "2"), "whole"},
		{"events of another service", "/agents/a/text", "application/vnd.amazon.eventstream", 200, "\x00\x00\x00\x10 whatever", "whole"},

		{"an error in place of the answer", "/v1/chat/completions", "application/json", 200, `{"error":{"message":"x","type":"server_error"}}`, "faulted server_error"},
		{"an error in a strange stream", "/generate", sse, 200, data(`{"token":{"text":"a"}}`, `{"error":{"message":"x"}}`), "faulted server_error"},
		{"half a document", "/v1/embeddings", "application/json", 200, `{"object":"list","data":[{"emb`, "truncated malformed_response"},
		{"a chat answer that was cut before its first word", "/x", sse, 200, data(`{"choices":[{"index":0,"delta":{"role":"assistant"}}]}`), "truncated malformed_response"},
		{"a chat answer that was cut", "/x", sse, 200, hel, "truncated malformed_response"},
		{"a strange frame before a cut chat answer", "/x", sse, 200, data(`{"warming":true}`) + hel, "truncated malformed_response"},
		{"text, and then a chat answer", "/x", sse, 200, data("Hello") + answer, "malformed malformed_response"},
		{"text that says it is an error", "/ask", sse, 200, data("Hello", "[ERROR] out of memory"), "faulted server_error"},
		{"half an object in other text", "/ask", sse, 200, data("Hello", `{"a":`), "malformed malformed_response"},
		{"a sentinel alone", "/x", sse, 200, data("[DONE]"), "empty malformed_response"},
		{"pings alone", "/x", sse, 200, data(`{"type":"ping"}`, `{"type":"ping"}`), "truncated malformed_response"},
		{"another document in place of a chat answer", "/v1/chat/completions", "application/json", 200, `{"message":"no Route matched"}`, "truncated malformed_response"},
		{"an empty document in place of a chat answer", "/v1/chat/completions", "application/json", 200, `{}`, "truncated malformed_response"},
		{"another document in place of a message", "/v1/messages", "application/json", 200, `{"msg":"insufficient balance"}`, "truncated malformed_response"},
		{"other frames in place of a chat answer", "/v1/chat/completions", sse, 200, data(`{"foo":"bar"}`, `{"foo":"baz"}`), "truncated malformed_response"},
		{"other text in place of a chat answer", "/v1/chat/completions", sse, 200, data("Hello"), "malformed malformed_response"},
		{"keep-alives alone", "/x", sse, 200, ": ping\n\n", "empty malformed_response"},
		{"nothing", "/x", sse, 200, "", "empty malformed_response"},
	} {
		for name, cfg := range map[string]transport.WrapConfig{"plain": {}, "with a gate": gated(3)} {
			t.Run(row.name+", "+name, func(t *testing.T) {
				cfg.Dialect = nil
				sent := 0
				base := roundTrip(func(req *http.Request) (*http.Response, error) {
					sent++
					_ = req.Body.Close()
					resp := respond(io.NopCloser(strings.NewReader(row.body)), "Content-Type", row.kind)
					resp.StatusCode, resp.Request = row.status, req
					return resp, nil
				})
				req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://host.invalid"+row.path, strings.NewReader(asking))
				require.NoError(t, err)
				resp, err := transport.Wrap(base, cfg).RoundTrip(req)
				got := ""
				if err == nil {
					var b []byte
					b, err = io.ReadAll(resp.Body)
					got = string(b)
					_ = resp.Body.Close()
				}
				require.Equal(t, row.verdict, verdict(err))
				if row.verdict == "whole" {
					require.Equal(t, row.body, got)
					require.Equal(t, 1, sent)
				}
			})
		}
	}
}

// What no model has written is handed over as it comes, although it may tell nothing for
// as long as it lasts.
func TestRoundTripHoldsNothingStrangeBack(t *testing.T) {
	for name, row := range map[string]struct{ kind, event string }{
		"events":              {sse, "data: {\"row\":1}\n\n"},
		"events and comments": {sse, "data: {\"row\":1}\n\n: more to come\n\n"},
		"text":                {sse, "data: one\n\n"},
		"rows":                {"application/x-ndjson", "{\"row\":1}\n"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				body, w := io.Pipe()
				base := roundTrip(func(req *http.Request) (*http.Response, error) {
					return respond(body, "Content-Type", row.kind), nil
				})
				req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://host.invalid/rows", strings.NewReader(asking))
				require.NoError(t, err)
				resp, err := transport.Wrap(base, transport.WrapConfig{}).RoundTrip(req)
				require.NoError(t, err)
				got := make([]byte, len(row.event))
				for range 40 {
					go func() { _, _ = io.WriteString(w, row.event) }()
					_, err := io.ReadFull(resp.Body, got)
					require.NoError(t, err)
					require.Equal(t, row.event, string(got))
				}
				require.NoError(t, w.Close())
				rest, err := io.ReadAll(resp.Body)
				require.NoError(t, err)
				require.Empty(t, rest)
			})
		})
	}
}

// A GET is for something else than a model's answer, unless its URL says so.
func TestRoundTripOfGET(t *testing.T) {
	for url, want := range map[string]string{
		"/events":                          "whole",
		"/v1/responses/resp_1?stream=true": "truncated malformed_response",
		"/v1/chat/completions":             "truncated malformed_response",
	} {
		base := roundTrip(func(req *http.Request) (*http.Response, error) {
			return respond(io.NopCloser(strings.NewReader(hel))), nil
		})
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://host.invalid"+url, nil)
		require.NoError(t, err)
		req.Header.Set("Accept", sse)
		resp, err := transport.Wrap(base, transport.WrapConfig{}).RoundTrip(req)
		require.NoError(t, err)
		got, err := io.ReadAll(resp.Body)
		require.Equal(t, hel, string(got))
		require.Equal(t, want, verdict(err), url)
	}
}

// The Timeout of an http.Client is the caller's own deadline, however it is told.
func TestRoundTripClientTimeoutIsTheCallers(t *testing.T) {
	hanging := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // else the server does not see the client go
		if r.URL.Path == "/late" {
			w.Header().Set("Content-Type", sse)
			_, _ = io.WriteString(w, hel)
			w.(http.Flusher).Flush()
		}
		<-r.Context().Done()
	}))
	defer hanging.Close()
	for _, path := range []string{"/never", "/late"} {
		client := &http.Client{Transport: transport.Wrap(nil, transport.WrapConfig{}), Timeout: 25 * time.Millisecond}
		for range 40 {
			ctx, ending := transport.WithEnding(t.Context())
			req, err := http.NewRequestWithContext(ctx, http.MethodPost, hanging.URL+path, strings.NewReader(asking))
			require.NoError(t, err)
			resp, err := client.Do(req)
			if err == nil {
				_, err = io.Copy(io.Discard, resp.Body)
				_ = resp.Body.Close()
			}
			var e *endwell.Error
			require.NotErrorAs(t, err, &e)
			require.ErrorIs(t, err, context.DeadlineExceeded)
			require.ErrorIs(t, ending.Err(), context.DeadlineExceeded)
		}
	}
}

// Whatever a header is named, a key in it is none of the error's words.
func TestRoundTripHidesKeysOfAnyHeader(t *testing.T) {
	const key = "pk9f8a7b6c5d4e3f2a1b0c"
	for _, name := range []string{"X-Portkey-Api-Key", "Helicone-Auth", "Cf-Aig-Authorization", "X-My-Token"} {
		base := roundTrip(func(*http.Request) (*http.Response, error) {
			return respond(io.NopCloser(strings.NewReader(`data: {"error":{"message":"bad","code":"` + key + `","type":"` + key + `"}}` + "\n\n"))), nil
		})
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://host.invalid/v1/chat/completions", strings.NewReader(asking))
		require.NoError(t, err)
		req.Header.Set(name, "Bearer "+key)
		resp, err := transport.Wrap(base, transport.WrapConfig{}).RoundTrip(req)
		require.NoError(t, err)
		_, err = io.ReadAll(resp.Body)
		var e *endwell.Error
		require.ErrorAs(t, err, &e, name)
		require.NotContains(t, e.Error()+e.Message()+e.Code+e.Type, key[:8], name)
	}
}
