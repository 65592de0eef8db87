//go:build unix

package perf

import (
	"syscall"
	"time"
)

// cpuTime is the CPU time that the process has used, in the system too.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
