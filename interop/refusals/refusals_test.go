package refusals_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/anthropics/anthropic-sdk-go/v2"
	antoption "github.com/anthropics/anthropic-sdk-go/v2/option"
	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/interop/refusals"
	"github.com/endwell-go/endwell/middleware"
)

// refusing is a server that refuses every call.
func refusing(status int, body string, header ...string) *httptest.Server {
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		for i := 0; i < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	}))
}

// show opens a call of a provider and prints how it is classified.
func show(provider endwell.NextFunc) {
	next := middleware.Standard(middleware.Config{})(refusals.Adapt(provider))
	_, err := next.Open(context.Background(), &endwell.Request{Model: "small"})
	e := err.(*endwell.Error)
	fmt.Println(e.Fault, e.Category, e.Transient, e.RetryAfter.Round(time.Second), e.RequestID)
}

// The SDK's own retries are switched off, so that they do not stack.
func ExampleOpenAI() {
	server := refusing(429, `{"error":{"message":"You exceeded your current quota","type":"insufficient_quota","code":"insufficient_quota"}}`,
		"x-request-id", "req_1")
	defer server.Close()
	client := openai.NewClient(option.WithBaseURL(server.URL), option.WithAPIKey("sk-test-not-a-real-key"), option.WithMaxRetries(0))
	show(func(ctx context.Context, _ *endwell.Request) (endwell.Stream, error) {
		sdk := client.Chat.Completions.NewStreaming(ctx, openai.ChatCompletionNewParams{Model: "small"})
		return nil, sdk.Err() // a real provider goes on with endwell.FromCursor
	})
	// Output: refused quota_exhausted false 0s req_1
}

func ExampleAnthropic() {
	server := refusing(529, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"},"request_id":"req_2"}`,
		"retry-after", "7")
	defer server.Close()
	client := anthropic.NewClient(antoption.WithBaseURL(server.URL), antoption.WithAPIKey("sk-test-not-a-real-key"), antoption.WithMaxRetries(0))
	show(func(ctx context.Context, _ *endwell.Request) (endwell.Stream, error) {
		sdk := client.Messages.NewStreaming(ctx, anthropic.MessageNewParams{Model: "small", MaxTokens: 1})
		return nil, sdk.Err()
	})
	// Output: refused overloaded true 7s req_2
}
