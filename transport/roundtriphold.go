package transport

import (
	"net/http"
	"time"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/retry"
)

// holdFor returns how long the answer is held back for its first emission; 0 for not
// at all.
func (x *exchange) holdFor() time.Duration {
	switch hold, p := x.t.cfg.Hold, x.policy; {
	case hold != 0:
		return max(hold, 0)
	case p != nil && p.MaxAttempts > 1:
		return DefaultHold
	default:
		return 0
	}
}

// hold waits for the first bytes that the chain lets through, and hands over then, or
// when it has waited for long enough. Meanwhile the chain is asked on a goroutine of
// its own, which ends with the answer to its first question.
//
// The timer commits to the stream that is open. While there is none, because a gate
// waits or opens, the next one is handed over as soon as it opens.
func (x *exchange) hold(r *reply, d time.Duration) (*http.Response, error) {
	x.late = make(chan struct{})
	first := make(chan struct{})
	timer := x.t.cfg.Clock.AfterFunc(d, x.expire)
	defer timer.Stop()
	go func() { r.advance(); close(first) }()
	select {
	case <-first:
		switch {
		case x.kind == passed:
			return x.resp, nil
		case r.failed() && (x.t.cfg.Upfront || !x.opened()):
			return x.failed(r.end)
		}
	case <-x.late:
		r.pending = first
	}
	return x.handOver(r), nil
}

// opened reports whether the last attempt had a stream to hand over, for a caller
// that still waits for it.
func (x *exchange) opened() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.kind == stream && x.req.Context().Err() == nil
}

// holds reports whether the hold is not over yet.
func (x *exchange) holds() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return !x.expired
}

// expire is the callback of the hold's timer.
func (x *exchange) expire() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.expired = true
	if x.live {
		x.commit()
	}
}

// commit has the stream that is open handed over. The lock is held. It happens once,
// since nothing is opened after it. The header becomes the caller's, while the chain
// may be reading it.
func (x *exchange) commit() {
	if !x.handed {
		x.handed = true
		x.resp.Header = x.resp.Header.Clone()
		close(x.late)
	}
}

// heldBack gives a request without a policy one of a single attempt, which has a gate
// hold its preamble back.
func heldBack(policy func(*endwell.Request) *retry.Policy) func(*endwell.Request) *retry.Policy {
	once := &retry.Policy{Ledger: noLedger{}}
	return func(req *endwell.Request) *retry.Policy {
		if policy != nil {
			if p := policy(req); p != nil && (p.MaxAttempts > 1 || p.Ledger != nil) {
				return p
			}
		}
		return once
	}
}

// noLedger is a ledger that keeps nothing.
type noLedger struct{}

// Record implements retry.Ledger.
func (noLedger) Record(retry.Entry) {}
