package soak_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/clock"
	"github.com/endwell-go/endwell/middleware"
)

var (
	idleStreams = flag.Int("idle.streams", 2000, "how many idle streams are open at once")
	idleBound   = flag.Duration("idle.bound", 500*time.Millisecond, "the bound of the stall guard on the system's clock")
)

// quiet is a stream that emits one chunk and then says nothing until it is closed. A
// Recv that would wait tells how many do.
type quiet struct {
	said    bool
	ctx     context.Context
	closed  chan struct{}
	once    sync.Once
	waiting *atomic.Int64
}

// Recv implements endwell.Stream.
func (q *quiet) Recv() (endwell.Chunk, error) {
	if !q.said {
		q.said = true
		return endwell.Chunk{Kind: endwell.KindText, Text: "All's", End: endwell.Open}, nil
	}
	q.waiting.Add(1)
	select {
	case <-q.closed:
		return endwell.Chunk{}, endwell.ErrClosed
	case <-q.ctx.Done():
		return endwell.Chunk{}, context.Cause(q.ctx)
	}
}

// Close implements endwell.Stream.
func (q *quiet) Close() error {
	q.once.Do(func() { close(q.closed) })
	return nil
}

// idlers are streams that all wait at once, each on a goroutine of its reader.
type idlers struct {
	waiting atomic.Int64
	streams []endwell.Stream
	ends    []error
	waited  []time.Duration
	work    sync.WaitGroup
}

// openIdlers opens n streams, reads the first chunk of each, and waits until each waits for
// the second one.
func openIdlers(t *testing.T, n int, mw endwell.Middleware) *idlers {
	d := &idlers{streams: make([]endwell.Stream, n), ends: make([]error, n), waited: make([]time.Duration, n)}
	next := mw(endwell.NextFunc(func(ctx context.Context, _ *endwell.Request) (endwell.Stream, error) {
		return &quiet{ctx: ctx, closed: make(chan struct{}), waiting: &d.waiting}, nil
	}))
	req := &endwell.Request{Agent: "idle", Provider: "idle", Model: "idle"}
	for i := range n {
		ctx, cancel := context.WithCancel(t.Context())
		t.Cleanup(cancel)
		st, err := next.Open(ctx, req)
		require.NoError(t, err)
		_, err = st.Recv()
		require.NoError(t, err)
		d.streams[i] = st
	}
	for i, st := range d.streams {
		d.work.Go(func() {
			from := time.Now()
			_, d.ends[i] = st.Recv()
			d.waited[i] = time.Since(from)
		})
	}
	for d.waiting.Load() < int64(n) {
		runtime.Gosched()
	}
	return d
}

// close closes all streams and waits for their readers.
func (d *idlers) close() {
	for _, st := range d.streams {
		_ = st.Close()
	}
	d.work.Wait()
}

// process is what the process holds and has used.
type process struct {
	heap, stack uint64
	goroutines  int
	cpu         time.Duration
}

func measure() process {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return process{heap: m.HeapAlloc, stack: m.StackInuse, goroutines: runtime.NumGoroutine(), cpu: used()}
}

func unguarded(next endwell.Next) endwell.Next { return next }

func guarded(c clock.Clock, idle time.Duration) endwell.Middleware {
	return middleware.Standard(middleware.Config{Clock: c, Stall: middleware.StallConfig{Bounds: middleware.Bounds{Idle: idle}}})
}

// idling is for how long idle streams are looked at.
const idling = 300 * time.Millisecond

// cost opens idle streams and says what they hold, and what it costs that they wait.
func cost(t *testing.T, n int, mw endwell.Middleware) (held, idle process) {
	before := measure()
	d := openIdlers(t, n, mw)
	defer d.close()
	open := measure()
	from := used()
	<-time.After(idling)
	return process{
		heap: open.heap - before.heap, stack: open.stack - before.stack, goroutines: open.goroutines - before.goroutines,
	}, process{cpu: used() - from}
}

// An idle stream under guard holds a bounded number of bytes beyond the unguarded one,
// no goroutine, and uses no CPU.
func TestIdleCost(t *testing.T) {
	n := *idleStreams
	bare, bareIdle := cost(t, n, unguarded)
	full, fullIdle := cost(t, n, guarded(clock.System, time.Hour))
	bytes := (int64(full.heap+full.stack) - int64(bare.heap+bare.stack)) / int64(n)
	t.Logf("%d idle streams: %d bytes each beyond the unguarded %d, %d goroutines beyond %d; CPU in %v of idling: %v, unguarded %v",
		n, bytes, int64(bare.heap+bare.stack)/int64(n), full.goroutines-bare.goroutines, bare.goroutines, idling, fullIdle.cpu, bareIdle.cpu)
	require.Less(t, bytes, int64(4<<10))
	require.Less(t, full.goroutines-bare.goroutines, 10)
}

// On a clock that stands still but for the test, all streams stall at the bound and
// none a nanosecond before.
func TestIdleStallsExactly(t *testing.T) {
	n, bound := *idleStreams, 5*time.Minute
	fake := clock.NewFake(clock.Epoch)
	d := openIdlers(t, n, guarded(fake, bound))
	defer d.close()
	fake.Advance(bound - 1)
	require.Equal(t, n, fake.Pending(), "a stall came early")
	fake.Advance(1)
	d.work.Wait()
	for _, err := range d.ends {
		requireStalled(t, err, bound)
	}
}

// On the system's clock all stall, none early, and the latest is not much later than the
// first one: that they all do at once is the worst case.
func TestIdleStallsInTime(t *testing.T) {
	n, bound := *idleStreams, *idleBound
	stop, plain := make(chan struct{}), make(chan time.Duration)
	go func() { plain <- lateness(stop) }()
	d := openIdlers(t, n, guarded(clock.System, bound))
	defer d.close()
	d.work.Wait()
	close(stop)
	slow := <-plain
	early, late := 0, time.Duration(0)
	for i, err := range d.ends {
		requireStalled(t, err, bound)
		if d.waited[i] < bound {
			early++
		}
		late = max(late, d.waited[i]-bound)
	}
	t.Logf("%d stalls by a bound of %v, %d of them early, the latest %v late; a plain timer was %v late", n, bound, early, late, slow)
	require.Zero(t, early)
	require.Less(t, late, 5*time.Second+2*slow)
}

// lateness is how late a plain timer was at worst, until stop is closed: on a machine that
// stands still no guard is better.
func lateness(stop <-chan struct{}) (worst time.Duration) {
	const often = 10 * time.Millisecond
	for {
		due := time.Now().Add(often)
		select {
		case <-time.After(often):
			worst = max(worst, time.Since(due))
		case <-stop:
			return max(worst, time.Since(due))
		}
	}
}

func requireStalled(t *testing.T, err error, bound time.Duration) {
	t.Helper()
	e, ok := err.(*endwell.Error)
	require.True(t, ok, "%v", err)
	require.Equal(t, endwell.Stalled, e.Fault)
	require.Equal(t, endwell.BoundIdle, e.Bound)
	require.Equal(t, bound, e.Waited)
}

// The seed and the flags of a run that fails are what repeats it.
func TestMain(m *testing.M) {
	flag.Parse()
	code := m.Run()
	if code != 0 {
		_, _ = fmt.Fprintln(os.Stderr, "flags:", strings.Join(os.Args[1:], " "))
	}
	os.Exit(code)
}
