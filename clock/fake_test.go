package clock_test

import (
	"context"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell/clock"
)

func TestFakeStart(t *testing.T) {
	var zero clock.Fake
	require.Equal(t, clock.Epoch, zero.Now())

	start := time.Date(2026, 3, 1, 12, 0, 0, 0, time.FixedZone("x", 3600))
	require.Equal(t, start, clock.NewFake(start).Now())
	require.True(t, clock.NewFake(time.Time{}).Now().IsZero())

	live := time.Now()
	require.Equal(t, live.Round(0), clock.NewFake(live).Now())
}

func TestAdvanceOrder(t *testing.T) {
	var f clock.Fake
	var got []string
	set := func(d time.Duration, name string) clock.Timer {
		return f.AfterFunc(d, func() { got = append(got, name+f.Now().Sub(clock.Epoch).String()) })
	}
	set(2*time.Second, "c")
	set(time.Second, "a")
	first := set(2*time.Second, "e")
	set(2*time.Second, "d")
	set(time.Second, "b")
	first.Reset(2 * time.Second)
	gone := set(time.Second, "x")
	set(4*time.Second, "y")
	gone.Stop()

	f.Advance(3 * time.Second)
	require.Equal(t, []string{"a1s", "b1s", "c2s", "d2s", "e2s"}, got)
	require.Equal(t, 1, f.Pending())
	require.Equal(t, clock.Epoch.Add(3*time.Second), f.Now())
}

func TestAdvanceManyInOrder(t *testing.T) {
	var f clock.Fake
	var got []time.Duration
	var timers []clock.Timer
	for i := range 1000 {
		timers = append(timers, f.AfterFunc(time.Duration(i*7919%1000), func() {
			got = append(got, f.Now().Sub(clock.Epoch))
		}))
	}
	for i := 0; i < 1000; i += 3 {
		require.True(t, timers[i].Stop())
	}
	f.Advance(time.Second)
	require.Len(t, got, 666)
	require.True(t, slices.IsSorted(got))
}

func TestAdvanceRunsWhatCallbacksSet(t *testing.T) {
	var f clock.Fake
	var got []time.Duration
	note := func() { got = append(got, f.Now().Sub(clock.Epoch)) }
	f.AfterFunc(time.Second, func() {
		note()
		f.AfterFunc(0, note)
		f.AfterFunc(time.Second, note)
		f.AfterFunc(2*time.Second, note)
	})
	f.Advance(2 * time.Second)
	require.Equal(t, []time.Duration{time.Second, time.Second, 2 * time.Second}, got)
	f.Advance(time.Second)
	require.Equal(t, 3*time.Second, got[3])
}

func TestCallbackStopsAnother(t *testing.T) {
	var f clock.Fake
	var second clock.Timer
	f.AfterFunc(time.Second, func() { require.True(t, second.Stop()) })
	second = f.AfterFunc(time.Second, func() { t.Error("fired") })
	f.Advance(time.Second)
	require.Zero(t, f.Pending())
}

func TestCallbackAdvances(t *testing.T) {
	var f clock.Fake
	var inner time.Time
	f.AfterFunc(time.Second, func() { f.Advance(time.Minute) })
	f.AfterFunc(30*time.Second, func() { inner = f.Now() })
	f.Advance(2 * time.Second)
	require.Equal(t, clock.Epoch.Add(30*time.Second), inner)
	require.Equal(t, clock.Epoch.Add(61*time.Second), f.Now())
}

func TestNegativeAdvance(t *testing.T) {
	var f clock.Fake
	fired := false
	f.AfterFunc(0, func() { fired = true })
	f.Advance(-time.Hour)
	require.True(t, fired)
	require.Equal(t, clock.Epoch, f.Now())
}

func TestAdvanceDoesNotWrap(t *testing.T) {
	var f clock.Fake
	f.AfterFunc(time.Second, func() {})
	fired := 0
	f.AfterFunc(math.MaxInt64, func() { fired++ })
	for i := range 3 {
		before := f.Now()
		f.Advance(math.MaxInt64)
		require.True(t, f.Now().After(before), "advance %d", i)
	}
	require.Equal(t, 1, fired)
}

func TestSet(t *testing.T) {
	var f clock.Fake
	var at []time.Time
	f.AfterFunc(time.Minute, func() { at = append(at, f.Now()) })

	f.Set(clock.Epoch.Add(-time.Hour))
	f.Advance(time.Hour + time.Minute - 1)
	require.Empty(t, at, "fired by a clock that went back")

	f.Set(clock.Epoch.Add(time.Hour))
	require.Empty(t, at, "Set fired")
	require.Equal(t, 1, f.Pending())

	f.AdvanceTo(clock.Epoch)
	require.Equal(t, []time.Time{clock.Epoch.Add(time.Hour)}, at, "overdue, and Now did not go back")
	require.Equal(t, clock.Epoch.Add(time.Hour), f.Now())
}

func TestNext(t *testing.T) {
	var f clock.Fake
	_, ok := f.Next()
	require.False(t, ok)

	f.AfterFunc(time.Hour, func() {})
	soon := f.AfterFunc(time.Second, func() {})
	due, ok := f.Next()
	require.True(t, ok)
	require.Equal(t, clock.Epoch.Add(time.Second), due)

	soon.Stop()
	due, _ = f.Next()
	require.Equal(t, clock.Epoch.Add(time.Hour), due)
}

func TestHold(t *testing.T) {
	var f clock.Fake
	var got []string
	note := func(s string) func() { return func() { got = append(got, s) } }
	a := f.AfterFunc(time.Second, note("a"))
	f.AfterFunc(2*time.Second, note("b"))
	f.AfterFunc(time.Hour, note("c"))

	f.Hold()
	f.Advance(2 * time.Second)
	require.Empty(t, got)
	require.Equal(t, 2, f.Held())
	require.Equal(t, 1, f.Pending())
	require.False(t, a.Stop(), "a held callback counts as begun")
	require.False(t, a.Reset(time.Minute))

	f.Release()
	require.Equal(t, []string{"a", "b"}, got)
	require.Zero(t, f.Held())

	f.Advance(time.Minute)
	require.Equal(t, []string{"a", "b", "a"}, got, "the Reset holds beside the late callback")
	f.Release()
	require.Len(t, got, 3)
}

func TestHoldInsideCallback(t *testing.T) {
	var f clock.Fake
	f.AfterFunc(time.Second, f.Hold)
	fired := false
	f.AfterFunc(time.Second, func() { fired = true })
	f.Advance(time.Second)
	require.False(t, fired)
	f.Release()
	require.True(t, fired)
}

func TestBlockUntil(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var f clock.Fake
		require.NoError(t, f.BlockUntil(t.Context(), 0))

		met := false
		go func() {
			if f.BlockUntil(context.Background(), 2) == nil {
				met = true
			}
		}()
		f.AfterFunc(time.Hour, func() {})
		synctest.Wait()
		require.False(t, met)
		timer := f.AfterFunc(time.Hour, func() {})
		synctest.Wait()
		require.True(t, met)

		timer.Stop()
		go timer.Reset(time.Second)
		require.NoError(t, f.BlockUntil(t.Context(), 2), "Reset counts too")
	})
}

func TestBlockUntilCanceled(t *testing.T) {
	var f clock.Fake
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, f.BlockUntil(ctx, 1), context.Canceled)
	require.NoError(t, f.BlockUntil(ctx, 0), "what is so already needs no context")
	f.AfterFunc(0, func() {})
}

func TestFakeConcurrently(t *testing.T) {
	var f clock.Fake
	var fired, owed atomic.Int64
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for i := range 500 {
				owed.Add(1)
				timer := f.AfterFunc(time.Duration(i%7), func() { fired.Add(1) })
				if i%3 == 0 && timer.Stop() {
					owed.Add(-1)
				}
				if i%5 == 0 && !timer.Reset(time.Duration(i%4)) {
					owed.Add(1)
				}
				f.Next()
				f.Pending()
			}
		})
	}
	for range 2 {
		wg.Go(func() {
			for i := range 500 {
				if i%50 == 0 {
					f.Hold()
				}
				f.Advance(1)
				if i%50 == 9 {
					f.Release()
				}
			}
		})
	}
	wg.Wait()
	f.Release()
	f.Advance(time.Second)
	require.Equal(t, owed.Load(), fired.Load())
	require.Zero(t, f.Pending())
}

func BenchmarkFakeReset(b *testing.B) {
	var f clock.Fake
	timer := f.AfterFunc(time.Hour, func() {})
	b.ReportAllocs()
	for b.Loop() {
		timer.Reset(time.Hour)
	}
}
