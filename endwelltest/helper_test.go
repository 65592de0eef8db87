package endwelltest_test

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// recorder is a T that keeps what is reported instead of failing.
type recorder struct {
	mu     sync.Mutex
	wrong  []string
	undone []func()
}

func (r *recorder) Helper() {}

func (r *recorder) Errorf(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.wrong = append(r.wrong, fmt.Sprintf(format, args...))
}

func (r *recorder) Cleanup(f func()) { r.undone = append(r.undone, f) }

// end runs the cleanups and returns what was reported.
func (r *recorder) end() string {
	for i := len(r.undone) - 1; i >= 0; i-- {
		r.undone[i]()
	}
	return strings.Join(r.wrong, "\n")
}

// quiet fails the test if something of it still runs when it is over. The
// connections of an HTTP client end a moment after they have been closed.
func quiet(t *testing.T) {
	t.Helper()
	t.Cleanup(func() {
		look := time.NewTicker(time.Millisecond)
		defer look.Stop()
		for range 10_000 {
			if len(leftovers()) == 0 {
				return
			}
			<-look.C
		}
		require.Empty(t, leftovers())
	})
}

func leftovers() []string {
	buf := make([]byte, 1<<20)
	var left []string
	for _, stack := range strings.Split(string(buf[:runtime.Stack(buf, true)]), "\n\n") {
		ours := strings.Contains(stack, "endwell") || strings.Contains(stack, "net/http")
		if ours && !strings.Contains(stack, "testing.tRunner(") && !strings.Contains(stack, "testing.(*M).") {
			left = append(left, stack)
		}
	}
	return left
}

func sprint(v any) string { return fmt.Sprint(v) }
