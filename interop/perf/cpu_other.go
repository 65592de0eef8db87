//go:build !unix

package perf

import "time"

// cpuTime stands for what this system does not tell: the time that passes.
func cpuTime() time.Duration { return wall() }
