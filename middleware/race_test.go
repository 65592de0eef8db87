package middleware_test

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/clock"
	"github.com/endwell-go/endwell/middleware"
	"github.com/endwell-go/endwell/retry"
)

// storm is a provider whose streams do anything at any time, each by its own
// seeded dice; they obey Close, and their context or not.
type storm struct {
	seed    uint64
	mu      sync.Mutex
	streams []*stormStream
}

func (st *storm) Open(ctx context.Context, _ *endwell.Request) (endwell.Stream, error) {
	st.mu.Lock()
	defer st.mu.Unlock()
	n := uint64(len(st.streams))
	s := &stormStream{rnd: rand.New(rand.NewPCG(st.seed, n)), ctx: ctx, closed: make(chan struct{})}
	s.deaf = s.rnd.IntN(3) == 0
	st.streams = append(st.streams, s)
	runtime.Gosched()
	if s.rnd.IntN(6) == 0 {
		s.refused = true
		return nil, errReset
	}
	return s, nil
}

// all returns the n streams, once all are opened: Detach does not wait for that.
func (st *storm) all(n int) []*stormStream {
	for {
		st.mu.Lock()
		streams := st.streams
		st.mu.Unlock()
		if len(streams) == n {
			return streams
		}
		runtime.Gosched()
	}
}

type stormStream struct {
	rnd     *rand.Rand
	ctx     context.Context
	deaf    bool
	refused bool
	closes  atomic.Int32
	once    sync.Once
	closed  chan struct{}
}

func (s *stormStream) Recv() (endwell.Chunk, error) {
	for range s.rnd.IntN(4) {
		runtime.Gosched()
	}
	select {
	case <-s.closed:
		return endwell.Chunk{}, errUnread
	default:
	}
	switch s.rnd.IntN(14) {
	case 0:
		return endwell.Chunk{}, errReset
	case 1:
		return endwell.Chunk{}, io.EOF
	case 2:
		return endwell.Chunk{}, inBand
	case 3:
		return s.hang()
	case 4, 5:
		return hello, nil
	case 6:
		return stop, nil
	case 7:
		return sentinel, nil
	case 8:
		return call(0, 0, `{"a`), nil
	case 9:
		return usage, nil
	case 10, 11:
		return ping, nil
	default:
		return role, nil
	}
}

func (s *stormStream) hang() (endwell.Chunk, error) {
	var done <-chan struct{}
	if !s.deaf {
		done = s.ctx.Done()
	}
	select {
	case <-s.closed:
		return endwell.Chunk{}, errUnread
	case <-done:
		return endwell.Chunk{}, s.ctx.Err()
	}
}

func (s *stormStream) Close() error {
	s.closes.Add(1)
	s.once.Do(func() { close(s.closed) })
	return errReset
}

// TestRace lets data, the timer, the caller's cancellation and Close race through
// the whole stack and through its parts. Whatever wins, one of the legal endings
// comes out, each stream is closed exactly once, each attempt is on the ledger, and
// no goroutine and no timer is left.
func TestRace(t *testing.T) {
	leaves(t)
	endings := map[string]int{}
	for seed := range uint64(1000) {
		raceOnce(t, seed, endings)
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	for _, kind := range []string{
		"EOF", "context canceled", "endwell: stream closed by the caller", "stalled", "broken", "truncated", "faulted", "empty", "unreachable",
	} {
		require.NotZero(t, endings[kind], "%s never came: %v", kind, endings)
	}
}

func raceOnce(t *testing.T, seed uint64, endings map[string]int) {
	rnd := rand.New(rand.NewPCG(seed, 4))
	var f clock.Fake
	ring := retry.NewRing(64)
	cfg := middleware.Config{Clock: &f, Stall: middleware.StallConfig{Bounds: middleware.Bounds{First: 50, Idle: 20, Progress: 40, Linger: 10}}}
	gated := rnd.IntN(3) != 0
	if gated {
		p := &retry.Policy{MaxAttempts: 1 + rnd.IntN(4), MaxWait: -1, NewBackOff: every(time.Duration(rnd.IntN(10))), Ledger: ring}
		cfg.Retry.Policy = retry.Always(p)
	}
	provider := &storm{seed: seed}
	ctx, cancel := context.WithCancel(t.Context())
	quit := make(chan struct{})
	var wg, ticking sync.WaitGroup
	ticking.Go(func() {
		for {
			select {
			case <-quit:
				return
			default:
				f.Advance(1)
				runtime.Gosched()
			}
		}
	})
	delay := rnd.IntN(60)
	if rnd.IntN(3) == 0 {
		wg.Go(func() {
			for range delay {
				runtime.Gosched()
			}
			cancel()
		})
	}
	emitted := false
	below, opens := endwell.Next(provider), 0
	if seed%4 == 0 {
		below = middleware.Detach()(provider)
	}
	st, ending := middleware.Standard(cfg)(endwell.NextFunc(func(ctx context.Context, req *endwell.Request) (endwell.Stream, error) {
		opens++
		return below.Open(ctx, req)
	})).Open(ctx, request)
	if ending == nil {
		if rnd.IntN(3) == 0 {
			for range 2 {
				wg.Go(func() {
					for range delay {
						runtime.Gosched()
					}
					_ = st.Close()
				})
			}
		}
		var c endwell.Chunk
		for ending == nil {
			c, ending = st.Recv()
			emitted = emitted || c.Emission()
		}
		_, again := st.Recv()
		require.True(t, again == ending, "not sticky")
		_ = st.Close()
	}
	wg.Wait()
	close(quit)
	ticking.Wait()
	requireContract(t, ctx, ending, emitted)
	cancel()
	for _, s := range provider.all(opens) {
		if !s.refused {
			<-s.closed // which Detach does not wait for
			require.EqualValues(t, 1, s.closes.Load(), "closes")
		}
		require.Error(t, s.ctx.Err(), "a context that was never ended")
	}
	if gated {
		require.Equal(t, opens, ring.Total(), "entries")
	}
	require.Zero(t, f.Pending(), "timers")
	var e *endwell.Error
	switch name := fmt.Sprint(ending); {
	case ending == io.EOF || ending == endwell.ErrClosed || ending == ctx.Err():
		endings[name]++
	default:
		e = requireError(t, ending)
		endings[e.Fault.String()]++
	}
}

// TestRetryGateRace closes a gate at the moments at which streams change, with
// nothing between the gate and the streams that would forgive a second Close.
func TestRetryGateRace(t *testing.T) {
	leaves(t)
	closed := 0
	for seed := range uint64(1000) {
		rnd := rand.New(rand.NewPCG(seed, 5))
		var all []*stormStream
		next := endwell.NextFunc(func(ctx context.Context, _ *endwell.Request) (endwell.Stream, error) {
			s := &stormStream{ctx: ctx, closed: make(chan struct{})}
			all = append(all, s)
			return failingStream{s}, nil
		})
		ring := retry.NewRing(64)
		p := &retry.Policy{MaxAttempts: 6, NewBackOff: every(0), Ledger: ring}
		st, err := gate(p, new(clock.Fake))(next).Open(t.Context(), request)
		require.NoError(t, err)
		var wg sync.WaitGroup
		delay := rnd.IntN(30)
		wg.Go(func() {
			for range delay {
				runtime.Gosched()
			}
			_ = st.Close()
		})
		_, ending := st.Recv()
		wg.Wait()
		if ending == endwell.ErrClosed {
			closed++
		} else {
			require.ErrorIs(t, ending, retry.StopAttempts)
		}
		require.Equal(t, len(all), ring.Total(), "entries, seed %d", seed)
		for _, s := range all {
			require.EqualValues(t, 1, s.closes.Load(), "closes, seed %d", seed)
		}
	}
	require.NotZero(t, closed)
}

type failingStream struct{ *stormStream }

func (s failingStream) Recv() (endwell.Chunk, error) {
	runtime.Gosched()
	return endwell.Chunk{}, passing
}
