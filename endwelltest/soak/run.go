package soak

import (
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/dialects"
	"github.com/endwell-go/endwell/endwelltest"
	"github.com/endwell-go/endwell/middleware"
	"github.com/endwell-go/endwell/retry"
	"github.com/endwell-go/endwell/transport"
)

// soak is a run.
type soak struct {
	cfg     Config
	start   time.Time
	over    chan struct{} // closed when no new stream is opened
	pipes   *pipes
	sockets *sockets
	inner   *http.Transport // over pipes
	chains  map[target]endwell.Next
	client  *http.Client
	calls   sync.Map // of *call, by id
	ids     atomic.Uint64
	live    atomic.Int64
	tally   tally
	lag     lag
}

// target is where a call goes.
type target struct {
	lane lane
	wire endwelltest.Wire
}

// Run opens streams until the time is over, waits for them to end, and reports. It
// panics when the configuration cannot be meant.
//
// One run at a time makes sense in a process, since it counts goroutines and memory.
func Run(cfg Config) Report {
	cfg = cfg.filled()
	warm(cfg)
	before := hold()
	s := newSoak(cfg)
	s.tally.r = Report{Endings: map[string]int{}, Over: map[string]int{}, Before: before}
	hung := s.run()
	r := &s.tally.r
	r.Took = time.Since(s.start)
	s.close()
	s.suspects()
	s.tally.mu.Lock()
	report := *r
	s.tally.mu.Unlock()
	report.Hung, report.Lag = hung, s.lag.most()
	s.forget()
	report.After = settle(before, time.Second+time.Duration(cfg.Streams)*time.Millisecond)
	return report
}

// warm has the process hold what it holds from its first use on: sockets' poller,
// certificates, tables.
func warm(cfg Config) {
	before := Held{Goroutines: runtime.NumGoroutine(), Descriptors: math.MaxInt}
	s := newSoak(cfg)
	s.cfg.Think, s.cfg.Log = 1, discard{}
	s.tally.r = Report{Endings: map[string]int{}, Over: map[string]int{}}
	for seed := range uint64(20) {
		s.one(seed)
	}
	s.close()
	settle(before, 300*time.Millisecond)
}

type discard struct{}

// Write implements io.Writer.
func (discard) Write(p []byte) (int, error) { return len(p), nil }

func newSoak(cfg Config) *soak {
	s := &soak{cfg: cfg, start: time.Now(), over: make(chan struct{}), chains: map[target]endwell.Next{}}
	s.pipes = newPipes(s.find)
	s.sockets = newSockets(cfg.Sockets, s.find)
	s.inner = &http.Transport{DialContext: s.pipes.dial, MaxIdleConnsPerHost: 512, DisableCompression: true}
	base := &line{s}
	stall := middleware.StallConfig{For: func(r *endwell.Request) middleware.Bounds { return s.call(r.Agent).plan.bounds }}
	again := middleware.RetryConfig{Clock: quick{}, Policy: func(r *endwell.Request) *retry.Policy { return s.call(r.Agent).policy }}
	s.client = &http.Client{Transport: transport.Wrap(base, transport.WrapConfig{
		Chain: cfg.Chain(middleware.Config{Stall: stall}), Retry: again,
		Describe: func(r *http.Request, req *endwell.Request) { req.Agent = r.Header.Get(header) },
	})}
	chain := cfg.Chain(middleware.Config{Stall: stall, Retry: again})
	for _, w := range s.sockets.wires {
		for l := range lane(len(laneNames)) {
			to := target{l, w}
			if s.url(to) == "" {
				continue
			}
			s.chains[to] = chain(transport.New(transport.Config{
				URL: s.url(to), Client: &http.Client{Transport: base}, Dialect: dialects.MustByName(w.Dialect()),
				Prepare: func(r *http.Request, req *endwell.Request) error {
					r.Header.Set(header, req.Agent)
					return nil
				},
			}))
		}
	}
	return s
}

// url is where a target is asked; "" when it cannot be.
func (s *soak) url(to target) string {
	switch g := s.sockets.gates[to.lane]; {
	case to.lane == pipe:
		return "http://soak.invalid" + to.wire.Path()
	case g == nil:
		return ""
	default:
		return g.URL + to.wire.Path()
	}
}

// target is where a call goes.
func (c *call) target() target {
	a := c.plan.attempts[0].act
	if a.named != nil {
		return target{c.plan.lane, a.wire}
	}
	return target{pipe, a.voice.wire}
}

// call finds a call that is open; nil for none.
func (s *soak) call(id string) *call {
	c, _ := s.calls.Load(id)
	found, _ := c.(*call)
	return found
}

// one runs one stream.
func (s *soak) one(seed uint64) {
	c := &call{id: strconv.FormatUint(s.ids.Add(1), 36), plan: s.choose(seed), release: func() {}}
	if c.plan.policy {
		c.policy = &retry.Policy{MaxAttempts: len(c.plan.attempts), Ledger: c}
	}
	s.calls.Store(c.id, c)
	s.peak(s.live.Add(1))
	s.consume(c)
	s.live.Add(-1)
	c.drop()
	s.judge(c)
	s.calls.Delete(c.id)
}

func (s *soak) peak(n int64) {
	s.tally.mu.Lock()
	defer s.tally.mu.Unlock()
	s.tally.r.Peak = max(s.tally.r.Peak, int(n))
}

// run runs all streams and returns how many never ended.
func (s *soak) run() (hung int) {
	var work sync.WaitGroup
	var next atomic.Uint64
	gone := make(chan struct{})
	defer close(gone)
	go s.lag.follow(gone)
	for i := range s.cfg.Streams {
		work.Go(func() {
			s.pauseFor(s.cfg.For / 8 * time.Duration(i) / time.Duration(s.cfg.Streams)) // not all at once
			for n := 0; n == 0 || !s.isOver(); n++ {
				s.one(s.seed(next.Add(1)))
			}
		})
	}
	done := make(chan struct{})
	go func() { work.Wait(); close(done) }()
	s.watch(done)
	late := time.NewTimer(2 * endless)
	defer late.Stop()
	select {
	case <-done:
	case <-late.C:
		s.calls.Range(func(_, c any) bool {
			hung++
			_, _ = fmt.Fprintf(s.cfg.Log, "HANGS: -soak.only=%d %v\n", c.(*call).plan.seed, c.(*call).plan)
			return true
		})
	}
	return hung
}

// watch writes lines of progress until the time is over.
func (s *soak) watch(done <-chan struct{}) {
	end := time.NewTimer(s.cfg.For)
	defer end.Stop()
	every := min(10*time.Second, s.cfg.For/4+1)
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-end.C:
			close(s.over)
			return
		case <-done: // cannot be before the end, unless every stream hangs
			close(s.over)
			return
		case <-tick.C:
			now := hold()
			s.tally.mu.Lock()
			s.tally.r.Steady = append(s.tally.r.Steady, now)
			s.tally.mu.Unlock()
			_, _ = fmt.Fprintf(s.cfg.Log, "%4.0fs  %s\n", time.Since(s.start).Seconds(), s.tally.line(int(s.live.Load()), now))
		}
	}
}

func (s *soak) isOver() bool {
	select {
	case <-s.over:
		return true
	default:
		return false
	}
}

// seed is the seed of the n-th stream.
func (s *soak) seed(n uint64) uint64 {
	if s.cfg.Only != 0 {
		return s.cfg.Only
	}
	return rand.NewPCG(s.cfg.Seed, n).Uint64()
}

// close ends the providers and all their connections.
func (s *soak) close() {
	s.inner.CloseIdleConnections()
	s.sockets.close()
	s.pipes.close()
}

// forget lets go of everything, so that what is left afterwards is what leaks.
func (s *soak) forget() {
	s.chains, s.client, s.inner, s.pipes, s.sockets = nil, nil, nil, nil, nil
	s.calls.Clear()
}
