package demo

import (
	"time"

	"github.com/endwell-go/endwell/clock"
)

const (
	// tick is how often the demo's clock moves.
	tick = 20 * time.Millisecond
	// standstill is the most that it moves at once.
	standstill = 5 * tick
)

// running starts the demo's clock. It shows real time, but where this process stands still
// it does so too, but for a moment: the bounds are short, and would else be over before a
// slow machine has looked at what came in time. What it returns stops the clock.
func running() (c *clock.Fake, stop func()) {
	c = clock.NewFake(time.Now())
	over, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		t := time.NewTicker(tick)
		defer t.Stop()
		for last := time.Now(); ; {
			select {
			case <-t.C:
				now := time.Now()
				c.Advance(min(now.Sub(last), standstill))
				last = now
			case <-over:
				return
			}
		}
	}()
	return c, func() { close(over); <-stopped }
}
