package perf

import (
	"context"
	"errors"
	"io"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/dialects"
)

// waiting is what streams cost that wait, each.
type waiting struct {
	heap, stack float64 // in bytes
	goroutines  float64 // in all, beyond one for each stream
	cpu         float64 // in all, of a core
}

// wait has n streams receive a chunk each and then wait for the next.
func wait(n int, mw endwell.Middleware) (waiting, error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	q := &quiet{first: wires()[0].frames(2)[0], end: make(chan struct{})}
	var before, after runtime.MemStats
	warm(n)
	settle(&before)
	had := runtime.NumGoroutine()
	var callers sync.WaitGroup
	defer callers.Wait()
	defer close(q.end)
	next := mw(q)
	for range n {
		callers.Go(func() { q.call(ctx, next) })
	}
	for q.waiting.Load()+q.failed.Load() < int64(n) {
		time.Sleep(time.Millisecond)
	}
	if q.failed.Load() > 0 {
		return waiting{}, errors.New("perf: streams have failed")
	}
	settle(&after)
	w := waiting{
		heap:       (float64(after.HeapAlloc) - float64(before.HeapAlloc)) / float64(n),
		stack:      (float64(after.StackInuse) - float64(before.StackInuse)) / float64(n),
		goroutines: float64(runtime.NumGoroutine() - had - n),
	}
	debug.FreeOSMemory() // or the runtime does so meanwhile, for a hundredth of a core
	w.cpu = busy(time.Duration(n) * 10 * time.Microsecond)
	return w, nil
}

// warm has the runtime make goroutines that wait, which it keeps for others.
func warm(n int) {
	end := make(chan struct{})
	var all sync.WaitGroup
	for range n {
		all.Go(func() { <-end })
	}
	close(end)
	all.Wait()
}

// settle reads the statistics of a heap without garbage.
func settle(m *runtime.MemStats) {
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(m)
}

// busy is the share of a core that the process uses, in the quietest of some windows:
// the runtime tidies up behind a collection for a while.
func busy(window time.Duration) float64 {
	const windows = 3
	least := 1e9
	for range windows {
		before := cpuTime()
		time.Sleep(window)
		least = min(least, float64(cpuTime()-before)/float64(window))
	}
	return least
}

// quiet is a provider whose answers say one thing and then nothing, to the end.
type quiet struct {
	first           []byte
	end             chan struct{}
	waiting, failed atomic.Int64
}

// Open implements endwell.Next.
func (q *quiet) Open(context.Context, *endwell.Request) (endwell.Stream, error) {
	return dialects.MustByName("openai").Stream(&quietBody{q: q, rest: q.first}, dialects.Options{}), nil
}

func (q *quiet) call(ctx context.Context, next endwell.Next) {
	st, err := next.Open(ctx, question)
	if err == nil {
		defer func() { _ = st.Close() }()
		_, err = st.Recv()
	}
	if err != nil {
		q.failed.Add(1)
		return
	}
	_, _ = st.Recv()
}

type quietBody struct {
	q    *quiet
	rest []byte
}

// Read implements io.Reader.
func (b *quietBody) Read(p []byte) (int, error) {
	if len(b.rest) == 0 {
		b.q.waiting.Add(1)
		<-b.q.end
		return 0, io.EOF
	}
	n := copy(p, b.rest)
	b.rest = b.rest[n:]
	return n, nil
}
