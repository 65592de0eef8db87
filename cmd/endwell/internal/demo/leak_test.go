package demo

import (
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

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

// leftovers are the stacks of goroutines that neither a test nor its runner is.
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

func TestLeftoversAreSeen(t *testing.T) {
	quiet(t)
	begun, end := make(chan struct{}), make(chan struct{})
	go func() { close(begun); <-end }()
	<-begun
	require.Len(t, leftovers(), 1)
	close(end)
}
