package endwelltest

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
)

// WireOf returns the wire that a request speaks, by the end of its path, whether it
// asks for a stream, and whether there is such a wire.
//
// Who asks for a stream says so in the body ("stream": true) on most wires, and in the
// path on those of Google and AWS. Ollama streams unless told not to, and Responses,
// Completions, Cohere and the others do not.
func WireOf(r *http.Request) (w Wire, stream, ok bool) {
	for _, p := range wirePaths {
		if strings.HasSuffix(r.URL.Path, p.end) {
			w, stream = p.wire, p.stream
			if p.body {
				stream = asksForStream(r, stream)
			}
			if w == GeminiArray && r.URL.Query().Get("alt") == "sse" {
				w = Gemini
			}
			return w, stream, true
		}
	}
	return 0, false, false
}

// wirePaths are the ends of paths. The longer one of two that match comes first.
var wirePaths = [...]struct {
	end    string
	wire   Wire
	stream bool // a stream, or what holds when the body does not say
	body   bool // the body says
}{
	{"/chat/completions", OpenAI, false, true},
	{"/completions", Completions, false, true},
	{"/responses", Responses, false, true},
	{"/messages", Anthropic, false, true},
	{":streamGenerateContent", GeminiArray, true, false},
	{":generateContent", Gemini, false, false},
	{"/interactions", Interactions, false, true},
	{"/v2/chat", Cohere, false, true},
	{"/v1/chat", CohereV1, false, true},
	{"/api/chat", Ollama, true, true},
	{"/converse-stream", BedrockConverse, true, false},
	{"/converse", BedrockConverse, false, false},
	{"/invoke-with-response-stream", BedrockInvoke, true, false},
	{"/invoke", BedrockInvoke, false, false},
}

// asksForStream reads the member "stream" of a body.
func asksForStream(r *http.Request, otherwise bool) bool {
	var asks struct {
		Stream *bool `json:"stream"`
	}
	if r.Body == nil {
		return otherwise
	}
	b, err := io.ReadAll(io.LimitReader(r.Body, maxBody))
	if err != nil || json.Unmarshal(b, &asks) != nil || asks.Stream == nil {
		return otherwise
	}
	return *asks.Stream
}
