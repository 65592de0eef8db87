package middleware

import (
	"sync/atomic"
	"time"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/clock"
	"github.com/endwell-go/endwell/internal/token"
	"github.com/endwell-go/endwell/retry"
)

// turn is what a Fallback notes of the handler whose turn it is, and sees to it
// that each gets exactly one ledger entry. Its plain fields change only while no
// turn is on, so that whoever ends one may read them, on any goroutine.
type turn struct {
	ledger retry.Ledger
	clk    clock.Clock
	place  int
	req    *endwell.Request
	first  time.Time // when the first turn began
	began  time.Time

	on      atomic.Bool // whoever turns it off owns the entry
	emitted atomic.Bool
	usage   atomic.Pointer[endwell.Usage]
}

func (t *turn) begin() {
	if t.ledger != nil {
		t.began = t.clk.Now()
		if t.place == 0 {
			t.first = t.began
		}
	}
	t.usage.Store(nil)
	t.on.Store(true)
}

// note keeps the last usage record.
func (t *turn) note(c *endwell.Chunk) {
	if c.Kind != endwell.KindUsage || c.Usage == nil {
		return
	}
	sum := t.used()
	sum.Merge(*c.Usage)
	t.usage.Store(&sum)
}

func (t *turn) used() endwell.Usage {
	if u := t.usage.Load(); u != nil {
		return *u
	}
	return endwell.Usage{}
}

// over ends the turn, completes its entry and hands it in. It reports false, and
// does nothing, when no turn is on.
func (t *turn) over(e retry.Entry) bool {
	if !t.on.CompareAndSwap(true, false) {
		return false
	}
	if t.ledger == nil {
		return true
	}
	if e.Err != nil {
		e.Err = e.Err.WithOriginal(nil)
	}
	now := t.clk.Now()
	e.Time = now.Round(0)
	e.Agent = t.req.Agent
	e.Provider = token.Visible(t.req.Provider, t.req.Secret)
	e.Model = token.Visible(t.req.Model, t.req.Secret)
	e.Attempt, e.Emitted, e.Usage = t.place+1, t.emitted.Load(), t.used()
	e.Took, e.Elapsed = span(t.began, now), span(t.first, now)
	t.ledger.Record(e)
	return true
}
