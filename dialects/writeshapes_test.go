package dialects_test

import (
	"encoding/json"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/dialects"
)

// limited is the error of the shapes below.
func limited() *endwell.Error {
	return &endwell.Error{
		Fault: endwell.Faulted, Category: endwell.RateLimited, Transient: true, RetryAfter: 2500 * time.Millisecond,
		Provider: "house", Model: "small", RequestID: "req_0f8e",
	}
}

// shapes is what each system writes of it. TEXT stands for its message, as JSON.
var shapes = map[string]struct{ body, frame string }{
	"openai": {
		body:  `{"error":{"message":TEXT,"type":"rate_limit_error","param":null,"code":"rate_limit_exceeded"}}`,
		frame: `data: {"error":{"message":TEXT,"type":"rate_limit_error","param":null,"code":"rate_limit_exceeded","status_code":429}}` + "\n\n",
	},
	"groq": {
		body: `{"error":{"message":TEXT,"type":"rate_limit_error","param":null,"code":"rate_limit_exceeded"}}`,
		frame: `event: error` + "\n" +
			`data: {"error":{"message":TEXT,"type":"rate_limit_error","param":null,"code":"rate_limit_exceeded","status_code":429}}` + "\n\n",
	},
	"mistral": {
		body:  `{"object":"error","message":TEXT,"type":"rate_limit_error","param":null,"code":"rate_limit_exceeded"}`,
		frame: `data: {"error":{"message":TEXT,"type":"rate_limit_error","param":null,"code":"rate_limit_exceeded","status_code":429}}` + "\n\n",
	},
	"openrouter": {
		body:  `{"error":{"code":429,"message":TEXT,"metadata":{"error_type":"rate_limit_exceeded","headers":{"Retry-After":"3"}}}}`,
		frame: `data: {"id":"","object":"chat.completion.chunk","created":0,"model":"small","error":{"code":429,"message":TEXT,"metadata":{"error_type":"rate_limit_exceeded","headers":{"Retry-After":"3"}}},"choices":[{"index":0,"delta":{"content":""},"finish_reason":"error"}]}` + "\n\n",
	},
	"perplexity": {
		body: `{"error":{"code":429,"message":TEXT,"type":"rate_limit_exceeded"}}`,
		frame: `event: error` + "\n" +
			`data: {"error":{"code":429,"message":TEXT,"type":"rate_limit_exceeded"}}` + "\n\n",
	},
	"cerebras": {
		body:  `{"message":TEXT,"type":"rate_limit_error","param":null,"code":"rate_limit_exceeded"}`,
		frame: `data: {"error":{"message":TEXT,"type":"rate_limit_error","param":null,"code":"rate_limit_exceeded"},"status_code":429}` + "\n\n",
	},
	"dashscope": {
		body:  `{"error":{"message":TEXT,"type":"rate_limit_error","param":null,"code":"rate_limit_exceeded"},"request_id":"req_0f8e"}`,
		frame: `data: {"error":{"message":TEXT,"type":"rate_limit_error","param":null,"code":"rate_limit_exceeded","status_code":429},"request_id":"req_0f8e"}` + "\n\n",
	},
	"moonshot": {
		body:  `{"error":{"message":TEXT,"type":"rate_limit_reached_error"}}`,
		frame: `data: {"error":{"message":TEXT,"type":"rate_limit_reached_error","status_code":429}}` + "\n\n",
	},
	"zai": {
		body:  `{"error":{"code":"1302","message":TEXT}}`,
		frame: `data: {"error":{"code":"1302","message":TEXT}}` + "\n\n",
	},
	"minimax": {
		body:  `{"error":{"message":TEXT,"type":"rate_limit_error","param":null,"code":"rate_limit_exceeded","status_code":429},"base_resp":{"status_code":1002,"status_msg":TEXT}}`,
		frame: `data: {"error":{"message":TEXT,"type":"rate_limit_error","param":null,"code":"rate_limit_exceeded","status_code":429},"base_resp":{"status_code":1002,"status_msg":TEXT}}` + "\n\n",
	},
	"nim": {
		body:  `{"type":"urn:nvcf-worker-service:problem-details:rate-limit-exceeded","title":"Too Many Requests","status":429,"detail":TEXT}`,
		frame: `data: {"error":{"message":TEXT,"type":"RateLimitError","param":null,"code":429}}` + "\n\n",
	},
	"workersai": {
		body:  `{"result":null,"success":false,"errors":[{"code":429,"message":TEXT}],"messages":[]}`,
		frame: `data: {"error":{"message":TEXT,"type":"rate_limit_error","param":null,"code":"rate_limit_exceeded","status_code":429}}` + "\n\n",
	},
	"vllm": {
		body:  `{"error":{"message":TEXT,"type":"RateLimitError","param":null,"code":429}}`,
		frame: `data: {"error":{"message":TEXT,"type":"RateLimitError","param":null,"code":429}}` + "\n\n",
	},
	"llamacpp": {
		body:  `{"error":{"code":429,"message":TEXT,"type":"rate_limit_exceeded"}}`,
		frame: `data: {"error":{"code":429,"message":TEXT,"type":"rate_limit_exceeded"}}` + "\n\n",
	},
	"litellm": {
		body:  `{"error":{"message":TEXT,"type":"rate_limit_exceeded","param":"None","code":"429"}}`,
		frame: `data: {"error":{"message":TEXT,"type":"rate_limit_exceeded","param":"None","code":"429"}}` + "\n\n",
	},
	"watsonx": {
		body: `{"errors":[{"code":"rate_limit_exceeded","message":TEXT}],"status_code":429,"trace":"req_0f8e"}`,
		frame: `event: error` + "\n" +
			`data: {"errors":[{"code":"rate_limit_exceeded","message":TEXT}],"status_code":429,"trace":"req_0f8e"}` + "\n\n",
	},
	"responses": {
		body: `{"error":{"message":TEXT,"type":"rate_limit_error","param":null,"code":"rate_limit_exceeded"}}`,
		frame: `event: error` + "\n" +
			`data: {"type":"error","sequence_number":0,"code":"rate_limit_exceeded","message":TEXT,"param":null,"error":{"message":TEXT,"type":"rate_limit_error","param":null,"code":"rate_limit_exceeded","status_code":429,"headers":{"retry-after-ms":"2500"}}}` + "\n\n" +
			`event: response.failed` + "\n" +
			`data: {"type":"response.failed","sequence_number":1,"response":{"id":"","object":"response","created_at":0,"status":"failed","model":"small","error":{"code":"rate_limit_exceeded","message":TEXT},"output":[]}}` + "\n\n",
	},
	"anthropic": {
		body: `{"type":"error","error":{"details":{"error_code":"rate_limit_exceeded"},"type":"rate_limit_error","message":TEXT},"request_id":"req_0f8e"}`,
		frame: `event: error` + "\n" +
			`data: {"type":"error","error":{"details":{"error_code":"rate_limit_exceeded"},"type":"rate_limit_error","message":TEXT,"status_code":429},"request_id":"req_0f8e"}` + "\n\n",
	},
	"gemini": {
		body: `{"error":{"code":429,"message":TEXT,"status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"RATE_LIMIT_EXCEEDED"},{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"2.5s"}]}}`,
		frame: `{"error":{"code":429,"message":TEXT,"status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"RATE_LIMIT_EXCEEDED"},{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"2.5s"}]}}` + "\n\n" +
			`data: {"error":{"code":429,"message":TEXT,"status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"RATE_LIMIT_EXCEEDED"},{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"2.5s"}]}}` + "\n\n",
	},
	"interactions": {
		body: `{"error":{"code":"rate_limit_exceeded","message":TEXT}}`,
		frame: `event: error` + "\n" +
			`data: {"event_type":"error","error":{"code":"rate_limit_exceeded","message":TEXT,"status_code":429}}` + "\n\n",
	},
	"cohere": {
		body: `{"message":TEXT,"code":"rate_limit_exceeded"}`,
		frame: `event: message-end` + "\n" +
			`data: {"type":"message-end","delta":{"finish_reason":"ERROR","error":TEXT},"code":"rate_limit_exceeded","status_code":429}` + "\n\n",
	},
	"cohere-v1": {
		body:  `{"message":TEXT,"code":"rate_limit_exceeded"}`,
		frame: `{"is_finished":true,"event_type":"stream-end","finish_reason":"ERROR","response":{"text":"","finish_reason":"ERROR"},"message":TEXT,"code":"rate_limit_exceeded","status_code":429}` + "\n",
	},
	"ollama": {
		body:  `{"error":TEXT,"code":"rate_limit_exceeded"}`,
		frame: `{"error":TEXT,"code":"rate_limit_exceeded","StatusCode":429,"Status":"429 Too Many Requests"}` + "\n",
	},
	"replicate": {
		body: `{"title":"Too Many Requests","detail":TEXT,"status":429,"code":"rate_limit_exceeded"}`,
		frame: `event: error` + "\n" +
			`data: {"title":"Too Many Requests","detail":TEXT,"status":429,"code":"rate_limit_exceeded"}` + "\n\n",
	},
}

func TestErrorShapes(t *testing.T) {
	text, err := json.Marshal(limited().Message())
	require.NoError(t, err)
	fill := func(s string) string { return strings.ReplaceAll(s, "TEXT", string(text)) }
	everyDialect(t, func(t *testing.T, d *dialects.Dialect) {
		if d.Family() == dialects.FamilyConverse || d.Family() == dialects.FamilyInvoke {
			return // in messages, see TestErrorMessages
		}
		want, ok := shapes[d.Name()]
		switch {
		case d.Name() == "sglang":
			want = shapes["vllm"]
		case !ok:
			require.Equal(t, dialects.FamilyChat, d.Family())
			want = shapes["openai"]
		}
		contentType, body := d.ErrorBody(limited())
		require.Equal(t, "application/json", contentType)
		require.Equal(t, fill(want.body), string(body))
		require.Equal(t, fill(want.frame), string(d.ErrorFrame(limited())))
	})
}

// Bedrock has exceptions of its own for some errors, and messages of type error for the
// others.
func TestErrorMessages(t *testing.T) {
	for _, name := range []string{"bedrock-converse", "bedrock-invoke"} {
		d := dialects.MustByName(name)
		for c, want := range map[endwell.Category]string{
			endwell.RateLimited:    ":exception-type\a\x00\x13throttlingException",
			endwell.ContextTooLong: ":exception-type\a\x00\x13validationException",
			endwell.ServerError:    ":exception-type\a\x00\x17internalServerException",
			endwell.AuthInvalid:    ":error-code\a\x00\x1bUnrecognizedClientException",
			endwell.Timeout:        ":error-code\a\x00\x15ModelTimeoutException",
		} {
			e := &endwell.Error{Fault: endwell.Broken, Category: c}
			frame := string(d.ErrorFrame(e))
			require.Contains(t, frame, want, c)
			require.Contains(t, frame, e.Message(), c)
		}
		w := httptest.NewRecorder()
		d.WriteError(w, limited())
		require.Equal(t, "ThrottlingException", w.Header().Get("X-Amzn-Errortype"))
		require.Equal(t, "req_0f8e", w.Header().Get("X-Amzn-Requestid"))
		text, _ := json.Marshal(limited().Message())
		require.Equal(t, `{"__type":"ThrottlingException","message":`+string(text)+`,"code":"rate_limit_exceeded"}`, w.Body.String())
	}
}

// No table lacks a category that is added one day.
func TestErrorWordsAreComplete(t *testing.T) {
	for name, words := range dialects.ErrorWords() {
		for _, c := range append(endwell.Categories(), dialects.CannotServe) {
			require.NotEmpty(t, words[c], "%s %s", name, c)
		}
		require.Len(t, words, len(endwell.Categories())+1, name)
	}
}

func TestWriteErrorHeaders(t *testing.T) {
	for _, row := range []struct {
		name, dialect string
		e             *endwell.Error
		want          map[string]string
	}{
		{"OpenAI", "openai", limited(), map[string]string{
			"Retry-After": "3", "Retry-After-Ms": "2500", "X-Request-Id": "req_0f8e",
		}},
		{"Anthropic", "anthropic", limited(), map[string]string{
			"Retry-After": "3", "Retry-After-Ms": "2500", "Request-Id": "req_0f8e",
		}},
		{"Gemini", "gemini", limited(), map[string]string{"Retry-After": "3", "X-Request-Id": "req_0f8e"}},
		{"a server that cannot", "openai", &endwell.Error{Category: endwell.ServerError}, map[string]string{
			"X-Should-Retry": "false",
		}},
		{"a bad request that may pass later", "openai", &endwell.Error{Category: endwell.RequestInvalid, Transient: true}, map[string]string{
			"X-Should-Retry": "true",
		}},
		{"nothing is known", "openai", nil, map[string]string{"X-Should-Retry": "false"}},
		{"a category that does not exist", "openai", &endwell.Error{Category: 200}, map[string]string{"X-Should-Retry": "false"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			w := httptest.NewRecorder()
			for _, stale := range []string{"Content-Encoding", "Etag", "Last-Modified", "Content-Length"} {
				w.Header().Set(stale, "7")
			}
			dialects.MustByName(row.dialect).WriteError(w, row.e)
			row.want["Content-Type"] = "application/json"
			row.want["Content-Length"] = strconv.Itoa(w.Body.Len())
			got := map[string]string{}
			for name := range w.Header() {
				got[name] = w.Header().Get(name)
			}
			require.Equal(t, row.want, got)
		})
	}
}

// Nothing of an error gets out but what may be rendered.
func TestErrorsThatAreWrittenLeakNothing(t *testing.T) {
	const secret, key = "wombatfold", "sk-test-not-a-real-key"
	hostile := &endwell.Error{
		Fault: endwell.Faulted, Category: endwell.Overloaded, Transient: true,
		Code: secret + " " + key, Type: key, RequestID: key, Provider: "https://example.com/?key=" + key,
	}
	full := hostile.WithOriginal(&endwell.Evidence{
		Message: secret, Body: []byte(secret), Code: secret, Type: secret, RequestID: secret, Header: map[string][]string{"X": {secret}},
	})
	everyDialect(t, func(t *testing.T, d *dialects.Dialect) {
		w := httptest.NewRecorder()
		d.WriteError(w, full)
		all := string(d.ErrorFrame(full)) + w.Body.String()
		for name, values := range w.Header() {
			all += name + strings.Join(values, "")
		}
		require.NotContains(t, all, secret)
		require.NotContains(t, all, key)
	})
}

// Names break neither a line nor a document.
func TestErrorFramesOfHostileNames(t *testing.T) {
	for name, hostile := range map[string]string{
		"a second event": "m\n\ndata: [DONE]\n\n", "quotes": `"}]}`, "not UTF-8": "\xff\xfe", "a NUL": "a\x00b",
		"megabytes": strings.Repeat("a", 4<<20), "a line separator": "a\u2028b",
	} {
		e := &endwell.Error{Fault: endwell.Truncated, Category: endwell.MalformedResponse, Transient: true, Model: hostile, Provider: hostile}
		everyDialect(t, func(t *testing.T, d *dialects.Dialect) {
			frame := string(d.ErrorFrame(e))
			require.Less(t, len(frame), 8<<10, name)
			require.NotContains(t, frame, "[DONE]\n", name)
			_, got := ending(t, decoding(d, begun[d.Family()]+frame))
			require.Equal(t, endwell.Faulted, got.Fault, name)
			require.Equal(t, endwell.MalformedResponse, got.Category, name)
		})
	}
}
