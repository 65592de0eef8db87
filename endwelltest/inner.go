package endwelltest

import (
	"context"
	"io"
	"sync"
	"sync/atomic"

	"github.com/endwell-go/endwell"
)

// inner is what stands below a decorator under test: a Next that keeps the contract
// to the letter and takes every liberty that the contract leaves it. It reuses the
// bytes behind Raw, and its Close fails.
type inner struct {
	b       *bench
	chunks  []endwell.Chunk
	end     error // after the chunks; nil waits for the caller
	refusal error // of Open; nil for none
	waits   bool  // Open waits for the caller
	nothing bool  // Open returns neither

	mu      sync.Mutex // guards what follows
	streams []*innerStream
}

// Open implements endwell.Next.
func (n *inner) Open(ctx context.Context, req *endwell.Request) (endwell.Stream, error) {
	if !sameRequest(req) {
		n.b.failf("the request was changed on its way to the next handler")
	}
	if ctx.Value(valueKey{}) != "value" {
		n.b.failf("a value of the caller's context did not get to the next handler")
	}
	switch {
	case n.waits:
		<-ctx.Done()
		return nil, ctx.Err()
	case n.nothing:
		return nil, nil
	case n.refusal != nil:
		return nil, n.refusal
	case ctx.Err() != nil:
		return nil, ctx.Err()
	}
	s := &innerStream{inner: n, ctx: ctx, closed: make(chan struct{})}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.streams = append(n.streams, s)
	return s, nil
}

// valueKey is the key of a value in the caller's context.
type valueKey struct{}

// opened is the number of streams that were opened.
func (n *inner) opened() int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return len(n.streams)
}

// closes is how often streams were closed, all together.
func (n *inner) closes() (sum int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, s := range n.streams {
		sum += int(s.closes.Load())
	}
	return sum
}

// asked is how often streams were asked for a chunk, all together.
func (n *inner) asked() (sum int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, s := range n.streams {
		sum += int(s.asked.Load())
	}
	return sum
}

type innerStream struct {
	inner  *inner
	ctx    context.Context
	at     int
	raw    []byte
	ended  error
	inRecv atomic.Bool
	asked  atomic.Int32
	closes atomic.Int32
	once   sync.Once
	closed chan struct{}
}

// Recv implements endwell.Stream.
func (s *innerStream) Recv() (endwell.Chunk, error) {
	if s.inRecv.Swap(true) {
		s.inner.b.failf("two Recv of the next stream at once")
	}
	defer s.inRecv.Store(false)
	s.asked.Add(1)
	if s.ended == nil {
		s.ended = s.stopped()
	}
	if s.ended == nil && s.at < len(s.inner.chunks) {
		s.at++
		return s.hand(s.inner.chunks[s.at-1]), nil
	}
	if s.ended == nil {
		s.ended = s.ending()
	}
	return endwell.Chunk{}, s.ended
}

// hand makes Raw the bytes of the one buffer, over those of the chunk before.
func (s *innerStream) hand(c endwell.Chunk) endwell.Chunk {
	for i := range s.raw {
		s.raw[i] = '!'
	}
	if c.Raw != nil {
		s.raw = append(s.raw[:0], c.Raw...)
		c.Raw = s.raw
	}
	return c
}

// ending is how the stream ends, or how its caller ends it.
func (s *innerStream) ending() error {
	if s.inner.end != nil {
		return s.inner.end
	}
	select {
	case <-s.closed:
	case <-s.ctx.Done():
	}
	return s.stopped()
}

// stopped is the caller's own ending; nil while there is none.
func (s *innerStream) stopped() error {
	select {
	case <-s.closed:
		return endwell.ErrClosed
	default:
		return s.ctx.Err()
	}
}

// Close implements endwell.Stream.
func (s *innerStream) Close() error {
	s.closes.Add(1)
	s.once.Do(func() { close(s.closed) })
	return io.ErrClosedPipe // never to be seen as an ending
}
