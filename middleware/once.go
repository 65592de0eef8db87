package middleware

import "sync/atomic"

// once does something once, and whoever comes meanwhile waits until it is done. It
// waits on a channel and not on a lock, so that time goes on in a testing/synctest
// bubble, and allocates only to wait.
type once struct {
	state atomic.Int32
	wait  atomic.Pointer[chan struct{}]
}

const (
	undone = iota
	doing
	done
)

// do returns what f returns, or nil when somebody else does it, or has done it.
func (o *once) do(f func() error) error {
	if o.state.CompareAndSwap(undone, doing) {
		err := f()
		o.state.Store(done)
		if ch := o.wait.Load(); ch != nil {
			close(*ch)
		}
		return err
	}
	if o.state.Load() == done {
		return nil
	}
	ch := make(chan struct{})
	o.wait.CompareAndSwap(nil, &ch)
	// The channel is closed by whoever sees it after he has set the state.
	if at := o.wait.Load(); o.state.Load() != done {
		<-*at
	}
	return nil
}
