package soak_test

import (
	"fmt"
	"time"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/endwelltest/soak"
	"github.com/endwell-go/endwell/middleware"
)

// A chain with a decorator of one's own around it, soaked for a moment.
func ExampleRun() {
	mine := func(next endwell.Next) endwell.Next { return next }
	r := soak.Run(soak.Config{
		Streams: 20, For: 100 * time.Millisecond, Sockets: -1,
		Chain: func(cfg middleware.Config) endwell.Middleware {
			return endwell.Chain(mine, middleware.Standard(cfg))
		},
	})
	fmt.Println(r.Streams > 0, r.Wrong, r.Repeated, r.Hung, r.After.Goroutines <= r.Before.Goroutines)
	// Output: true 0 0 0 true
}
