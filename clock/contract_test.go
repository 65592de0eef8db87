package clock_test

import (
	"math"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell/clock"
)

// bench is a clock and the way to let its time pass.
type bench struct {
	clock.Clock
	advance func(time.Duration)
}

// onBoth runs one test on a Fake and on System in a bubble, whose time
// passes while everything in it waits.
func onBoth(t *testing.T, test func(*testing.T, bench)) {
	t.Run("fake", func(t *testing.T) {
		f := new(clock.Fake)
		test(t, bench{f, f.Advance})
	})
	t.Run("system", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			test(t, bench{clock.System, func(d time.Duration) {
				<-time.After(d)
				synctest.Wait()
			}})
		})
	})
}

func TestContract(t *testing.T) {
	rows := []struct {
		fault string
		test  func(*testing.T, bench)
	}{
		{"fires early", func(t *testing.T, b bench) {
			var fired atomic.Int32
			b.AfterFunc(time.Minute, func() { fired.Add(1) })
			b.advance(time.Minute - 1)
			require.Zero(t, fired.Load())
			b.advance(1)
			require.EqualValues(t, 1, fired.Load())
			b.advance(time.Hour)
			require.EqualValues(t, 1, fired.Load())
		}},
		{"runs inside AfterFunc", func(t *testing.T, b bench) {
			for _, d := range []time.Duration{0, -1, math.MinInt64} {
				var fired atomic.Bool
				timer := b.AfterFunc(d, func() { fired.Store(true) })
				require.False(t, fired.Load())
				b.advance(0)
				require.True(t, fired.Load())
				require.False(t, timer.Stop())
			}
		}},
		{"runs inside Reset", func(t *testing.T, b bench) {
			var fired atomic.Bool
			timer := b.AfterFunc(time.Hour, func() { fired.Store(true) })
			require.True(t, timer.Reset(-1))
			require.False(t, fired.Load())
			b.advance(0)
			require.True(t, fired.Load())
		}},
		{"fires after Stop", func(t *testing.T, b bench) {
			timer := b.AfterFunc(time.Minute, func() { t.Error("fired") })
			require.True(t, timer.Stop())
			require.False(t, timer.Stop())
			b.advance(time.Hour)
		}},
		{"Stop says pending after the fact", func(t *testing.T, b bench) {
			timer := b.AfterFunc(time.Minute, func() {})
			b.advance(time.Minute)
			require.False(t, timer.Stop())
		}},
		{"fires at the old instant after Reset", func(t *testing.T, b bench) {
			var at atomic.Int64
			start := b.Now()
			timer := b.AfterFunc(time.Minute, func() { at.Add(int64(b.Now().Sub(start))) })
			b.advance(time.Second)
			require.True(t, timer.Reset(2*time.Minute))
			b.advance(2*time.Minute - 1)
			require.Zero(t, at.Load())
			b.advance(1)
			require.EqualValues(t, 2*time.Minute+time.Second, at.Load())
		}},
		{"Reset does not shrink", func(t *testing.T, b bench) {
			var fired atomic.Bool
			timer := b.AfterFunc(time.Hour, func() { fired.Store(true) })
			require.True(t, timer.Reset(time.Second))
			b.advance(time.Second)
			require.True(t, fired.Load())
		}},
		{"Reset does not revive", func(t *testing.T, b bench) {
			var fired atomic.Int32
			timer := b.AfterFunc(time.Second, func() { fired.Add(1) })
			b.advance(time.Second)
			require.False(t, timer.Reset(time.Second))
			b.advance(time.Second)
			require.False(t, timer.Stop())
			require.False(t, timer.Reset(time.Second))
			b.advance(time.Second)
			require.EqualValues(t, 3, fired.Load())
		}},
		{"a huge duration wraps", func(t *testing.T, b bench) {
			timer := b.AfterFunc(math.MaxInt64, func() { t.Error("fired") })
			b.advance(1000 * time.Hour)
			require.True(t, timer.Reset(math.MaxInt64))
			b.advance(1000 * time.Hour)
			require.True(t, timer.Stop())
		}},
		{"the callback may not use its own timer", func(t *testing.T, b bench) {
			var fired atomic.Int32
			var timer clock.Timer
			set := make(chan struct{})
			timer = b.AfterFunc(time.Second, func() {
				<-set
				if fired.Add(1) < 3 && timer.Reset(time.Second) {
					t.Error("still pending in its own callback")
				}
			})
			close(set)
			b.advance(10 * time.Second)
			require.EqualValues(t, 3, fired.Load())
		}},
		{"Now does not move", func(t *testing.T, b bench) {
			start := b.Now()
			b.advance(90 * time.Minute)
			require.Equal(t, 90*time.Minute, b.Now().Sub(start))
		}},
	}
	for _, row := range rows {
		t.Run(row.fault, func(t *testing.T) { onBoth(t, row.test) })
	}
}

func TestStopDoesNotWaitForCallback(t *testing.T) {
	onBoth(t, func(t *testing.T, b bench) {
		begun, let, ended := make(chan struct{}), make(chan struct{}), make(chan struct{})
		timer := b.AfterFunc(time.Second, func() {
			defer close(ended)
			close(begun)
			<-let
		})
		advanced := make(chan struct{})
		go func() {
			defer close(advanced)
			b.advance(time.Second)
		}()
		<-begun
		require.False(t, timer.Stop())
		require.False(t, timer.Reset(time.Hour))
		require.True(t, timer.Stop())
		close(let)
		<-ended
		<-advanced
	})
}
