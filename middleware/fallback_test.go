package middleware_test

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/mock/gomock"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/clock"
	"github.com/endwell-go/endwell/middleware"
	"github.com/endwell-go/endwell/mocks"
	"github.com/endwell-go/endwell/retry"
)

// Failures that fallback tests tell apart.
var (
	fbBusy    = &endwell.Error{Fault: endwell.Refused, Category: endwell.Overloaded, Transient: true, Retryable: true, Status: 503}
	fbLimited = &endwell.Error{Fault: endwell.Refused, Category: endwell.RateLimited, Transient: true, Retryable: true, Status: 429}
	fbSpent   = &endwell.Error{Fault: endwell.Refused, Category: endwell.QuotaExhausted, Status: 402}
	fbLate    = &endwell.Error{Fault: endwell.Broken, Category: endwell.Network, Transient: true}
)

// fbRequest is the request that the handler at a place must get.
func fbRequest(place int) endwell.Request {
	req := *request
	if place > 0 {
		req.Provider, req.Model = fmt.Sprintf("spare%d", place), fmt.Sprintf("model%d", place)
	}
	return req
}

// fbChain is a Fallback over as many handlers as there are attempts, the first of
// which each is asked, in order, exactly once, with its own request; a stream must
// be closed, though its Close fails, before the next handler is asked. Of further
// handlers none may be asked.
func fbChain(t *testing.T, cfg middleware.FallbackConfig, spares int, attempts ...attempt) endwell.Next {
	ctrl := gomock.NewController(t)
	handlers := []*mocks.MockNext{mocks.NewMockNext(ctrl)}
	for place := range spares {
		want, n := fbRequest(place+1), mocks.NewMockNext(ctrl)
		handlers = append(handlers, n)
		cfg.To = append(cfg.To, middleware.Alternative{
			Name: fmt.Sprintf("name%d", place+1), Provider: want.Provider, Model: want.Model, Next: n,
		})
	}
	var calls []any
	for place, a := range attempts {
		same := gomock.Cond(func(req *endwell.Request) bool {
			want := fbRequest(place)
			return req.String() == want.String() && (place == 0) == (req == request)
		})
		if a.refuse != nil {
			calls = append(calls, handlers[place].EXPECT().Open(gomock.Any(), same).Return(nil, a.refuse).Call)
			continue
		}
		st := mocks.NewMockStream(ctrl)
		calls = append(calls, handlers[place].EXPECT().Open(gomock.Any(), same).Return(st, nil).Call)
		for _, ans := range a.answers {
			calls = append(calls, st.EXPECT().Recv().Return(ans.chunk, ans.err).Call)
		}
		calls = append(calls, st.EXPECT().Close().Return(errReset).Call)
	}
	gomock.InOrder(calls...)
	return middleware.Fallback(cfg)(handlers[0])
}

func TestFallback(t *testing.T) {
	ok := stream(then(whole, end(io.EOF))...)
	broken := stream(say(role), say(ping), end(passing))
	wrapped := fmt.Errorf("wrapped: %w", fbLimited)
	held64 := repeat(say(unstated), 64)
	anything := func(*endwell.Error) bool { return true }
	only := func(c endwell.Category) func(*endwell.Error) bool {
		return func(e *endwell.Error) bool { return e.Category == c }
	}
	F, W, C := retry.EndingFailed, retry.EndingWhole, retry.EndingCanceled
	type entry struct {
		ending  retry.Ending
		stop    retry.Stop
		emitted bool
	}
	failed := entry{F, 0, false}
	for _, row := range []struct {
		fault    string
		on       func(*endwell.Error) bool
		spares   int // 0 means 2 here
		attempts []attempt
		chunks   []answer
		same     error   // the very ending; nil to check last and is
		last     error   // what the fields say
		is       []error // what errors.Is finds
		ledger   []entry
	}{
		{fault: "none", attempts: []attempt{ok}, chunks: whole, same: io.EOF, ledger: []entry{{W, 0, true}}},
		{fault: "refused, then whole", attempts: []attempt{refuse(fbBusy), ok}, chunks: whole, same: io.EOF, ledger: []entry{failed, {W, 0, true}}},
		{fault: "wrapped refusal, then whole", attempts: []attempt{refuse(wrapped), ok}, chunks: whole, same: io.EOF, ledger: []entry{failed, {W, 0, true}}},
		{fault: "broken in the preamble, then whole", attempts: []attempt{broken, ok}, chunks: whole, same: io.EOF, ledger: []entry{failed, {W, 0, true}}},
		{fault: "nothing came at all, then whole", attempts: []attempt{stream(end(passing)), ok}, chunks: whole, same: io.EOF, ledger: []entry{failed, {W, 0, true}}},
		{fault: "broken, then refused, then whole", attempts: []attempt{broken, refuse(fbBusy), ok}, chunks: whole, same: io.EOF, ledger: []entry{failed, failed, {W, 0, true}}},
		{fault: "refused, then broken, then whole", attempts: []attempt{refuse(fbBusy), broken, ok}, chunks: whole, same: io.EOF, ledger: []entry{failed, failed, {W, 0, true}}},
		{fault: "all refuse", attempts: []attempt{refuse(fbBusy), refuse(wrapped), refuse(passing)}, last: endwell.Network, is: []error{endwell.Broken, endwell.RateLimited, endwell.Overloaded}, ledger: []entry{failed, failed, {F, retry.StopAttempts, false}}},
		{fault: "all break", attempts: []attempt{broken, stream(say(usage), end(fbLimited)), stream(end(fbBusy))}, last: endwell.Overloaded, is: []error{endwell.RateLimited, endwell.Network}, ledger: []entry{failed, failed, {F, retry.StopAttempts, false}}},
		{fault: "the last one is not allowed", attempts: []attempt{refuse(fbBusy), refuse(stubborn)}, last: endwell.AuthInvalid, is: []error{endwell.Overloaded}, ledger: []entry{failed, {F, retry.StopNotRetryable, false}}},
		{fault: "the only one fails", spares: 1, attempts: []attempt{broken, refuse(fbBusy)}, last: endwell.Overloaded, is: []error{endwell.Network}, ledger: []entry{failed, {F, retry.StopAttempts, false}}},
		{fault: "a key that is wrong", attempts: []attempt{refuse(stubborn)}, same: stubborn, ledger: []entry{{F, retry.StopNotRetryable, false}}},
		{fault: "a quota that is spent", attempts: []attempt{stream(say(role), end(fbSpent))}, same: fbSpent, ledger: []entry{{F, retry.StopNotRetryable, false}}},
		{fault: "a quota that is spent, and asked for", on: only(endwell.QuotaExhausted), attempts: []attempt{stream(say(role), end(fbSpent)), ok}, chunks: whole, same: io.EOF, ledger: []entry{failed, {W, 0, true}}},
		{fault: "retryable, and not asked for", on: only(endwell.QuotaExhausted), attempts: []attempt{broken}, same: passing, ledger: []entry{{F, retry.StopPredicate, false}}},
		{fault: "says that something was emitted", on: anything, attempts: []attempt{refuse(fbLate)}, same: fbLate, ledger: []entry{{F, retry.StopEmitted, false}}},
		{fault: "after the first emission", on: anything, attempts: []attempt{stream(say(role), say(hello), end(fbLate))}, chunks: []answer{say(role), say(hello)}, same: fbLate, ledger: []entry{{F, retry.StopEmitted, true}}},
		{fault: "after the first emission, and the fault says retryable", on: anything, attempts: []attempt{stream(say(hello), end(passing))}, chunks: []answer{say(hello)}, same: passing, ledger: []entry{{F, retry.StopEmitted, true}}},
		{fault: "after reasoning", on: anything, attempts: []attempt{stream(say(thought), end(passing))}, chunks: []answer{say(thought)}, same: passing, ledger: []entry{{F, retry.StopEmitted, true}}},
		{fault: "refused, then after the first emission", attempts: []attempt{refuse(fbBusy), stream(say(hello), end(fbLate))}, chunks: []answer{say(hello)}, same: fbLate, ledger: []entry{failed, {F, retry.StopEmitted, true}}},
		{fault: "not classified, in Open", on: anything, attempts: []attempt{refuse(errReset)}, same: errReset, ledger: []entry{{F, retry.StopNotRetryable, false}}},
		{fault: "not classified, in Recv", on: anything, attempts: []attempt{stream(say(role), end(errReset))}, same: errReset, ledger: []entry{{F, retry.StopNotRetryable, false}}},
		{fault: "not classified after the first emission", attempts: []attempt{stream(say(hello), end(errReset))}, chunks: []answer{say(hello)}, same: errReset, ledger: []entry{{F, retry.StopNotRetryable, true}}},
		{fault: "refused, then not classified", attempts: []attempt{refuse(fbBusy), stream(end(errReset))}, same: errReset, ledger: []entry{failed, {F, retry.StopNotRetryable, false}}},
		{fault: "whole without an emission", attempts: []attempt{stream(say(role), say(usage), end(io.EOF))}, chunks: []answer{say(role), say(usage)}, same: io.EOF, ledger: []entry{{W, 0, false}}},
		{fault: "closed below", attempts: []attempt{stream(say(role), end(endwell.ErrClosed))}, same: endwell.ErrClosed, ledger: []entry{{C, 0, false}}},
		{fault: "closed below, in Open", attempts: []attempt{refuse(endwell.ErrClosed)}, same: endwell.ErrClosed, ledger: []entry{{C, 0, false}}},
		{fault: "closed below after the first emission", attempts: []attempt{stream(say(hello), end(endwell.ErrClosed))}, chunks: []answer{say(hello)}, same: endwell.ErrClosed, ledger: []entry{{C, 0, true}}},
		{fault: "64 chunks are held", attempts: []attempt{stream(then(held64, end(passing))...), ok}, chunks: whole, same: io.EOF, ledger: []entry{failed, {W, 0, true}}},
		{fault: "65 chunks commit", attempts: []attempt{stream(then(held64, say(role), end(passing))...)}, chunks: then(held64, say(role)), same: passing, ledger: []entry{{F, retry.StopEmitted, true}}},
		{fault: "keep-alives are held as one", attempts: []attempt{stream(append(repeat(say(ping), 500), end(passing))...), ok}, chunks: whole, same: io.EOF, ledger: []entry{failed, {W, 0, true}}},
	} {
		t.Run(row.fault, func(t *testing.T) {
			var switches []middleware.Switch
			ring := retry.NewRing(9)
			cfg := middleware.FallbackConfig{
				On: row.on, Ledger: ring, Name: "main",
				OnFallback: func(_ context.Context, s middleware.Switch) { switches = append(switches, s) },
			}
			if row.spares == 0 {
				row.spares = 2
			}
			got, ending := collect(t, fbChain(t, cfg, row.spares, row.attempts...))
			require.Equal(t, chunksOf(row.chunks), got)
			if row.same != nil {
				require.True(t, ending == row.same, "%v is not %v", ending, row.same)
			} else {
				var last *endwell.Error
				require.ErrorAs(t, ending, &last)
				require.Equal(t, row.last, last.Category)
				for _, target := range row.is {
					require.ErrorIs(t, ending, target)
				}
				require.NotErrorIs(t, ending, io.EOF)
			}
			var ledger []entry
			for i, e := range ring.Snapshot() {
				want := fbRequest(i)
				require.Equal(t, i+1, e.Attempt)
				require.Equal(t, []string{want.Agent, want.Provider, want.Model}, []string{e.Agent, e.Provider, e.Model})
				foreign := i == len(row.attempts)-1 && ending == errReset
				require.Equal(t, e.Ending == F && !foreign, e.Err != nil)
				ledger = append(ledger, entry{e.Ending, e.Stop, e.Emitted})
			}
			require.Equal(t, row.ledger, ledger)
			require.Len(t, switches, len(row.attempts)-1)
			for i, s := range switches {
				from, to := fbRequest(i), fbRequest(i+1)
				name := "main"
				if i > 0 {
					name = fmt.Sprintf("name%d", i)
				}
				require.Equal(t, request.Agent, s.Agent)
				require.Equal(t, middleware.Target{Place: i, Name: name, Provider: from.Provider, Model: from.Model}, s.From)
				require.Equal(t, middleware.Target{Place: i + 1, Name: fmt.Sprintf("name%d", i+1), Provider: to.Provider, Model: to.Model}, s.To)
				require.NotNil(t, s.Err)
			}
		})
	}
}

// The last failure comes first, then the one before it, and so on; errors that
// others share are not changed.
func TestFallbackWrapsInOrder(t *testing.T) {
	_, ending := collect(t, fbChain(t, middleware.FallbackConfig{}, 2, refuse(fbBusy), refuse(fbLimited), refuse(passing)))
	var order []endwell.Category
	for err := ending; err != nil; {
		e := requireError(t, err)
		order = append(order, e.Category)
		err = nil
		for _, cause := range e.Unwrap() {
			err = cause
		}
	}
	require.Equal(t, []endwell.Category{endwell.Network, endwell.RateLimited, endwell.Overloaded}, order)
	require.Empty(t, passing.Unwrap())
	require.Empty(t, fbLimited.Unwrap())
	require.Equal(t, passing.Error(), ending.Error(), "the rendering is the last failure's")
}

func TestFallbackWithoutAlternatives(t *testing.T) {
	next := mocks.NewMockNext(gomock.NewController(t))
	mw := middleware.Fallback(middleware.FallbackConfig{Ledger: retry.NewRing(1)})
	require.True(t, mw(next) == endwell.Next(next))
	require.PanicsWithValue(t, "middleware: FallbackConfig.To[1] has no Next", func() {
		middleware.Fallback(middleware.FallbackConfig{To: []middleware.Alternative{{Next: next}, {Name: "gone"}}})
	})
}

// A list that changes later does not change the chain.
func TestFallbackKeepsItsList(t *testing.T) {
	next := endwell.NextFunc(func(context.Context, *endwell.Request) (endwell.Stream, error) { return nil, fbLimited })
	to := []middleware.Alternative{{Next: next}}
	chain := middleware.Fallback(middleware.FallbackConfig{To: to})
	to[0] = middleware.Alternative{}
	_, err := chain(refusing(t, passing)).Open(t.Context(), request)
	require.ErrorIs(t, err, endwell.RateLimited)
}

func TestFallbackLetsThrough(t *testing.T) {
	mw := func() endwell.Middleware {
		return middleware.Fallback(middleware.FallbackConfig{
			To: []middleware.Alternative{{Next: mocks.NewMockNext(gomock.NewController(t))}},
			On: func(*endwell.Error) bool { return false },
		})
	}
	letsThrough(t, mw, errReset, stubborn, passing, inBand, outOfBand, endwell.ErrClosed, context.DeadlineExceeded)
	obeysLink(t, mw)
}

// The alternative gets a copy that it may change in every way; the caller's request
// stays as it is, and all attempts of the alternative see the same one.
func TestFallbackAdapts(t *testing.T) {
	secrets := append(make([]string, 0, 9), "sk-test-not-a-real-key")
	asked := &endwell.Request{Agent: "a", Provider: "p", Model: "m", Payload: "old", Secret: secrets, Private: secrets}
	var got []*endwell.Request
	next := endwell.NextFunc(func(_ context.Context, req *endwell.Request) (endwell.Stream, error) {
		got = append(got, req)
		return nil, passing
	})
	chain := middleware.Fallback(middleware.FallbackConfig{To: []middleware.Alternative{
		{Next: middleware.RetryGate(middleware.RetryConfig{
			Policy: retry.Always(&retry.Policy{MaxAttempts: 2, NewBackOff: every(0)}),
		})(next), Model: "other", Adapt: func(req *endwell.Request) {
			require.Equal(t, "other", req.Model)
			require.Equal(t, "p", req.Provider)
			req.Payload = "new"
			req.Secret = append(req.Secret, "sk-test-another-fake-key")
			req.Private[0] = "changed"
		}},
		{Next: next, Provider: "q"},
	}})(next)
	_, err := chain.Open(t.Context(), asked)
	require.ErrorIs(t, err, endwell.Broken)
	require.Len(t, got, 4)
	require.Same(t, asked, got[0])
	require.Same(t, got[1], got[2], "each attempt sends the same snapshot")
	require.Equal(t, "new", got[1].Payload)
	require.Equal(t, []string{"sk-test-not-a-real-key", "sk-test-another-fake-key"}, got[1].Secret)
	require.Equal(t, endwell.Request{Agent: "a", Provider: "q", Model: "m", Payload: "old", Secret: secrets, Private: secrets}, *got[3])
	require.Equal(t, endwell.Request{Agent: "a", Provider: "p", Model: "m", Payload: "old", Secret: []string{"sk-test-not-a-real-key"}, Private: []string{"sk-test-not-a-real-key"}}, *asked)
	require.Empty(t, secrets[:2][1], "appended to the caller's own slice")
}

func TestFallbackStops(t *testing.T) {
	failing := step{err: passing}
	F, C := retry.EndingFailed, retry.EndingCanceled
	for _, row := range []struct {
		fault  string
		again  step // what the second Open does
		recv   []step
		opens  int32
		ledger []retry.Ending
	}{
		{"in a later Open", step{hang: true}, in(role, failing), 2, []retry.Ending{F, C}},
		{"in Recv of the preamble", step{}, in(role, step{hang: true}), 1, []retry.Ending{C}},
		{"in a later Recv of the preamble", step{}, in(role, failing, role, step{hang: true}), 2, []retry.Ending{F, C}},
		{"after the first emission", step{}, in(role, hello, step{hang: true}), 1, []retry.Ending{C}},
	} {
		for _, how := range []string{"canceled", "closed", "canceled, then closed"} {
			t.Run(how+" "+row.fault, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					ctx, cancel := context.WithCancel(t.Context())
					defer cancel()
					p, ring := &provider{steps: row.recv}, retry.NewRing(9)
					again := endwell.NextFunc(func(ctx context.Context, req *endwell.Request) (endwell.Stream, error) {
						p.open = row.again
						return p.Open(ctx, req)
					})
					st, err := middleware.Fallback(middleware.FallbackConfig{
						To: []middleware.Alternative{{Next: again}, {Next: again}}, Ledger: ring,
					})(p).Open(ctx, request)
					require.NoError(t, err)
					want := context.Canceled
					if how == "closed" {
						want = endwell.ErrClosed
					}
					var wg sync.WaitGroup
					wg.Go(func() {
						_, ending := drain(t, st)
						require.True(t, ending == want, ending)
					})
					synctest.Wait()
					if how != "closed" {
						cancel()
					}
					if how != "canceled" {
						_ = st.Close()
					}
					wg.Wait()
					require.Equal(t, row.opens, p.opens.Load())
					require.Equal(t, row.ledger, fbEndings(ring))
					require.Error(t, p.ctx.Err())
				})
			})
		}
	}
}

func fbEndings(ring *retry.Ring) (all []retry.Ending) {
	for _, e := range ring.Snapshot() {
		all = append(all, e.Ending)
	}
	return all
}

// A caller that goes while the preamble is being handed out gets nothing more.
func TestFallbackStopsInThePreamble(t *testing.T) {
	for _, last := range []answer{say(hello), end(io.EOF)} {
		for _, want := range []error{context.Canceled, endwell.ErrClosed} {
			ring := retry.NewRing(9)
			ctx, cancel := context.WithCancel(t.Context())
			st, err := fbChain(t, middleware.FallbackConfig{Ledger: ring}, 1, stream(say(role), say(usage), last)).Open(ctx, request)
			require.NoError(t, err)
			_, err = st.Recv()
			require.NoError(t, err)
			if want == endwell.ErrClosed {
				_ = st.Close()
			} else {
				cancel()
			}
			got, ending := drain(t, st)
			require.Empty(t, got)
			require.True(t, ending == want, ending)
			require.Equal(t, 1, ring.Total())
			cancel()
		}
	}
}

// A caller who stops the call has nobody else asked, whenever that happens.
func TestFallbackCallerFirst(t *testing.T) {
	for _, err := range []error{io.EOF, endwell.ErrClosed, passing, errReset, stubborn} {
		ctx, cancel := context.WithCancel(t.Context())
		p := &provider{deaf: true, steps: in(role, step{do: cancel, err: err})}
		chain := middleware.Fallback(middleware.FallbackConfig{To: []middleware.Alternative{
			{Next: mocks.NewMockNext(gomock.NewController(t))},
		}})
		st, openErr := chain(p).Open(ctx, request)
		require.NoError(t, openErr)
		_, ending := drain(t, st)
		require.True(t, ending == context.Canceled, "%v gave %v", err, ending)
		require.EqualValues(t, 1, p.closes.Load())
	}
	for _, what := range []string{"in Open", "in On", "in OnFallback", "in Adapt", "in the ledger"} {
		t.Run(what, func(t *testing.T) {
			told := 0
			ctx, cancel := context.WithCancel(t.Context())
			stop := func(where string) {
				if where == what {
					cancel()
				}
			}
			p := &provider{deaf: true, open: step{do: func() { stop("in Open") }, err: passing}}
			ledger := mocks.NewMockLedger(gomock.NewController(t))
			ledger.EXPECT().Record(gomock.Any()).Do(func(retry.Entry) { stop("in the ledger") })
			spare := mocks.NewMockNext(gomock.NewController(t))
			_, err := middleware.Fallback(middleware.FallbackConfig{
				To:         []middleware.Alternative{{Next: spare, Adapt: func(*endwell.Request) { stop("in Adapt") }}},
				On:         func(*endwell.Error) bool { stop("in On"); return true },
				OnFallback: func(context.Context, middleware.Switch) { told++; stop("in OnFallback") },
				Ledger:     ledger,
			})(p).Open(ctx, request)
			require.True(t, err == context.Canceled, err)
			require.Equal(t, what == "in OnFallback" || what == "in Adapt", told == 1, "told of a switch that is none")
			require.Error(t, p.ctx.Err())
		})
	}
	t.Run("a guard further out", func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		p := &provider{deaf: true, steps: in(role, step{do: func() { cancel(guarded(fbLimited)) }, err: passing})}
		st, err := middleware.Fallback(middleware.FallbackConfig{To: []middleware.Alternative{
			{Next: mocks.NewMockNext(gomock.NewController(t))},
		}})(p).Open(ctx, request)
		require.NoError(t, err)
		_, ending := drain(t, st)
		require.True(t, ending == error(fbLimited), ending)
	})
}

// A Close in the hook, or while the ledger is told, comes before the next handler.
func TestFallbackClosedBetween(t *testing.T) {
	for _, where := range []string{"in On", "in OnFallback", "in the ledger"} {
		t.Run(where, func(t *testing.T) {
			var st endwell.Stream
			told := 0
			stop := func(at string) {
				if at == where && st != nil {
					_ = st.Close()
				}
			}
			ledger := mocks.NewMockLedger(gomock.NewController(t))
			ledger.EXPECT().Record(gomock.Any()).Do(func(retry.Entry) { stop("in the ledger") })
			p := &provider{steps: in(role, step{err: passing})}
			st, _ = middleware.Fallback(middleware.FallbackConfig{
				To:         []middleware.Alternative{{Next: mocks.NewMockNext(gomock.NewController(t))}},
				On:         func(*endwell.Error) bool { stop("in On"); return true },
				OnFallback: func(context.Context, middleware.Switch) { told++; stop("in OnFallback") },
				Ledger:     ledger,
			})(p).Open(t.Context(), request)
			_, ending := drain(t, st)
			require.Equal(t, where == "in OnFallback", told == 1, "told of a switch that is none")
			require.True(t, ending == endwell.ErrClosed, ending)
			require.EqualValues(t, 1, p.closes.Load())
		})
	}
}

// A Close that has begun counts, although the context still lives.
func TestFallbackClosing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		unread, drained := make(chan struct{}), make(chan struct{})
		below := mocks.NewMockStream(gomock.NewController(t))
		below.EXPECT().Recv().DoAndReturn(func() (endwell.Chunk, error) { <-unread; return endwell.Chunk{}, passing })
		below.EXPECT().Close().DoAndReturn(func() error { close(unread); <-drained; return errReset })
		next := mocks.NewMockNext(gomock.NewController(t))
		next.EXPECT().Open(gomock.Any(), request).Return(below, nil)
		ring := retry.NewRing(9)
		st, err := middleware.Fallback(middleware.FallbackConfig{
			Ledger: ring, To: []middleware.Alternative{{Next: mocks.NewMockNext(gomock.NewController(t))}},
		})(next).Open(t.Context(), request)
		require.NoError(t, err)
		var wg sync.WaitGroup
		wg.Go(func() {
			synctest.Wait()
			require.ErrorIs(t, st.Close(), errReset)
		})
		_, ending := drain(t, st)
		require.True(t, ending == endwell.ErrClosed, ending)
		close(drained)
		wg.Wait()
		require.Equal(t, []retry.Ending{retry.EndingCanceled}, fbEndings(ring))
	})
}

// A stream that a later Open returns after Close is closed, and has its entry.
func TestFallbackClosesWhatOpensLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		let := make(chan struct{})
		late := mocks.NewMockStream(gomock.NewController(t))
		late.EXPECT().Close().Times(1)
		ring := retry.NewRing(9)
		st, err := middleware.Fallback(middleware.FallbackConfig{Ledger: ring, To: []middleware.Alternative{{
			Next: endwell.NextFunc(func(context.Context, *endwell.Request) (endwell.Stream, error) {
				<-let
				return late, nil
			}),
		}}})(mocked(t, end(passing))).Open(t.Context(), request)
		require.NoError(t, err)
		go func() {
			synctest.Wait()
			_ = st.Close()
			close(let)
		}()
		_, ending := drain(t, st)
		require.True(t, ending == endwell.ErrClosed, ending)
		require.Equal(t, []retry.Ending{retry.EndingFailed, retry.EndingCanceled}, fbEndings(ring))
	})
}

// Each entry has its own times and its own usage, and no unredacted original.
func TestFallbackLedger(t *testing.T) {
	use := func(in, out int64) endwell.Chunk {
		return endwell.Chunk{Kind: endwell.KindUsage, Usage: &endwell.Usage{Input: in, Output: out}}
	}
	onBoth(t, func(t *testing.T, b bench) {
		first := &provider{advance: b.advance, open: step{wait: time.Second}, steps: []step{
			after(time.Second, use(3, 0)), after(0, use(0, 7)), after(0, endwell.Chunk{Kind: endwell.KindUsage}),
			fails(time.Second, passing.WithOriginal(errReset)),
		}}
		second := &provider{advance: b.advance, open: step{wait: 2 * time.Second}, steps: []step{
			after(time.Second, hello), after(time.Second, use(0, 9)), fails(time.Minute, io.EOF),
		}}
		ring, began := retry.NewRing(9), b.Now()
		_, ending := collect(t, middleware.Fallback(middleware.FallbackConfig{
			Ledger: ring, Clock: b.Clock, To: []middleware.Alternative{{Model: "small-2", Next: second}},
		})(first))
		require.True(t, ending == io.EOF, ending)
		entries := ring.Snapshot()
		require.Len(t, entries, 2)
		require.NoError(t, entries[0].Err.Unredacted())
		require.ErrorIs(t, entries[0].Err, endwell.Broken)
		entries[0].Err = nil
		require.Equal(t, []retry.Entry{{
			Time: began.Add(3 * time.Second).Round(0), Agent: "writer", Provider: "acme", Model: "small-1", Attempt: 1,
			Ending: retry.EndingFailed, Took: 3 * time.Second, Elapsed: 3 * time.Second, Usage: endwell.Usage{Input: 3, Output: 7},
		}, {
			Time: began.Add(67 * time.Second).Round(0), Agent: "writer", Provider: "acme", Model: "small-2", Attempt: 2,
			Ending: retry.EndingWhole, Took: 64 * time.Second, Elapsed: 67 * time.Second, Usage: endwell.Usage{Output: 9}, Emitted: true,
		}}, entries)
	})
}

// A clock that goes back makes no negative times.
func TestFallbackLedgerClockGoesBack(t *testing.T) {
	var f clock.Fake
	ring := retry.NewRing(1)
	p := &provider{open: step{do: func() { f.Set(f.Now().Add(-time.Hour)) }, err: passing}}
	_, err := middleware.Fallback(middleware.FallbackConfig{
		Ledger: ring, Clock: &f, To: []middleware.Alternative{{Next: mocks.NewMockNext(gomock.NewController(t))}}, On: func(*endwell.Error) bool { return false },
	})(p).Open(t.Context(), request)
	require.ErrorIs(t, err, endwell.Broken)
	require.Zero(t, ring.Snapshot()[0].Took)
	require.Zero(t, ring.Snapshot()[0].Elapsed)
}

// One chain serves any number of calls, each of which begins with the first
// handler: nothing is remembered.
func TestFallbackConcurrentCalls(t *testing.T) {
	leaves(t)
	ring := retry.NewRing(999)
	chain := middleware.Fallback(middleware.FallbackConfig{Ledger: ring, To: []middleware.Alternative{
		{Next: endwell.NextFunc(func(context.Context, *endwell.Request) (endwell.Stream, error) {
			return endwell.FromSeq(func(yield func(endwell.Chunk, error) bool) {
				for yield(hello, nil) {
				}
			}), nil
		})},
	}})(endwell.NextFunc(func(context.Context, *endwell.Request) (endwell.Stream, error) { return nil, fbBusy }))
	var wg sync.WaitGroup
	for range 32 {
		wg.Go(func() {
			st, err := chain.Open(t.Context(), request)
			require.NoError(t, err)
			var both sync.WaitGroup
			both.Go(func() {
				for err == nil {
					_, err = st.Recv()
				}
				require.True(t, err == endwell.ErrClosed, err)
			})
			both.Go(func() { _ = st.Close() })
			both.Wait()
		})
	}
	wg.Wait()
	require.Equal(t, 64, ring.Total())
}

// Without a preamble a chunk costs nothing.
func TestFallbackAllocatesNothing(t *testing.T) {
	st, err := middleware.Fallback(middleware.FallbackConfig{To: []middleware.Alternative{
		{Next: &replay{hello}},
	}})(&replay{hello}).Open(t.Context(), request)
	require.NoError(t, err)
	_, _ = st.Recv()
	require.Zero(t, testing.AllocsPerRun(1000, func() { _, _ = st.Recv() }))
	require.NoError(t, st.Close())
}

// fbRandom is one handler of the property test; they share what they know.
type fbRandom struct {
	*random
	place int
	asked *int // the place that may be asked next
}

func (r fbRandom) Open(ctx context.Context, req *endwell.Request) (endwell.Stream, error) {
	require.Equal(r.t, *r.asked, r.place, "out of order, or asked twice")
	*r.asked++
	want := fbRequest(r.place)
	require.Equal(r.t, want.String(), req.String())
	return r.random.Open(ctx, req)
}

// With random schedules of preamble, emission, fault, cancellation and Close: the
// caller sees each byte of one answer once, answers never overlap, what failed is
// closed before the next one is asked, each handler is asked at most once, and each
// that was asked has one entry.
func TestFallbackProperty(t *testing.T) {
	switched, emitted, stoppedCalls := 0, 0, 0
	for seed := range uint64(4000) {
		rnd := rand.New(rand.NewPCG(seed, 5))
		shared, asked := &random{t: t, rnd: rnd}, 0
		ring := retry.NewRing(32)
		var hooks int
		cfg := middleware.FallbackConfig{Ledger: ring, OnFallback: func(context.Context, middleware.Switch) { hooks++ }}
		for place := 1; place <= 1+rnd.IntN(5); place++ {
			want := fbRequest(place)
			cfg.To = append(cfg.To, middleware.Alternative{
				Provider: want.Provider, Model: want.Model, Next: fbRandom{shared, place, &asked},
			})
		}
		ctx, cancel := context.WithCancel(t.Context())
		stopAt := rnd.IntN(20)
		st, err := middleware.Fallback(cfg)(fbRandom{shared, 0, &asked}).Open(ctx, request)
		var chunks []endwell.Chunk
		for err == nil {
			var c endwell.Chunk
			if c, err = st.Recv(); err == nil {
				chunks = append(chunks, c)
			}
			if len(chunks) == stopAt {
				stoppedCalls++
				if cancel(); seed%2 == 0 {
					_ = st.Close()
				}
				break
			}
		}
		if st != nil {
			_ = st.Close()
		}
		cancel()
		seen := map[string]bool{}
		for _, c := range chunks {
			if c.Emission() {
				require.False(t, seen[c.Text], "seen twice")
				require.Contains(t, c.Text, fmt.Sprintf("%d.", shared.opens), "of another answer")
				seen[c.Text] = true
			}
		}
		if len(seen) == 0 && err != nil && err != io.EOF {
			require.Empty(t, chunks, "the preamble of a failed answer")
		}
		if err != nil {
			require.Len(t, seen, shared.texts, "an emission is lost")
		}
		require.Zero(t, shared.open, "not closed")
		require.Equal(t, shared.opens, ring.Total())
		require.Equal(t, shared.opens-1, hooks)
		require.LessOrEqual(t, shared.opens, 1+len(cfg.To))
		switched += hooks
		emitted += len(seen)
	}
	require.Greater(t, switched, 2000)
	require.Greater(t, emitted, 1000)
	require.Greater(t, stoppedCalls, 100)
}
