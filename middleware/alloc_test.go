package middleware_test

import (
	"context"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/middleware"
	"github.com/endwell-go/endwell/retry"
)

// decorators are all that a chunk may pass through.
var decorators = []struct {
	name string
	mw   endwell.Middleware
}{
	{"PayloadGuard", middleware.PayloadGuard()},
	{"StallGuard", middleware.StallGuard(middleware.StallConfig{})},
	{"SentinelCheck", middleware.SentinelCheck(middleware.SentinelConfig{})},
	{"ToolCallGuard", middleware.ToolCallGuard()},
	{"EmptyGate", middleware.EmptyGate(middleware.EmptyConfig{})},
	{"Classifier", middleware.Classifier(middleware.ClassifierConfig{})},
	{"RetryGate", middleware.RetryGate(middleware.RetryConfig{Policy: retry.Always(retry.Default())})},
	{"Standard", middleware.Standard(middleware.Config{})},
	{"Standard with a policy", middleware.Standard(middleware.Config{
		Retry: middleware.RetryConfig{Policy: retry.Always(retry.Default())},
	})},
}

// The path of a chunk allocates nothing, whatever its kind.
func TestAllocationsOfRecv(t *testing.T) {
	piece := call(0, 0, "x")
	for _, d := range decorators {
		for _, c := range []endwell.Chunk{hello, thought, piece, ping, role} {
			t.Run(d.name+" "+c.Kind.String(), func(t *testing.T) {
				r := &replay{hello}
				s, err := d.mw(r).Open(t.Context(), request)
				require.NoError(t, err)
				defer s.Close()
				_, err = s.Recv() // commits a gate
				require.NoError(t, err)
				r.chunk = c
				_, err = s.Recv() // the first piece of a call is noted
				require.NoError(t, err)
				require.Zero(t, testing.AllocsPerRun(1000, func() { _, err = s.Recv() }))
				require.NoError(t, err)
			})
		}
	}
}

// Opening and closing a stream costs a fixed number of allocations.
func TestAllocationsOfACall(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	for _, row := range []struct {
		name string
		mw   endwell.Middleware
		most float64
	}{
		{"Standard", middleware.Standard(middleware.Config{}), 16},
		{"Standard with a policy", decorators[len(decorators)-1].mw, 24},
	} {
		next := row.mw(&replay{hello})
		n := testing.AllocsPerRun(200, func() {
			s, _ := next.Open(ctx, request)
			_ = s.Close()
		})
		t.Logf("%s: %.0f allocations for Open and Close", row.name, n)
		require.LessOrEqual(t, n, row.most, row.name)
	}
}

// None of them starts a goroutine; Detach says that it does.
func TestNoGoroutine(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	for _, d := range decorators {
		before := runtime.NumGoroutine()
		s, err := d.mw(&replay{hello}).Open(ctx, request)
		require.NoError(t, err)
		_, err = s.Recv()
		require.NoError(t, err)
		require.LessOrEqual(t, runtime.NumGoroutine(), before, d.name)
		_ = s.Close()
		require.LessOrEqual(t, runtime.NumGoroutine(), before, d.name)
	}
}
