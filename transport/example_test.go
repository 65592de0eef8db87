package transport_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/dialects"
	"github.com/endwell-go/endwell/middleware"
	"github.com/endwell-go/endwell/transport"
)

// A provider over HTTP, with the whole stack above it.
func ExampleNew() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Println(r.Method, r.Header.Get("Authorization"))
		w.Header().Set("Retry-After", "7")
		w.WriteHeader(http.StatusTooManyRequests)
		_, _ = io.WriteString(w, `{"error":{"code":"rate_limit_exceeded","message":"slow down"}}`)
	}))
	defer server.Close()

	next := middleware.Standard(middleware.Config{})(transport.New(transport.Config{
		URL:     server.URL + "/v1/chat/completions",
		Dialect: dialects.MustByName("openai"),
		Header:  http.Header{"Authorization": {"Bearer sk-test-not-a-real-key"}},
	}))
	_, err := next.Open(context.Background(), &endwell.Request{
		Model: "small", Provider: "openai", Payload: map[string]any{"model": "small", "stream": true},
	})
	var e *endwell.Error
	if errors.As(err, &e) {
		fmt.Println(e.Message())
		fmt.Println(errors.Is(err, endwell.RateLimited), e.RetryAfter)
	}
	// Output:
	// POST Bearer sk-test-not-a-real-key
	// small did not answer: openai refused the request (HTTP 429). Too many requests: wait 7s, then try again.
	// true 7s
}

// A response that was obtained in another way is read with Decode. Its dialect is
// detected when none is given.
func ExampleDecode() {
	resp := &http.Response{
		StatusCode: http.StatusOK,
		Header:     http.Header{"Content-Type": {"text/event-stream"}},
		Body: io.NopCloser(strings.NewReader(
			`data: {"choices":[{"delta":{"content":"Hello"},"finish_reason":"stop"}]}` + "\n\ndata: [DONE]\n\n")),
	}
	stream, err := transport.Decode(resp, nil, dialects.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	transcript, err := endwell.Collect(stream)
	fmt.Println(transcript.Text, transcript.Finish, err)
	// Output: Hello stop <nil>
}
