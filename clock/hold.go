package clock

// Hold makes the clock keep callbacks back: a timer that falls due counts as
// fired, so its Stop and Reset report false, but its callback waits for
// [Fake.Release]. That is what a busy scheduler does to a timer, and what a
// late callback must be proof against. Hold on a holding clock does nothing.
func (f *Fake) Hold() {
	f.lock()
	defer f.mu.Unlock()
	f.holding = true
}

// Held is the number of callbacks that wait for [Fake.Release].
func (f *Fake) Held() int {
	f.lock()
	defer f.mu.Unlock()
	return len(f.held)
}

// Release ends a [Fake.Hold] and runs what was kept back, on this goroutine,
// in the order in which it fell due. All of it has returned when Release
// returns. The callbacks are late: Now is the instant at which the clock
// stands. A callback runs even if its timer was stopped or reset meanwhile,
// since that came after it had fired.
func (f *Fake) Release() {
	for _, call := range f.release() {
		call()
	}
}

func (f *Fake) release() []func() {
	f.lock()
	defer f.mu.Unlock()
	calls := f.held
	f.holding, f.held = false, nil
	return calls
}
