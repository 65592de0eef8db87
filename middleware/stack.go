package middleware

import (
	"context"
	"io"

	"github.com/endwell-go/endwell"
)

// stack is the six decorators that Standard always has, in one: the state of a stream
// is one block of memory, and a chunk passes through one Recv. Each is asked in its
// place in the order, so that what comes out is what the chain of the six gives;
// a test holds the two equal.
type stack struct {
	stall    StallConfig
	sentinel SentinelConfig
	empty    EmptyConfig
	classify ClassifierConfig
}

// wrap is the decorator.
func (k *stack) wrap(next endwell.Next) endwell.Next {
	below := payloadOpener{next}
	return endwell.NextFunc(func(ctx context.Context, req *endwell.Request) (endwell.Stream, error) {
		s := &stackStream{
			sentinel: sentinel{strict: k.sentinel.Strict},
			output:   output{reasoning: k.empty.AllowReasoning},
			verdict:  verdict{cfg: &k.classify, req: req},
		}
		if err := s.open(below, &k.stall, ctx, req); err != nil {
			return nil, refused(err, &k.classify, ctx, req)
		}
		s.done = ctx.Done()
		return s, nil
	})
}

// payloadOpener is what PayloadGuard does when a stream opens.
type payloadOpener struct{ next endwell.Next }

// Open implements endwell.Next.
func (p payloadOpener) Open(ctx context.Context, req *endwell.Request) (endwell.Stream, error) {
	st, err := open(p.next, ctx, req)
	if err != nil {
		return nil, payloadFault(err, false, false)
	}
	return st, nil
}

// stackStream is a stream that six decorators look at, the innermost first.
type stackStream struct {
	stallStream // and what is below and above it
	payload     payload
	sentinel    sentinel
	calls       toolCalls
	output      output
	verdict     verdict
	done        <-chan struct{}
}

// Recv implements endwell.Stream.
func (s *stackStream) Recv() (endwell.Chunk, error) {
	if s.end != nil {
		return endwell.Chunk{}, s.end
	}
	if s.sentinel.state == endwell.Ended {
		return s.finish(s.judge(io.EOF))
	}
	from := s.begin()
	if from == expired {
		s.expire()
		return s.finish(s.judge(s.stallStream.judge(io.EOF, true)))
	}
	c, err := s.next.Recv()
	err = s.payload.judge(&c, err)
	if late := s.watch.over(); late || err != nil {
		return s.finish(s.judge(s.stallStream.judge(err, late)))
	}
	if s.note(&c, from); s.calls.crowded {
		return s.finish(s.judge(s.stallStream.judge(tooMany(), false)))
	}
	select {
	case <-s.done:
		return s.finish(s.ctx.Err())
	default:
	}
	if s.closed.Load() {
		return s.finish(endwell.ErrClosed)
	}
	s.verdict.emitted = s.output.emitted
	return c, nil
}

// note notes a chunk that has passed PayloadGuard, and the wait for it.
func (s *stackStream) note(c *endwell.Chunk, from int64) {
	s.stallStream.note(c, from)
	s.sentinel.note(c)
	s.calls.note(c)
	s.output.note(c)
}

// judge says what an ending that StallGuard let pass, or made, means further out.
func (s *stackStream) judge(err error) error {
	return s.verdict.judge(s.output.judge(s.calls.judge(s.sentinel.judge(err))), s.closed.Load())
}
