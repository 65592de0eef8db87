package transport_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/dialects"
	"github.com/endwell-go/endwell/transport"
)

const (
	message = `event: message_start
data: {"type":"message_start","message":{"id":"m","type":"message","role":"assistant","content":[],"model":"m","stop_reason":null,"usage":{"input_tokens":1,"output_tokens":1}}}

event: content_block_start
data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"hello"}}

event: content_block_stop
data: {"type":"content_block_stop","index":0}

event: message_delta
data: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":2}}

event: message_stop
data: {"type":"message_stop"}

`
	response = `event: response.created
data: {"type":"response.created","sequence_number":0,"response":{"id":"r","object":"response","status":"in_progress","output":[]}}

event: response.output_text.delta
data: {"type":"response.output_text.delta","sequence_number":1,"item_id":"i","output_index":0,"content_index":0,"delta":"hello"}

event: response.completed
data: {"type":"response.completed","sequence_number":2,"response":{"id":"r","object":"response","status":"completed","output":[{"type":"message","content":[{"type":"output_text","text":"hello"}]}]}}

`
)

// A host has more than one wire, and a gateway may have every one of them on any path: the
// bytes tell where host, path and the dialect that was named do not agree. None of that
// makes a fault of a whole answer, or a whole answer of one that was cut.
func TestRoundTripWiresOfAHost(t *testing.T) {
	hosts := []string{
		"api.openai.com", "api.anthropic.com", "generativelanguage.googleapis.com", "us-central1-aiplatform.googleapis.com",
		"api.cohere.ai", "bedrock-runtime.us-west-2.amazonaws.com", "openrouter.ai", "api.replicate.com", "host.invalid",
	}
	named := []string{"", "openai", "compatible", "anthropic", "responses", "gemini", "ollama"}
	for _, row := range []struct{ path, sent, not string }{
		{"/v1/chat/completions", answer, ""},
		{"/v1beta/openai/chat/completions", answer, ""},
		{"/chats/1/messages", answer, "anthropic"},
		{"/forms/1/responses", answer, "responses"},
		{"/v1/messages", message, ""},
		{"/bots/1/messages", message, ""},
		{"/v1/responses", response, ""},
		{"/openai/responses", response, ""},
	} {
		for _, host := range hosts {
			for _, name := range named {
				if row.not != "" && (name == row.not || strings.Contains(host, row.not)) {
					continue // nothing contradicts the path
				}
				cfg := transport.WrapConfig{}
				cfg.Dialect, _ = dialects.ByName(name)
				where := host + row.path + " " + name
				got, err := readFrom(t, cfg, host+row.path, row.sent)
				require.NoError(t, err, where)
				require.Equal(t, row.sent, got, where)
				word := strings.Index(row.sent, "hel")
				cut := row.sent[:word+strings.Index(row.sent[word:], "\n\n")+2]
				got, err = readFrom(t, cfg, host+row.path, cut)
				require.Equal(t, "truncated malformed_response", verdict(err), where)
				require.Equal(t, cut, got, where)
			}
		}
	}
}

// Whoever has named the wrong dialect learns of it, and does not look for a login page.
func TestRoundTripSaysWhatWasNamedWrongly(t *testing.T) {
	cfg := transport.WrapConfig{Dialect: dialects.MustByName("anthropic")}
	_, err := readFrom(t, cfg, "host.invalid/ask", answer)
	var e *endwell.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, "malformed malformed_response", verdict(err))
	require.Equal(t, "The model did not finish its answer: the provider sent an answer in the dialect compatible, and it was read as anthropic. "+
		"Neither the provider nor the request is at fault: the program should name the dialect compatible, or none.", e.Message())
	require.Equal(t, "compatible", e.Params()["looks"])
	require.Equal(t, "anthropic", e.Params()["dialect"])
	require.EqualError(t, e.Unredacted(), "endwell: evidence: not_a_stream, looks like compatible")
	_, err = readFrom(t, cfg, "host.invalid/ask", "<html>busy</html>")
	require.ErrorAs(t, err, &e)
	require.Contains(t, e.Message(), "such as a web page")
	require.NotContains(t, e.Params(), "looks")
}

// readFrom reads an answer through the guard.
func readFrom(t *testing.T, cfg transport.WrapConfig, address, sent string) (string, error) {
	t.Helper()
	base := roundTrip(func(req *http.Request) (*http.Response, error) {
		resp := respond(io.NopCloser(strings.NewReader(sent)))
		resp.Request = req
		return resp, nil
	})
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "https://"+address, strings.NewReader(asking))
	require.NoError(t, err)
	resp, err := transport.Wrap(base, cfg).RoundTrip(req)
	require.NoError(t, err)
	got, err := io.ReadAll(resp.Body)
	require.NoError(t, resp.Body.Close())
	return string(got), err
}

// An answer of one event is whole without its blank line too, whoever was expected to have
// written it.
func TestRoundTripOfOneEventAlone(t *testing.T) {
	chat := `data: {"choices":[{"index":0,"delta":{"content":"hi"},"finish_reason":"stop"}]}`
	response := `data: {"type":"response.completed","response":{"object":"response","status":"completed","output":[{"type":"message","role":"assistant","content":[{"type":"output_text","text":"hi"}]}]}}`
	for _, row := range []struct{ url, dialect, event string }{
		{"http://host.invalid/v1/chat/completions", "anthropic", chat},
		{"http://host.invalid/v1/chat/completions", "", response},
		{"https://api.openai.com/v1/messages", "", chat},
		{"http://host.invalid/v1/responses", "openai", response},
		{"http://host.invalid/x", "", chat},
	} {
		for _, end := range []string{"", "\n", "\n\n"} {
			base := roundTrip(func(*http.Request) (*http.Response, error) {
				return respond(io.NopCloser(strings.NewReader(row.event + end))), nil
			})
			var cfg transport.WrapConfig
			if row.dialect != "" {
				cfg.Dialect = dialects.MustByName(row.dialect)
			}
			resp, err := transport.Wrap(base, cfg).RoundTrip(asks(t.Context(), row.url))
			require.NoError(t, err)
			_, err = io.ReadAll(resp.Body)
			require.Equal(t, "whole", verdict(err), "%s %s %q", row.url, row.dialect, end)
		}
	}
}

// Frames without a payload or a blank line, one after the other, are handed over all of them.
func TestRoundTripKeepsWhatMayBeTorn(t *testing.T) {
	sent := "one\nid: 1\ntwo\nid: 2\nthree\nretry: 3\n" + answer
	got, err := readFrom(t, transport.WrapConfig{}, "host.invalid/v1/chat/completions", sent)
	require.NoError(t, err)
	require.Equal(t, sent, got)
}
