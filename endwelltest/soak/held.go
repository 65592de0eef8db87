package soak

import (
	"fmt"
	"os"
	"runtime"
	"time"
)

// Held is what a process holds.
type Held struct {
	// Goroutines is how many there are.
	Goroutines int
	// Descriptors is how many files are open; -1 where the system does not say.
	Descriptors int
	// Heap is the bytes of live objects.
	Heap uint64
}

// String is a line of text.
func (h Held) String() string {
	return fmt.Sprintf("%d goroutines, %d descriptors, %.1f MiB", h.Goroutines, h.Descriptors, float64(h.Heap)/(1<<20))
}

// hold measures what the process holds, after a garbage collection.
func hold() Held {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return Held{Goroutines: runtime.NumGoroutine(), Descriptors: descriptors(), Heap: m.HeapAlloc}
}

func descriptors() int {
	d, err := os.Open("/proc/self/fd")
	if err != nil {
		return -1
	}
	defer func() { _ = d.Close() }()
	names, err := d.Readdirnames(-1)
	if err != nil {
		return -1
	}
	return len(names) - 1 // without the folder itself
}

// settle measures until no more goroutines and descriptors are held than before, for
// some time: the connections of an HTTP client end a moment after they have been closed.
// It counts its pauses: a clock goes on while a machine stands still, and they do not.
func settle(before Held, patience time.Duration) Held {
	const pause = 10 * time.Millisecond
	for waited := time.Duration(0); waited < patience; waited += pause {
		if runtime.NumGoroutine() <= before.Goroutines && descriptors() <= before.Descriptors {
			break
		}
		rest(pause)
	}
	runtime.GC() // what has a finalizer or sits in a sync.Pool takes two
	return hold()
}
