package endwelltest

import (
	"bytes"
	"fmt"
	"runtime/pprof"
	"strings"
)

// running lists the goroutines that carry the label of a bench: those that a check
// started, and those that they started. The pooled connections of an HTTP client are
// left out: they outlive a stream rightly.
func running(id string) string {
	var all bytes.Buffer
	_ = pprof.Lookup("goroutine").WriteTo(&all, 1)
	mark := fmt.Sprintf("%q:%q", label, id)
	var left []string
	for _, stack := range strings.Split(all.String(), "\n\n") {
		if strings.Contains(stack, mark) && !pooled(stack) {
			left = append(left, stack)
		}
	}
	return strings.Join(left, "\n\n")
}

// pooled reports whether a goroutine serves an HTTP connection that may be idle. One
// that is not shows at the other end, as [Gateway.Active].
func pooled(stack string) bool {
	for _, loop := range []string{"persistConn).readLoop", "persistConn).writeLoop", "ClientConn).readLoop"} {
		if strings.Contains(stack, loop) {
			return true
		}
	}
	return false
}
