package middleware_test

import (
	"context"
	"errors"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/classify"
	"github.com/endwell-go/endwell/clock"
	"github.com/endwell-go/endwell/middleware"
	"github.com/endwell-go/endwell/retry"
)

// requireContract checks an ending of a complete stack.
func requireContract(t *testing.T, ctx context.Context, ending error, emitted bool) {
	t.Helper()
	if ending == io.EOF {
		require.True(t, emitted, "whole without an emission")
		return
	}
	if ending == endwell.ErrClosed || ctx.Err() != nil && ending == ctx.Err() {
		return
	}
	e := requireError(t, ending)
	require.NotZero(t, e.Fault)
	require.NotZero(t, e.Category)
	require.Equal(t, request.Provider, e.Provider)
	require.Equal(t, request.Model, e.Model)
	require.Equal(t, e.Transient && !emitted, e.Retryable, "%#v, emitted %v", e, emitted)
	require.NotErrorIs(t, ending, io.EOF)
	require.NotErrorIs(t, ending, context.Canceled)
}

func emittedIn(chunks []endwell.Chunk) bool {
	for i := range chunks {
		if chunks[i].Emission() {
			return true
		}
	}
	return false
}

var standardRows = []struct {
	fault     string
	open      step
	steps     []step
	deaf      bool
	want      error // by identity, or
	is        endwell.Fault
	category  endwell.Category
	transient bool
}{
	{fault: "whole", steps: in(role, hello, stop, usage, sentinel), want: io.EOF},
	{fault: "whole without a sentinel", steps: in(role, hello, stop, io.EOF), want: io.EOF},
	{fault: "whole at MayEnd", steps: in(hello, mayEnd, io.EOF), want: io.EOF},
	{fault: "whole although the close never comes", steps: in(hello, stop, after(h, usage)), want: io.EOF},
	{fault: "whole although the connection breaks after the finish", steps: in(hello, stop, errReset), want: io.EOF},
	{fault: "whole with a tool call", steps: in(role, call(0, 0, `{"a":1}`), finish(endwell.FinishToolCalls, "tool_calls"), sentinel), want: io.EOF},
	{fault: "whole with a refusal", steps: in(refusal, stop, sentinel), want: io.EOF},
	{fault: "whole at the token limit", steps: in(hello, finish(endwell.FinishLength, "length"), sentinel), want: io.EOF},
	{fault: "whole with an unknown word", steps: in(hello, finish(endwell.FinishUnknown, "eos"), sentinel), want: io.EOF},
	{fault: "whole after a long silence", steps: in(after(9*m, thought), after(4*m, ping), hello, sentinel), want: io.EOF},

	{fault: "connection refused", open: step{err: errReset}, is: endwell.Unreachable, category: endwell.Network, transient: true},
	{fault: "refused with 401", open: step{err: &endwell.Evidence{Status: 401}}, is: endwell.Refused, category: endwell.AuthInvalid},
	{fault: "refused with 429", open: step{err: &endwell.Evidence{Status: 429}}, is: endwell.Refused, category: endwell.RateLimited, transient: true},
	{fault: "Open hangs", open: step{wait: h}, is: endwell.Stalled, category: endwell.Timeout, transient: true},
	{fault: "nothing comes", steps: in(after(h, hello)), is: endwell.Stalled, category: endwell.Timeout, transient: true},
	{fault: "nothing more comes", steps: in(role, hello, after(h, hello)), is: endwell.Stalled, category: endwell.Timeout, transient: true},
	{fault: "nothing more comes, and only Close is obeyed", deaf: true, steps: in(role, hello, after(h, hello)), is: endwell.Stalled, category: endwell.Timeout, transient: true},
	{fault: "keep-alives only", steps: in(pings(3, 4*m)), is: endwell.Stalled, category: endwell.Timeout, transient: true},
	{fault: "connection breaks at the start", steps: in(role, errReset), is: endwell.Broken, category: endwell.Network, transient: true},
	{fault: "connection breaks mid-answer", steps: in(role, hello, io.ErrUnexpectedEOF), is: endwell.Broken, category: endwell.Network, transient: true},
	{fault: "closed mid-answer", steps: in(role, hello, io.EOF), is: endwell.Truncated, category: endwell.MalformedResponse, transient: true},
	{fault: "closed after the role", steps: in(role, io.EOF), is: endwell.Truncated, category: endwell.MalformedResponse, transient: true},
	{fault: "closed inside a frame", steps: in(hello, &endwell.Evidence{Kind: endwell.Cut, InBand: true}), is: endwell.Truncated, category: endwell.MalformedResponse, transient: true},
	{fault: "closed inside a tool call", steps: in(call(0, 0, `{"a`), finish(endwell.FinishToolCalls, "tool_calls"), sentinel), is: endwell.Truncated, category: endwell.MalformedResponse, transient: true},
	{fault: "error frame at the start", steps: in(role, inBand), is: endwell.Faulted, category: endwell.Overloaded, transient: true},
	{fault: "error frame mid-answer", steps: in(hello, inBand), is: endwell.Faulted, category: endwell.Overloaded, transient: true},
	{fault: "error frame after the finish", steps: in(hello, stop, inBand), is: endwell.Faulted, category: endwell.Overloaded, transient: true},
	{fault: "error frame without any word", steps: in(hello, &endwell.Evidence{InBand: true}), is: endwell.Faulted, category: endwell.ServerError, transient: true},
	{fault: "finish word of a fault", steps: in(hello, finish(endwell.FinishFault, "error")), is: endwell.Faulted, category: endwell.ServerError, transient: true},
	{fault: "unparseable frame", steps: in(hello, &endwell.Evidence{Kind: endwell.Unparseable, InBand: true}), is: endwell.Malformed, category: endwell.MalformedResponse},
	{fault: "two answers in one", steps: in(hello, &endwell.Evidence{Kind: endwell.Spliced, InBand: true}), is: endwell.Malformed, category: endwell.MalformedResponse, transient: true},
	{fault: "closed before any payload", steps: in(ping, io.EOF), is: endwell.Empty, category: endwell.MalformedResponse, transient: true},
	{fault: "stop and nothing else", steps: in(role, stop, sentinel), is: endwell.Empty, category: endwell.MalformedResponse, transient: true},
	{fault: "a filter left nothing", steps: in(finish(endwell.FinishFilter, "content_filter"), sentinel), is: endwell.Empty, category: endwell.ContentBlocked},
	{fault: "reasoning used up the limit", steps: in(thought, finish(endwell.FinishLength, "length"), sentinel), is: endwell.Empty, category: endwell.RequestInvalid},
	{fault: "somebody else's cancellation", steps: in(hello, context.Canceled), is: endwell.Broken, category: endwell.Network, transient: true},
}

func TestStandard(t *testing.T) {
	for _, row := range standardRows {
		t.Run(row.fault, func(t *testing.T) {
			onBoth(t, func(t *testing.T, b bench) {
				p := &provider{advance: b.advance, open: row.open, steps: row.steps, deaf: row.deaf}
				got, ending := collect(t, middleware.Standard(middleware.Config{Clock: b.Clock})(p))
				requireContract(t, t.Context(), ending, emittedIn(got))
				if row.want != nil {
					require.True(t, ending == row.want, ending)
				} else {
					e := requireError(t, ending)
					require.Equal(t, row.is, e.Fault)
					require.Equal(t, row.category, e.Category)
					require.Equal(t, row.transient, e.Transient)
				}
				if row.open.err == nil && row.open.wait == 0 {
					require.EqualValues(t, 1, p.closes.Load())
				}
				require.Error(t, p.ctx.Err())
				b.idle(t)
			})
		})
	}
}

// With a policy every fault that may be retried is, and no other.
func TestStandardRetries(t *testing.T) {
	for _, row := range standardRows {
		t.Run(row.fault, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				opens := 0
				advance := func(d time.Duration) { <-time.After(d); synctest.Wait() }
				next := endwell.NextFunc(func(ctx context.Context, req *endwell.Request) (endwell.Stream, error) {
					if opens++; opens > 1 {
						return (&provider{steps: in(role, hello, sentinel)}).Open(ctx, req)
					}
					return (&provider{advance: advance, open: row.open, steps: row.steps, deaf: row.deaf}).Open(ctx, req)
				})
				ring := retry.NewRing(9)
				mw := middleware.Standard(middleware.Config{
					Retry: middleware.RetryConfig{Policy: retry.Always(&retry.Policy{MaxAttempts: 2, Ledger: ring})},
				})
				got, ending := collect(t, mw(next))
				emitted := false
				for _, st := range row.steps {
					emitted = emitted || st.chunk.Emission() && st.wait < h
				}
				again := row.transient && !emitted
				if again {
					require.True(t, ending == io.EOF, ending)
					require.Equal(t, []endwell.Chunk{role, hello, sentinel}, got, "a trace of the failed attempt")
					require.Equal(t, 2, opens)
				} else {
					require.Equal(t, 1, opens)
					requireContract(t, t.Context(), ending, emittedIn(got))
				}
				require.Equal(t, opens, ring.Total())
			})
		})
	}
}

// Whoever stops a stream gets the caller's ending from a complete stack.
func TestStandardCallerEndings(t *testing.T) {
	for _, row := range []struct {
		fault string
		steps func(k kit) []step
		open  func(k kit) step
		want  error
	}{
		{"canceled in Open", nil, func(k kit) step { return step{do: k.cancel, err: errReset} }, context.Canceled},
		{"canceled at the start", func(k kit) []step { return in(step{do: k.cancel, hang: true}) }, nil, context.Canceled},
		{"canceled mid-answer", func(k kit) []step { return in(hello, step{do: k.cancel, hang: true}) }, nil, context.Canceled},
		{"canceled as it stalls", func(k kit) []step { return in(hello, step{wait: h, do: k.cancel}) }, nil, context.Canceled},
		{"canceled while lingering", func(k kit) []step { return in(hello, stop, step{do: k.cancel, hang: true}) }, nil, context.Canceled},
		{"canceled as the sentinel comes", func(k kit) []step { return in(hello, step{do: k.cancel, chunk: sentinel}) }, nil, context.Canceled},
		{"canceled as an error frame comes", func(k kit) []step { return in(hello, step{do: k.cancel, err: inBand}) }, nil, context.Canceled},
		{"canceled as it closes early", func(k kit) []step { return in(hello, step{do: k.cancel, err: io.EOF}) }, nil, context.Canceled},
	} {
		for name, policy := range map[string]*retry.Policy{"": nil, ", with a policy": retry.Default()} {
			t.Run(row.fault+name, func(t *testing.T) {
				onBoth(t, func(t *testing.T, b bench) {
					ctx, cancel := context.WithCancel(t.Context())
					k := kit{b, cancel}
					p := &provider{advance: b.advance}
					if row.open != nil {
						p.open = row.open(k)
					}
					if row.steps != nil {
						p.steps = row.steps(k)
					}
					mw := middleware.Standard(middleware.Config{Clock: b.Clock, Retry: middleware.RetryConfig{Policy: retry.Always(policy)}})
					st, ending := mw(p).Open(ctx, request)
					if ending == nil {
						_, ending = drain(t, st)
					}
					require.True(t, ending == row.want, ending)
					require.EqualValues(t, 1, p.opens.Load())
					b.idle(t)
				})
			})
		}
	}
}

// Rule 9: a guard further out names its fault through the whole stack, and the
// stack below does not call it the caller's.
func TestStandardBelowAnotherGuard(t *testing.T) {
	onBoth(t, func(t *testing.T, b bench) {
		ring := retry.NewRing(9)
		outer := middleware.StallGuard(middleware.StallConfig{Clock: b.Clock, Bounds: middleware.Bounds{First: m}})
		inner := middleware.Standard(middleware.Config{
			Clock: b.Clock, Retry: middleware.RetryConfig{Policy: retry.Always(&retry.Policy{MaxAttempts: 3, Ledger: ring})},
		})
		p := &provider{advance: b.advance, steps: in(role, after(m, hello))}
		_, ending := collect(t, endwell.Chain(outer, inner)(p))
		require.Equal(t, stalled(endwell.BoundFirst, m, true), requireError(t, ending))
		require.EqualValues(t, 1, p.opens.Load())
		b.idle(t)
	})
}

func TestStandardConfig(t *testing.T) {
	var shared, own clock.Fake
	cfg := middleware.Config{
		Clock:    &shared,
		Stall:    middleware.StallConfig{Clock: &own, Bounds: middleware.Bounds{Idle: m}},
		Empty:    middleware.EmptyConfig{AllowReasoning: true},
		Sentinel: middleware.SentinelConfig{Strict: true},
		Classify: middleware.ClassifierConfig{Dialect: "zai"},
	}
	_, ending := collect(t, middleware.Standard(cfg)(&provider{advance: own.Advance, steps: in(hello, after(m, hello))}))
	require.ErrorIs(t, ending, endwell.Stalled)
	_, ending = collect(t, middleware.Standard(cfg)(&provider{steps: in(thought, stop, sentinel)}))
	require.True(t, ending == io.EOF, ending)
	_, ending = collect(t, middleware.Standard(cfg)(&provider{steps: in(hello, stop, io.EOF)}))
	require.ErrorIs(t, ending, endwell.Truncated)
	_, ending = collect(t, middleware.Standard(cfg)(&provider{advance: own.Advance, steps: in(hello, stop, after(h, usage))}))
	require.ErrorIs(t, ending, endwell.Truncated, "Linger is no sentinel to a strict check")
	_, ending = collect(t, middleware.Standard(cfg)(&provider{steps: in(hello, &endwell.Evidence{InBand: true, Code: "1113"})}))
	require.ErrorIs(t, ending, endwell.QuotaExhausted)

	cfg.Stall.Clock = nil
	_, ending = collect(t, middleware.Standard(cfg)(&provider{advance: shared.Advance, steps: in(hello, after(m, hello))}))
	require.ErrorIs(t, ending, endwell.Stalled, "the shared clock")
}

// A config that cannot be meant panics when the chain is made, never in a call.
func TestConfigPanicsAtConstructionOnly(t *testing.T) {
	require.Panics(t, func() { retry.Always(&retry.Policy{MaxAttempts: -1}) })
	odd := &retry.Policy{MaxAttempts: -3, MaxElapsed: -1}
	mw := middleware.Standard(middleware.Config{
		Stall: middleware.StallConfig{Bounds: middleware.Bounds{First: -1 << 63, Idle: -5, Progress: 1<<63 - 1, Linger: -1}},
		Retry: middleware.RetryConfig{Policy: func(*endwell.Request) *retry.Policy { return odd }},
	})
	require.NotPanics(t, func() {
		_, ending := collect(t, mw(&provider{steps: in(role, hello, sentinel)}))
		require.True(t, ending == io.EOF)
	})
}

// The stack agrees with package classify about what an original was.
func TestStandardKeepsTheOriginal(t *testing.T) {
	_, ending := collect(t, middleware.Standard(middleware.Config{})(&provider{steps: in(hello, inBand)}))
	var ev *endwell.Evidence
	require.True(t, errors.As(requireError(t, ending).Unredacted(), &ev))
	require.True(t, ev == inBand)
	want := classify.Error(inBand, classify.Call{Request: request, Opened: true, Emitted: true})
	require.Equal(t, want.Category, requireError(t, ending).Category)
}
