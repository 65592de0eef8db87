package middleware

import (
	"math"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell/clock"
)

// expiring is an expirer that calls itself.
type expiring func()

func (f expiring) expire() { f() }

func newWatch(f *clock.Fake, fire func()) *watch {
	return &watch{clk: f, base: f.Now(), fire: expiring(fire)}
}

func (w *watch) wait(d time.Duration) { w.begin(w.now(), d) }

func TestWatch(t *testing.T) {
	type bed struct {
		*clock.Fake
		*watch
		fired int
	}
	for _, row := range []struct {
		fault string
		fired int
		do    func(*testing.T, *bed)
	}{
		{"fires early", 0, func(_ *testing.T, b *bed) { b.wait(time.Minute); b.Advance(time.Minute - 1) }},
		{"does not fire", 1, func(_ *testing.T, b *bed) { b.wait(time.Minute); b.Advance(time.Minute) }},
		{"fires twice", 1, func(_ *testing.T, b *bed) { b.wait(time.Minute); b.Advance(time.Hour) }},
		{"fires when no wait is on", 0, func(_ *testing.T, b *bed) { b.wait(time.Minute); b.over(); b.Advance(time.Hour) }},
		{"fires with the first wait's timer", 0, func(_ *testing.T, b *bed) {
			b.wait(time.Minute)
			b.over()
			b.Advance(time.Minute - 1)
			b.wait(time.Minute)
			b.Advance(time.Minute - 1)
		}},
		{"forgets the second wait", 1, func(_ *testing.T, b *bed) {
			b.wait(time.Minute)
			b.over()
			b.Advance(time.Minute - 1)
			b.wait(time.Minute)
			b.Advance(time.Minute)
		}},
		{"keeps a longer timer", 1, func(_ *testing.T, b *bed) {
			b.wait(time.Hour)
			b.over()
			b.wait(time.Second)
			b.Advance(time.Second)
		}},
		{"late callback fires the next wait", 0, func(t *testing.T, b *bed) {
			b.wait(time.Minute)
			b.Hold()
			b.Advance(time.Minute)
			require.Equal(t, 1, b.Held())
			require.False(t, b.over())
			b.wait(time.Minute)
			b.Release()
			b.Advance(time.Minute - 1)
		}},
		{"late callback forgets the next wait", 1, func(_ *testing.T, b *bed) {
			b.wait(time.Minute)
			b.Hold()
			b.Advance(time.Minute)
			b.over()
			b.wait(time.Minute)
			b.Release()
			b.Advance(time.Minute)
		}},
		{"late callback forgets a shorter wait", 1, func(_ *testing.T, b *bed) {
			b.wait(time.Minute)
			b.Hold()
			b.Advance(time.Minute)
			b.over()
			b.wait(time.Second)
			b.Release()
			b.Advance(time.Second)
		}},
		{"late callback of the wait that is on", 1, func(_ *testing.T, b *bed) {
			b.wait(time.Minute)
			b.Hold()
			b.Advance(time.Hour)
			b.Release()
		}},
		{"late callback after stop", 0, func(_ *testing.T, b *bed) {
			b.wait(time.Minute)
			b.Hold()
			b.Advance(time.Minute)
			b.stop()
			b.Release()
		}},
		{"arms after stop", 0, func(_ *testing.T, b *bed) { b.stop(); b.wait(time.Minute); b.Advance(time.Hour) }},
		{"stop leaves a timer", 0, func(_ *testing.T, b *bed) { b.wait(time.Minute); b.stop(); b.Advance(time.Hour) }},
		{"clock stands still", 1, func(_ *testing.T, b *bed) { b.wait(1); b.Advance(0); b.Advance(1) }},
		{"clock goes back", 0, func(_ *testing.T, b *bed) {
			b.wait(time.Minute)
			b.Set(b.Now().Add(-time.Hour))
			b.Advance(time.Hour + time.Minute - 1)
		}},
		{"clock goes back before the epoch of the watch and on", 1, func(_ *testing.T, b *bed) {
			b.Set(b.Now().Add(-24 * time.Hour))
			b.wait(time.Minute)
			b.Advance(time.Minute)
		}},
		{"clock goes back while a callback is late", 1, func(_ *testing.T, b *bed) {
			b.wait(time.Minute)
			b.Hold()
			b.Advance(time.Minute)
			b.Set(b.Now().Add(-time.Second))
			b.Release()
			b.Advance(time.Second)
		}},
		{"no end", 0, func(_ *testing.T, b *bed) { b.wait(math.MaxInt64); b.Advance(10 * 365 * 24 * time.Hour) }},
		{"no end, and then an end", 1, func(_ *testing.T, b *bed) {
			b.wait(math.MaxInt64)
			b.over()
			b.wait(time.Minute)
			b.Advance(time.Minute)
		}},
		{"centuries ago", 0, func(_ *testing.T, b *bed) {
			b.Set(b.Now().AddDate(-800, 0, 0))
			b.wait(time.Minute)
			b.Advance(time.Second)
		}},
	} {
		t.Run(row.fault, func(t *testing.T) {
			b := &bed{Fake: new(clock.Fake)}
			b.watch = newWatch(b.Fake, func() { b.fired++ })
			row.do(t, b)
			require.Equal(t, row.fired, b.fired)
			require.Equal(t, row.fired == 1, b.due.Load() == expired)
			b.stop()
			require.Zero(t, b.Pending())
			b.Advance(time.Hour)
			require.Equal(t, row.fired, b.fired)
		})
	}
}

// A wait that did not expire leaves the timer alone.
func TestWatchTouchesItsTimerSeldom(t *testing.T) {
	var f clock.Fake
	sets := &counting{Clock: &f}
	w := &watch{clk: sets, base: f.Now(), fire: expiring(func() { t.Error("fired") })}
	for range 1000 {
		w.wait(time.Minute)
		f.Advance(time.Millisecond)
		require.False(t, w.over())
	}
	require.Equal(t, 1, sets.n)
	f.Advance(time.Hour)
	w.stop()
}

type counting struct {
	clock.Clock
	n int
}

func (c *counting) AfterFunc(d time.Duration, f func()) clock.Timer {
	c.n++
	return c.Clock.AfterFunc(d, f)
}

// TestWatchModel holds the watch, with callbacks held back at random, against what
// it promises: a wait of less than its length never expires, and one of its length
// or more has expired once the callbacks are through.
func TestWatchModel(t *testing.T) {
	expiries := 0
	for seed := range uint64(3000) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		var f clock.Fake
		fired := false
		w := newWatch(&f, func() { fired = true })
		for range 30 {
			bound := time.Duration(1 + rnd.IntN(20))
			w.wait(bound)
			if rnd.IntN(4) == 0 {
				f.Hold()
			}
			took := time.Duration(rnd.IntN(24))
			for left := took; left > 0; {
				part := min(left, time.Duration(1+rnd.IntN(8)))
				f.Advance(part)
				left -= part
			}
			held := f.Held() > 0 || rnd.IntN(2) == 0
			if !held {
				f.Release()
			}
			over := w.over()
			require.Equal(t, fired, over, "seed %d", seed)
			if took < bound {
				require.False(t, over, "seed %d: %v of %v", seed, took, bound)
			} else if f.Held() == 0 && !held {
				require.True(t, over, "seed %d: %v of %v", seed, took, bound)
			}
			if over {
				expiries++
				break
			}
			f.Advance(time.Duration(rnd.IntN(30))) // the consumer thinks
			if rnd.IntN(2) == 0 {
				f.Release()
			}
			require.False(t, fired, "seed %d: fired while no wait was on", seed)
		}
		w.stop()
		f.Release()
		require.Zero(t, f.Pending())
	}
	require.Greater(t, expiries, 1000)
}

// TestWatchRace lets waits begin and end beside a clock that races on. Waits are
// shorter and longer in turn, so that the timer is set from both sides.
func TestWatchRace(t *testing.T) {
	for seed := range uint64(100) {
		var f clock.Fake
		fired := make(chan struct{})
		w := newWatch(&f, func() { close(fired) })
		quit := make(chan struct{})
		var wg sync.WaitGroup
		wg.Go(func() {
			for {
				select {
				case <-quit:
					return
				default:
					f.Advance(time.Duration(1 + seed%7))
				}
			}
		})
		rnd := rand.New(rand.NewPCG(seed, 2))
		for range 50 {
			w.wait(time.Duration(1+rnd.IntN(50)) * time.Second)
			require.False(t, w.over())
		}
		w.wait(5)
		<-fired // with the clock running, the last wait must expire
		require.True(t, w.over())
		close(quit)
		wg.Wait()
		w.stop()
		require.Zero(t, f.Pending())
	}
}

// hooked is a clock that lets something happen while it is read.
type hooked struct {
	*clock.Fake
	hook func()
}

func (h *hooked) Now() time.Time {
	if hook := h.hook; hook != nil {
		h.hook = nil
		hook()
	}
	return h.Fake.Now()
}

// A callback that sets the timer again for the wait that it saw must not outdo a
// shorter wait that began meanwhile.
func TestWatchShorterWaitWhileTheCallbackRuns(t *testing.T) {
	clk := &hooked{Fake: new(clock.Fake)}
	fired := false
	w := &watch{clk: clk, base: clk.Now(), fire: expiring(func() { fired = true })}
	w.wait(time.Minute)
	clk.Advance(30 * time.Second)
	require.False(t, w.over())
	w.wait(time.Minute)
	clk.hook = func() {
		w.over()
		w.wait(10 * time.Second)
	}
	clk.Advance(30 * time.Second) // the first wait's timer
	require.Nil(t, clk.hook)
	clk.Advance(10*time.Second - 1)
	require.False(t, fired)
	clk.Advance(1)
	require.True(t, fired)
	require.True(t, w.over())
	w.stop()
	require.Zero(t, clk.Pending())
}

// A wait that ends while the callback is on its way has not expired, although its
// time had come.
func TestWatchEndsWhileTheCallbackRuns(t *testing.T) {
	clk := &hooked{Fake: new(clock.Fake)}
	w := &watch{clk: clk, base: clk.Now(), fire: expiring(func() { t.Error("fired") })}
	w.wait(time.Minute)
	clk.hook = func() { require.False(t, w.over()) }
	clk.Advance(time.Minute)
	require.Nil(t, clk.hook)
	require.False(t, w.over())

	w.wait(time.Minute)
	clk.hook = func() {
		require.False(t, w.over())
		w.wait(time.Minute)
	}
	clk.Advance(2*time.Minute - 1)
	require.False(t, w.over())
	w.stop()
}

// A stop while the callback runs leaves the wait expired: whoever waited must not go
// on as though it had not, beside the callback that reads what it would write.
func TestWatchStopsWhileTheCallbackRuns(t *testing.T) {
	var w *watch
	clk := new(clock.Fake)
	w = &watch{clk: clk, base: clk.Now(), fire: expiring(func() { w.stop() })}
	w.wait(time.Minute)
	clk.Advance(time.Minute)
	require.True(t, w.over())
	require.False(t, w.over(), "told once")
	require.Zero(t, clk.Pending())
}
