package endwelltest_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
	. "github.com/endwell-go/endwell/endwelltest"
	"github.com/endwell-go/endwell/transport"
)

// post posts to a path of a gateway and returns the status, the content type and the
// body.
func post(t *testing.T, g *Gateway, path, body string) (int, string, string) {
	t.Helper()
	resp, err := g.Client().Post(g.URL+path, "application/json", strings.NewReader(body))
	require.NoError(t, err)
	defer func() { _ = resp.Body.Close() }()
	b, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return resp.StatusCode, resp.Header.Get("Content-Type"), string(b)
}

func TestNamed(t *testing.T) {
	quiet(t)
	g := NewGateway(Named(NamedConfig{}))
	defer g.Close()
	const streamed = `{"stream": true}`
	for _, tc := range []struct {
		path, body string
		status     int
		typ        string
		says       []string
	}{
		{"/v1/chat/completions", streamed, 200, "text/event-stream", []string{`"All's"`, "[DONE]"}},
		{"/whole/chat/completions", streamed, 200, "text/event-stream", []string{"[DONE]"}},
		{"/whole/v1/chat/completions", "{}", 200, "application/json", []string{`"chat.completion"`, "All's well that ends well."}},
		{"/whole/v1/chat/completions", "", 200, "application/json", []string{"All's well that ends well."}},
		{"/whole/v1/messages", streamed, 200, "text/event-stream", []string{"message_stop"}},
		{"/whole/v1/responses", streamed, 200, "text/event-stream", []string{"response.completed"}},
		{"/whole/v1/completions", streamed, 200, "text/event-stream", []string{"text_completion"}},
		{"/whole/v1beta/models/m:streamGenerateContent?alt=sse", "{}", 200, "text/event-stream", []string{"data: {", "STOP"}},
		{"/whole/v1beta/models/m:streamGenerateContent", "{}", 200, "application/json", []string{"[{", "]\n"}},
		{"/whole/v1beta/models/m:generateContent", "{}", 200, "application/json", []string{"All's well that ends well."}},
		{"/whole/api/chat", "{}", 200, "application/x-ndjson", []string{`"done":true`}},
		{"/whole/api/chat", `{"stream":false}`, 200, "application/json", []string{"All's well that ends well."}},
		{"/whole/v2/chat", streamed, 200, "text/event-stream", []string{"message-end"}},
		{"/whole/v1/chat", streamed, 200, "application/stream+json", []string{"stream-end"}},
		{"/whole/model/m/converse-stream", "{}", 200, "application/vnd.amazon.eventstream", []string{"messageStop"}},
		{"/whole/model/m/converse", "{}", 200, "application/json", []string{"All's well that ends well."}},
		{"/after=1/whole/v1/chat/completions", "{}", 200, "application/json", []string{`"content":"All's"`}},
		{"/after=7/whole/v1/chat/completions", "{}", 200, "application/json", []string{`"All's well that ends well.All's well"`}},
		{"/after=2/every=1ms/v1/chat/completions", "{}", 200, "application/json", []string{`"content":"All's well"`}},
		{"/refused-429/v1/messages", streamed, 429, "application/json", []string{"rate_limit_error"}},
		{"/refused-429/v1/messages", "{}", 429, "application/json", []string{"rate_limit_error"}},
		{"/error-frame/v1/messages", "{}", 500, "application/json", []string{"api_error"}},
		{"/html/api/chat", "{}", 200, "text/html", []string{"Sign in"}},
		{"/cut/v1/chat/completions", "{}", 200, "application/json", []string{`{"id":"chatcmpl`}},

		{"/staled/v1/chat/completions", streamed, 404, "text/plain", []string{`no ending "staled"`}},
		{"/", "", 404, "text/plain", []string{`no ending ""`}},
		{"/stalled/v1/mesages", streamed, 404, "text/plain", []string{"no wire", "/v1/mesages"}},
		{"/after=0/cut/v1/messages", streamed, 404, "text/plain", []string{"after=N"}},
		{"/after=99999999999999999999/cut/v1/messages", streamed, 404, "text/plain", []string{"after=N"}},
		{"/every=fast/cut/v1/messages", streamed, 404, "text/plain", []string{"every=D"}},
		{"/every=-1s/cut/v1/messages", streamed, 404, "text/plain", []string{"every=D"}},
		{"/before=1/cut/v1/messages", streamed, 404, "text/plain", []string{`no setting "before"`}},
	} {
		t.Run(tc.path, func(t *testing.T) {
			status, typ, said := post(t, g, tc.path, tc.body)
			require.Equal(t, tc.status, status)
			require.Contains(t, typ, tc.typ)
			for _, s := range tc.says {
				require.Contains(t, said, s)
			}
		})
	}
}

func TestNamedOtherwise(t *testing.T) {
	quiet(t)
	g := NewGateway(Named(NamedConfig{
		Otherwise: func(_ *http.Request, w Wire) Step { return w.Refuse(402, "no_money", "") },
		Wire: func(r *http.Request) (Wire, bool, bool) {
			if w, stream, ok := WireOf(r); ok {
				return w, stream, true
			}
			return Anthropic, true, true
		},
	}))
	defer g.Close()
	status, _, said := post(t, g, "/v1/anything", "{}")
	require.Equal(t, 402, status)
	require.Contains(t, said, "no_money")
	_, _, said = post(t, g, "/whole/v1/anything", "{}")
	require.Contains(t, said, "message_stop")
}

// TestUnreadByPath looks at the path and not at the request's body.
func TestUnreadByPath(t *testing.T) {
	quiet(t)
	g := NewGateway(Named(NamedConfig{}))
	defer g.Close()
	pr, pw := io.Pipe() // a body that does not end
	done := make(chan error, 1)
	go func() {
		_, err := g.Client().Post(g.URL+"/unread/v1/messages", "application/json", pr)
		done <- err
	}()
	_, err := pw.Write([]byte("{"))
	require.NoError(t, err)
	require.Eventually(t, func() bool { return g.Count() == 1 }, 2*time.Minute, time.Millisecond)
	g.Close()
	_ = pw.Close() // the client waits for it
	require.Error(t, <-done)
}

// TestUnaryAnswers reads whole answers in one piece with the dialects.
func TestUnaryAnswers(t *testing.T) {
	for _, w := range Wires() {
		t.Run(w.String(), func(t *testing.T) {
			quiet(t)
			g := NewGateway(w.Unary("hel", "lo"))
			defer g.Close()
			said, err := call(t, g, w, "")
			require.NoError(t, err)
			require.Equal(t, "hello", said)
		})
	}
}

// TestUsageIsSentWhenAsked follows stream_options.
func TestUsageIsSentWhenAsked(t *testing.T) {
	quiet(t)
	for _, w := range []Wire{OpenAI, Completions} {
		g := NewGateway(w.Answer("hello"))
		defer g.Close()
		for payload, want := range map[string]endwell.Usage{
			`{"stream":true}`: {},
			`{"stream":true,"stream_options":{"include_usage":true}}`: {Input: 3, Output: 5, Total: 8},
		} {
			s, err := transport.New(transport.Config{URL: g.URL, Client: g.Client()}).Open(t.Context(), &endwell.Request{Payload: payload})
			require.NoError(t, err)
			tr, err := endwell.Collect(s)
			require.NoError(t, err)
			require.Equal(t, want, tr.Usage)
		}
	}
}
