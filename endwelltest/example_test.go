package endwelltest_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/clock"
	"github.com/endwell-go/endwell/dialects"
	"github.com/endwell-go/endwell/endwelltest"
	"github.com/endwell-go/endwell/middleware"
	"github.com/endwell-go/endwell/tape"
	"github.com/endwell-go/endwell/transport"
)

// A program is pointed at a gateway whose first answer is reset and whose second one
// is whole.
func ExampleGateway() {
	wire := endwelltest.OpenAI
	g := endwelltest.NewGateway(
		endwelltest.Script(wire.Begin(), wire.Text("All's"), endwelltest.Abort()),
		wire.Answer("All's", " well."),
	)
	defer g.Close()

	next := middleware.Standard(middleware.Config{})(transport.New(transport.Config{
		URL: g.URL + "/v1/chat/completions", Dialect: dialects.MustByName("openai"),
	}))
	for range 2 {
		s, err := next.Open(context.Background(), &endwell.Request{Model: "small-1", Payload: "{}"})
		if err != nil {
			fmt.Println(err)
			continue
		}
		t, err := endwell.Collect(s)
		fmt.Printf("%q incomplete=%v broken=%v\n", t.Text, t.Incomplete, errors.Is(err, endwell.Broken))
	}
	fmt.Println(g.Count(), "requests to", g.Requests()[0].Path)
	// Output:
	// "All's" incomplete=true broken=true
	// "All's well." incomplete=false broken=false
	// 2 requests to /v1/chat/completions
}

// A client is pointed at each ending of a wire by its URL alone.
func ExampleNamed() {
	g := endwelltest.NewGateway(endwelltest.Named(endwelltest.NamedConfig{}))
	defer g.Close()
	for _, path := range []string{"/whole/api/chat", "/after=2/cut/api/chat", "/error-frame/v1/messages", "/refused-429/v2/chat"} {
		next := middleware.Standard(middleware.Config{})(transport.New(transport.Config{URL: g.URL + path}))
		s, err := next.Open(context.Background(), &endwell.Request{Payload: `{"stream":true}`})
		if err != nil {
			fmt.Println(path, err)
			continue
		}
		t, err := endwell.Collect(s)
		fmt.Printf("%s %q %v\n", path, t.Text, err)
	}
	// Output:
	// /whole/api/chat "All's well that ends well." <nil>
	// /after=2/cut/api/chat "All's well" endwell: truncated: malformed_response
	// /error-frame/v1/messages "All's well that ends well." endwell: faulted: server_error type=api_error request_id=req_test frame=8
	// /refused-429/v2/chat endwell: refused: rate_limited status=429 retry_after=2s
}

// The endings by which a connection stays open and says nothing more.
func ExampleEndings() {
	for _, e := range endwelltest.Endings() {
		if e.Fault == endwell.Stalled {
			fmt.Printf("%s: %s\n", e.Name, e.What)
		}
	}
	// Output:
	// stalled: The answer stops in the middle, and the connection stays open.
	// keepalive-only: The answer stops in the middle, and keep-alives go on.
	// half-open: The connection dies in the middle of the answer without a FIN.
	// silent: The request is read and never answered.
	// unread: The request's body is not read, and never answered.
	// slow-header: The response's header comes byte by byte, one each 100 ms, and does not end.
}

// A wire has its own words.
func ExampleWire_Word() {
	for _, w := range []endwelltest.Wire{endwelltest.OpenAI, endwelltest.Anthropic, endwelltest.Gemini} {
		fmt.Println(w, w.Word(endwell.FinishLength), w.Token(429))
	}
	// Output:
	// openai length rate_limit_exceeded
	// anthropic max_tokens rate_limit_error
	// gemini MAX_TOKENS RESOURCE_EXHAUSTED
}

// What a host says is cut after 400 bytes, in the middle of a frame.
func ExampleCutAt() {
	g := endwelltest.NewGateway(endwelltest.Script(
		endwelltest.CutAt(400, endwelltest.Step{}), endwelltest.Anthropic.Answer("All's", " well."),
	))
	defer g.Close()
	next := middleware.Standard(middleware.Config{})(transport.New(transport.Config{URL: g.URL}))
	s, err := next.Open(context.Background(), &endwell.Request{Payload: "{}"})
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = endwell.Collect(s)
	fmt.Println(errors.Is(err, endwell.Truncated))
	// Output: true
}

// The author of a stack tests their provider in five lines, in place of which stands
// this project's own.
func ExampleTestNext() {
	testMine := func(t *testing.T) {
		endwelltest.TestNext(t, endwelltest.Behind(t, endwelltest.OpenAI.In, func(url string, client *http.Client) endwell.Next {
			return transport.New(transport.Config{URL: url, Client: client, Dialect: dialects.MustByName("openai")})
		}))
	}
	_ = testMine
}

// So does the author of a decorator. The errors that it does not look for are named.
func ExampleTestMiddleware() {
	testMine := func(t *testing.T) {
		endwelltest.TestMiddleware(t, middleware.StallGuard(middleware.StallConfig{}), http.ErrHandlerTimeout)
	}
	_ = testMine
}

// printer prints what a suite reports.
type printer struct{}

func (printer) Helper()                           {}
func (printer) Cleanup(func())                    {}
func (printer) Errorf(format string, args ...any) { fmt.Printf(format+"\n", args...) }

// What a suite reports is a sentence for each thing that is wrong.
func ExampleTestMiddleware_report() {
	rude := func(next endwell.Next) endwell.Next {
		return endwell.NextFunc(func(ctx context.Context, req *endwell.Request) (endwell.Stream, error) {
			s, err := next.Open(ctx, req)
			if err != nil {
				return nil, fmt.Errorf("rude: %w", err)
			}
			return s, nil
		})
	}
	endwelltest.TestMiddleware(printer{}, rude)
	// Output:
	// cancelled while Open waits: the caller's own ending, context canceled, became rude: context canceled
	// Open fails with "endwell: refused: auth_invalid provider=loopback model=test-model status=401": endwell: refused: auth_invalid provider=loopback model=test-model status=401 became rude: endwell: refused: auth_invalid provider=loopback model=test-model status=401
}

// An hour of pings is played in no time, up to the guard that gives up on it.
func ExampleReplay() {
	t, err := tape.Read(strings.NewReader(`{"tape":1,"dialect":"openai"}
{"at_ms":0,"data":": ping\n\n","times":3600,"every_ms":1000}
{"at_ms":3600000,"end":"hang"}
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	clk := new(clock.Fake)
	next := middleware.Standard(middleware.Config{Clock: clk})(endwelltest.Replay(t, nil, clk))
	s, err := next.Open(context.Background(), &endwell.Request{})
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = endwell.Collect(s)
	fmt.Println(err)
	fmt.Println(clk.Now().Sub(clock.Epoch).Round(time.Second))
	// Output:
	// endwell: stalled: timeout bound=first waited=10m0s
	// 10m0s
}
