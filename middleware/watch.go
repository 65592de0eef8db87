package middleware

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/endwell-go/endwell/clock"
)

// watch is one timer for all the waits of a call. Beginning and ending a wait are
// an atomic store each; the timer is touched only when it would fire too late.
//
// The state word holds the deadline of the wait that is on. A callback fires a
// wait only by swapping that very deadline for expired, and only when it has
// passed, so a callback that runs late, for a wait that is over, cannot fire the
// next one; it sets the timer again instead.
type watch struct {
	clk    clock.Clock
	system bool // clk is clock.System
	base   time.Time
	fire   expirer // told once, by the callback that won

	due   atomic.Int64 // deadline of the wait that is on, noWait or expired
	armed atomic.Int64 // when the timer will fire, noWait when it will not

	mu      sync.Mutex // guards what follows; not on the path of a chunk
	timer   clock.Timer
	stopped bool
}

// expirer is told when a wait has expired.
type expirer interface{ expire() }

// Instants are nanoseconds from zeroInstant, which stands for base, so that the two
// special values never are one.
const (
	noWait      = 0
	expired     = 1
	zeroInstant = 1 << 60
	farthest    = 1 << 59
)

// start sets the clock, and the instant from which others are counted.
func (w *watch) start(clk clock.Clock) {
	w.clk, w.system, w.base = clk, clk == clock.System, clk.Now()
}

// now is the current instant, at most 18 years from base. For the system's clock
// time.Since spares reading the wall.
func (w *watch) now() int64 {
	var since int64
	if w.system {
		since = int64(time.Since(w.base))
	} else {
		since = int64(w.clk.Now().Sub(w.base))
	}
	return zeroInstant + min(max(since, -farthest), farthest)
}

// begin begins a wait of at most d, counted from now.
func (w *watch) begin(now int64, d time.Duration) {
	due := now + min(int64(d), farthest)
	w.due.Store(due)
	if at := w.armed.Load(); at == noWait || at > due {
		w.arm(now, due)
	}
}

// over ends the wait and reports whether it had expired.
func (w *watch) over() bool { return w.due.Swap(noWait) == expired }

// stop ends the watch: nothing expires any more. A wait that has expired stays so,
// for over to tell: its callback may still be running.
func (w *watch) stop() {
	for due := w.due.Load(); due != expired && !w.due.CompareAndSwap(due, noWait); {
		due = w.due.Load()
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.stopped = true
	if w.timer != nil {
		w.timer.Stop()
	}
}

// arm sets the timer to fire at due.
func (w *watch) arm(now, due int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.stopped {
		return
	}
	w.armed.Store(due)
	d := time.Duration(max(due-now, 0))
	if w.timer == nil {
		w.timer = w.clk.AfterFunc(d, w.tick)
		return
	}
	w.timer.Reset(d)
}

// tick is the timer's callback. begin stores due before it loads armed, and tick
// stores armed before it loads due, so one of the two sees that the timer has to
// be set. Setting it may race with a begin that wants it earlier: then due has
// changed, and tick looks again.
func (w *watch) tick() {
	w.armed.Store(noWait)
	for {
		due := w.due.Load()
		if due == noWait || due == expired {
			return
		}
		now := w.now()
		if now >= due {
			if w.due.CompareAndSwap(due, expired) {
				w.fire.expire()
				return
			}
			continue
		}
		w.arm(now, due)
		if w.due.Load() == due {
			return
		}
	}
}
