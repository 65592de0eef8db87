package demo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/clock"
	"github.com/endwell-go/endwell/dialects"
	"github.com/endwell-go/endwell/middleware"
	"github.com/endwell-go/endwell/retry"
	"github.com/endwell-go/endwell/transport"
)

// outcome is how a guarded call ended, and what is asserted of it.
type outcome struct {
	kind      kind
	fault     endwell.Fault
	category  endwell.Category
	retryable bool
	bound     endwell.Bound
	text      string
	call      string // the tool call, name(arguments)
	cutOff    bool   // something is kept, and it is incomplete
	ledger    string // "" without retries
}

// ending is an outcome with what it came from.
type ending struct {
	outcome
	err     *endwell.Error // for failed
	foreign error          // an error of no kind that the contract knows
}

// guarded makes the same request as plain, through the whole stack.
func guarded(ctx context.Context, clk clock.Clock, url string, r row) ending {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	client := newClient()
	defer client.CloseIdleConnections()
	ledger := retry.NewRing(8)

	provider := transport.New(transport.Config{
		URL:     url,
		Dialect: dialects.MustByName("openai"),
		Client:  client,
		Header:  http.Header{"Authorization": {"Bearer " + key}},
	})
	next := middleware.Standard(stack(clk, r, ledger))(provider)

	var said endwell.Collector
	err := guardedCall(ctx, clk, next, &said, r.consumer, stop)
	said.End(err)
	e := judge(ctx, err)
	e.keep(said.Transcript())
	e.ledger = short(ledger.Snapshot())
	return e
}

// stack configures the guards: the row's bounds, and retries where it may take more
// than one attempt.
func stack(clk clock.Clock, r row, ledger retry.Ledger) middleware.Config {
	cfg := middleware.Config{Clock: clk, Stall: middleware.StallConfig{Bounds: r.bounds}}
	if r.attempts > 1 {
		cfg.Retry.Policy = retry.Always(&retry.Policy{MaxAttempts: r.attempts, Ledger: ledger})
	}
	return cfg
}

func guardedCall(ctx context.Context, clk clock.Clock, next endwell.Next, said *endwell.Collector, c consumer, stop func()) error {
	stream, err := next.Open(ctx, &endwell.Request{
		Agent: "demo", Provider: "demo-gateway", Model: model, Payload: body, Secret: []string{key},
	})
	if err != nil {
		return err
	}
	n := 0
	for chunk, err := range endwell.All(stream) {
		if err != nil {
			return err
		}
		said.Add(chunk)
		if chunk.Kind == endwell.KindText {
			n++
			c.word(ctx, clk, n, stop)
		}
	}
	return io.EOF
}

// judge says which of the three endings of the contract err is.
func judge(ctx context.Context, err error) ending {
	var e *endwell.Error
	switch {
	case err == io.EOF:
		return ending{outcome: outcome{kind: finished}}
	case ctx.Err() != nil && err == ctx.Err():
		return ending{outcome: outcome{kind: stopped}}
	case errors.As(err, &e):
		return ending{err: e, outcome: outcome{
			kind: failed, fault: e.Fault, category: e.Category, retryable: e.Retryable, bound: e.Bound,
		}}
	default:
		return ending{foreign: err}
	}
}

// keep notes what is left of the answer.
func (o *outcome) keep(t *endwell.Transcript) {
	if t == nil {
		return
	}
	o.text, o.cutOff = t.Text, t.Incomplete
	for _, c := range t.ToolCalls {
		o.call += c.Name + "(" + c.Arguments + ")"
	}
}

// short is the ledger in one line.
func short(entries []retry.Entry) string {
	var lines []string
	for _, e := range entries {
		line := fmt.Sprintf("attempt %d %s", e.Attempt, e.Ending)
		if e.Err != nil {
			line += " (" + named(e.Err.Fault, e.Err.Category) + ")"
		}
		if e.Wait > 0 {
			line += fmt.Sprintf(", then a wait of %s", e.Wait)
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "; ")
}

// named is what endwell says of an error, in two words.
func named(f endwell.Fault, c endwell.Category) string { return f.String() + " / " + c.String() }
