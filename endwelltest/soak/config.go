package soak

import (
	"io"
	"time"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/middleware"
)

// Config configures Run. The zero value is a run of two seconds with 200 streams at
// once.
type Config struct {
	// Seed decides everything that is random; 0 is a seed like any other. The plan
	// of a stream follows from its own seed, the timing of two runs is never the same.
	Seed uint64
	// Streams is how many streams are open at once; 0 means 200. It panics when
	// negative.
	Streams int
	// For is for how long new streams are opened; 0 means 2 s. The last ones end a
	// moment later.
	For time.Duration
	// Sockets is the share of streams that go over loopback, half of them with HTTP/2,
	// to an endwelltest.Gateway; 0 means 0.05, negative means none. The others go over
	// net.Pipe. A socket's stream takes up to two descriptors.
	Sockets float64
	// Think is how long a consumer pauses, on average, while its stream is open; 0
	// means Streams times 200 µs, which makes for some 3500 endings a second as long as
	// the machine keeps up.
	Think time.Duration
	// Slack is how late a stall may be reported, beyond what a plain timer is late at the
	// time and place; 0 means 2 s. None may be early.
	Slack time.Duration
	// Only, when not 0, is the seed of the one stream that is run, again and again.
	Only uint64
	// Chain makes the chain under test from a configuration that has to be respected;
	// nil means middleware.Standard. It is called a few times when a run begins. Under
	// a transport.RoundTripper the configuration has no Retry, since the gate stands
	// outside there.
	Chain func(middleware.Config) endwell.Middleware
	// Log takes a line every 10 s, and each wrong verdict with the seed and the script
	// of its stream; nil means none.
	Log io.Writer
}

// filled is the configuration with its defaults.
func (c Config) filled() Config {
	if c.Streams < 0 || c.For < 0 || c.Think < 0 || c.Slack < 0 {
		panic("soak: negative Streams, For, Think or Slack")
	}
	c.Streams = or(c.Streams, 200)
	c.For = or(c.For, 2*time.Second)
	c.Sockets = or(c.Sockets, 0.05)
	c.Think = or(c.Think, max(time.Duration(c.Streams)*200*time.Microsecond, 5*time.Millisecond))
	c.Slack = or(c.Slack, 2*time.Second)
	if c.Chain == nil {
		c.Chain = middleware.Standard
	}
	if c.Log == nil {
		c.Log = io.Discard
	}
	return c
}

// or returns v, or its default.
func or[T comparable](v, otherwise T) T {
	var zero T
	if v == zero {
		return otherwise
	}
	return v
}
