package perf

import (
	"context"
	"errors"
	"time"

	"github.com/endwell-go/endwell"
)

// pumped is how a stall guard is mostly written: a goroutine receives, and who waits
// selects among what it brings, a timer and the context.
func pumped(next endwell.Next) endwell.Next {
	return endwell.NextFunc(func(ctx context.Context, req *endwell.Request) (endwell.Stream, error) {
		inner, err := next.Open(ctx, req)
		if err != nil {
			return nil, err
		}
		p := &pump{
			ctx: ctx, inner: inner, late: time.NewTimer(idle),
			from: make(chan received), done: make(chan struct{}), gone: make(chan struct{}),
		}
		go p.run()
		return p, nil
	})
}

const idle = 5 * time.Minute

type received struct {
	chunk endwell.Chunk
	err   error
}

type pump struct {
	ctx        context.Context
	inner      endwell.Stream
	late       *time.Timer
	from       chan received
	done, gone chan struct{}
}

func (p *pump) run() {
	defer close(p.gone)
	for {
		c, err := p.inner.Recv()
		select {
		case p.from <- received{c, err}:
		case <-p.done:
			return
		}
		if err != nil {
			return
		}
	}
}

var errStalled = errors.New("perf: stalled")

// Recv implements endwell.Stream.
func (p *pump) Recv() (endwell.Chunk, error) {
	p.late.Reset(idle)
	select {
	case r := <-p.from:
		p.late.Stop()
		return r.chunk, r.err
	case <-p.late.C:
		return endwell.Chunk{}, errStalled
	case <-p.ctx.Done():
		return endwell.Chunk{}, p.ctx.Err()
	}
}

// Close implements endwell.Stream, once.
func (p *pump) Close() error {
	close(p.done)
	err := p.inner.Close()
	<-p.gone
	return err
}
