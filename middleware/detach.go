package middleware

import (
	"context"
	"runtime"
	"sync"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/internal/reason"
)

// Detach makes a provider usable whose Open or Recv obeys neither its context nor
// Close, which breaks the contract of endwell.Stream: it runs them on a goroutine
// of its own and stops waiting when the context ends or Close is called. Put it
// innermost, right around the provider.
//
// The price is a goroutine for each stream and two switches for each chunk. A call
// that the provider never returns from keeps its goroutine. Detach closes what such
// an Open returns late, and calls Close beside such a Recv, once, without waiting
// for either, for a provider that obeys at least that. A panic of the provider goes
// to whoever called Open or Recv.
func Detach() endwell.Middleware {
	return func(next endwell.Next) endwell.Next {
		return endwell.NextFunc(func(ctx context.Context, req *endwell.Request) (endwell.Stream, error) {
			opened := make(chan detached)
			go elsewhere(func() (d detached) {
				d.st, d.err = open(next, ctx, req)
				return d
			}, func(d detached) {
				select {
				case opened <- d:
				case <-ctx.Done():
					if d.st != nil {
						_ = d.st.Close()
					}
				}
			})
			select {
			case d := <-opened:
				d.rethrow()
				if d.err != nil {
					return nil, d.err
				}
				return newDetachedStream(ctx, d.st), nil
			case <-ctx.Done():
				return nil, callerEnding(ctx)
			}
		})
	}
}

// detached is what a call on the other goroutine returned, or how it did not.
type detached struct {
	st       endwell.Stream
	chunk    endwell.Chunk
	err      error
	panicked any
	exited   bool
}

// rethrow does on the caller's goroutine what the call did on the other one.
func (d *detached) rethrow() {
	switch {
	case d.panicked != nil:
		panic(d.panicked)
	case d.exited:
		runtime.Goexit()
	}
}

// elsewhere calls f and delivers what it returned, that it panicked, or that it
// ended its goroutine.
func elsewhere(f func() detached, deliver func(detached)) {
	var d detached
	returned := false
	defer func() {
		if !returned {
			v := recover()
			d = detached{panicked: v, exited: v == nil}
		}
		deliver(d)
	}()
	d = f()
	returned = true
}

// errPanicked is the ending after the panic of a provider went to the caller.
var errPanicked = reason.New("middleware", "provider_panicked", "the provider panicked",
	"The program is at fault, and neither the provider nor the request: its provider must not panic.")

type detachedStream struct {
	link
	ask     chan struct{}
	answer  chan detached
	done    chan struct{} // closed by Close
	drop    func()        // closes the stream below, once
	release func() bool   // calls off the drop at the context's end
}

func newDetachedStream(ctx context.Context, next endwell.Stream) *detachedStream {
	s := &detachedStream{
		link: link{next: next, ctx: ctx},
		ask:  make(chan struct{}), answer: make(chan detached), done: make(chan struct{}),
		drop: sync.OnceFunc(func() { _ = next.Close() }),
	}
	s.release = context.AfterFunc(ctx, s.drop)
	go s.run()
	return s
}

// run receives one chunk for each question, so that what a chunk points to stays
// valid until the next one.
func (s *detachedStream) run() {
	for {
		select {
		case <-s.ask:
		case <-s.done:
			return
		case <-s.ctx.Done():
			return
		}
		if !s.receive() {
			return
		}
	}
}

// receive answers one question and reports whether there may be another one.
func (s *detachedStream) receive() (more bool) {
	elsewhere(func() (d detached) {
		d.chunk, d.err = s.next.Recv()
		return d
	}, func(d detached) {
		select {
		case s.answer <- d:
			more = d.panicked == nil && !d.exited
		case <-s.done:
		case <-s.ctx.Done():
		}
	})
	return more
}

// Recv implements endwell.Stream.
func (s *detachedStream) Recv() (endwell.Chunk, error) {
	if s.end != nil {
		return endwell.Chunk{}, s.end
	}
	d, ok := s.exchange()
	if d.panicked != nil || d.exited {
		s.end = errPanicked
		d.rethrow()
	}
	switch {
	case !ok:
		return s.finish(endwell.ErrClosed)
	case d.err != nil:
		return s.finish(d.err)
	default:
		return d.chunk, nil
	}
}

// exchange asks for a chunk and waits for it. It is not ok when the context ended
// or Close came first; a select alone would toss a coin between them and a question
// that the goroutine is still there to take.
func (s *detachedStream) exchange() (d detached, ok bool) {
	if s.closed.Load() || s.ctx.Err() != nil {
		return d, false
	}
	select {
	case s.ask <- struct{}{}:
	case <-s.done:
		return d, false
	case <-s.ctx.Done():
		return d, false
	}
	select {
	case d = <-s.answer:
		return d, true
	case <-s.done:
		return d, false
	case <-s.ctx.Done():
		return d, false
	}
}

// RecvReady reports false: the stream below belongs to another goroutine.
func (s *detachedStream) RecvReady() bool { return false }

// Close implements endwell.Stream. It does not wait for the stream below, whose
// own Close error is lost.
func (s *detachedStream) Close() error {
	if s.closed.Swap(true) {
		return nil
	}
	close(s.done)
	if s.release() {
		go s.drop()
	}
	return nil
}
