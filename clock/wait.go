package clock

import (
	"context"
	"slices"
)

// wait is a call of BlockUntil that has not returned.
type wait struct {
	n     int
	ready chan struct{}
}

// BlockUntil waits until at least n timers are pending, and returns nil, or
// until ctx is done, and returns ctx.Err(). With it a test knows that the
// goroutine under test has armed its timer and that the clock may be advanced.
// It polls nothing, and inside a testing/synctest bubble it blocks durably.
func (f *Fake) BlockUntil(ctx context.Context, n int) error {
	ready := f.await(n)
	select {
	case <-ready:
		return nil
	case <-ctx.Done():
		if f.forget(ready) {
			return ctx.Err()
		}
		return nil
	}
}

func (f *Fake) await(n int) chan struct{} {
	f.lock()
	defer f.mu.Unlock()
	ready := make(chan struct{})
	f.waits = append(f.waits, wait{n, ready})
	f.wake()
	return ready
}

// wake releases the waits that the pending timers satisfy.
func (f *Fake) wake() {
	f.waits = slices.DeleteFunc(f.waits, func(w wait) bool {
		met := len(f.queue) >= w.n
		if met {
			close(w.ready)
		}
		return met
	})
}

// forget drops a wait and reports whether it was still unmet.
func (f *Fake) forget(ready chan struct{}) bool {
	f.lock()
	defer f.mu.Unlock()
	before := len(f.waits)
	f.waits = slices.DeleteFunc(f.waits, func(w wait) bool { return w.ready == ready })
	return len(f.waits) < before
}
