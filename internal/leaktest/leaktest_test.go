package leaktest

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// recorder is a test that notes what becomes of it.
type recorder struct {
	testing.TB
	cleanups []func()
	failure  string
}

func (r *recorder) Helper()                   {}
func (r *recorder) Cleanup(f func())          { r.cleanups = append(r.cleanups, f) }
func (r *recorder) Errorf(s string, a ...any) { r.failure = fmt.Sprintf(s, a...) }

func (r *recorder) over() {
	for _, f := range r.cleanups {
		f()
	}
}

// lingering begins a goroutine that runs until end is closed.
func lingering() (end chan struct{}) {
	begun, end := make(chan struct{}), make(chan struct{})
	go func() { close(begun); <-end }()
	<-begun
	return end
}

func TestCheck(t *testing.T) {
	Check(t)
	for _, tt := range []struct {
		name     string
		patience time.Duration
		during   func() // the test
		leaks    string
	}{
		{"nothing is begun", time.Hour, func() {}, ""},
		{"a goroutine that ends", time.Hour, func() { close(lingering()) }, ""},
		{"a goroutine that ends in time", time.Hour, func() {
			end := lingering()
			go func() { close(end) }()
		}, ""},
		{"a goroutine that stays", 10 * time.Millisecond, func() {
			end := lingering()
			t.Cleanup(func() { close(end) })
		}, "1 goroutines outlive the test"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := new(recorder)
			check(r, tt.patience)
			tt.during()
			r.over()
			if tt.leaks == "" {
				require.Empty(t, r.failure)
			} else {
				require.Contains(t, r.failure, tt.leaks)
				require.Contains(t, r.failure, "leaktest.lingering")
			}
		})
	}
}

func TestLeftovers(t *testing.T) {
	Check(t)
	require.Empty(t, Leftovers())
	end := lingering()
	require.Len(t, Leftovers(), 1)
	close(end)
}
