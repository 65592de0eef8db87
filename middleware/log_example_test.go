package middleware_test

import (
	"context"
	"log/slog"
	"os"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/clock"
	"github.com/endwell-go/endwell/middleware"
)

// One record for each call. Nothing of the prompt or of the answer is in it.
func ExampleLog() {
	logger := slog.New(slog.NewTextHandler(os.Stdout, &slog.HandlerOptions{
		ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
			if a.Key == slog.TimeKey {
				return slog.Attr{} // for an output that is always the same
			}
			return a
		},
	}))
	chain := endwell.Chain(
		middleware.Log(middleware.LogConfig{Logger: logger, Clock: new(clock.Fake)}),
		middleware.Standard(middleware.Config{}),
	)(exampleAnswer("hello"))

	st, _ := chain.Open(context.Background(), &endwell.Request{Agent: "writer", Provider: "acme", Model: "small-1"})
	_, _ = endwell.Collect(st)
	// Output:
	// level=INFO msg="stream ended" agent=writer provider=acme model=small-1 ending=whole emitted=true chunks=2 emissions=1 took=0s opened=0s first_chunk=0s longest_gap=0s first_emission=0s
}
