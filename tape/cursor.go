package tape

import (
	"math"
	"math/bits"
	"time"
)

// cursor is a position in the arrivals of a tape. It expands a repetition one
// read at a time.
type cursor struct {
	arrivals []Arrival
	times    int64 // reads of the first arrival that are done
	bytes    int64 // bytes of the present read that are done
}

// next is the instant of the read that is due, or false when none is left.
func (c *cursor) next() (time.Duration, bool) {
	for len(c.arrivals) > 0 && len(c.arrivals[0].Data) == 0 {
		c.arrivals = c.arrivals[1:]
	}
	if len(c.arrivals) == 0 {
		return 0, false
	}
	a := &c.arrivals[0]
	return plus(a.At, times(a.Every, c.times)), true
}

// fill copies bytes of the read that is due into p, and goes on to the next
// read when it has given all of them.
func (c *cursor) fill(p []byte) int {
	a := &c.arrivals[0]
	size := int64(times(time.Duration(len(a.Data)), max(a.Count, 1)))
	n := repeat(p[:min(int64(len(p)), size-c.bytes)], a.Data, c.bytes)
	if c.bytes += int64(n); c.bytes == size {
		c.advance()
	}
	return n
}

func (c *cursor) advance() {
	c.bytes = 0
	if c.times++; c.times >= c.arrivals[0].Times {
		c.times, c.arrivals = 0, c.arrivals[1:]
	}
}

// repeat fills p with the endless repetition of data, from offset on. What is
// in p already is copied from there, so that the work does not grow with the
// number of repetitions.
func repeat(p, data []byte, offset int64) int {
	n := copy(p, data[offset%int64(len(data)):])
	n += copy(p[n:], data)
	for n < len(p) {
		n += copy(p[n:], p[n%len(data):n])
	}
	return n
}

// times is d, n times, at most the longest time.Duration. Neither may be
// negative.
func times(d time.Duration, n int64) time.Duration {
	high, low := bits.Mul64(uint64(d), uint64(n))
	if high != 0 || low > math.MaxInt64 {
		return math.MaxInt64
	}
	return time.Duration(low)
}

func plus(a, b time.Duration) time.Duration {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}
