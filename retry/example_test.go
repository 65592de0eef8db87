package retry_test

import (
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/cenkalti/backoff/v4"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/clock"
	"github.com/endwell-go/endwell/retry"
)

// A run decides after each failure. Here every attempt is refused, and the second
// refusal asks for more patience than the policy has.
func Example() {
	policy := retry.Policy{
		MaxAttempts: 5,
		MaxWait:     20 * time.Second,
		NewBackOff:  func() backoff.BackOff { return backoff.NewConstantBackOff(time.Second) },
	}
	var clk clock.Fake
	hints := []time.Duration{3 * time.Second, time.Hour}

	run := policy.Start(&clk, &endwell.Request{Agent: "writer", Model: "small"})
	for _, hint := range hints {
		run.Begin()
		err := &endwell.Error{
			Fault: endwell.Refused, Category: endwell.RateLimited,
			Transient: true, Retryable: true, RetryAfter: hint,
		}
		wait, final := run.Failed(err, endwell.Usage{})
		if final == nil {
			fmt.Println("again after", wait)
			clk.Advance(wait)
			continue
		}
		fmt.Println(errors.Is(final, retry.StopWait), errors.Is(final, endwell.RateLimited), final.RetryAfter)
	}
	// Output:
	// again after 3s
	// true true 1h0m0s
}

// Agents differ: a writer that a person waits for tries three times, everybody
// else once.
func ExampleByAgent() {
	find := retry.ByAgent(map[string]*retry.Policy{"writer": retry.Default()}, nil)
	fmt.Println(find(&endwell.Request{Agent: "writer"}).MaxAttempts)
	fmt.Println(find(&endwell.Request{Agent: "batch"}))
	// Output:
	// 3
	// <nil>
}

// A budget holds for all calls of an agent together.
func ExampleNewPerAgent() {
	budget := retry.NewPerAgent(retry.Bucket{Every: time.Minute, Burst: 2})
	now := clock.Epoch
	for range 3 {
		fmt.Println("writer", budget.Take("writer", now))
	}
	fmt.Println("reader", budget.Take("reader", now))
	fmt.Println("writer", budget.Take("writer", now.Add(time.Minute)))
	// Output:
	// writer true
	// writer true
	// writer false
	// reader true
	// writer true
}

// A ring keeps the last entries in memory.
func ExampleNewRing() {
	ring := retry.NewRing(100)
	policy := retry.Policy{MaxAttempts: 2, Ledger: ring}
	run := policy.Start(&clock.Fake{}, &endwell.Request{Agent: "writer"})
	run.Begin()
	run.Whole(endwell.Usage{Input: 40, Output: 7})
	for _, e := range ring.Snapshot() {
		fmt.Println(e.Agent, e.Attempt, e.Ending, e.Usage.Output)
	}
	// Output: writer 1 whole 7
}

// One line of JSON for each attempt.
func ExampleNewJSONLines() {
	ledger := retry.NewJSONLines(os.Stdout)
	policy := retry.Policy{Ledger: ledger}
	run := policy.Start(&clock.Fake{}, &endwell.Request{Agent: "writer", Model: "small"})
	run.Begin()
	run.Canceled(endwell.Usage{})
	if err := ledger.Err(); err != nil {
		fmt.Println("the ledger has gaps:", err)
	}
	// Output: {"time":"2000-01-01T00:00:00Z","agent":"writer","model":"small","attempt":1,"ending":"canceled","took_ms":0,"elapsed_ms":0,"emitted":false}
}
