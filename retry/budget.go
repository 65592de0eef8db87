package retry

import (
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Budget limits retries across calls, so that an outage does not multiply
// traffic. Take is asked once before each retry, never before a first attempt,
// with the agent of the request and the run's time; it reports whether the retry
// may be made and counts it if so. It may be called from any number of
// goroutines, and must not block.
type Budget interface {
	Take(agent string, now time.Time) bool
}

// Bucket is the size of a token bucket: it holds Burst retries at first, and one
// more each Every, up to Burst.
type Bucket struct {
	// Every is the time in which one retry comes back. 0 means 6 s, which is ten
	// a minute. Negative is invalid.
	Every time.Duration
	// Burst is how many retries a full bucket holds. 0 means 10. Negative is
	// invalid.
	Burst int
	// Agents is how many buckets a [PerAgent] keeps at most. 0 means 4096.
	// Negative is invalid. [Shared] does not look at it.
	Agents int
}

func (b Bucket) orDefault() Bucket {
	if b.Every < 0 || b.Burst < 0 || b.Agents < 0 {
		panic("retry: negative Bucket")
	}
	if b.Every == 0 {
		b.Every = 6 * time.Second
	}
	if b.Burst == 0 {
		b.Burst = 10
	}
	if b.Agents == 0 {
		b.Agents = 4096
	}
	return b
}

func (b Bucket) limiter() *rate.Limiter { return rate.NewLimiter(rate.Every(b.Every), b.Burst) }

// Shared is one bucket for all agents. Make it with [NewShared].
type Shared struct {
	mu     sync.Mutex
	latest time.Time
	bucket *rate.Limiter
}

// NewShared returns a budget that all agents share. It panics when b is invalid.
func NewShared(b Bucket) *Shared { return &Shared{bucket: b.orDefault().limiter()} }

// Take implements [Budget].
func (s *Shared) Take(_ string, now time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.latest = later(s.latest, now)
	return take(s.bucket, s.latest)
}

// take takes a token that has come back by now. A limiter rounds what is missing
// down to whole nanoseconds and would let a retry pass one of them too early;
// half of one is above the error of its arithmetic and below the clock's grain.
func take(l *rate.Limiter, now time.Time) bool {
	const half = 0.5e-9
	return 1-l.TokensAt(now) < half*float64(l.Limit()) && l.AllowN(now, 1)
}

// later keeps the time of a budget from going back: two callers may arrive in
// another order than they read the clock, and a limiter that goes back fills the
// same stretch of time twice.
func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
