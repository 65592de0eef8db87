package retry_test

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/cenkalti/backoff/v4"
	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/clock"
	"github.com/endwell-go/endwell/retry"
)

// pick draws one of the given values.
func pick[T any](rnd *rand.Rand, of ...T) T { return of[rnd.IntN(len(of))] }

// random is a schedule without any manners.
type random struct{ *rand.Rand }

func (random) Reset() {}

func (r random) NextBackOff() time.Duration {
	return pick(r.Rand, 0, 1, time.Millisecond, time.Second, 3*time.Second, 40*time.Second, math.MaxInt64, backoff.Stop, math.MinInt64)
}

func randomPolicy(rnd *rand.Rand, ledger retry.Ledger) retry.Policy {
	p := retry.Policy{
		MaxAttempts: pick(rnd, -1, 0, 1, 2, 3, 8, 8, 8),
		MaxWait:     pick(rnd, -1, 0, 1, time.Second, time.Minute, math.MaxInt64),
		MaxElapsed:  pick(rnd, -1, 0, 0, 1, time.Second, time.Minute, math.MaxInt64),
		Ledger:      ledger,
	}
	if rnd.IntN(2) == 0 {
		p.NewBackOff = func() backoff.BackOff { return random{rnd} }
	}
	if rnd.IntN(3) == 0 {
		p.Budget = purse(rnd.IntN(4))
	}
	return p
}

// TestRandomSchedules plays a gate that obeys the run, with attempts that end in
// any way, waits that end too early or too late, and a clock that goes back.
func TestRandomSchedules(t *testing.T) {
	retries, stops := 0, map[retry.Stop]int{}
	for seed := range uint64(20000) {
		rnd := rand.New(rand.NewPCG(seed, 7))
		ring := retry.NewRing(32)
		var f clock.Fake
		p := randomPolicy(rnd, ring)
		run := p.Start(&f, req)
		begun, emissions := play(t, rnd, &f, run)
		if t.Failed() {
			t.Fatalf("seed %d, %+v", seed, p)
		}
		check(t, p, ring.Snapshot(), begun)
		require.LessOrEqual(t, emissions, 1, "nothing is sent again after the first emission")
		retries += begun - 1
		for _, e := range ring.Snapshot() {
			stops[e.Stop]++
		}
	}
	require.Greater(t, retries, 3000, "the schedules do retry")
	for _, s := range retry.Stops() {
		if s != retry.StopPredicate && s != retry.StopContext {
			require.NotZero(t, stops[s], s)
		}
	}
}

func play(t *testing.T, rnd *rand.Rand, f *clock.Fake, run *retry.Run) (begun, emissions int) {
	for {
		begun = run.Begin()
		f.Advance(pick(rnd, 0, 1, time.Second, time.Second, time.Hour))
		if rnd.IntN(8) == 0 {
			f.Set(f.Now().Add(-time.Minute))
		}
		if rnd.IntN(8) == 0 {
			run.Emitted()
			emissions++
		}
		if rnd.IntN(8) == 0 {
			pick(rnd, run.Whole, run.Canceled, run.Foreign)(endwell.Usage{})
			return begun, emissions
		}
		err := after(pick(rnd, 0, 0, 1, time.Second, time.Hour, math.MaxInt64, -time.Second))
		err.Retryable = rnd.IntN(8) != 0
		wait, final := run.Failed(err, endwell.Usage{})
		require.GreaterOrEqual(t, wait, time.Duration(0))
		if final != nil {
			require.Zero(t, wait)
			require.ErrorIs(t, final, endwell.Overloaded)
			return begun, emissions
		}
		require.GreaterOrEqual(t, wait, err.RetryAfter)
		f.Advance(wait + pick(rnd, 0, 0, -1, time.Second))
	}
}

func check(t *testing.T, p retry.Policy, all []retry.Entry, begun int) {
	require.Len(t, all, begun, "one entry for each attempt")
	require.LessOrEqual(t, begun, max(p.MaxAttempts, 1))
	left := p.MaxWait
	if left == 0 {
		left = retry.DefaultMaxWait
	}
	for i, e := range all {
		last := i == len(all)-1
		require.Equal(t, i+1, e.Attempt)
		require.GreaterOrEqual(t, e.Took, time.Duration(0))
		require.GreaterOrEqual(t, e.Elapsed, e.Took)
		require.False(t, !last && (e.Stop != 0 || e.Ending != retry.EndingFailed || e.Emitted))
		require.False(t, last && e.Ending == retry.EndingFailed && e.Stop == 0)
		require.False(t, last && e.Wait != 0)
		if !last && p.MaxElapsed > 0 {
			require.LessOrEqual(t, e.Wait, p.MaxElapsed-e.Elapsed)
		}
		if p.MaxWait >= 0 {
			left -= e.Wait
			require.GreaterOrEqual(t, left, time.Duration(0), "the waits never exceed MaxWait")
		}
	}
}
