// Package retry says when a failed call is sent again: a policy with bounds, a
// budget that keeps an outage from multiplying traffic, and a ledger with one
// entry for every attempt.
//
// Nothing is retried unless somebody opted in: a zero [Policy] allows one
// attempt, [Default] allows three. Never sent again, whatever the policy says:
// a failure that is not Retryable, anything after the first emission, and a call
// that its caller stopped.
//
// A [Policy] is configuration; a [Run] is the bookkeeping of one call under it.
// The run never sleeps and opens nothing: middleware.RetryGate does both.
//
//	run := policy.Start(clk, req)
//	run.Begin(); open, fail; wait, final := run.Failed(err, usage)
//
// Every wait is drawn once: the delay that is held against the bounds is the
// delay that is waited. A provider's Retry-After is a floor under it, and one
// that does not fit ends the run at once, with RetryAfter left on the error.
package retry
