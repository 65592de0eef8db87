package perf

import (
	"runtime"
	"runtime/debug"

	"github.com/endwell-go/endwell/interop/decode"
)

// allocations tells what a stream allocates once from what every chunk of it does, by
// reading a body and one of about twice the length.
func (w wire) allocations(frames int, read reader) (chunk, stream float64, err error) {
	short, long := w.body(frames, 1, false), w.body(frames, 2, false)
	a, err := allocs(short, read)
	if err != nil {
		return 0, 0, err
	}
	b, err := allocs(long, read)
	chunk = (b - a) / float64(long.Frames-short.Frames)
	return chunk, a - chunk*float64(short.Frames), err
}

// allocs counts what reading a body allocates, from before it is opened to the end. The
// least of some counts is taken, since the runtime allocates too.
func allocs(b *decode.Body, read reader) (float64, error) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	var before, after runtime.MemStats
	least := uint64(1 << 62)
	for range 5 {
		runtime.ReadMemStats(&before)
		if err := read(b.Open(nil), new(heard)); err != nil {
			return 0, err
		}
		runtime.ReadMemStats(&after)
		least = min(least, after.Mallocs-before.Mallocs)
	}
	return float64(least), nil
}
