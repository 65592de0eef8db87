package middleware

import (
	"context"
	"sync"

	"github.com/endwell-go/endwell"
)

// Detach makes a provider usable whose Open or Recv obeys neither its context nor
// Close, which breaks the contract of endwell.Stream: it runs them on a goroutine
// of its own and stops waiting when the context ends or Close is called. Put it
// innermost, right around the provider.
//
// The price is a goroutine for each stream and two switches for each chunk. A call
// that the provider never returns from keeps its goroutine; Detach closes what it
// returns late.
func Detach() endwell.Middleware {
	return func(next endwell.Next) endwell.Next {
		return endwell.NextFunc(func(ctx context.Context, req *endwell.Request) (endwell.Stream, error) {
			opened := make(chan detached)
			go func() {
				st, err := open(next, ctx, req)
				select {
				case opened <- detached{st: st, err: err}:
				case <-ctx.Done():
					if st != nil {
						_ = st.Close()
					}
				}
			}()
			select {
			case d := <-opened:
				if d.err != nil {
					return nil, d.err
				}
				return newDetachedStream(ctx, d.st), nil
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		})
	}
}

// detached is what a call on the other goroutine returned.
type detached struct {
	st    endwell.Stream
	chunk endwell.Chunk
	err   error
}

type detachedStream struct {
	next   endwell.Stream
	ctx    context.Context
	ask    chan struct{}
	answer chan detached
	done   chan struct{}
	once   sync.Once
	end    error
}

func newDetachedStream(ctx context.Context, next endwell.Stream) *detachedStream {
	s := &detachedStream{
		next: next, ctx: ctx,
		ask: make(chan struct{}), answer: make(chan detached), done: make(chan struct{}),
	}
	go s.run()
	return s
}

// run receives one chunk for each question, so that what a chunk points to stays
// valid until the next one. It closes the stream when nobody waits any more.
func (s *detachedStream) run() {
	defer func() { _ = s.next.Close() }()
	for {
		select {
		case <-s.ask:
		case <-s.done:
			return
		case <-s.ctx.Done():
			return
		}
		c, err := s.next.Recv()
		select {
		case s.answer <- detached{chunk: c, err: err}:
		case <-s.done:
			return
		case <-s.ctx.Done():
			return
		}
	}
}

// Recv implements endwell.Stream.
func (s *detachedStream) Recv() (endwell.Chunk, error) {
	if s.end != nil {
		return endwell.Chunk{}, s.end
	}
	select {
	case s.ask <- struct{}{}:
	case <-s.done:
		return s.finish(endwell.ErrClosed)
	case <-s.ctx.Done():
		return s.finish(s.ctx.Err())
	}
	select {
	case d := <-s.answer:
		if d.err != nil {
			return s.finish(d.err)
		}
		return d.chunk, nil
	case <-s.done:
		return s.finish(endwell.ErrClosed)
	case <-s.ctx.Done():
		return s.finish(s.ctx.Err())
	}
}

func (s *detachedStream) finish(err error) (endwell.Chunk, error) {
	s.end = err
	return endwell.Chunk{}, err
}

// Close implements endwell.Stream. It does not wait for the stream below, whose
// own Close error is lost.
func (s *detachedStream) Close() error {
	s.once.Do(func() { close(s.done) })
	return nil
}
