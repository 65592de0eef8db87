package middleware_test

import (
	"context"
	"errors"
	"io"
	"math"
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
)

const (
	s = time.Second
	m = time.Minute
	h = time.Hour
)

// stalled is the error of a bound that expired.
func stalled(bound endwell.Bound, waited time.Duration, retryable bool) *endwell.Error {
	return &endwell.Error{
		Fault: endwell.Stalled, Category: endwell.Timeout, Transient: true, Retryable: retryable,
		Bound: bound, Waited: waited,
	}
}

// kit is what the steps of a row may use.
type kit struct {
	bench
	cancel func()
}

// pings are keep-alives, each after d.
func pings(n int, d time.Duration) (steps []step) {
	for range n {
		steps = append(steps, after(d, ping))
	}
	return steps
}

// in joins steps.
func in(parts ...any) (steps []step) {
	for _, p := range parts {
		switch p := p.(type) {
		case step:
			steps = append(steps, p)
		case []step:
			steps = append(steps, p...)
		case endwell.Chunk:
			steps = append(steps, step{chunk: p})
		case error:
			steps = append(steps, step{err: p})
		}
	}
	return steps
}

type stallRow struct {
	fault  string
	bounds middleware.Bounds
	open   func(kit) step
	steps  func(kit) []step
	want   error
	deaf   bool // ignores its context
	late   bool // ignores its context and Close
	fake   bool // needs the fake clock
}

func steps(parts ...any) func(kit) []step { return func(kit) []step { return in(parts...) } }
func opens(st step) func(kit) step        { return func(kit) step { return st } }

// The defaults: First 10 min, Idle 5 min, Progress 15 min, Linger 10 s.
var stallRows = []stallRow{
	// First.
	{fault: "no byte within First", steps: steps(after(10*m, hello)), want: stalled(endwell.BoundFirst, 10*m, true)},
	{fault: "first byte just within First", steps: steps(after(10*m-1, hello), io.EOF), want: io.EOF},
	{fault: "Idle before there was a byte", steps: steps(after(5*m, role), after(5*m-1, hello), io.EOF), want: io.EOF},
	{fault: "Open took a part of First", open: opens(step{wait: 6 * m}), steps: steps(after(4*m, hello)), want: stalled(endwell.BoundFirst, 10*m, true)},
	{fault: "Open left enough of First", open: opens(step{wait: 6 * m}), steps: steps(after(4*m-1, hello), io.EOF), want: io.EOF},
	{fault: "Open hangs", open: opens(step{wait: 10 * m}), want: stalled(endwell.BoundFirst, 10*m, true)},
	{fault: "Open just within First", open: opens(step{wait: 10*m - 1}), steps: steps(hello, io.EOF), want: io.EOF},
	{fault: "Open returns a stream after the expiry", open: opens(step{wait: 10 * m}), late: true, want: stalled(endwell.BoundFirst, 10*m, true)},
	{fault: "Open fails after the expiry", open: opens(fails(10*m, errReset)), late: true, want: stalled(endwell.BoundFirst, 10*m, true)},
	{fault: "Open fails before", open: opens(fails(9*m, errReset)), want: errReset},
	{fault: "keep-alives only, First is not put off", steps: steps(pings(3, 3*m), after(m, ping)), want: stalled(endwell.BoundFirst, 10*m, true)},
	{fault: "lifecycle events only", steps: steps(after(4*m, role), after(4*m, unstated), after(2*m, usage)), want: stalled(endwell.BoundFirst, 10*m, true)},
	{fault: "First and Idle at once", bounds: middleware.Bounds{First: 5 * m}, steps: steps(ping, after(5*m, ping)), want: stalled(endwell.BoundFirst, 5*m, true)},
	{fault: "reasoning ends First", steps: steps(after(9*m, thought), pings(2, 4*m), hello, io.EOF), want: io.EOF},
	{fault: "tool arguments end First", steps: steps(after(9*m, call(0, 0, "{")), pings(2, 4*m), hello, io.EOF), want: io.EOF},

	// Idle.
	{fault: "silence after the first keep-alive", steps: steps(ping, after(5*m, hello)), want: stalled(endwell.BoundIdle, 5*m, true)},
	{fault: "silence just within Idle", steps: steps(ping, after(5*m-1, hello), io.EOF), want: io.EOF},
	{fault: "silence mid-answer", steps: steps(hello, after(5*m, hello)), want: stalled(endwell.BoundIdle, 5*m, false)},
	{fault: "bytes of an unfinished frame are life", steps: steps(hello, after(4*m, partial), after(4*m, partial), after(4*m, hello), io.EOF), want: io.EOF},
	{fault: "silence when it may end", steps: steps(hello, mayEnd, after(5*m, hello)), want: stalled(endwell.BoundIdle, 5*m, false)},
	{fault: "the longest healthy silence on record", steps: steps(hello, after(157*s, hello), io.EOF), want: io.EOF},

	// Progress.
	{fault: "keep-alives for ever", steps: steps(hello, pings(4, 4*m)), want: stalled(endwell.BoundProgress, 15*m, false)},
	{fault: "progress just in time", steps: steps(hello, pings(3, 4*m), after(3*m-1, hello), io.EOF), want: io.EOF},
	{fault: "lifecycle events are no progress", steps: steps(hello, after(4*m, unstated), after(4*m, usage), after(4*m, partial), after(3*m, hello)), want: stalled(endwell.BoundProgress, 15*m, false)},
	{fault: "an emission puts Progress off", steps: steps(hello, pings(3, 4*m), after(2*m, thought), pings(3, 4*m), after(2*m, call(0, 0, "x")), pings(3, 4*m), after(2*m, picture), pings(3, 4*m), after(2*m, refusal), io.EOF), want: io.EOF},

	{fault: "not a byte, and Progress is as long as Idle", bounds: middleware.Bounds{Idle: m, Progress: m}, steps: steps(hello, after(m, hello)), want: stalled(endwell.BoundIdle, m, false)},
	{fault: "keep-alives alone, and Progress is as long as Idle", bounds: middleware.Bounds{Idle: m, Progress: m}, steps: steps(hello, after(s, ping), after(59*s, hello)), want: stalled(endwell.BoundProgress, m, false)},

	// Linger.
	{fault: "the close does not come", steps: steps(hello, stop, after(10*s, usage)), want: io.EOF},
	{fault: "the close comes in time", steps: steps(hello, stop, after(10*s-1, usage), io.EOF), want: io.EOF},
	{fault: "keep-alives after the finish for ever", steps: steps(hello, stop, pings(3, 3*s), after(s, ping)), want: io.EOF},
	{fault: "Linger is short of a nanosecond", steps: steps(hello, stop, pings(3, 3*s), after(s-1, usage), after(1, usage)), want: io.EOF},
	{fault: "waits before the finish are not Linger's", steps: steps(hello, pings(3, 4*m), stop, after(9*s, usage), io.EOF), want: io.EOF},
	{fault: "a reset while lingering", steps: steps(hello, stop, fails(9*s, errReset)), want: errReset},
	{fault: "a fault while lingering", steps: steps(hello, stop, fails(9*s, passing)), want: passing},
	{fault: "the sentinel does not close", steps: steps(hello, sentinel, after(10*s, usage)), want: io.EOF},
	{fault: "the sentinel does not begin Linger anew", steps: steps(hello, stop, after(9*s, sentinel), after(s, usage)), want: io.EOF},
	{fault: "the answer goes on after all", steps: steps(hello, stop, after(9*s, role), pings(3, 4*m), after(3*m, ping)), want: stalled(endwell.BoundProgress, 15*m, false)},

	// Off, and extremes.
	{fault: "all off", bounds: middleware.Bounds{First: -1, Idle: -1, Progress: -1, Linger: -1}, open: opens(step{wait: 99 * h}), steps: steps(after(99*h, ping), after(99*h, hello), after(99*h, stop), fails(99*h, io.EOF)), want: io.EOF},
	{fault: "First off", bounds: middleware.Bounds{First: -1}, steps: steps(after(99*h, ping), pings(9, 4*m), after(5*m, hello)), want: stalled(endwell.BoundIdle, 5*m, true)},
	{fault: "Idle off", bounds: middleware.Bounds{Idle: math.MinInt64}, steps: steps(hello, after(15*m, hello)), want: stalled(endwell.BoundProgress, 15*m, false)},
	{fault: "Progress off", bounds: middleware.Bounds{Progress: -1}, steps: steps(hello, pings(20, 4*m), after(5*m, hello)), want: stalled(endwell.BoundIdle, 5*m, false)},
	{fault: "Linger off", bounds: middleware.Bounds{Linger: -1}, steps: steps(hello, stop, fails(99*h, io.EOF)), want: io.EOF},
	{fault: "as long as can be", bounds: middleware.Bounds{First: math.MaxInt64, Idle: math.MaxInt64}, steps: steps(ping, after(999*h, hello), io.EOF), want: io.EOF},
	{fault: "as short as can be", bounds: middleware.Bounds{First: 1}, steps: steps(after(1, hello)), want: stalled(endwell.BoundFirst, 1, true)},

	// Rule 9: who was first.
	{fault: "the transport reports our own close", steps: steps(hello, fails(5*m, errReset)), deaf: true, want: stalled(endwell.BoundIdle, 5*m, false)},
	{fault: "a fault arrives too late", steps: steps(hello, fails(5*m, passing)), late: true, want: stalled(endwell.BoundIdle, 5*m, false)},
	{fault: "a chunk arrives too late", steps: steps(hello, after(5*m, hello)), late: true, want: stalled(endwell.BoundIdle, 5*m, false)},
	{fault: "a clean close arrives too late", steps: steps(hello, fails(5*m, io.EOF)), late: true, want: stalled(endwell.BoundIdle, 5*m, false)},
	{fault: "a reset is reported just before", steps: steps(hello, fails(5*m-1, errReset)), want: errReset},
	{fault: "a fault is reported just before", steps: steps(hello, fails(5*m-1, passing)), want: passing},
	{fault: "the provider obeys Close only", steps: steps(hello, after(5*m, hello)), deaf: true, want: stalled(endwell.BoundIdle, 5*m, false)},
	{fault: "canceled, then expired", steps: func(k kit) []step {
		return in(hello, step{do: func() { k.cancel(); k.advance(5 * m) }, chunk: hello})
	}, want: context.Canceled},
	{fault: "expired, then canceled", steps: func(k kit) []step {
		return in(hello, step{wait: 5 * m, do: k.cancel, chunk: hello})
	}, want: context.Canceled},
	{fault: "expired, then canceled, provider obeys nothing", late: true, steps: func(k kit) []step {
		return in(hello, step{wait: 5 * m, do: k.cancel, chunk: hello})
	}, want: context.Canceled},
	{fault: "canceled in Linger, then expired", steps: func(k kit) []step {
		return in(hello, stop, step{do: func() { k.cancel(); k.advance(10 * s) }, chunk: usage})
	}, want: context.Canceled},
	{fault: "canceled in Open, then expired", open: func(k kit) step {
		return step{do: func() { k.cancel(); k.advance(10 * m) }}
	}, want: context.Canceled},
	{fault: "expired in Open, then canceled", open: func(k kit) step { return step{wait: 10 * m, do: k.cancel} }, want: context.Canceled},
	{fault: "canceled in Open, which returns a stream", late: true, open: func(k kit) step { return step{do: k.cancel} }, want: context.Canceled},
	{fault: "canceled while a reset is reported", steps: func(k kit) []step {
		return in(hello, step{do: k.cancel, err: errReset})
	}, late: true, want: context.Canceled},
	{fault: "canceled, and the provider obeys Close only", deaf: true, steps: func(k kit) []step {
		return in(hello, step{do: k.cancel, hang: true})
	}, want: context.Canceled},

	// Late callbacks and clocks that misbehave.
	{fault: "late callback of an earlier wait", fake: true, steps: func(k kit) []step {
		return in(
			hello,
			step{do: func() { k.fake.Hold(); k.advance(5 * m) }, chunk: hello},
			step{do: func() { k.fake.Release(); k.advance(5*m - 1) }, chunk: hello},
			after(5*m, hello))
	}, want: stalled(endwell.BoundIdle, 5*m, false)},
	{fault: "late callback while the bound shrinks", fake: true, steps: func(k kit) []step {
		return in(
			hello,
			step{do: func() { k.fake.Hold(); k.advance(5 * m) }, chunk: stop},
			step{do: func() { k.fake.Release(); k.advance(10*s - 1) }, chunk: usage},
			step{wait: 1, chunk: usage})
	}, want: io.EOF},
	{fault: "late callback of this wait", fake: true, steps: func(k kit) []step {
		return in(hello, step{do: func() { k.fake.Hold(); k.advance(6 * m); k.fake.Release() }, chunk: hello})
	}, want: stalled(endwell.BoundIdle, 5*m, false)},
	{fault: "First used up to the last nanosecond", fake: true, steps: func(k kit) []step {
		return in(step{do: func() { k.fake.Hold(); k.advance(10 * m) }, chunk: ping})
	}, want: stalled(endwell.BoundFirst, 10*m, true)},
	{fault: "Linger used up to the last nanosecond", fake: true, steps: func(k kit) []step {
		return in(hello, stop, step{do: func() { k.fake.Hold(); k.advance(10 * s) }, chunk: usage})
	}, want: io.EOF},
	{fault: "the clock goes back in a wait", fake: true, steps: func(k kit) []step {
		back := func() { k.fake.Set(k.Now().Add(-h)) }
		return in(hello, pings(3, 4*m), step{do: back, chunk: ping}, after(3*m-1, hello), step{do: back, chunk: hello}, after(5*m, hello))
	}, want: stalled(endwell.BoundIdle, 5*m, false)},
	{fault: "the clock goes back, and Progress is put off by that", fake: true, steps: func(k kit) []step {
		return in(hello, pings(3, 4*m), step{do: func() { k.fake.Set(k.Now().Add(-h)) }, chunk: ping}, after(3*m, ping))
	}, want: stalled(endwell.BoundProgress, 15*m, false)},
	{fault: "the clock stands still", fake: true, steps: steps(hello, pings(100, 0), hello, io.EOF), want: io.EOF},
}

func TestStallGuard(t *testing.T) {
	for _, row := range stallRows {
		t.Run(row.fault, func(t *testing.T) {
			onBoth(t, func(t *testing.T, b bench) { row.run(t, b, 0) })
		})
		t.Run(row.fault+", slow consumer", func(t *testing.T) {
			onBoth(t, func(t *testing.T, b bench) { row.run(t, b, h) })
		})
	}
}

func (row stallRow) run(t *testing.T, b bench, think time.Duration) {
	if row.fake && b.fake == nil {
		t.Skip("needs the fake clock")
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	k := kit{b, func() { cancel(); synctest.Wait() }}
	p := &provider{advance: b.advance, deaf: row.deaf || row.late, deafClose: row.late}
	if row.open != nil {
		p.open = row.open(k)
	}
	if row.steps != nil {
		p.steps = row.steps(k)
	}
	mw := middleware.StallGuard(middleware.StallConfig{Bounds: row.bounds, Clock: b.Clock})
	st, ending := mw(p).Open(ctx, request)
	if ending == nil {
		for ending == nil {
			b.advance(think)
			_, ending = st.Recv()
		}
		b.advance(think)
		_, ending = drain(t, st)
		require.EqualValues(t, 1, p.closes.Load())
		require.Equal(t, len(p.steps), p.at, "steps left")
	}
	row.check(t, ending, p)
	require.Error(t, p.ctx.Err(), "the context of the stream below was never ended")
	b.idle(t)
}

func (row stallRow) check(t *testing.T, ending error, p *provider) {
	want, isStall := row.want.(*endwell.Error)
	if !isStall || want.Fault != endwell.Stalled {
		require.True(t, ending == row.want, "%v is not %v", ending, row.want)
		return
	}
	require.Equal(t, want, requireError(t, ending))
	require.NotErrorIs(t, ending, context.Canceled)
	require.NotErrorIs(t, ending, context.DeadlineExceeded)
	if p.at > 0 {
		require.True(t, errors.Unwrap(context.Cause(p.ctx)) == ending, "the cause is %v", context.Cause(p.ctx))
	}
}

// A guard may hold no timer once the stream has ended, also before it is closed.
func TestStallGuardLeavesNoTimer(t *testing.T) {
	for name, st := range map[string]step{
		"EOF":    {err: io.EOF},
		"error":  {err: errReset},
		"fault":  {err: passing},
		"stall":  {wait: 5 * m},
		"cancel": {hang: true},
	} {
		t.Run(name, func(t *testing.T) {
			onBoth(t, func(t *testing.T, b bench) {
				ctx, cancel := context.WithCancel(t.Context())
				p := &provider{advance: b.advance, steps: in(hello, st)}
				guarded, _ := middleware.StallGuard(middleware.StallConfig{Clock: b.Clock})(p).Open(ctx, request)
				_, _ = guarded.Recv()
				if name == "cancel" {
					cancel()
				}
				_, ending := guarded.Recv()
				b.idle(t)
				_, again := guarded.Recv()
				require.True(t, ending == again)
				_ = guarded.Close()
				cancel()
			})
		})
	}
	t.Run("close", func(t *testing.T) {
		onBoth(t, func(t *testing.T, b bench) {
			p := &provider{advance: b.advance, steps: in(hello, hello)}
			guarded, _ := middleware.StallGuard(middleware.StallConfig{Clock: b.Clock})(p).Open(t.Context(), request)
			_, _ = guarded.Recv()
			_ = guarded.Close()
			b.idle(t)
			_, ending := guarded.Recv()
			require.True(t, ending == endwell.ErrClosed, ending)
			b.idle(t)
			require.EqualValues(t, 1, p.closes.Load())
		})
	})
}

// A guarded stream that waits is ended by the caller's context without a Close of
// the caller's, although the provider looks at Close only.
func TestStallGuardClosesForTheCaller(t *testing.T) {
	onBoth(t, func(t *testing.T, b bench) {
		ctx, cancel := context.WithCancel(t.Context())
		p := &provider{deaf: true, steps: []step{{hang: true}}}
		guarded, _ := middleware.StallGuard(middleware.StallConfig{Clock: b.Clock})(p).Open(ctx, request)
		var wg sync.WaitGroup
		wg.Go(func() {
			_, err := guarded.Recv()
			require.True(t, err == context.Canceled, err)
		})
		synctest.Wait()
		cancel()
		wg.Wait()
		synctest.Wait()
		require.EqualValues(t, 1, p.closes.Load())
		_ = guarded.Close()
		require.EqualValues(t, 1, p.closes.Load())
	})
}

// A stall ends a Recv that really blocks, from the timer's goroutine.
func TestStallGuardUnblocksRecv(t *testing.T) {
	onBoth(t, func(t *testing.T, b bench) {
		p := &provider{deaf: true, steps: []step{{hang: true}}}
		guarded, _ := middleware.StallGuard(middleware.StallConfig{Clock: b.Clock})(p).Open(t.Context(), request)
		var wg sync.WaitGroup
		wg.Go(func() {
			_, err := guarded.Recv()
			require.ErrorIs(t, err, endwell.Stalled)
		})
		synctest.Wait()
		b.advance(10 * m)
		wg.Wait()
		_ = guarded.Close()
		require.EqualValues(t, 1, p.closes.Load())
		b.idle(t)
	})
}

// What comes in the instant in which Linger expires is the last of the answer: without it
// there would be a gap before what is read behind the end.
func TestLingerKeepsWhatCameWithItsExpiry(t *testing.T) {
	for name, guard := range map[string]func(clock.Clock) endwell.Middleware{
		"StallGuard": func(clk clock.Clock) endwell.Middleware {
			return middleware.StallGuard(middleware.StallConfig{Clock: clk})
		},
		"Standard": func(clk clock.Clock) endwell.Middleware { return middleware.Standard(middleware.Config{Clock: clk}) },
	} {
		t.Run(name, func(t *testing.T) {
			clk := new(clock.Fake)
			p := &provider{advance: clk.Advance, deaf: true, deafClose: true, steps: in(hello, stop, after(middleware.DefaultLinger, usage), ping)}
			st, err := guard(clk)(p).Open(t.Context(), request)
			require.NoError(t, err)
			for _, want := range []endwell.Chunk{hello, stop, usage} {
				got, err := st.Recv()
				require.NoError(t, err)
				require.Equal(t, want.Kind, got.Kind)
			}
			_, err = st.Recv()
			require.Equal(t, io.EOF, err)
			require.Equal(t, 3, p.at, "nothing is asked for behind it")
			require.NoError(t, st.Close())
			require.Zero(t, clk.Pending())
		})
	}
}

// After the stall was reported the caller's cancellation changes nothing.
func TestStallIsSticky(t *testing.T) {
	onBoth(t, func(t *testing.T, b bench) {
		ctx, cancel := context.WithCancel(t.Context())
		p := &provider{advance: b.advance, steps: in(after(10*m, hello))}
		guarded, _ := middleware.StallGuard(middleware.StallConfig{Clock: b.Clock})(p).Open(ctx, request)
		_, first := guarded.Recv()
		cancel()
		_, again := guarded.Recv()
		require.ErrorIs(t, first, endwell.Stalled)
		require.True(t, first == again)
		_ = guarded.Close()
		b.idle(t)
	})
}

func TestStallGuardFor(t *testing.T) {
	cfg := middleware.StallConfig{
		Bounds: middleware.Bounds{Idle: 2 * m},
		For: func(req *endwell.Request) middleware.Bounds {
			if req.Model == "slow" {
				return middleware.Bounds{First: h, Linger: -1}
			}
			return middleware.Bounds{}
		},
	}
	for _, row := range []struct {
		fault, model string
		steps        []step
		want         error
	}{
		{"a slow model has its own First", "slow", in(after(30*m, hello), io.EOF), io.EOF},
		{"and only so much", "slow", in(after(h, hello)), stalled(endwell.BoundFirst, h, true)},
		{"and Idle of all", "slow", in(hello, after(2*m, hello)), stalled(endwell.BoundIdle, 2*m, false)},
		{"and a bound that is off", "slow", in(hello, stop, fails(h, io.EOF)), io.EOF},
		{"another model has the default", "fast", in(after(10*m, hello)), stalled(endwell.BoundFirst, 10*m, true)},
	} {
		t.Run(row.fault, func(t *testing.T) {
			onBoth(t, func(t *testing.T, b bench) {
				cfg := cfg
				cfg.Clock = b.Clock
				p := &provider{advance: b.advance, steps: row.steps}
				guarded, _ := middleware.StallGuard(cfg)(p).Open(t.Context(), &endwell.Request{Model: row.model})
				_, ending := drain(t, guarded)
				require.Equal(t, row.want, ending)
				b.idle(t)
			})
		})
	}
}

// The clock is asked for one timer in a call, and the mock would report any more.
func TestStallGuardSetsOneTimer(t *testing.T) {
	ctrl := gomock.NewController(t)
	clk, timer := mocks.NewMockClock(ctrl), mocks.NewMockTimer(ctrl)
	clk.EXPECT().Now().Return(clock.Epoch).AnyTimes()
	clk.EXPECT().AfterFunc(10*m, gomock.Any()).Return(timer)
	timer.EXPECT().Reset(5 * m) // Idle, with the first byte
	timer.EXPECT().Stop().MinTimes(1)
	_, ending := through(t, middleware.StallGuard(middleware.StallConfig{Clock: clk}), say(hello), say(hello), say(ping), end(io.EOF))
	require.True(t, ending == io.EOF)
}

func TestStallGuardLetsThrough(t *testing.T) {
	mw := func() endwell.Middleware { return middleware.StallGuard(middleware.StallConfig{}) }
	letsThrough(t, mw, errReset, stubborn, passing, inBand, outOfBand, endwell.ErrClosed, context.DeadlineExceeded)
	obeysLink(t, mw)
}

// The context given to the stream below lives as long as the stream.
func TestStallGuardContext(t *testing.T) {
	type key struct{}
	ctx := context.WithValue(t.Context(), key{}, "value")
	p := &provider{steps: in(hello, io.EOF)}
	guarded, _ := middleware.StallGuard(middleware.StallConfig{})(p).Open(ctx, request)
	require.Equal(t, "value", p.ctx.Value(key{}))
	_, _ = guarded.Recv()
	require.NoError(t, p.ctx.Err())
	_, _ = guarded.Recv()
	_ = guarded.Close()
	require.ErrorIs(t, context.Cause(p.ctx), endwell.ErrClosed)

	p = &provider{open: step{err: errReset}}
	_, err := middleware.StallGuard(middleware.StallConfig{})(p).Open(ctx, request)
	require.True(t, errors.Is(err, errReset))
	require.Error(t, p.ctx.Err(), "never ended after a failed Open")
}
