package classify_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/classify"
)

func ExampleError() {
	// A 429 can mean two things; the code tells which.
	evidence := &endwell.Evidence{
		Dialect: "openai",
		Status:  429,
		Code:    "insufficient_quota",
		Message: "You exceeded your current quota",
	}
	err := classify.Error(evidence, classify.Call{
		Request: &endwell.Request{Provider: "OpenAI", Model: "gpt-x"},
	})
	fmt.Println(err)
	fmt.Println(errors.Is(err, endwell.QuotaExhausted), err.Transient)
	// Output:
	// endwell: refused: quota_exhausted provider=OpenAI model=gpt-x status=429 code=insufficient_quota
	// true false
}

func ExampleError_transport() {
	broken := &url.Error{Op: "Post", URL: "https://api.example.com?key=secret", Err: errors.New("connection lost")}
	err := classify.Error(broken, classify.Call{Opened: true, Emitted: true})
	fmt.Println(err)
	fmt.Println(err.Transient, err.Retryable)
	// Output:
	// endwell: broken: network
	// true false
}

func ExampleRetryAfter() {
	evidence := &endwell.Evidence{
		Status:  429,
		Header:  http.Header{"Retry-After-Ms": {"0"}},
		Message: "Rate limit reached. Please try again in 9m38.016s.",
	}
	fmt.Println(classify.RetryAfter(evidence, time.Now()))
	// Output: 9m38.016s
}

// apiError is the error type of some SDK.
type apiError struct {
	StatusCode int
	Response   *http.Response
	Raw        string
}

func (e *apiError) Error() string { return "api error" }

// adapter makes the SDK's error one that classify understands.
type adapter struct{ *apiError }

func (a adapter) Refusal() (int, http.Header, []byte) {
	return a.StatusCode, a.Response.Header, []byte(a.Raw)
}

func ExampleRefusal() {
	failed := &apiError{
		StatusCode: 529,
		Response:   &http.Response{Header: http.Header{"Request-Id": {"req_7"}}},
		Raw:        `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`,
	}
	err := classify.Error(adapter{failed}, classify.Call{Dialect: "anthropic"})
	fmt.Println(err)
	// Output: endwell: refused: overloaded status=529 type=overloaded_error request_id=req_7
}

func ExampleRegisterSecret() {
	release := classify.RegisterSecret("kaboodle-4711")
	defer release()
	err := classify.Error(&endwell.Evidence{Status: 401, Code: "bad_key_kaboodle"}, classify.Call{})
	fmt.Printf("%q\n", err.Code)
	// Output: ""
}
