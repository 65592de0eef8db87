// Package leaktest finds goroutines that outlive a test of this module.
package leaktest

import (
	"runtime"
	"strings"
	"testing"
	"time"
)

// patience is how long a goroutine may take to end: the connections of an HTTP client
// end a moment after they have been closed.
const patience = 10 * time.Second

// Check fails the test if, when it is over and 10 s have passed, a goroutine still
// runs that this module or net/http has begun. It looks at the whole process, so a
// test that runs beside others must leave Check to the one that waits for them.
func Check(t testing.TB) {
	t.Helper()
	check(t, patience)
}

func check(t testing.TB, patience time.Duration) {
	t.Helper()
	t.Cleanup(func() {
		look := time.NewTicker(time.Millisecond)
		defer look.Stop()
		// Looks are counted: a clock goes on while a machine stands still, and they do not.
		for range patience / time.Millisecond {
			if len(Leftovers()) == 0 {
				return
			}
			<-look.C
		}
		if left := Leftovers(); len(left) > 0 {
			t.Errorf("%d goroutines outlive the test:\n\n%s", len(left), strings.Join(left, "\n\n"))
		}
	})
}

// Leftovers returns the stacks of the goroutines of this module and of net/http,
// apart from those that run a test or the tests.
func Leftovers() []string {
	var left []string
	for _, stack := range strings.Split(stacks(), "\n\n") {
		ours := strings.Contains(stack, "github.com/endwell-go/endwell") || strings.Contains(stack, "net/http")
		if ours && !strings.Contains(stack, "testing.tRunner(") && !strings.Contains(stack, "testing.(*M).") {
			left = append(left, stack)
		}
	}
	return left
}

// stacks returns the stacks of all goroutines.
func stacks() string {
	for size := 1 << 20; ; size *= 2 {
		buf := make([]byte, size)
		if n := runtime.Stack(buf, true); n < size {
			return string(buf[:n])
		}
	}
}
