package dialects_test

import (
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/dialects"
)

// tailOf is the tail of a body that was sent in pieces of n bytes.
func tailOf(contentType, body string, n int) *dialects.Tail {
	t := &dialects.Tail{ContentType: contentType}
	for len(body) > n {
		_, _ = io.WriteString(t, body[:n])
		body = body[n:]
	}
	_, _ = io.WriteString(t, body)
	return t
}

// What stands before the frame, and after it, by how the body ends.
func TestErrorFrameAfter(t *testing.T) {
	const (
		sse, ndjson, plain = "text/event-stream", "application/x-ndjson", "application/json"
		event, line        = `data: {"a":1}`, `{"message":{}}`
	)
	for _, row := range []struct {
		name, dialect, contentType, body string
		before, frame, after             string // frame is the dialect's own if it is empty
	}{
		{name: "nothing sent", dialect: "openai"},
		{name: "a whole event", dialect: "openai", body: event + "\n\n"},
		{name: "CRLF", dialect: "openai", body: event + "\r\n\r\n"},
		{name: "CR", dialect: "openai", body: event + "\r\r"},
		{name: "LF and CRLF", dialect: "openai", body: event + "\n\r\n"},
		{name: "a keep-alive", dialect: "openai", body: event + "\n\n: ping\n\n"},
		{name: "no blank line", dialect: "openai", body: event + "\n", before: "\n"},
		{name: "no blank line, CRLF", dialect: "openai", body: event + "\r\n", before: "\n"},
		{name: "half of a CRLF", dialect: "openai", body: event + "\r", before: "\n\n"},
		{name: "no line end", dialect: "openai", body: event, before: "\n\n"},
		{name: "half a payload", dialect: "openai", body: event[:9], before: "\n\n"},
		{name: "SSE with the type of JSON", dialect: "openai", contentType: plain, body: event + "\n\n"},
		{name: "JSON of which nothing was sent", dialect: "openai", contentType: plain + "; charset=utf-8", frame: "body"},
		{name: "one JSON document", dialect: "openai", contentType: plain, body: ` {"choices":[]}`, frame: "none"},
		{name: "one JSON document with the type of SSE", dialect: "openai", contentType: sse, body: `{"choices":[]}`, frame: "none"},

		{name: "NDJSON, nothing sent", dialect: "ollama", contentType: ndjson},
		{name: "NDJSON with the type of JSON, nothing sent", dialect: "ollama", contentType: plain},
		{name: "a whole line", dialect: "ollama", contentType: ndjson, body: line + "\n"},
		{name: "a line without its end", dialect: "ollama", contentType: ndjson, body: line, before: "\n"},
		{name: "half a line", dialect: "ollama", contentType: ndjson, body: line[:5], before: "\n"},
		{name: "Cohere v1 as SSE", dialect: "cohere-v1", contentType: sse, body: event + "\n\n", frame: "event"},
		{name: "Cohere v1 as SSE, nothing sent", dialect: "cohere-v1", contentType: sse, frame: "event"},
		{name: "Cohere v1 as SSE, no blank line", dialect: "cohere-v1", body: event + "\n", before: "\n", frame: "event"},

		{name: "an array, nothing sent", dialect: "gemini", contentType: plain, before: "[", frame: "body", after: "]"},
		{name: "an array of which the bracket was sent", dialect: "gemini", contentType: plain, body: "[", frame: "body"},
		{name: "an array behind a byte order mark", dialect: "gemini", contentType: plain, body: "\xef\xbb\xbf\r\n[", frame: "body"},
		{name: "an element", dialect: "gemini", contentType: plain, body: `[{"a":1}`, before: ",\r\n", frame: "body"},
		{name: "an element and blanks", dialect: "gemini", contentType: plain, body: "[{\"a\":1}\r\n\r\n", before: ",\r\n", frame: "body"},
		{name: "an element and its comma", dialect: "gemini", contentType: plain, body: "[{\"a\":1}\n,\r\n", frame: "body"},
		{name: "an array that has ended", dialect: "gemini", contentType: plain, body: "[{\"a\":1}]\n", before: "\r\n", frame: "body"},
		{name: "one document of Gemini", dialect: "gemini", contentType: plain, body: `{"candidates":[]}`, frame: "none"},
		{name: "Gemini's events", dialect: "gemini", contentType: sse, body: event + "\r\n\r\n"},

		{name: "messages", dialect: "bedrock-converse", body: dialects.AWSSend("x", "{}")},
		{name: "messages that are called JSON", dialect: "bedrock-invoke", contentType: plain},
	} {
		t.Run(row.name, func(t *testing.T) {
			d := dialects.MustByName(row.dialect)
			_, body := d.ErrorBody(limited())
			want := map[string]string{"": string(d.ErrorFrame(limited())), "body": string(body), "none": ""}
			want["event"] = "data: " + strings.TrimSpace(string(d.ErrorFrame(limited()))) + "\n\n"
			for n := 1; n <= 5; n++ {
				got := d.ErrorFrameAfter(tailOf(row.contentType, row.body, n), limited())
				require.Equal(t, row.before+want[row.frame]+row.after, string(got), "in pieces of %d", n)
			}
		})
	}
}

// Wherever a stream is cut, the frame behind it makes an error of it, and never an end;
// at the end of a frame it is the error that was written.
func TestErrorFrameAfterAnyCut(t *testing.T) {
	e := &endwell.Error{Fault: endwell.Stalled, Category: endwell.Overloaded, Transient: true}
	everyDialect(t, func(t *testing.T, d *dialects.Dialect) {
		body := begun[d.Family()]
		for at := range len(body) + 1 {
			frame := d.ErrorFrameAfter(tailOf("", body[:at], 7), e)
			_, got := ending(t, decoding(d, body[:at]+string(frame)))
			require.Contains(t, []endwell.Fault{endwell.Faulted, endwell.Malformed, endwell.Truncated}, got.Fault, "cut at %d", at)
			if rest := strings.Trim(body[at:], "\n"); rest == "" || at == 0 {
				require.Equal(t, endwell.Faulted, got.Fault, "cut at %d", at)
				require.Equal(t, endwell.Overloaded, got.Category, "cut at %d", at)
			}
		}
	})
}

// The error counts also behind a finish word, and whatever a gateway appends to it.
func TestErrorFrameOutranks(t *testing.T) {
	const finish = `data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}` + "\n\n"
	for _, name := range []string{"openai", "openrouter", "minimax", "vllm"} {
		d := dialects.MustByName(name)
		body := begun[d.Family()] + finish + string(d.ErrorFrame(limited())) + "data: [DONE]\n\n"
		said, got := ending(t, decoding(d, body))
		require.Equal(t, "Hel", said)
		require.Equal(t, endwell.RateLimited, got.Category)
	}
}

// An array goes on to be one.
func TestErrorFrameInAnArray(t *testing.T) {
	d := dialects.MustByName("gemini")
	const element = `{"candidates":[{"content":{"parts":[{"text":"Hel"}]}}]}`
	for _, body := range []string{"", "[", "[" + element, "[" + element + "\n,\r\n" + element, "[" + element + ","} {
		frame := d.ErrorFrameAfter(tailOf("application/json", body, 100), limited())
		said, got := ending(t, decoding(d, body+string(frame)))
		require.Equal(t, strings.Repeat("Hel", strings.Count(body, "Hel")), said)
		require.Equal(t, endwell.Faulted, got.Fault)
		require.Equal(t, endwell.RateLimited, got.Category)
	}
}

func TestTailAllocatesNothing(t *testing.T) {
	tail, p := new(dialects.Tail), []byte("data: {}\n\n")
	require.Zero(t, testing.AllocsPerRun(100, func() { _, _ = tail.Write(p) }))
}
