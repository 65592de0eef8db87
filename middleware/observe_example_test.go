package middleware_test

import (
	"context"
	"fmt"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/clock"
	"github.com/endwell-go/endwell/middleware"
)

// One report for each call, whichever way it ends.
func ExampleObserve() {
	var clk clock.Fake
	chain := endwell.Chain(
		middleware.Observe(middleware.ObserveConfig{
			Clock: &clk,
			Report: func(_ context.Context, r middleware.Report) {
				fmt.Println(r.Agent, r.Model, r.Ending, r.Emissions, r.Usage.Output)
				if r.Err != nil {
					fmt.Println(r.Err)
				}
			},
		}),
		middleware.Standard(middleware.Config{Clock: &clk}),
	)
	req := &endwell.Request{Agent: "writer", Model: "small-1"}

	st, _ := chain(exampleAnswer("hello")).Open(context.Background(), req)
	_, _ = endwell.Collect(st)
	_, _ = chain(exampleRefusal(429)).Open(context.Background(), req)
	// Output:
	// writer small-1 whole 1 0
	// writer small-1 failed 0 0
	// endwell: refused: rate_limited model=small-1 status=429
}
