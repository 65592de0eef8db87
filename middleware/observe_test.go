package middleware_test

import (
	"context"
	"errors"
	"fmt"
	"io"
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

// obsBook keeps reports.
type obsBook struct {
	mu  sync.Mutex
	all []middleware.Report
}

func (b *obsBook) keep(_ context.Context, r middleware.Report) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.all = append(b.all, r)
}

func (b *obsBook) config(clk clock.Clock) middleware.ObserveConfig {
	return middleware.ObserveConfig{Report: b.keep, Clock: clk}
}

func (b *obsBook) count() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.all)
}

// only is the one report that there must be.
func (b *obsBook) only(t *testing.T) middleware.Report {
	t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	require.Len(t, b.all, 1)
	return b.all[0]
}

func TestObserve(t *testing.T) {
	wrapped := fmt.Errorf("wrapped: %w", passing)
	for _, row := range []struct {
		fault string
		open  step
		recv  []step
		think time.Duration // what the caller does before each Recv
		leave int           // after how many Recv the caller closes; 0 is never
		want  middleware.Report
		err   error // Err of the report
	}{
		{
			fault: "none", open: step{wait: s},
			recv: []step{after(s, role), after(2*s, hello), after(9*s, thought), after(s, stop), after(s, usage), fails(s, io.EOF)},
			want: middleware.Report{
				Opened: s, FirstChunk: 2 * s, FirstEmission: 4 * s, LongestGap: 9 * s, Took: 16 * s,
				Chunks: 5, Emissions: 2, Usage: endwell.Usage{Input: 3, Output: 5}, Ending: retry.EndingWhole,
			},
		},
		{
			fault: "the caller thinks for an hour", think: h,
			recv: []step{after(s, hello), after(2*s, hello), fails(s, io.EOF)},
			want: middleware.Report{
				FirstChunk: h + s, FirstEmission: h + s, LongestGap: 2 * s, Took: 3*h + 4*s,
				Chunks: 2, Emissions: 2, Ending: retry.EndingWhole,
			},
		},
		{
			fault: "whole without an emission", recv: []step{after(s, role), fails(s, io.EOF)},
			want: middleware.Report{FirstChunk: s, LongestGap: s, Took: 2 * s, Chunks: 1, Ending: retry.EndingWhole},
		},
		{
			fault: "a long wait before the first chunk is no gap", recv: []step{after(h, hello), fails(1, io.EOF)},
			want: middleware.Report{FirstChunk: h, FirstEmission: h, LongestGap: 1, Took: h + 1, Chunks: 1, Emissions: 1, Ending: retry.EndingWhole},
		},
		{
			fault: "refused", open: step{wait: s, err: stubborn}, err: endwell.AuthInvalid,
			want: middleware.Report{Opened: s, Took: s, Ending: retry.EndingFailed},
		},
		{
			fault: "not classified, in Open", open: step{wait: s, err: errReset},
			want: middleware.Report{Opened: s, Took: s, Ending: retry.EndingFailed},
		},
		{
			fault: "broken", recv: []step{after(0, hello), fails(m, passing)}, err: endwell.Broken,
			want: middleware.Report{LongestGap: m, Took: m, Chunks: 1, Emissions: 1, Ending: retry.EndingFailed},
		},
		{
			fault: "broken, wrapped", recv: []step{fails(m, wrapped)}, err: endwell.Broken,
			want: middleware.Report{Took: m, Ending: retry.EndingFailed},
		},
		{
			fault: "not classified", recv: []step{after(0, role), fails(s, errReset)},
			want: middleware.Report{LongestGap: s, Took: s, Chunks: 1, Ending: retry.EndingFailed},
		},
		{
			fault: "a cancellation that is not the caller's", recv: []step{fails(s, context.Canceled)},
			want: middleware.Report{Took: s, Ending: retry.EndingFailed},
		},
		{
			fault: "the caller closes", recv: []step{after(s, hello), after(0, hello)}, leave: 1, think: s,
			want: middleware.Report{FirstChunk: 2 * s, FirstEmission: 2 * s, Took: 3 * s, Chunks: 1, Emissions: 1, Ending: retry.EndingCanceled},
		},
		{
			fault: "usage without counts", recv: []step{after(0, endwell.Chunk{Kind: endwell.KindUsage}), fails(0, io.EOF)},
			want: middleware.Report{Chunks: 1, Ending: retry.EndingWhole},
		},
		{
			fault: "usage that grows", recv: []step{after(0, usage), after(0, endwell.Chunk{Kind: endwell.KindUsage, Usage: &endwell.Usage{Output: 8}}), fails(0, io.EOF)},
			want: middleware.Report{Chunks: 2, Usage: endwell.Usage{Input: 3, Output: 8}, Ending: retry.EndingWhole},
		},
	} {
		t.Run(row.fault, func(t *testing.T) {
			onBoth(t, func(t *testing.T, b bench) {
				var book obsBook
				began := b.Now()
				p := &provider{advance: b.advance, open: row.open, steps: row.recv}
				st, err := middleware.Observe(book.config(b.Clock))(p).Open(t.Context(), request)
				for n := 1; err == nil; n++ {
					if row.think > 0 {
						b.advance(row.think)
					}
					if row.leave > 0 && n > row.leave {
						require.Empty(t, book.all, "reported before the end")
						_ = st.Close()
					}
					_, err = st.Recv()
				}
				if st != nil {
					drain(t, st)
				}
				got := book.only(t)
				if row.err == nil {
					require.Nil(t, got.Err)
				} else {
					require.ErrorIs(t, got.Err, row.err)
					require.NoError(t, got.Err.Unredacted())
				}
				row.want.Agent, row.want.Provider, row.want.Model = "writer", "acme", "small-1"
				row.want.Answered = middleware.Target{Provider: "acme", Model: "small-1"}
				row.want.Began, row.want.Err, row.want.Attempts = began.Round(0), got.Err, 1
				require.Equal(t, row.want, got)
				require.Equal(t, row.want.Emissions > 0, got.Emitted())
			})
		})
	}
}

func TestObserveLetsThrough(t *testing.T) {
	mw := func() endwell.Middleware { return middleware.Observe(new(obsBook).config(nil)) }
	letsThrough(t, mw, errReset, stubborn, passing, inBand, outOfBand, endwell.ErrClosed, context.DeadlineExceeded)
	obeysLink(t, mw)
}

// With nobody to tell, it is not there.
func TestObserveNobody(t *testing.T) {
	next := mocks.NewMockNext(gomock.NewController(t))
	require.True(t, middleware.Observe(middleware.ObserveConfig{})(next) == endwell.Next(next))
}

// The report has no original, and the caller's error still does.
func TestObserveKeepsNothingSecret(t *testing.T) {
	var book obsBook
	err := passing.WithOriginal(errReset)
	_, ending := through(t, middleware.Observe(book.config(nil)), end(err))
	require.True(t, ending == error(err))
	require.Equal(t, errReset, err.Unredacted())
	require.NoError(t, book.only(t).Err.Unredacted())
}

// The context of the report is the caller's.
func TestObserveContext(t *testing.T) {
	type key struct{}
	var seen any
	mw := middleware.Observe(middleware.ObserveConfig{Report: func(ctx context.Context, _ middleware.Report) { seen = ctx.Value(key{}) }})
	_, err := mw(refusing(t, stubborn)).Open(context.WithValue(t.Context(), key{}, "trace"), request)
	require.Error(t, err)
	require.Equal(t, "trace", seen)
}

func TestObserveStops(t *testing.T) {
	hang := step{hang: true}
	for _, row := range []struct {
		fault  string
		open   step
		recv   []step
		chunks int
	}{
		{"in Open", hang, nil, 0},
		{"in the first Recv", step{}, in(hang), 0},
		{"in a later Recv", step{}, in(role, hello, hang), 2},
	} {
		for _, how := range []string{"canceled", "closed", "canceled, then closed", "by a guard further out"} {
			if row.open.hang && how == "closed" {
				continue
			}
			t.Run(how+" "+row.fault, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					ctx, cancel := context.WithCancelCause(t.Context())
					defer cancel(nil)
					var book obsBook
					want, ending := context.Canceled, retry.EndingCanceled
					var cause error
					switch how {
					case "closed":
						want = endwell.ErrClosed
					case "by a guard further out":
						want, cause, ending = fbLimited, fbLimited, retry.EndingFailed
					}
					p := &provider{open: row.open, steps: row.recv}
					opened := make(chan endwell.Stream, 1)
					var wg sync.WaitGroup
					wg.Go(func() {
						st, err := middleware.Observe(book.config(nil))(p).Open(ctx, request)
						opened <- st
						if err == nil {
							_, err = drain(t, st)
						}
						require.True(t, err == want, err)
					})
					<-time.After(time.Second)
					if how != "closed" {
						cancel(guarded(cause))
					}
					if st := <-opened; st != nil && how != "canceled" {
						_ = st.Close()
					}
					wg.Wait()
					got := book.only(t)
					require.Equal(t, ending, got.Ending)
					require.Equal(t, row.chunks, got.Chunks)
					require.Equal(t, time.Second, got.Took)
					if row.chunks > 0 {
						require.Equal(t, time.Second, got.LongestGap, "the wait that was cut short")
					}
				})
			})
		}
	}
}

// A caller who leaves while no Recv is on is reported by Close, before it returns.
func TestObserveLeft(t *testing.T) {
	for _, row := range []struct {
		how    string
		cause  error
		ending retry.Ending
	}{
		{"closed", nil, retry.EndingCanceled},
		{"canceled, then closed", context.Canceled, retry.EndingCanceled},
		{"a guard further out, then closed", fbLimited, retry.EndingFailed},
	} {
		t.Run(row.how, func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(t.Context())
			defer cancel(nil)
			var book obsBook
			st, err := middleware.Observe(book.config(nil))(mocked(t, say(hello))).Open(ctx, request)
			require.NoError(t, err)
			_, _ = st.Recv()
			if row.cause != nil {
				cancel(guarded(row.cause))
			}
			require.EqualError(t, st.Close(), "close failed")
			require.NoError(t, st.Close())
			require.Equal(t, row.ending, book.only(t).Ending)
			require.Equal(t, row.ending == retry.EndingFailed, book.only(t).Err != nil)
		})
	}
}

// A Recv that brings a chunk although Close has been called meanwhile delivers it,
// counts it and makes the report; what comes after the report passes uncounted.
func TestObserveChunkBesideClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var book obsBook
		st, err := middleware.Observe(book.config(nil))(&provider{deaf: true, deafClose: true, steps: []step{
			{do: func() { <-time.After(time.Minute) }, chunk: hello}, {chunk: hello}, {err: io.EOF},
		}}).Open(t.Context(), request)
		require.NoError(t, err)
		var wg sync.WaitGroup
		wg.Go(func() {
			c, err := st.Recv()
			require.NoError(t, err)
			require.Equal(t, hello, c)
			require.Equal(t, 1, book.only(t).Chunks)
			require.Equal(t, time.Minute, book.only(t).Took)
			got, ending := drain(t, st)
			require.Len(t, got, 1)
			require.True(t, ending == endwell.ErrClosed, ending)
		})
		synctest.Wait()
		require.NoError(t, st.Close())
		require.Zero(t, book.count(), "the Recv owns the report")
		wg.Wait()
		require.Equal(t, retry.EndingCanceled, book.only(t).Ending)
	})
}

// However Recv and Close meet, there is one report for each call.
func TestObserveOnce(t *testing.T) {
	leaves(t)
	var book obsBook
	mw := middleware.Observe(book.config(nil))
	const calls = 500
	for i := range calls {
		n := i % 7
		st, err := mw(endwell.NextFunc(func(context.Context, *endwell.Request) (endwell.Stream, error) {
			return endwell.FromSeq(func(yield func(endwell.Chunk, error) bool) {
				for range n {
					if !yield(hello, nil) {
						return
					}
				}
			}), nil
		})).Open(t.Context(), request)
		require.NoError(t, err)
		var wg sync.WaitGroup
		wg.Go(func() {
			for err == nil {
				_, err = st.Recv()
			}
			require.True(t, err == io.EOF || err == endwell.ErrClosed, err)
		})
		for range 2 {
			wg.Go(func() { _ = st.Close() })
		}
		wg.Wait()
		require.Len(t, book.all, i+1)
		last := book.all[i]
		require.LessOrEqual(t, last.Chunks, n)
		want := retry.EndingCanceled
		if err == io.EOF {
			want = retry.EndingWhole
			require.Equal(t, n, last.Chunks)
		}
		require.Equal(t, want, last.Ending, "the report and Recv differ")
	}
}

// A clock that goes back makes no negative times.
func TestObserveClockGoesBack(t *testing.T) {
	var f clock.Fake
	back := func() { f.Set(f.Now().Add(-time.Hour)) }
	var book obsBook
	p := &provider{open: step{do: back}, steps: []step{{do: back, chunk: hello}, {do: back, err: io.EOF}}}
	_, ending := collect(t, middleware.Observe(book.config(&f))(p))
	require.True(t, ending == io.EOF)
	got := book.only(t)
	for _, d := range []time.Duration{got.Opened, got.FirstChunk, got.FirstEmission, got.LongestGap, got.Took} {
		require.Zero(t, d)
	}
}

// Observers see who answered, each the fallbacks below it and no others.
func TestObserveFallback(t *testing.T) {
	var outer, middle, inner obsBook
	fails := func(err error) endwell.Next {
		return endwell.NextFunc(func(context.Context, *endwell.Request) (endwell.Stream, error) { return nil, err })
	}
	nested := endwell.Chain(
		middleware.Observe(inner.config(nil)),
		middleware.Fallback(middleware.FallbackConfig{To: []middleware.Alternative{
			{Name: "deep", Model: "model3", Next: &obsAnswer{}},
		}}),
	)(fails(fbBusy))
	chain := endwell.Chain(
		middleware.Observe(outer.config(nil)),
		middleware.Observe(middle.config(nil)),
		middleware.Fallback(middleware.FallbackConfig{To: []middleware.Alternative{
			{Name: "second", Provider: "spare1", Model: "model1", Next: fails(passing)},
			{Name: "third", Provider: "spare2", Model: "model2", Next: nested},
		}}),
	)(fails(fbLimited))
	_, ending := collect(t, chain)
	require.True(t, ending == io.EOF, ending)
	deep := middleware.Target{Place: 1, Name: "deep", Provider: "spare2", Model: "model3"}
	for _, book := range []*obsBook{&outer, &middle} {
		got := book.only(t)
		require.Equal(t, "acme", got.Provider)
		require.Equal(t, "small-1", got.Model)
		require.Equal(t, deep, got.Answered)
		require.Equal(t, 3, got.Fallbacks)
	}
	got := inner.only(t)
	require.Equal(t, "spare2", got.Provider)
	require.Equal(t, deep, got.Answered)
	require.Equal(t, 1, got.Fallbacks)
}

// obsAnswer is a Next that answers with one word.
type obsAnswer struct{ said bool }

func (a *obsAnswer) Open(context.Context, *endwell.Request) (endwell.Stream, error) { return a, nil }

func (a *obsAnswer) Recv() (endwell.Chunk, error) {
	if a.said {
		return endwell.Chunk{}, io.EOF
	}
	a.said = true
	return hello, nil
}

func (a *obsAnswer) Close() error { return errors.New("close failed") }

// Attempts of a RetryGate and switches of a Fallback add up.
func TestObserveAttempts(t *testing.T) {
	var outer, inner obsBook
	again := gate(&retry.Policy{MaxAttempts: 3, NewBackOff: every(0)}, nil)
	chain := endwell.Chain(
		middleware.Observe(outer.config(nil)),
		middleware.Fallback(middleware.FallbackConfig{To: []middleware.Alternative{{
			Next: endwell.Chain(middleware.Observe(inner.config(nil)), again)(endwell.NextFunc(
				func(context.Context, *endwell.Request) (endwell.Stream, error) { return nil, fbBusy },
			)),
		}}}),
		again,
	)(inOrder(t, refuse(passing), stream(say(role), end(passing)), refuse(passing)))
	_, ending := collect(t, chain)
	require.ErrorIs(t, ending, retry.StopAttempts)
	require.Equal(t, 6, outer.only(t).Attempts)
	require.Equal(t, 1, outer.only(t).Fallbacks)
	require.Equal(t, 3, inner.only(t).Attempts)
	require.Zero(t, inner.only(t).Fallbacks)
}

func TestObserveAllocatesNothing(t *testing.T) {
	for _, c := range []endwell.Chunk{hello, usage, ping, full(endwell.KindText)} {
		var book obsBook
		st, err := middleware.Observe(book.config(nil))(&replay{c}).Open(t.Context(), request)
		require.NoError(t, err)
		require.Zero(t, testing.AllocsPerRun(1000, func() { _, _ = st.Recv() }))
		require.NoError(t, st.Close())
		require.Equal(t, 1001, book.only(t).Chunks)
	}
}

func BenchmarkObserve(b *testing.B) {
	for name, mw := range map[string]endwell.Middleware{
		"nothing":  endwell.Chain(),
		"Observe":  middleware.Observe(middleware.ObserveConfig{Report: func(context.Context, middleware.Report) {}}),
		"Fallback": middleware.Fallback(middleware.FallbackConfig{To: []middleware.Alternative{{Next: &replay{hello}}}}),
	} {
		b.Run(name, func(b *testing.B) {
			st, _ := mw(&replay{hello}).Open(b.Context(), request)
			b.ReportAllocs()
			for b.Loop() {
				_, _ = st.Recv()
			}
			_ = st.Close()
		})
	}
}
