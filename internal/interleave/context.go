package interleave

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// Context is a context.Context whose end reaches the contexts that are derived from it
// later than itself, each on a goroutine of its own, and in any order: a cancel of the
// standard library that is interrupted. It has no deadline and no values.
type Context struct {
	// Quiet takes the Yield out of Err, for code that asks with a lock held.
	Quiet bool
	// Prompt tells the derived contexts within Cancel, as the standard library does.
	Prompt bool

	run *Run

	mu    sync.Mutex // guards what follows
	done  chan struct{}
	err   error
	told  int
	after []*callback
}

type callback struct{ f func() }

// NewContext returns a context for one run. Asking it for Err is a Yield while it has
// not ended, and so is telling a context that is derived from it.
func NewContext(r *Run) *Context { return &Context{run: r, done: make(chan struct{})} }

var _ context.Context = (*Context)(nil)

// Deadline implements context.Context.
func (c *Context) Deadline() (time.Time, bool) { return time.Time{}, false }

// Done implements context.Context.
func (c *Context) Done() <-chan struct{} { return c.done }

// Value implements context.Context.
func (c *Context) Value(any) any { return nil }

// Err implements context.Context.
func (c *Context) Err() error {
	if err := c.Ended(); err != nil || c.Quiet {
		return err
	}
	c.run.Yield("ctx.Err")
	return c.Ended()
}

// Ended is Err without a Yield.
func (c *Context) Ended() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// AfterFunc is what package context asks for: it calls f on a goroutine of its own when
// the context has ended, unless stop was called before.
func (c *Context) AfterFunc(f func()) (stop func() bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	cb := &callback{f}
	if c.err != nil {
		c.tell(cb)
		return func() bool { return false }
	}
	c.after = append(c.after, cb)
	return func() bool { return c.forget(cb) }
}

func (c *Context) forget(cb *callback) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, other := range c.after {
		if other == cb {
			c.after = append(c.after[:i:i], c.after[i+1:]...)
			return true
		}
	}
	return false
}

// tell runs a callback on a goroutine of its own, when the schedule says so. The lock
// is held.
func (c *Context) tell(cb *callback) {
	c.told++
	name := fmt.Sprintf("ctx tells %d", c.told)
	go func() {
		c.run.Yield(name)
		cb.f()
	}()
}

// Cancel ends the context with context.Canceled. Unless it is Prompt it does not wait
// for those who are told.
func (c *Context) Cancel() {
	for _, cb := range c.end() {
		cb.f()
	}
}

// end ends the context and returns whom to tell at once.
func (c *Context) end() []*callback {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return nil
	}
	c.err = context.Canceled
	close(c.done)
	after := c.after
	c.after = nil
	if c.Prompt {
		return after
	}
	for _, cb := range after {
		c.tell(cb)
	}
	return nil
}
