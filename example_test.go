package endwell_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/dialects"
	"github.com/endwell-go/endwell/middleware"
	"github.com/endwell-go/endwell/transport"
)

// cutServer is a provider whose answers end before they are finished, cleanly, as a
// proxy in between may end them.
func cutServer() *httptest.Server {
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `data: {"choices":[{"delta":{"content":"The answer is"}}]}`+"\n\n")
	}))
}

func Example() {
	server := cutServer()
	defer server.Close()

	provider := transport.New(transport.Config{URL: server.URL, Dialect: dialects.MustByName("openai")})
	next := middleware.Standard(middleware.Config{})(provider)
	stream, err := next.Open(context.Background(), &endwell.Request{
		Model: "small", Payload: `{"model":"small","stream":true,"messages":[]}`,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for chunk, err := range endwell.All(stream) {
		var e *endwell.Error
		if errors.As(err, &e) {
			fmt.Printf("\n[%s]\n", e.Message())
			fmt.Println(errors.Is(err, endwell.Truncated), e.Transient, e.Retryable)
		}
		fmt.Print(chunk.Text)
	}
	// Output:
	// The answer is
	// [The answer of small was cut off before it was finished. The provider is at fault and not the request: submit it again, or pick another model.]
	// true true false
}

// A decorator is a function around a Next. The first of a chain is the outermost.
func ExampleChain() {
	named := func(name string) endwell.Middleware {
		return func(next endwell.Next) endwell.Next {
			return endwell.NextFunc(func(ctx context.Context, req *endwell.Request) (endwell.Stream, error) {
				fmt.Println("enter", name)
				defer fmt.Println("leave", name)
				return next.Open(ctx, req)
			})
		}
	}
	provider := endwell.NextFunc(func(context.Context, *endwell.Request) (endwell.Stream, error) {
		fmt.Println("provider")
		return nil, endwell.Overloaded
	})

	next := endwell.Chain(named("outer"), named("inner"))(provider)
	_, err := next.Open(context.Background(), &endwell.Request{})
	fmt.Println(err)
	// Output:
	// enter outer
	// enter inner
	// provider
	// leave inner
	// leave outer
	// overloaded
}

// The error, if there is one, comes last; the stream is closed whichever way the
// loop ends.
func ExampleAll() {
	stream := endwell.FromSeq(func(yield func(endwell.Chunk, error) bool) {
		_ = yield(endwell.Chunk{Kind: endwell.KindText, Text: "Hello"}, nil) &&
			yield(endwell.Chunk{}, &endwell.Error{Fault: endwell.Broken, Category: endwell.Network})
	})
	for chunk, err := range endwell.All(stream) {
		if err != nil {
			fmt.Println(err)
			break
		}
		fmt.Println(chunk.Text)
	}
	// Output:
	// Hello
	// endwell: broken: network
}

// What came before a fault stays, marked incomplete, with the error beside it.
func ExampleCollect() {
	stream := endwell.FromSeq(func(yield func(endwell.Chunk, error) bool) {
		_ = yield(endwell.Chunk{Kind: endwell.KindText, Text: "Hel"}, nil) &&
			yield(endwell.Chunk{Kind: endwell.KindText, Text: "lo"}, nil) &&
			yield(endwell.Chunk{}, &endwell.Error{Fault: endwell.Stalled, Category: endwell.Timeout})
	})
	transcript, err := endwell.Collect(stream)
	fmt.Println(transcript.Text, transcript.Incomplete)
	fmt.Println(errors.Is(err, endwell.Stalled))
	// Output:
	// Hello true
	// true
}

// sdkStream stands for the stream of an SDK.
type sdkStream struct{ words []string }

func (s *sdkStream) Next() bool      { s.words = s.words[1:]; return len(s.words) > 0 }
func (s *sdkStream) Current() string { return s.words[0] }
func (s *sdkStream) Err() error      { return nil }
func (s *sdkStream) Close() error    { return nil }

// An SDK's stream becomes a Stream by a function that says what its events are.
func ExampleFromCursor() {
	sdk := &sdkStream{words: []string{"", "Hello", "stop"}}
	stream := endwell.FromCursor(sdk, func(event string, dst []endwell.Chunk) ([]endwell.Chunk, error) {
		if event == "stop" {
			return append(dst, endwell.Chunk{Kind: endwell.KindFinish, Finish: endwell.FinishStop, Detail: event, End: endwell.Settled}), nil
		}
		return append(dst, endwell.Chunk{Kind: endwell.KindText, Text: event, End: endwell.Open}), nil
	})
	transcript, err := endwell.Collect(stream)
	fmt.Println(transcript.Text, transcript.Finish, err)
	// Output: Hello stop <nil>
}

// A sequence becomes a Stream; one that runs out has ended whole.
func ExampleFromSeq() {
	stream := endwell.FromSeq(func(yield func(endwell.Chunk, error) bool) {
		yield(endwell.Chunk{Kind: endwell.KindText, Text: "Hello", End: endwell.MayEnd}, nil)
	})
	defer func() { _ = stream.Close() }()
	chunk, err := stream.Recv()
	fmt.Println(chunk.Text, err)
	_, err = stream.Recv()
	fmt.Println(err == io.EOF)
	// Output:
	// Hello <nil>
	// true
}

// A host with a catalogue of its own looks a message up by its key. What the
// catalogue lacks stays English.
func ExampleError_Localize() {
	german := map[string]string{
		"stalled.timeout": "{model} antwortet seit {waited_seconds} Sekunden nicht. Bitte noch einmal senden.",
	}
	lookup := func(key string) (string, bool) {
		text, ok := german[key]
		return text, ok
	}
	e := &endwell.Error{
		Fault: endwell.Stalled, Category: endwell.Timeout, Model: "small",
		Bound: endwell.BoundIdle, Waited: 5 * time.Minute,
	}
	fmt.Println(e.Localize(lookup))
	e.Fault, e.Category, e.Transient = endwell.Broken, endwell.Network, true
	fmt.Println(e.Localize(lookup))
	// Output:
	// small antwortet seit 300 Sekunden nicht. Bitte noch einmal senden.
	// The connection broke before small had finished its answer. The network is at fault and not the request: check the connection, then try again.
}
