package proxy

import (
	"context"
	"errors"
	"time"

	"github.com/endwell-go/endwell"
)

// begin notes an exchange, unless the proxy is stopping.
func (p *Proxy) begin(x *exchange) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.stopping {
		return false
	}
	p.open[x] = struct{}{}
	return true
}

func (p *Proxy) end(x *exchange) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.open, x)
	p.rest()
}

// rest closes idle when there is nothing more to wait for. The lock is held.
func (p *Proxy) rest() {
	if p.stopping && len(p.open) == 0 {
		select {
		case <-p.idle:
		default:
			close(p.idle)
		}
	}
}

// Drain takes no further exchange and waits for those that are open. It reports false
// when ctx ends before they do.
func (p *Proxy) Drain(ctx context.Context) bool {
	p.mu.Lock()
	p.stopping = true
	p.rest()
	p.mu.Unlock()
	select {
	case <-p.idle:
	case <-ctx.Done():
	}
	select {
	case <-p.idle:
		return true
	default:
		return false
	}
}

// Abort ends all open exchanges with an error that their clients see. It returns how
// many there were.
func (p *Proxy) Abort() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	for x := range p.open {
		x.cancel(errAborted)
	}
	return len(p.open)
}

// Close lets go of the connections to the upstream and waits for tapes to be written.
// It is called when no exchange is open any more.
func (p *Proxy) Close() {
	if p.tapes != nil {
		p.tapes.saving.Wait()
	}
	if c, ok := p.reverse.Transport.(interface{ CloseIdleConnections() }); ok {
		c.CloseIdleConnections()
	}
}

// errAborted is why the contexts of those streams end.
var errAborted = errors.New("the proxy stops")

// errStopped is how the streams end that are open when the proxy stops.
var errStopped error = &endwell.Error{
	Fault: endwell.Broken, Category: endwell.Network, Transient: true, RetryAfter: time.Second,
}
