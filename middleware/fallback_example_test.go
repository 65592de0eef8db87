package middleware_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/middleware"
	"github.com/endwell-go/endwell/retry"
)

// exampleRefusal stands for a provider that refuses.
func exampleRefusal(status int) endwell.Next {
	return endwell.NextFunc(func(context.Context, *endwell.Request) (endwell.Stream, error) {
		return nil, &endwell.Evidence{Status: status}
	})
}

// exampleAnswer stands for a provider that answers.
func exampleAnswer(text string) endwell.Next {
	return endwell.NextFunc(func(context.Context, *endwell.Request) (endwell.Stream, error) {
		return endwell.FromSeq(func(yield func(endwell.Chunk, error) bool) {
			_ = yield(endwell.Chunk{Kind: endwell.KindText, Text: text}, nil) &&
				yield(endwell.Chunk{Kind: endwell.KindFinish, Finish: endwell.FinishStop, Detail: "stop", End: endwell.Ended}, nil)
		}), nil
	})
}

// A second provider is asked when the first one cannot answer now. Each is a whole
// stack of its own, and whoever asked can see who answered.
func ExampleFallback() {
	stack := middleware.Standard(middleware.Config{})
	ledger := retry.NewRing(100)
	chain := endwell.Chain(
		middleware.Fallback(middleware.FallbackConfig{
			To: []middleware.Alternative{{
				Name: "spare", Provider: "other", Model: "small-2", Next: stack(exampleAnswer("hello")),
				Adapt: func(req *endwell.Request) { req.Payload = `{"model":"small-2"}` },
			}},
			OnFallback: func(_ context.Context, s middleware.Switch) {
				fmt.Printf("%s failed (%v), asking %s\n", s.From.Model, s.Err.Category.String(), s.To.Model)
			},
			Ledger: ledger,
		}),
		stack,
	)(exampleRefusal(503))

	st, err := chain.Open(context.Background(), &endwell.Request{
		Agent: "writer", Provider: "acme", Model: "small-1", Payload: `{"model":"small-1"}`,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	transcript, err := endwell.Collect(st)
	fmt.Println(transcript.Text, err)
	for _, e := range ledger.Snapshot() {
		fmt.Println(e.Attempt, e.Provider, e.Model, e.Ending)
	}
	// Output:
	// small-1 failed (overloaded), asking small-2
	// hello <nil>
	// 1 acme small-1 failed
	// 2 other small-2 whole
}

// A caller who wants another provider for a quota that is used up says so.
func ExampleFallbackConfig_on() {
	stack := middleware.Standard(middleware.Config{})
	on := func(e *endwell.Error) bool {
		return e.Retryable || errors.Is(e, endwell.QuotaExhausted)
	}
	chain := middleware.Fallback(middleware.FallbackConfig{
		On: on,
		To: []middleware.Alternative{{Provider: "other", Next: stack(exampleRefusal(503))}},
	})(stack(exampleRefusal(402)))

	_, err := chain.Open(context.Background(), &endwell.Request{Provider: "acme", Model: "small-1"})
	var last *endwell.Error
	fmt.Println(errors.As(err, &last), last.Provider, last.Category.String())
	fmt.Println(errors.Is(err, endwell.QuotaExhausted))
	// Output:
	// true other overloaded
	// true
}
