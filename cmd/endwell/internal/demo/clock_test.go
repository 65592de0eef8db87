package demo

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// The demo's clock shows real time, and nearly stands still where the process does, which
// here is a callback that keeps it for long.
func TestClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		clk, stop := running()
		defer stop()
		began := clk.Now()
		shows := func(want time.Duration) {
			t.Helper()
			synctest.Wait()
			require.Equal(t, want, clk.Now().Sub(began))
		}
		<-time.After(time.Second)
		shows(time.Second)
		clk.AfterFunc(0, func() { <-time.After(time.Minute) })
		<-time.After(time.Minute + tick)
		shows(time.Second + tick + standstill)
		<-time.After(time.Second)
		shows(2*time.Second + tick + standstill)
	})
}
