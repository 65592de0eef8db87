package transport_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell/transport"
)

func TestDialectOf(t *testing.T) {
	for url, want := range map[string]string{
		"https://api.groq.com/openai/v1/chat/completions":                         "groq",
		"https://api.anthropic.com/v1/messages":                                   "anthropic",
		"http://gateway.test/v1/messages":                                         "anthropic",
		"http://gateway.test/v1/responses":                                        "responses",
		"http://gateway.test/v1beta/models/m:streamGenerateContent":               "gemini",
		"http://127.0.0.1:11434/api/chat":                                         "ollama",
		"https://bedrock-runtime.us-east-1.amazonaws.com/model/m/converse-stream": "bedrock-converse",
		"http://gateway.test/v1/chat/completions":                                 "compatible",
		"https://api.openai.com/v1/models":                                        "openai",
		"http://gateway.test/":                                                    "compatible",
	} {
		require.Equal(t, want, transport.DialectOf(httptest.NewRequest("POST", url, nil), nil).Name(), url)
	}
	for media, want := range map[string]string{"application/x-ndjson": "ollama", "text/event-stream": "compatible"} {
		req := httptest.NewRequest("POST", "http://gateway.test/api/chat", nil)
		require.Equal(t, want, transport.DialectOf(req, http.Header{"Content-Type": {media}}).Name(), media)
	}
}
