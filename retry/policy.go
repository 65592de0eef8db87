package retry

import (
	"errors"
	"time"

	"github.com/cenkalti/backoff/v4"

	"github.com/endwell-go/endwell"
)

// DefaultAttempts and DefaultMaxWait are what [Default] and a zero MaxWait stand
// for.
const (
	DefaultAttempts = 3
	DefaultMaxWait  = 30 * time.Second
)

// Policy says whether and when a failed call is sent again. The zero value, and
// a nil *Policy, allow one attempt, so nothing is retried; the defaults of the
// other fields hold once MaxAttempts is above 1. A Policy is safe for concurrent
// use as long as nobody changes it.
type Policy struct {
	// MaxAttempts is the number of attempts, the first one included. 0 means 1,
	// which is no retry. Negative is invalid.
	MaxAttempts int
	// MaxWait bounds all waiting between attempts together; waits that add up to
	// exactly MaxWait fit. 0 means DefaultMaxWait, negative means no bound.
	MaxWait time.Duration
	// MaxElapsed bounds the time from the beginning of the first attempt to the
	// beginning of the last, time spent in attempts included; a retry that begins
	// at exactly MaxElapsed fits. 0 means no bound, since one stall bound is
	// longer than any sensible value. Negative is invalid.
	MaxElapsed time.Duration
	// NewBackOff makes the schedule of waits for one call; it is reset before its
	// first use, and used by one goroutine at a time. Nil, or a nil result, means
	// 250 ms and full jitter of up to 500 ms, 1 s, 2 s and so on, together never
	// above 4 s. A schedule that returns backoff.Stop, or anything negative, ends
	// the run with [StopBackOff]. A schedule that measures time by itself, such
	// as an ExponentialBackOff with a MaxElapsedTime, does so on its own clock;
	// a clock.Clock can be given to it as its Clock.
	NewBackOff func() backoff.BackOff
	// Budget is asked before each retry, after every other bound allowed it; nil
	// means none.
	Budget Budget
	// Ledger is given one entry for each attempt; nil means none.
	Ledger Ledger
	// Retry narrows what is retried: it is asked about Retryable failures only
	// and cannot widen. Nil means every one. It must not change the error.
	Retry func(*endwell.Error) bool
}

// Default returns the policy of a caller who opts in and says no more: three
// attempts, at most 30 s of waiting, no budget, no ledger.
func Default() *Policy { return &Policy{MaxAttempts: DefaultAttempts} }

// Validate returns an error that names what is wrong with the policy, or nil. A
// nil policy is valid. A run under an invalid policy takes a bad field as zero,
// so that a bad policy never turns into a call that fails.
func (p *Policy) Validate() error {
	switch {
	case p == nil:
		return nil
	case p.MaxAttempts < 0:
		return errors.New("retry: negative MaxAttempts")
	case p.MaxElapsed < 0:
		return errors.New("retry: negative MaxElapsed")
	default:
		return nil
	}
}

func (p *Policy) attempts() int { return max(p.MaxAttempts, 1) }

// maxWait returns the bound and whether there is one.
func (p *Policy) maxWait() (bound time.Duration, bounded bool) {
	if p.MaxWait == 0 {
		return DefaultMaxWait, true
	}
	return p.MaxWait, p.MaxWait > 0
}
