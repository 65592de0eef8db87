package middleware

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// Whoever comes while it is done waits for it, and time goes on meanwhile.
func TestOnceWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var o once
		var times atomic.Int32
		failed := errors.New("failed")
		var wg sync.WaitGroup
		begun := time.Now()
		for i := range 5 {
			wg.Go(func() {
				<-time.After(time.Duration(i) * time.Second / 10) // of the bubble's clock
				err := o.do(func() error {
					times.Add(1)
					<-time.After(time.Second)
					return failed
				})
				require.Equal(t, time.Second, time.Since(begun))
				if i == 0 {
					require.Equal(t, failed, err)
				} else {
					require.NoError(t, err)
				}
			})
		}
		wg.Wait()
		require.EqualValues(t, 1, times.Load())
		require.NoError(t, o.do(func() error { return failed }), "it is done")
	})
}

func TestOnceAtOnce(t *testing.T) {
	for range 2000 {
		var o once
		var closed atomic.Bool
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				_ = o.do(func() error { closed.Store(true); return nil })
				require.True(t, closed.Load())
			})
		}
		wg.Wait()
	}
}
