package dialects_test

import (
	"fmt"
	"io"
	"net/http/httptest"
	"strings"
	"time"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/dialects"
)

// stalled is how an answer ended in these examples.
var stalled = &endwell.Error{
	Fault: endwell.Stalled, Category: endwell.Timeout, Transient: true,
	Model: "small", Bound: endwell.BoundIdle, Waited: 5 * time.Minute,
}

// The same error in two dialects, in the middle of a stream.
func ExampleDialect_ErrorFrame() {
	for _, name := range []string{"openai", "anthropic"} {
		fmt.Print(string(dialects.MustByName(name).ErrorFrame(stalled)))
	}
	// Output:
	// data: {"error":{"message":"small stalled: nothing arrived for 5m0s. The provider is at fault and not the request: submit it again; if it happens again, use a faster model or a shorter prompt.","type":"server_error","param":null,"code":"timeout","status_code":504}}
	//
	// event: error
	// data: {"type":"error","error":{"details":{"error_code":"timeout"},"type":"timeout_error","message":"small stalled: nothing arrived for 5m0s. The provider is at fault and not the request: submit it again; if it happens again, use a faster model or a shorter prompt.","status_code":504}}
}

// A gateway copies what it sends to a Tail, and can report an error wherever it has
// got to: in a JSON array the frame is an element.
func ExampleDialect_ErrorFrameAfter() {
	tail := &dialects.Tail{ContentType: "application/json"}
	var sent strings.Builder
	client := io.MultiWriter(&sent, tail)
	_, _ = io.WriteString(client, `[{"candidates":[{"content":{"parts":[{"text":"Hel"}]}}]}`)
	_, _ = client.Write(dialects.MustByName("gemini").ErrorFrameAfter(tail, stalled))
	fmt.Println(strings.ReplaceAll(sent.String(), "\r", ""))
	// Output:
	// [{"candidates":[{"content":{"parts":[{"text":"Hel"}]}}]},
	// {"error":{"code":504,"message":"small stalled: nothing arrived for 5m0s. The provider is at fault and not the request: submit it again; if it happens again, use a faster model or a shorter prompt.","status":"DEADLINE_EXCEEDED","details":[]}}
}

// Before the answer has begun, the error is the response.
func ExampleDialect_WriteError() {
	w := httptest.NewRecorder()
	dialects.MustByName("groq").WriteError(w, &endwell.Error{
		Fault: endwell.Refused, Category: endwell.RateLimited, Transient: true,
		Status: 429, RetryAfter: 2500 * time.Millisecond, Model: "small", Provider: "groq",
	})
	fmt.Println(w.Code, w.Header().Get("Retry-After"))
	fmt.Println(w.Body)
	// Output:
	// 429 3
	// {"error":{"message":"small did not answer: groq refused the request (HTTP 429). Too many requests: wait 3s, then try again.","type":"rate_limit_error","param":null,"code":"rate_limit_exceeded"}}
}
