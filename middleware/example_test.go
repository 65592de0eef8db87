package middleware_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/cenkalti/backoff/v4"
	"go.uber.org/mock/gomock"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/clock"
	"github.com/endwell-go/endwell/middleware"
	"github.com/endwell-go/endwell/mocks"
	"github.com/endwell-go/endwell/retry"
)

// reporter stands in for the *testing.T that a test has.
type reporter struct{}

func (reporter) Errorf(format string, args ...any) { fmt.Printf(format+"\n", args...) }
func (reporter) Fatalf(format string, args ...any) { panic(fmt.Sprintf(format, args...)) }

// canned is a provider that answers these chunks and then closes.
func canned(chunks ...endwell.Chunk) endwell.Next {
	return endwell.NextFunc(func(context.Context, *endwell.Request) (endwell.Stream, error) {
		return endwell.FromSeq(func(yield func(endwell.Chunk, error) bool) {
			for _, c := range chunks {
				if !yield(c, nil) {
					return
				}
			}
		}), nil
	})
}

// The whole stack around any provider. The connection of this one closes cleanly
// in the middle of a sentence.
func ExampleStandard() {
	provider := canned(endwell.Chunk{Kind: endwell.KindText, Text: "To be, or not"})
	next := middleware.Standard(middleware.Config{})(provider)

	stream, err := next.Open(context.Background(), &endwell.Request{Provider: "acme", Model: "bard-2"})
	if err != nil {
		fmt.Println(err)
		return
	}
	transcript, err := endwell.Collect(stream)
	fmt.Println(transcript.Text, "| incomplete:", transcript.Incomplete)
	var e *endwell.Error
	if errors.As(err, &e) {
		fmt.Println(e)
		fmt.Println("resubmit:", e.Transient, "| re-send unasked:", e.Retryable)
	}
	// Output:
	// To be, or not | incomplete: true
	// endwell: truncated: malformed_response provider=acme model=bard-2
	// resubmit: true | re-send unasked: false
}

// Each agent has a policy of its own on one chain: the writer may retry, nobody
// else does.
func ExampleRetryGate() {
	opens := 0
	provider := endwell.NextFunc(func(context.Context, *endwell.Request) (endwell.Stream, error) {
		opens++
		return nil, &endwell.Error{
			Fault: endwell.Refused, Category: endwell.Overloaded, Transient: true, Retryable: true,
		}
	})
	atOnce := func() backoff.BackOff { return &backoff.ZeroBackOff{} } // so that the example does not wait
	next := middleware.RetryGate(middleware.RetryConfig{
		Policy: retry.ByAgent(map[string]*retry.Policy{
			"writer": {MaxAttempts: 3, NewBackOff: atOnce},
		}, nil),
	})(provider)

	for _, agent := range []string{"writer", "reader"} {
		opens = 0
		_, err := next.Open(context.Background(), &endwell.Request{Agent: agent})
		fmt.Println(agent, opens, errors.Is(err, endwell.Overloaded), errors.Is(err, retry.StopAttempts))
	}
	// Output:
	// writer 3 true true
	// reader 1 true false
}

// A slow model has more time to its first word; the other bounds are everybody's.
func ExampleStallGuard() {
	guard := middleware.StallGuard(middleware.StallConfig{
		Bounds: middleware.Bounds{First: 2 * time.Minute, Idle: 90 * time.Second},
		For: func(req *endwell.Request) middleware.Bounds {
			if req.Model == "thinker" {
				return middleware.Bounds{First: 20 * time.Minute}
			}
			return middleware.Bounds{}
		},
	})
	next := guard(canned(endwell.Chunk{Kind: endwell.KindText, Text: "hello"}))
	stream, _ := next.Open(context.Background(), &endwell.Request{Model: "thinker"})
	transcript, err := endwell.Collect(stream)
	fmt.Println(transcript.Text, err)
	// Output: hello <nil>
}

// A decorator is tested alone, on mocks of the next handler and on a clock that
// moves when it is told to. Here the provider says one word and then nothing for
// five minutes, which take no time.
func Example_test() {
	ctrl := gomock.NewController(reporter{}) // a test gives its *testing.T
	defer ctrl.Finish()                      // which a *testing.T does by itself
	var clk clock.Fake
	next, provider := mocks.NewMockNext(ctrl), mocks.NewMockStream(ctrl)
	gomock.InOrder(
		next.EXPECT().Open(gomock.Any(), gomock.Any()).Return(provider, nil),
		provider.EXPECT().Recv().Return(endwell.Chunk{Kind: endwell.KindText, Text: "hello"}, nil),
		provider.EXPECT().Recv().DoAndReturn(func() (endwell.Chunk, error) {
			clk.Advance(5 * time.Minute)             // the guard closes the stream,
			return endwell.Chunk{}, io.ErrNoProgress // and this is what the transport makes of it
		}),
	)
	provider.EXPECT().Close() // exactly once

	guard := middleware.StallGuard(middleware.StallConfig{Clock: &clk})
	stream, _ := guard(next).Open(context.Background(), &endwell.Request{})
	transcript, err := endwell.Collect(stream)
	fmt.Println(transcript.Text, errors.Is(err, endwell.Stalled), clk.Pending())
	fmt.Println(err)
	// Output:
	// hello true 0
	// endwell: stalled: timeout bound=idle waited=5m0s
}
