package transport_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/clock"
	"github.com/endwell-go/endwell/middleware"
	"github.com/endwell-go/endwell/retry"
	"github.com/endwell-go/endwell/transport"
)

// upfront is the configuration of a proxy that makes so many attempts.
func upfront(attempts int) transport.WrapConfig {
	return transport.WrapConfig{Dialect: openai, Hold: time.Minute, Upfront: true, Retry: middleware.RetryConfig{
		Policy: retry.Always(&retry.Policy{MaxAttempts: attempts, NewBackOff: atOnce, Ledger: retry.NewRing(9)}),
	}}
}

// With Upfront a fault before the hand-over is the error of RoundTrip, and without it
// the body's, also when a single attempt is made.
func TestRoundTripUpfront(t *testing.T) {
	late := upfront(2)
	late.Upfront = false
	for _, row := range []struct {
		name    string
		first   func(*exchange)
		verdict string
		status  int // of a response that is handed over all the same
	}{
		{"an error frame", body(200, errorFrame), "faulted server_error", 0},
		{"a role and a close", body(200, `data: {"choices":[{"index":0,"delta":{"role":"assistant"}}]}`+"\n\n"), "truncated malformed_response", 0},
		{"nothing", body(200, ""), "empty malformed_response", 0},
		{"a page", body(200, "<html>"), "malformed malformed_response", 0},
		{"a fault behind the first text", body(200, hel+errorFrame), "faulted server_error", 200},
		{"a whole answer", whole, "whole", 200},
		{"a refusal", overloaded, "whole", 503},
	} {
		for name, cfg := range map[string]transport.WrapConfig{"one attempt": upfront(1), "two attempts": upfront(2), "no policy": {Dialect: openai, Upfront: true}, "not upfront": late} {
			t.Run(row.name+", "+name, func(t *testing.T) {
				overBoth(t, func(t *testing.T, h2 bool) {
					b, _ := inTurn(t, h2, row.first, row.first)
					resp, _, err := b.stream(t, b.wrap(cfg))
					require.Equal(t, row.verdict, verdict(err))
					require.Equal(t, row.status != 0 || !cfg.Upfront, resp != nil)
					if row.status != 0 {
						require.Equal(t, row.status, resp.StatusCode)
					}
				})
			})
		}
	}
}

// A caller who stops while the answer is held back gets his own ending.
func TestRoundTripUpfrontCanceled(t *testing.T) {
	begun := make(chan struct{})
	b, _ := inTurn(t, false, func(x *exchange) { x.send(": hi\n\n"); close(begun); x.hang() })
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-begun; cancel() }()
	_, err := b.ask(ctx, b.wrap(upfront(1)), strings.NewReader(asking))
	var e *endwell.Error
	require.Error(t, err)
	require.False(t, errors.As(err, &e))
}

// When the hold is over, signs of life pass as they come.
func TestRoundTripHoldLetsKeepAlivesThrough(t *testing.T) {
	goOn := make(chan struct{})
	clk := new(clock.Fake)
	b, _ := inTurn(t, false, func(x *exchange) {
		x.send(": one\n\n")
		<-goOn
		x.send(": two\n\n")
		<-goOn
		x.send(errorFrame)
	})
	cfg := upfront(1)
	cfg.Clock = clk
	back := make(chan result)
	go func() {
		resp, err := b.ask(t.Context(), b.wrap(cfg), strings.NewReader(asking))
		back <- result{resp, err}
	}()
	require.NoError(t, clk.BlockUntil(t.Context(), 2), "the hold's and the guard's")
	clk.Advance(cfg.Hold)
	got := <-back
	require.NoError(t, got.err)
	goOn <- struct{}{}
	require.Equal(t, ": one\n\n: two\n\n", readN(t, got.resp, len(": one\n\n: two\n\n")))
	goOn <- struct{}{}
	_, err := b.readAll(got.resp.Body)
	require.Equal(t, "faulted server_error", verdict(err))
	var e *endwell.Error
	require.True(t, errors.As(err, &e))
	require.False(t, e.Retryable)
}

func readN(t *testing.T, resp *http.Response, n int) string {
	t.Helper()
	var got []byte
	for buf := make([]byte, n); len(got) < n; {
		m, err := resp.Body.Read(buf[:n-len(got)])
		got = append(got, buf[:m]...)
		require.NoError(t, err)
	}
	return string(got)
}
