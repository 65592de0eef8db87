package retry

import (
	"math"
	"time"

	"github.com/cenkalti/backoff/v4"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/clock"
)

// decide returns the wait before the next attempt, or why there is none. What the
// failure says comes first, then the bounds, and the budget last, so that no
// token is taken for a retry that would not be made.
func (r *Run) decide(err *endwell.Error, now time.Time) (time.Duration, Stop) {
	p := &r.policy
	switch {
	case r.emitted.Load():
		return 0, StopEmitted
	case !err.Retryable:
		return 0, StopNotRetryable
	case p.Retry != nil && !p.Retry(err):
		return 0, StopPredicate
	case r.attempt >= p.attempts():
		return 0, StopAttempts
	}
	wait := r.draw()
	if wait < 0 {
		return 0, StopBackOff
	}
	wait = max(wait, err.RetryAfter)
	if stop := r.fits(wait, now); stop != 0 {
		return 0, stop
	}
	if p.Budget != nil && !p.Budget.Take(r.req.Agent, now) {
		return 0, StopBudget
	}
	return wait, 0
}

// fits holds a wait against the bounds. It subtracts, since a sum with a huge
// hint would overflow.
func (r *Run) fits(wait time.Duration, now time.Time) Stop {
	bound, bounded := r.policy.maxWait()
	switch {
	case bounded && wait > bound-r.waited:
		return StopWait
	case r.policy.MaxElapsed > 0 && wait > r.policy.MaxElapsed-r.elapsed:
		return StopElapsed
	case !r.deadline.IsZero() && wait >= r.deadline.Sub(now):
		return StopContext
	default:
		return 0
	}
}

// draw returns the schedule's next wait, negative when it has none.
func (r *Run) draw() time.Duration {
	if r.schedule == nil {
		r.schedule = r.newSchedule()
	}
	return r.schedule.NextBackOff()
}

func (r *Run) newSchedule() backoff.BackOff {
	if r.policy.NewBackOff != nil {
		if b := r.policy.NewBackOff(); b != nil {
			b.Reset()
			return b
		}
	}
	return defaultBackOff(r.clk)
}

// The default schedule: base, and full jitter up to firstJitter, doubled with each
// failure, together never above ceiling.
const (
	base        = 250 * time.Millisecond
	firstJitter = 500 * time.Millisecond
	ceiling     = 4 * time.Second
)

// above adds a constant to a schedule.
type above struct {
	backoff.BackOff
	base time.Duration
}

// NextBackOff returns the schedule's next wait plus the constant.
func (a above) NextBackOff() time.Duration { return a.base + a.BackOff.NextBackOff() }

// defaultBackOff makes full jitter of an interval that is randomised by its whole
// length: from zero to twice the interval. The clock matters to nothing here, but
// no schedule of ours reads another one than the run's.
func defaultBackOff(clk clock.Clock) backoff.BackOff {
	return above{backoff.NewExponentialBackOff(
		backoff.WithInitialInterval(firstJitter/2),
		backoff.WithMaxInterval((ceiling-base)/2),
		backoff.WithMultiplier(2),
		backoff.WithRandomizationFactor(1),
		backoff.WithMaxElapsedTime(0),
		backoff.WithClockProvider(clk),
	), base}
}

// add is a sum of two durations, neither negative, that does not wrap.
func add(a, b time.Duration) time.Duration {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}
