package clock

import (
	"sync"
	"time"
)

// Epoch is the instant at which the zero [Fake] starts: midnight UTC of
// 2000-01-01, where a testing/synctest bubble starts too.
var Epoch = time.Date(2000, time.January, 1, 0, 0, 0, 0, time.UTC)

// Fake is a [Clock] that moves only when it is told to. The zero value is
// ready, standing at [Epoch]; [NewFake] starts elsewhere. A Fake must not be
// copied after its first use.
//
// All methods may be called from any number of goroutines at once. One
// goroutine at a time should move the clock: each call of Advance, AdvanceTo
// and Release joins the callbacks that it ran itself, not those of another.
//
// Callbacks run without a lock held, so a callback may use the clock in every
// way, including to advance it. A callback that always sets itself again with
// no delay keeps the clock from ever moving on.
type Fake struct {
	mu      sync.Mutex
	started bool
	now     time.Time
	seq     uint64
	queue   queue
	holding bool
	held    []func()
	waits   []wait
}

// NewFake returns a [Fake] that stands at start. The monotonic reading of
// start is dropped; its location is kept.
func NewFake(start time.Time) *Fake {
	return &Fake{started: true, now: start.Round(0)}
}

func (f *Fake) lock() {
	f.mu.Lock()
	if !f.started {
		f.started, f.now = true, Epoch
	}
}

// Now is the instant at which the clock stands. Inside a callback that an
// Advance runs it is the instant at which that callback was due.
func (f *Fake) Now() time.Time {
	f.lock()
	defer f.mu.Unlock()
	return f.now
}

// AfterFunc implements [Clock]. The callback runs inside the Advance that
// reaches it, on that goroutine; with d zero or negative, inside the next
// Advance, be it Advance(0), or the one that is under way. However long d is,
// the due instant does not wrap.
func (f *Fake) AfterFunc(d time.Duration, fn func()) Timer {
	t := &fakeTimer{clock: f, call: fn, index: idle}
	f.lock()
	defer f.mu.Unlock()
	f.schedule(t, d)
	return t
}

// Advance moves the clock forward by d and calls what falls due on the way:
// in the order of due instants, equal ones in the order in which they were
// set. Each callback sees its own due instant as Now, and what callbacks set
// inside the window is called too. When Advance returns, every callback that
// it began has returned. A negative d is taken as zero; [Fake.Set] goes back.
func (f *Fake) Advance(d time.Duration) {
	f.AdvanceTo(f.Now().Add(max(d, 0)))
}

// AdvanceTo is [Fake.Advance] to an instant. When t lies in the past the clock
// stays where it is, and callbacks that are overdue, after a [Fake.Set], run.
func (f *Fake) AdvanceTo(t time.Time) {
	t = t.Round(0)
	for {
		call, ok := f.step(t)
		if !ok {
			return
		}
		call()
	}
}

// step moves to the first callback that is due by t and hands it out, or
// arrives at t.
func (f *Fake) step(t time.Time) (func(), bool) {
	f.lock()
	defer f.mu.Unlock()
	for len(f.queue) > 0 && !f.queue[0].due.After(later(f.now, t)) {
		first := f.queue.pop()
		f.now = later(f.now, first.due)
		if !f.holding {
			return first.call, true
		}
		f.held = append(f.held, first.call)
	}
	f.now = later(f.now, t)
	return nil, false
}

// Set puts the clock to t, forward or back, and calls nothing. Pending timers
// keep their due instants: after a step back they are further away, after a
// step forward they may be overdue and run in the next Advance, where Now does
// not go back for them.
func (f *Fake) Set(t time.Time) {
	f.lock()
	defer f.mu.Unlock()
	f.now = t.Round(0)
}

// Next is the due instant of the earliest pending timer; ok is false when none
// is pending.
func (f *Fake) Next() (due time.Time, ok bool) {
	f.lock()
	defer f.mu.Unlock()
	if len(f.queue) == 0 {
		return time.Time{}, false
	}
	return f.queue[0].due, true
}

// Pending is the number of timers that are set and have not fired.
func (f *Fake) Pending() int {
	f.lock()
	defer f.mu.Unlock()
	return len(f.queue)
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
