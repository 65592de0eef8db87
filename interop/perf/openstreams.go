package perf

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/endwell-go/endwell/interop/decode"
	"github.com/endwell-go/endwell/transport"
)

// heapOfStreams has streams open over sockets that wait, and says what each of them
// holds.
func heapOfStreams(sec *Section, s Settings, url string) error {
	n := s.connections()
	plain, err := openStreams(n, url, bare)
	if err != nil {
		return err
	}
	guarded, err := openStreams(n, url, wrapped(transport.WrapConfig{}))
	if err != nil {
		return err
	}
	sec.table(Table{
		Caption: fmt.Sprintf("%d streams over sockets that have had %d chunks and wait:", n, heldChunks),
		Head:    []string{"", "heap a stream", "goroutines a stream"},
		Rows: [][]string{
			{"raw read loop", figure(plain.heap) + " B", figure(plain.goroutines)},
			{"guarded", figure(guarded.heap) + " B", figure(guarded.goroutines)},
		},
	})
	sec.goal(Goal{
		What: "heap of an open guarded stream beyond the unguarded one", Got: guarded.heap - plain.heap, Limit: 2048, Unit: " B",
		Way: "the stack, the exchange with its request and contexts, and the dialect's buffer with the frame that was the last.",
	})
	sec.goal(Goal{What: "goroutines of an open guarded stream beyond the unguarded one", Got: guarded.goroutines - plain.goroutines, Limit: 0})
	return nil
}

const heldChunks = 10

// openStreams says what n streams hold, each.
func openStreams(n int, url string, wrap func(http.RoundTripper) http.RoundTripper) (waiting, error) {
	ctx, cancel := context.WithCancel(context.Background())
	base := &http.Transport{}
	defer base.CloseIdleConnections()
	var before, after runtime.MemStats
	warm(4 * n)
	settle(&before)
	had := runtime.NumGoroutine()
	w := &watchers{client: &http.Client{Transport: wrap(base)}, url: fmt.Sprintf("%s/%d/hold", url, heldChunks)}
	w.expect = wires()[0].body(heldChunks, 1, false)
	over := make(chan error, 1)
	go func() { over <- together(n, func() error { return w.watch(ctx) }) }()
	for w.waiting.Load()+w.failed.Load() < int64(n) {
		time.Sleep(time.Millisecond)
	}
	time.Sleep(50 * time.Millisecond) // the last of them are on their way into Read
	settle(&after)
	got := waiting{
		heap:       (float64(after.HeapAlloc) - float64(before.HeapAlloc)) / float64(n),
		goroutines: float64(runtime.NumGoroutine()-had-1) / float64(n),
	}
	cancel()
	return got, <-over
}

// watchers read answers that stop, and wait.
type watchers struct {
	client          *http.Client
	url             string
	expect          *decode.Body
	waiting, failed atomic.Int64
}

func (w *watchers) watch(ctx context.Context) error {
	err := w.open(ctx)
	if ctx.Err() == nil {
		w.failed.Add(1)
		return errors.Join(errors.New("perf: an answer ended"), err)
	}
	return nil
}

func (w *watchers) open(ctx context.Context) error {
	resp, err := w.client.Do(wires()[0].asking(ctx, w.url))
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }()
	size := 0
	for _, p := range held(w.expect) {
		size += len(p)
	}
	if _, err := io.CopyN(io.Discard, resp.Body, int64(size)); err != nil {
		return err
	}
	w.waiting.Add(1)
	var one [1]byte
	_, err = resp.Body.Read(one[:])
	return err
}
