package transport_test

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"

	"github.com/endwell-go/endwell/classify"
	"github.com/endwell-go/endwell/transport"
)

// A gateway in ten lines. What fails before the answer is answered with a status and
// an error document; what fails later is reported in the stream, and the connection is
// aborted, so that no client takes it for an end.
func ExampleReportErrors() {
	provider := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, `data: {"choices":[{"index":0,"delta":{"content":"Hel"}}]}`+"\n\n")
	}))
	defer provider.Close()
	upstream, _ := url.Parse(provider.URL)

	proxy := &httputil.ReverseProxy{
		Rewrite:        func(r *httputil.ProxyRequest) { r.SetURL(upstream) },
		Transport:      transport.Wrap(nil, transport.WrapConfig{}),
		ModifyResponse: transport.ReportErrors(nil),
		ErrorHandler: func(w http.ResponseWriter, r *http.Request, err error) {
			if r.Context().Err() != nil { // the client has gone, or your own deadline has passed
				w.WriteHeader(http.StatusGatewayTimeout)
				return
			}
			transport.DialectOf(r, nil).WriteError(w, classify.Error(err, classify.Call{}))
		},
		ErrorLog: log.New(io.Discard, "", 0),
	}

	gateway := httptest.NewServer(proxy)
	defer gateway.Close()
	ask := func() {
		resp, err := http.Post(gateway.URL+"/v1/chat/completions", "application/json", strings.NewReader(`{"stream":true}`))
		if err != nil {
			fmt.Println(err)
			return
		}
		defer func() { _ = resp.Body.Close() }()
		body, err := io.ReadAll(resp.Body)
		fmt.Printf("%d\n%s\n%v\n", resp.StatusCode, strings.TrimSpace(string(body)), err)
	}
	ask()
	provider.Close()
	ask()
	// Output:
	// 200
	// data: {"choices":[{"index":0,"delta":{"content":"Hel"}}]}
	//
	// data: {"error":{"message":"The answer of the model was cut off before it was finished. The provider is at fault and not the request: submit it again, or pick another model.","type":"server_error","param":null,"code":"malformed_response","status_code":502}}
	// unexpected EOF
	// 502
	// {"error":{"message":"The model could not be reached: no response came from the provider. The network is at fault and not the request: check the connection, then try again.","type":"server_error","param":null,"code":"network_error"}}
	// <nil>
}
