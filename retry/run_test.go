package retry_test

import (
	"errors"
	"math"
	"testing"
	"time"

	"github.com/cenkalti/backoff/v4"
	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/clock"
	"github.com/endwell-go/endwell/retry"
)

var req = &endwell.Request{Agent: "writer", Provider: "acme", Model: "small"}

func overloaded() *endwell.Error {
	return &endwell.Error{Fault: endwell.Refused, Category: endwell.Overloaded, Transient: true, Retryable: true, Status: 503}
}

func after(d time.Duration) *endwell.Error {
	e := overloaded()
	e.RetryAfter = d
	return e
}

// every makes a schedule of equal waits.
func every(d time.Duration) func() backoff.BackOff {
	return func() backoff.BackOff { return backoff.NewConstantBackOff(d) }
}

// waits is a schedule of the given waits, then backoff.Stop.
type waits struct {
	all    []time.Duration
	at     int
	resets int
}

func (w *waits) Reset() { w.resets++ }

func (w *waits) NextBackOff() time.Duration {
	if w.at == len(w.all) {
		return backoff.Stop
	}
	w.at++
	return w.all[w.at-1]
}

func stopOf(err error) retry.Stop {
	var s retry.Stop
	errors.As(err, &s)
	return s
}

func TestFailedByFault(t *testing.T) {
	for _, row := range []struct {
		name    string
		err     *endwell.Error
		emitted bool
		stop    retry.Stop // 0: the attempt is followed by another one
		same    bool       // the very error is handed over
	}{
		{name: "unreachable", err: failure(endwell.Unreachable, endwell.Network, true)},
		{name: "refused, overloaded", err: failure(endwell.Refused, endwell.Overloaded, true)},
		{name: "refused, rate limited", err: failure(endwell.Refused, endwell.RateLimited, true)},
		{name: "refused, bad key", err: failure(endwell.Refused, endwell.AuthInvalid, false), stop: retry.StopNotRetryable, same: true},
		{name: "stalled", err: failure(endwell.Stalled, endwell.Timeout, true)},
		{name: "broken", err: failure(endwell.Broken, endwell.Network, true)},
		{name: "broken after the first emission", err: failure(endwell.Broken, endwell.Network, true), emitted: true, stop: retry.StopEmitted},
		{name: "broken after the first emission, as classified", err: transient(endwell.Broken, endwell.Network), emitted: true, stop: retry.StopEmitted, same: true},
		{name: "transient, but not retryable", err: transient(endwell.Stalled, endwell.Timeout), stop: retry.StopNotRetryable, same: true},
		{name: "truncated", err: failure(endwell.Truncated, endwell.MalformedResponse, true)},
		{name: "faulted in-band", err: failure(endwell.Faulted, endwell.ServerError, true)},
		{name: "malformed, unparseable", err: failure(endwell.Malformed, endwell.MalformedResponse, false), stop: retry.StopNotRetryable, same: true},
		{name: "empty", err: failure(endwell.Empty, endwell.MalformedResponse, true)},
		{name: "empty, filtered", err: failure(endwell.Empty, endwell.ContentBlocked, false), stop: retry.StopNotRetryable, same: true},
	} {
		t.Run(row.name, func(t *testing.T) {
			ring := retry.NewRing(4)
			p := retry.Policy{MaxAttempts: 3, NewBackOff: every(time.Second), Ledger: ring}
			run := p.Start(&clock.Fake{}, req)
			require.Equal(t, 1, run.Begin())
			if row.emitted {
				run.Emitted()
			}
			wait, final := run.Failed(row.err, endwell.Usage{Output: 7})

			e := ring.Snapshot()[0]
			require.Equal(t, 1, ring.Total())
			require.Equal(t, row.stop, e.Stop)
			require.Equal(t, row.emitted, e.Emitted)
			require.Equal(t, retry.EndingFailed, e.Ending)
			require.Equal(t, int64(7), e.Usage.Output)
			if row.stop == 0 {
				require.Nil(t, final)
				require.Equal(t, time.Second, wait)
				require.Equal(t, time.Second, e.Wait)
				return
			}
			require.Zero(t, wait)
			require.Zero(t, e.Wait)
			require.Zero(t, stopOf(final), "a failure that ends the run by itself passes unchanged")
			require.ErrorIs(t, final, row.err.Fault)
			require.ErrorIs(t, final, row.err.Category)
			require.Equal(t, row.err.Transient, final.Transient)
			require.False(t, final.Retryable)
			require.Equal(t, row.same, final == row.err)
		})
	}
}

func failure(f endwell.Fault, c endwell.Category, retryable bool) *endwell.Error {
	return &endwell.Error{Fault: f, Category: c, Transient: retryable, Retryable: retryable}
}

func transient(f endwell.Fault, c endwell.Category) *endwell.Error {
	return &endwell.Error{Fault: f, Category: c, Transient: true}
}

func TestFailedLeavesTheErrorAlone(t *testing.T) {
	p := retry.Policy{MaxAttempts: 2}
	run := p.Start(&clock.Fake{}, req)
	run.Begin()
	run.Emitted()
	err := overloaded()
	_, final := run.Failed(err, endwell.Usage{})
	require.False(t, final.Retryable)
	require.True(t, err.Retryable, "it may be shared")
}

func TestAttempts(t *testing.T) {
	for _, row := range []struct {
		name       string
		max, begun int
		stop       retry.Stop // on the error
	}{
		{"zero policy", 0, 1, 0},
		{"negative is taken as zero", -3, 1, 0},
		{"one", 1, 1, 0},
		{"two", 2, 2, retry.StopAttempts},
		{"seven", 7, 7, retry.StopAttempts},
	} {
		t.Run(row.name, func(t *testing.T) {
			ring := retry.NewRing(10)
			p := retry.Policy{MaxAttempts: row.max, NewBackOff: every(0), Ledger: ring}
			run := p.Start(&clock.Fake{}, req)
			err := overloaded()
			var final *endwell.Error
			for final == nil {
				run.Begin()
				_, final = run.Failed(err, endwell.Usage{})
			}
			require.Equal(t, row.begun, ring.Total())
			require.Equal(t, row.stop, stopOf(final))
			require.ErrorIs(t, final, endwell.Overloaded)
			require.ErrorIs(t, final, endwell.Refused)
			require.True(t, final.Retryable, "the caller may still send it again")
			require.Equal(t, row.stop == 0, final == err)
			for i, e := range ring.Snapshot() {
				require.Equal(t, i+1, e.Attempt)
				require.Equal(t, i+1 == row.begun, e.Stop == retry.StopAttempts)
			}
		})
	}
}

func TestNilPolicyIsOff(t *testing.T) {
	run := (*retry.Policy)(nil).Start(&clock.Fake{}, req)
	run.Begin()
	err := overloaded()
	wait, final := run.Failed(err, endwell.Usage{})
	require.Zero(t, wait)
	require.Same(t, err, final)
	require.NoError(t, (*retry.Policy)(nil).Validate())
}

// TestBounds holds one wait against one bound, a nanosecond below it, at it and a
// nanosecond above it.
func TestBounds(t *testing.T) {
	const d = 10 * time.Second
	deadline := clock.Epoch.Add(d)
	for _, row := range []struct {
		name     string
		policy   retry.Policy
		hint     time.Duration
		attempt  time.Duration // the first attempt takes so long
		deadline time.Time
		stop     retry.Stop
	}{
		{name: "wait, d-1ns", policy: retry.Policy{MaxWait: d, NewBackOff: every(d - 1)}},
		{name: "wait, d", policy: retry.Policy{MaxWait: d, NewBackOff: every(d)}},
		{name: "wait, d+1ns", policy: retry.Policy{MaxWait: d, NewBackOff: every(d + 1)}, stop: retry.StopWait},
		{name: "wait, attempt's time is no waiting", policy: retry.Policy{MaxWait: d, NewBackOff: every(d)}, attempt: time.Hour},
		{name: "default wait, d", policy: retry.Policy{NewBackOff: every(retry.DefaultMaxWait)}},
		{name: "default wait, d+1ns", policy: retry.Policy{NewBackOff: every(retry.DefaultMaxWait + 1)}, stop: retry.StopWait},
		{name: "no wait bound", policy: retry.Policy{MaxWait: -1, NewBackOff: every(math.MaxInt64)}},

		{name: "hint, d-1ns", policy: retry.Policy{MaxWait: d, NewBackOff: every(1)}, hint: d - 1},
		{name: "hint, d", policy: retry.Policy{MaxWait: d, NewBackOff: every(1)}, hint: d},
		{name: "hint, d+1ns", policy: retry.Policy{MaxWait: d, NewBackOff: every(1)}, hint: d + 1, stop: retry.StopWait},
		{name: "hint, huge", policy: retry.Policy{MaxWait: d, NewBackOff: every(1)}, hint: math.MaxInt64, stop: retry.StopWait},
		{name: "hint, huge, elapsed bound", policy: retry.Policy{MaxWait: -1, MaxElapsed: d, NewBackOff: every(1)}, hint: math.MaxInt64, attempt: time.Second, stop: retry.StopElapsed},
		{name: "hint, negative", policy: retry.Policy{MaxWait: d, NewBackOff: every(1)}, hint: -time.Hour},

		{name: "elapsed, d-1ns", policy: retry.Policy{MaxElapsed: d, NewBackOff: every(d - 3)}, attempt: 2},
		{name: "elapsed, d", policy: retry.Policy{MaxElapsed: d, NewBackOff: every(d - 2)}, attempt: 2},
		{name: "elapsed, d+1ns", policy: retry.Policy{MaxElapsed: d, NewBackOff: every(d - 1)}, attempt: 2, stop: retry.StopElapsed},
		{name: "elapsed, used up by the attempt", policy: retry.Policy{MaxElapsed: d, NewBackOff: every(0)}, attempt: d + 1, stop: retry.StopElapsed},
		{name: "elapsed, off", policy: retry.Policy{NewBackOff: every(1)}, attempt: 1000 * time.Hour},
		{name: "elapsed, negative is taken as off", policy: retry.Policy{MaxElapsed: -1, NewBackOff: every(1)}, attempt: time.Hour},

		{name: "deadline, d-1ns", policy: retry.Policy{NewBackOff: every(d - 1)}, deadline: deadline},
		{name: "deadline, d", policy: retry.Policy{NewBackOff: every(d)}, deadline: deadline, stop: retry.StopContext},
		{name: "deadline, d+1ns", policy: retry.Policy{NewBackOff: every(d + 1)}, deadline: deadline, stop: retry.StopContext},
		{name: "deadline, past", policy: retry.Policy{NewBackOff: every(0)}, attempt: d + 1, deadline: deadline, stop: retry.StopContext},

		{name: "schedule, stopped", policy: retry.Policy{NewBackOff: every(backoff.Stop)}, stop: retry.StopBackOff},
		{name: "schedule, stopped beside a hint", policy: retry.Policy{NewBackOff: every(backoff.Stop)}, hint: 1, stop: retry.StopBackOff},
		{name: "schedule, negative", policy: retry.Policy{NewBackOff: every(-time.Hour)}, stop: retry.StopBackOff},

		{name: "budget, empty", policy: retry.Policy{NewBackOff: every(1), Budget: purse(0)}, stop: retry.StopBudget},
		{name: "budget, one", policy: retry.Policy{NewBackOff: every(1), Budget: purse(1)}},
		{name: "predicate, no", policy: retry.Policy{NewBackOff: every(1), Retry: func(*endwell.Error) bool { return false }}, stop: retry.StopPredicate},
		{name: "predicate, yes", policy: retry.Policy{NewBackOff: every(1), Retry: func(e *endwell.Error) bool { return e.Status == 503 }}},
	} {
		t.Run(row.name, func(t *testing.T) {
			var f clock.Fake
			ring := retry.NewRing(1)
			row.policy.MaxAttempts, row.policy.Ledger = 3, ring
			run := row.policy.Start(&f, req)
			run.Until(row.deadline)
			run.Begin()
			f.Advance(row.attempt)
			wait, final := run.Failed(after(row.hint), endwell.Usage{})

			e := ring.Snapshot()[0]
			require.Equal(t, row.stop, e.Stop)
			require.Equal(t, wait, e.Wait)
			require.Equal(t, row.attempt, e.Took)
			require.Equal(t, row.attempt, e.Elapsed)
			require.GreaterOrEqual(t, wait, time.Duration(0))
			if row.stop == 0 {
				require.Nil(t, final)
				require.GreaterOrEqual(t, wait, row.hint)
				return
			}
			require.ErrorIs(t, final, row.stop)
			require.ErrorIs(t, final, endwell.Refused)
			require.ErrorIs(t, final, endwell.Overloaded)
			require.Equal(t, row.hint, final.RetryAfter, "handed over")
			require.Zero(t, wait)
		})
	}
}

// purse is a budget of a number of retries.
func purse(n int) retry.Budget { return &coins{n: n} }

type coins struct {
	n      int
	asked  int
	agents []string
}

func (c *coins) Take(agent string, _ time.Time) bool {
	c.asked++
	c.agents = append(c.agents, agent)
	c.n--
	return c.n >= 0
}

func TestBudgetIsAskedLast(t *testing.T) {
	for _, row := range []struct {
		name   string
		policy retry.Policy
		err    *endwell.Error
		asked  int
	}{
		{"retry", retry.Policy{MaxAttempts: 2}, overloaded(), 1},
		{"not retryable", retry.Policy{MaxAttempts: 2}, transient(endwell.Broken, endwell.Network), 0},
		{"no attempt left", retry.Policy{MaxAttempts: 1}, overloaded(), 0},
		{"hint does not fit", retry.Policy{MaxAttempts: 2}, after(time.Hour), 0},
		{"schedule ended", retry.Policy{MaxAttempts: 2, NewBackOff: every(backoff.Stop)}, overloaded(), 0},
	} {
		t.Run(row.name, func(t *testing.T) {
			c := &coins{n: 9}
			row.policy.Budget = c
			run := row.policy.Start(&clock.Fake{}, req)
			run.Begin()
			require.Zero(t, c.asked, "a first attempt is free")
			run.Failed(row.err, endwell.Usage{})
			require.Equal(t, row.asked, c.asked)
			for _, a := range c.agents {
				require.Equal(t, "writer", a)
			}
		})
	}
}

func TestPredicateCannotWiden(t *testing.T) {
	p := retry.Policy{MaxAttempts: 3, Retry: func(*endwell.Error) bool { t.Error("asked"); return true }}
	run := p.Start(&clock.Fake{}, req)
	run.Begin()
	_, final := run.Failed(transient(endwell.Broken, endwell.Network), endwell.Usage{})
	require.NotNil(t, final)
}

func TestWaitsAddUp(t *testing.T) {
	schedule := &waits{all: []time.Duration{4, 5, 1, 1}}
	p := retry.Policy{MaxAttempts: 9, MaxWait: 10, NewBackOff: func() backoff.BackOff { return schedule }}
	run := p.Start(&clock.Fake{}, req)
	var got []time.Duration
	for {
		run.Begin()
		wait, final := run.Failed(overloaded(), endwell.Usage{})
		if final != nil {
			require.ErrorIs(t, final, retry.StopWait)
			break
		}
		got = append(got, wait)
	}
	require.Equal(t, []time.Duration{4, 5, 1}, got)
	require.Equal(t, 4, schedule.at, "one draw for each wait")
	require.Equal(t, 1, schedule.resets)
}

func TestHugeHintsWithoutBound(t *testing.T) {
	ring := retry.NewRing(8)
	p := retry.Policy{MaxAttempts: 4, MaxWait: -1, Ledger: ring}
	run := p.Start(&clock.Fake{}, req)
	for range 3 {
		run.Begin()
		wait, final := run.Failed(after(math.MaxInt64), endwell.Usage{})
		require.Nil(t, final)
		require.Equal(t, time.Duration(math.MaxInt64), wait)
	}
	run.Begin()
	_, final := run.Failed(after(math.MaxInt64), endwell.Usage{})
	require.ErrorIs(t, final, retry.StopAttempts)
}

func TestDefaultScheduleStaysInRange(t *testing.T) {
	const ms = time.Millisecond
	top := []time.Duration{750 * ms, 1250 * ms, 2250 * ms, 4000 * ms, 4000 * ms, 4000 * ms}
	low, high := make([]time.Duration, len(top)), make([]time.Duration, len(top))
	for i := range low {
		low[i] = math.MaxInt64
	}
	nils := func() backoff.BackOff { return nil }
	for i := range 2000 {
		p := retry.Policy{MaxAttempts: len(top) + 1}
		if i%2 == 1 {
			p.NewBackOff = nils
		}
		run := p.Start(&clock.Fake{}, req)
		for n := range top {
			run.Begin()
			wait, final := run.Failed(overloaded(), endwell.Usage{})
			require.Nil(t, final)
			low[n], high[n] = min(low[n], wait), max(high[n], wait)
		}
	}
	for n := range top {
		span := top[n] - 250*ms
		require.GreaterOrEqual(t, low[n], 250*ms)
		require.LessOrEqual(t, high[n], top[n])
		require.Less(t, low[n], 250*ms+span/20, "the jitter is full")
		require.Greater(t, high[n], top[n]-span/20, "the jitter is full")
	}
}

func TestElapsedCountsAttemptsAndWaits(t *testing.T) {
	var f clock.Fake
	ring := retry.NewRing(8)
	p := retry.Policy{MaxAttempts: 3, NewBackOff: every(2 * time.Second), Ledger: ring}
	run := p.Start(&f, req)
	f.Advance(time.Hour) // before the first attempt
	for range 2 {
		run.Begin()
		f.Advance(time.Second)
		wait, _ := run.Failed(overloaded(), endwell.Usage{})
		f.Advance(wait)
	}
	run.Begin()
	f.Advance(time.Second)
	run.Whole(endwell.Usage{Input: 3})

	all := ring.Snapshot()
	require.Len(t, all, 3)
	for i, elapsed := range []time.Duration{1, 4, 7} {
		require.Equal(t, elapsed*time.Second, all[i].Elapsed)
		require.Equal(t, time.Second, all[i].Took)
	}
	require.Equal(t, retry.Entry{
		Time: f.Now(), Agent: "writer", Provider: "acme", Model: "small", Attempt: 3,
		Ending: retry.EndingWhole, Took: time.Second, Elapsed: 7 * time.Second, Usage: endwell.Usage{Input: 3},
	}, all[2])
}

func TestClockGoesBack(t *testing.T) {
	var f clock.Fake
	ring := retry.NewRing(8)
	p := retry.Policy{MaxAttempts: 10, MaxElapsed: 10 * time.Second, NewBackOff: every(0), Ledger: ring}
	run := p.Start(&f, req)
	n := 0
	for {
		n = run.Begin()
		f.Advance(3 * time.Second)
		wait, final := run.Failed(overloaded(), endwell.Usage{})
		require.GreaterOrEqual(t, wait, time.Duration(0))
		if final != nil {
			require.ErrorIs(t, final, retry.StopElapsed)
			break
		}
		f.Set(f.Now().Add(-time.Hour))
	}
	require.Equal(t, 4, n, "what had passed stays passed")

	run = p.Start(&f, req)
	run.Begin()
	f.Set(f.Now().Add(-time.Hour))
	run.Whole(endwell.Usage{})
	all := ring.Snapshot()
	require.Zero(t, all[len(all)-1].Took)
	require.Zero(t, all[len(all)-1].Elapsed)
}

func TestLedgerKeepsNoOriginal(t *testing.T) {
	ring := retry.NewRing(1)
	p := retry.Policy{MaxAttempts: 2, Ledger: ring}
	run := p.Start(&clock.Fake{}, req)
	run.Begin()
	secret := &endwell.Evidence{Message: "your key sk-test-not-a-real-key is wrong"}
	_, final := run.Failed(transient(endwell.Refused, endwell.ServerError).WithOriginal(secret), endwell.Usage{})
	require.Equal(t, secret, final.Unredacted(), "the caller's has it")
	require.Nil(t, ring.Snapshot()[0].Err.Unredacted())
}
