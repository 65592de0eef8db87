package transport_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/middleware"
	"github.com/endwell-go/endwell/retry"
	"github.com/endwell-go/endwell/transport"
)

// One line puts endwell under any SDK that takes an http.Client: a body that ends
// cleanly before the answer does is an error.
func ExampleWrap() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `data: {"choices":[{"index":0,"delta":{"content":"Hel"}}]}`+"\n\n")
	}))
	defer server.Close()

	client := &http.Client{Transport: transport.Wrap(nil, transport.WrapConfig{})}

	resp, err := client.Post(server.URL+"/v1/chat/completions", "application/json", strings.NewReader(`{"stream":true}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = resp.Body.Close() }()
	lines := bufio.NewScanner(resp.Body)
	for lines.Scan() {
		fmt.Println(lines.Text())
	}
	fmt.Println(errors.Is(lines.Err(), endwell.Truncated))
	// Output:
	// data: {"choices":[{"index":0,"delta":{"content":"Hel"}}]}
	//
	// true
}

// With a policy a call that failed before the first emission is sent again, and the
// SDK sees one answer.
func ExampleWrap_retry() {
	attempts := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		attempts++
		if attempts == 1 {
			_, _ = io.WriteString(w, `data: {"error":{"code":"server_error"}}`+"\n\n")
			return
		}
		_, _ = io.WriteString(w, `data: {"choices":[{"index":0,"delta":{"content":"Hello"},"finish_reason":"stop"}]}`+"\n\ndata: [DONE]\n\n")
	}))
	defer server.Close()

	client := &http.Client{Transport: transport.Wrap(nil, transport.WrapConfig{
		Retry: middleware.RetryConfig{Policy: retry.Always(retry.Default())},
		Describe: func(_ *http.Request, req *endwell.Request) {
			req.Agent, req.Provider = "summary", "openai"
		},
	})}

	resp, err := client.Post(server.URL+"/v1/chat/completions", "application/json", strings.NewReader(`{"stream":true}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	fmt.Println(attempts, strings.Contains(string(body), "Hello"), err)
	// Output: 2 true <nil>
}
