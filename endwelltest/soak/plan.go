package soak

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"time"

	"github.com/endwell-go/endwell/middleware"
)

// plan is all that is chosen for one stream. It follows from its seed.
type plan struct {
	seed     uint64
	lane     lane
	wrapped  bool // through transport.Wrap, under an http.Client
	policy   bool // with a retry policy, of as many attempts as there are
	attempts []*attempt
	bounds   middleware.Bounds
	stop     stop
	after    int           // Recvs before the consumer stops, or looks at its watch
	beside   time.Duration // when it stops from another goroutine
	thinks   [2]thought
	buffer   int  // of a body's reader
	twice    bool // it closes twice, from two goroutines
}

// attempt is one attempt and what the provider noted of it, as nanoseconds since the
// provider began.
type attempt struct {
	act     *act
	seed    uint64
	true    verdict
	wrote   atomic.Int64 // the last write began
	written atomic.Int64 // the last write was through
	emitted atomic.Int64 // the last write with an emission began
	begun   atomic.Int64 // the attempt was made
}

// lane is what the bytes go over.
type lane uint8

const (
	pipe lane = iota
	http1
	http2
)

var laneNames = [...]string{"pipe", "http1", "http2"}

// stop is how a consumer stops early.
type stop uint8

const (
	toEnd         stop = iota // it does not
	closes                    // between two Recvs
	closesBeside              // while Recv may be waiting
	cancels                   // its context, between two Recvs
	cancelsBeside             // while Recv may be waiting
	expires                   // its context has a deadline
)

var stopNames = [...]string{"reads to the end", "closes", "closes beside", "cancels", "cancels beside", "has a deadline"}

// thought is a pause of the consumer, in parts of the mean.
type thought struct {
	at   int
	long float64
}

// String describes the plan for a person who looks for what went wrong.
func (p *plan) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "over %s, wrapped %v, policy %v, %s (after %d, %v), bounds %v, buffer %d\n",
		laneNames[p.lane], p.wrapped, p.policy, stopNames[p.stop], p.after, p.beside, p.bounds, p.buffer)
	for i, at := range p.attempts {
		fmt.Fprintf(&b, "  attempt %d: %v: %v\n", i+1, at.act, at.true)
	}
	return b.String()
}

// choose makes the plan of a seed.
func (s *soak) choose(seed uint64) *plan {
	r := &chance{Rand: rand.New(rand.NewPCG(seed, 1)), id: seed}
	p := &plan{seed: seed, wrapped: r.one(2), policy: r.one(2), twice: r.one(3)}
	if over := r.Float64(); over < s.cfg.Sockets {
		p.lane = http1
		if over < s.cfg.Sockets/2 {
			p.lane = http2
		}
	}
	r.acts(p, s.sockets)
	r.bound(p)
	r.consumer(p)
	return p
}

// maxAttempts is the most that a policy allows here.
const maxAttempts = 4

// acts chooses what the provider does.
func (r *chance) acts(p *plan, sockets *sockets) {
	n := 1
	if p.policy {
		n = 2 + r.IntN(maxAttempts-1)
	}
	v := &voices[r.IntN(len(voices))]
	wire := sockets.wire(r)
	for i := range n {
		early := i < n-1 && !r.one(4)
		at := &attempt{seed: p.seed + uint64(i)}
		if p.lane == pipe {
			at.act = r.act(v, early)
		} else {
			at.act = sockets.act(r, wire, p.lane, early)
		}
		at.true = at.act.verdict()
		p.attempts = append(p.attempts, at)
	}
}

// bound chooses the bounds of the stall guard: short ones where a stall comes.
func (r *chance) bound(p *plan) {
	ms := func(from, to int) time.Duration { return time.Duration(from+r.IntN(to-from)) * time.Millisecond }
	stalls := false
	for _, at := range p.attempts {
		stalls = stalls || at.true.lingers || at.true.allows(stalled)
	}
	if p.lane != pipe {
		p.bounds = middleware.Bounds{First: ms(1000, 1600), Idle: ms(1000, 1600), Progress: ms(1000, 1600), Linger: ms(1000, 1600)}
		return
	}
	switch {
	case stalls:
		p.bounds = middleware.Bounds{First: ms(200, 700), Idle: ms(200, 600), Progress: ms(250, 700), Linger: ms(200, 500)}
	case r.one(2):
		p.bounds = middleware.Bounds{First: ms(1500, 3000), Idle: ms(1500, 3000), Progress: ms(1500, 3000)}
	default:
		p.bounds = middleware.Bounds{First: time.Minute, Idle: time.Minute, Progress: time.Minute}
	}
}

// consumer chooses how the stream is consumed.
func (r *chance) consumer(p *plan) {
	p.buffer = [...]int{512, 1 << 10, 4 << 10, 1 + r.IntN(100)}[r.IntN(4)]
	for i := range p.thinks {
		p.thinks[i] = thought{at: r.IntN(6), long: r.Float64()}
	}
	p.thinks[0].at = 0
	if r.one(2) {
		p.stop = stop(1 + r.IntN(int(expires)))
		p.after = r.IntN(8)
		p.beside = time.Duration(r.Float64() * r.Float64() * float64(time.Second))
	}
}
