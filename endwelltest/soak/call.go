package soak

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/retry"
	"github.com/endwell-go/endwell/transport"
)

// call is one stream while it is open, and what its consumer saw.
type call struct {
	id      string
	plan    *plan
	policy  *retry.Policy
	release func()
	tries   atomic.Int32

	ctx    context.Context
	cancel context.CancelFunc
	asked  atomic.Bool // the consumer has begun to stop
	obeyed atomic.Bool // what it called to stop has returned

	mu      sync.Mutex // guards what follows
	entries []noted
	owned   []*http.Transport

	// What the consumer saw.
	waits   []span
	raw     strings.Builder
	sizes   []int // of raw after each wait but the first
	text    strings.Builder
	first   time.Time // when it got the first emission
	emitted time.Time // and the last
	end     error     // how the stream ended
	sure    bool      // the consumer had stopped before the last Recv began
	maybe   bool      // it had begun to when the last Recv was through
	resp    *http.Response
	told    *transport.Ending
	status  error // what told said at the end
	wrong   []string
}

// span is a wait of the consumer.
type span struct{ from, to time.Time }

// noted is an entry of the ledger, and when it came.
type noted struct {
	retry.Entry
	at time.Time
}

// Record implements retry.Ledger.
func (c *call) Record(e retry.Entry) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.entries = append(c.entries, noted{e, time.Now()})
}

// drop lets go of what was made for the call.
func (c *call) drop() {
	c.release()
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, t := range c.owned {
		t.CloseIdleConnections()
	}
}

// waited is how long the consumer has waited since an instant.
func (c *call) waited(since time.Time) (sum time.Duration) {
	for _, w := range c.waits {
		if w.to.After(since) {
			from := w.from
			if from.Before(since) {
				from = since
			}
			sum += w.to.Sub(from)
		}
	}
	return sum
}

// ask runs a wait of the consumer: an open or a Recv.
func (c *call) ask(wait func() error) error {
	c.sure = c.obeyed.Load() || c.expired()
	from := time.Now()
	err := wait()
	c.waits = append(c.waits, span{from, time.Now()})
	c.maybe = c.asked.Load() || c.plan.stop == expires && c.ctx.Err() != nil
	return err
}

// expired reports whether the deadline has been seen to pass.
func (c *call) expired() bool {
	if c.plan.stop != expires {
		return false
	}
	select {
	case <-c.ctx.Done():
		return true
	default:
		return false
	}
}

// stopping is the ending of a consumer that has stopped.
func (c *call) stopping() error {
	switch c.plan.stop {
	case closes, closesBeside:
		return endwell.ErrClosed
	case expires:
		return context.DeadlineExceeded
	default:
		return context.Canceled
	}
}

const stalled = endwell.Stalled
