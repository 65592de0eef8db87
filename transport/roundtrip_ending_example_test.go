package transport_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/endwell-go/endwell/transport"
)

// A client that never asks its scanner for the error takes every fault for an end. The
// Ending of its call tells.
func ExampleWithEnding() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `data: {"choices":[{"index":0,"delta":{"content":"Hel"}}]}`+"\n\n")
	}))
	defer server.Close()
	client := &http.Client{Transport: transport.Wrap(nil, transport.WrapConfig{})}
	chat := func(ctx context.Context) error {
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, server.URL+"/v1/chat/completions", strings.NewReader(`{"stream":true}`))
		if err != nil {
			return err
		}
		resp, err := client.Do(req)
		if err != nil {
			return err
		}
		defer func() { _ = resp.Body.Close() }()
		for lines := bufio.NewScanner(resp.Body); lines.Scan(); {
		}
		return nil
	}

	ctx, ending := transport.WithEnding(context.Background())
	fmt.Println(chat(ctx))
	fmt.Println(ending.Err())
	// Output:
	// <nil>
	// endwell: truncated: malformed_response
}
