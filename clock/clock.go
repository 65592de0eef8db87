// Package clock is time as endwell sees it: an instant, and a callback after a
// duration. There are two clocks, [System] for programs and [Fake] for tests,
// and one contract for both.
//
// The only primitives are Now and AfterFunc. A fake clock therefore has no
// channels to imitate, and a stale tick after Stop cannot exist.
package clock

import "time"

// Clock tells the time and calls back. All its methods may be called from any
// number of goroutines at once.
type Clock interface {
	// Now is the current instant. Differences between two of a clock's own
	// instants are what the clock promises; on [System] they are monotonic.
	Now() time.Time

	// AfterFunc arranges for f to be called once, after d, and returns the
	// [Timer] that can call that off. [System] calls f on a goroutine of its
	// own, [Fake] on the goroutine that advances the clock. With d zero or
	// negative f is called as soon as possible, but never from inside
	// AfterFunc: on a Fake that is the next Advance, of any length.
	AfterFunc(d time.Duration, f func()) Timer
}

// Timer is one callback that a [Clock] owes. It behaves as the timers of
// [time.AfterFunc] do. All its methods may be called from any number of
// goroutines at once, from the callback itself too.
type Timer interface {
	// Stop calls the callback off and reports whether it was still pending.
	// False means that the callback has begun, has ended, or was stopped
	// before. Stop never waits for a callback that has begun.
	Stop() bool

	// Reset makes the callback due after d from now, whether it was pending
	// or not, and reports whether it was. Reset never waits for a callback
	// that has begun, so that one may run beside the one that is now due. A d
	// that is zero or negative means what it means to AfterFunc.
	Reset(d time.Duration) bool
}
