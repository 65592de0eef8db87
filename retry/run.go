package retry

import (
	"sync/atomic"
	"time"

	"github.com/cenkalti/backoff/v4"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/clock"
	"github.com/endwell-go/endwell/internal/token"
)

// Run is the bookkeeping of one call: it counts attempts, decides after each
// failure, and sees to it that every attempt gets exactly one ledger entry.
//
// An attempt begins with Begin and ends with the first of Whole, Failed, Foreign
// and Canceled; what is called after that, for the same attempt, records nothing.
// Canceled and Emitted may be called from any goroutine at any time; the other
// methods are for one goroutine at a time.
type Run struct {
	policy   Policy
	clk      clock.Clock
	req      *endwell.Request
	schedule backoff.BackOff
	deadline time.Time

	attempt int
	began   time.Time     // of this attempt
	seen    time.Time     // the last reading of the clock
	elapsed time.Duration // from the first Begin to seen
	waited  time.Duration

	// open is true while an attempt runs. Whoever turns it off owns the attempt's
	// ending: a Close beside a Recv must not make a second entry.
	open    atomic.Bool
	emitted atomic.Bool
}

// Start begins the bookkeeping of one call. It opens nothing, and takes a nil
// policy for the zero one. The policy is copied; req must not change.
func (p *Policy) Start(clk clock.Clock, req *endwell.Request) *Run {
	r := &Run{clk: clk, req: req}
	if p != nil {
		r.policy = *p
	}
	return r
}

// Until tells the run when the caller's context ends, so that it can stop at
// once when the next wait would not be over before. A zero t means never, which
// is also how a run starts.
func (r *Run) Until(t time.Time) { r.deadline = t }

// Begin begins the next attempt and returns its number, from 1. Call it once at
// the start, and once after each Failed that asked for a retry, when the wait is
// over.
func (r *Run) Begin() int {
	now := r.clk.Now()
	if r.attempt == 0 {
		r.seen = now
	}
	r.see(now)
	r.attempt++
	r.began = now
	r.open.Store(true)
	return r.attempt
}

// Emitted tells the run that output of this attempt went to the caller: from now
// on nothing is sent again.
func (r *Run) Emitted() { r.emitted.Store(true) }

// Whole records that the attempt ended whole. The usage is the attempt's own.
func (r *Run) Whole(usage endwell.Usage) { r.end(Entry{Ending: EndingWhole, Usage: usage}) }

// Canceled records that the caller stopped the attempt, by its context or by
// Close. Between two attempts it records nothing, since none was cut short.
func (r *Run) Canceled(usage endwell.Usage) { r.end(Entry{Ending: EndingCanceled, Usage: usage}) }

// Foreign records that the attempt failed with an error that nothing classified,
// so that it is no [*endwell.Error]. Such an error is never retried.
func (r *Run) Foreign(usage endwell.Usage) {
	r.end(Entry{Ending: EndingFailed, Usage: usage, Stop: StopNotRetryable})
}

func (r *Run) end(e Entry) {
	if r.open.CompareAndSwap(true, false) {
		now := r.clk.Now()
		r.see(now)
		r.record(e, now)
	}
}

// Failed records that the attempt failed with err and decides what follows. When
// final is nil, wait and Begin again; wait is never negative. Otherwise the run
// is over and final is the error to hand over: err itself, or a copy that also
// wraps the [Stop], when a bound of the policy ended a run that may retry. Its
// fault, category and RetryAfter are err's, its Retryable is false after an
// emission. If the attempt has ended already, by a Canceled on another goroutine,
// Failed records nothing and returns err.
func (r *Run) Failed(err *endwell.Error, usage endwell.Usage) (wait time.Duration, final *endwell.Error) {
	if !r.open.CompareAndSwap(true, false) {
		return 0, err
	}
	now := r.clk.Now()
	r.see(now)
	wait, stop := r.decide(err, now)
	r.record(Entry{Ending: EndingFailed, Usage: usage, Err: err, Wait: wait, Stop: stop}, now)
	if stop == 0 {
		r.waited = add(r.waited, wait)
		return wait, nil
	}
	return 0, r.final(err, stop)
}

func (r *Run) final(err *endwell.Error, stop Stop) *endwell.Error {
	if stop == StopEmitted && err.Retryable {
		err = err.WithCause(nil)
		err.Retryable = false
	}
	if stop.bound() && r.policy.attempts() > 1 {
		return err.WithCause(stop)
	}
	return err
}

// record completes the entry with what the run knows and hands it in.
func (r *Run) record(e Entry, now time.Time) {
	if r.policy.Ledger == nil {
		return
	}
	if e.Err != nil {
		e.Err = e.Err.WithOriginal(nil)
	}
	e.Time = now.Round(0)
	e.Agent = r.req.Agent
	e.Provider = token.Visible(r.req.Provider, r.req.Secret)
	e.Model = token.Visible(r.req.Model, r.req.Secret)
	e.Attempt, e.Emitted = r.attempt, r.emitted.Load()
	e.Took, e.Elapsed = max(now.Sub(r.began), 0), r.elapsed
	r.policy.Ledger.Record(e)
}

// see adds the time since the last reading of the clock. A clock that goes back
// adds nothing, and takes nothing away either.
func (r *Run) see(now time.Time) {
	r.elapsed = add(r.elapsed, max(now.Sub(r.seen), 0))
	r.seen = now
}
