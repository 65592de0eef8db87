package retry_test

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/clock"
	"github.com/endwell-go/endwell/retry"
)

func TestOneEntryForEachAttempt(t *testing.T) {
	use := endwell.Usage{Output: 1}
	fail := func(r *retry.Run) { r.Failed(overloaded(), use) }
	whole := func(r *retry.Run) { r.Whole(use) }
	cancel := func(r *retry.Run) { r.Canceled(use) }
	foreign := func(r *retry.Run) { r.Foreign(use) }
	begin := func(r *retry.Run) { r.Begin() }
	emit := func(r *retry.Run) { r.Emitted() }
	type calls []func(*retry.Run)
	for _, row := range []struct {
		name    string
		calls   calls
		endings []retry.Ending
		emitted bool
		stop    retry.Stop // of the last entry
	}{
		{"nothing begun", calls{whole, cancel, fail, foreign}, nil, false, 0},
		{"whole", calls{begin, whole}, []retry.Ending{retry.EndingWhole}, false, 0},
		{"whole, then closed", calls{begin, emit, whole, cancel}, []retry.Ending{retry.EndingWhole}, true, 0},
		{"canceled", calls{begin, cancel}, []retry.Ending{retry.EndingCanceled}, false, 0},
		{"canceled, then failed", calls{begin, cancel, fail}, []retry.Ending{retry.EndingCanceled}, false, 0},
		{"canceled after the first emission", calls{begin, emit, cancel}, []retry.Ending{retry.EndingCanceled}, true, 0},
		{"canceled during the wait", calls{begin, fail, cancel}, []retry.Ending{retry.EndingFailed}, false, 0},
		{"failed, then whole", calls{begin, fail, begin, emit, whole}, []retry.Ending{retry.EndingFailed, retry.EndingWhole}, true, 0},
		{"failed, then canceled", calls{begin, fail, begin, cancel}, []retry.Ending{retry.EndingFailed, retry.EndingCanceled}, false, 0},
		{"failed after the first emission, then closed", calls{begin, emit, fail, cancel}, []retry.Ending{retry.EndingFailed}, true, retry.StopEmitted},
		{"not classified", calls{begin, foreign, whole}, []retry.Ending{retry.EndingFailed}, false, retry.StopNotRetryable},
		{"failed to the end", calls{begin, fail, begin, fail}, []retry.Ending{retry.EndingFailed, retry.EndingFailed}, false, retry.StopAttempts},
	} {
		t.Run(row.name, func(t *testing.T) {
			ring := retry.NewRing(8)
			p := retry.Policy{MaxAttempts: 2, Ledger: ring}
			run := p.Start(&clock.Fake{}, req)
			for _, call := range row.calls {
				call(run)
			}
			var got []retry.Ending
			for i, e := range ring.Snapshot() {
				got = append(got, e.Ending)
				require.Equal(t, i+1, e.Attempt)
				require.Equal(t, use, e.Usage)
				if i == len(row.endings)-1 {
					require.Equal(t, row.emitted, e.Emitted)
					require.Equal(t, row.stop, e.Stop)
				}
			}
			require.Equal(t, row.endings, got)
		})
	}
}

func TestFailedAfterCanceledHandsTheErrorOver(t *testing.T) {
	run := retry.Default().Start(&clock.Fake{}, req)
	run.Begin()
	run.Canceled(endwell.Usage{})
	err := overloaded()
	_, final := run.Failed(err, endwell.Usage{})
	require.Same(t, err, final)
}

func TestForeignHasNoError(t *testing.T) {
	ring := retry.NewRing(1)
	p := retry.Policy{MaxAttempts: 3, Ledger: ring}
	run := p.Start(&clock.Fake{}, req)
	run.Begin()
	run.Foreign(endwell.Usage{})
	require.Nil(t, ring.Snapshot()[0].Err)
}

func TestCloseBesideRecv(t *testing.T) {
	for range 500 {
		ring := retry.NewRing(8)
		p := retry.Policy{MaxAttempts: 4, NewBackOff: every(0), Ledger: ring}
		run := p.Start(&clock.Fake{}, req)
		begun := run.Begin()
		var wg sync.WaitGroup
		wg.Go(func() { run.Canceled(endwell.Usage{}); run.Emitted() })
		wg.Go(func() {
			for {
				if _, final := run.Failed(overloaded(), endwell.Usage{}); final != nil {
					return
				}
				begun = run.Begin()
			}
		})
		wg.Wait()
		require.Equal(t, begun, ring.Total())
	}
}
