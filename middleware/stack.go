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
	var below endwell.Next = payloadOpener{next}
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
		s.refs, _ = s.next.(referrer)
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

// referrer is a stream that can lend its chunk instead of copying it: until the next
// call, and not to be changed.
type referrer interface {
	RecvRef() (*endwell.Chunk, error)
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
	refs        referrer       // next, if it has it
	spare       *endwell.Chunk // what RecvRef returns where next has it not

	// The last chunk that was noted, for the next one to be the same.
	steady bool // it was output, and no tool call
	kind   endwell.Kind
	stated endwell.End
	index  int
}

// Recv implements endwell.Stream.
func (s *stackStream) Recv() (c endwell.Chunk, err error) {
	if s.refs != nil {
		return s.copied()
	}
	from, err := s.enter()
	if err != nil {
		return c, err
	}
	c, err = s.next.Recv()
	if err = s.pass(&c, err, from); err != nil {
		return endwell.Chunk{}, err
	}
	return c, nil
}

// copied is RecvRef with a copy.
func (s *stackStream) copied() (endwell.Chunk, error) {
	p, err := s.RecvRef()
	if err != nil {
		return endwell.Chunk{}, err
	}
	return *p, nil
}

// RecvRef is Recv without a copy of the chunk, which is valid until the next call.
func (s *stackStream) RecvRef() (*endwell.Chunk, error) {
	if s.refs == nil {
		c, err := s.Recv()
		if s.spare == nil {
			s.spare = new(endwell.Chunk)
		}
		*s.spare = c
		return s.spare, err
	}
	from, err := s.enter()
	if err != nil {
		return nil, err
	}
	p, err := s.refs.RecvRef()
	if err = s.pass(p, err, from); err != nil {
		return nil, err
	}
	return p, nil
}

// enter begins a wait, unless the stream has ended.
func (s *stackStream) enter() (from int64, err error) {
	if s.end != nil {
		return noWait, s.end
	}
	if s.sentinel.state == endwell.Ended {
		return noWait, s.conclude(s.judge(io.EOF))
	}
	if from = s.begin(); from == expired {
		s.expire()
		return noWait, s.conclude(s.judge(s.stallStream.judge(io.EOF, true)))
	}
	return from, nil
}

// pass has all six look at what came of a wait, and returns the ending that it is.
func (s *stackStream) pass(c *endwell.Chunk, err error, from int64) error {
	same := err == nil && s.same(c)
	if same {
		s.payload.chunks++
	} else {
		err = s.payload.judge(c, err)
	}
	if late := s.late(from, err); late || err != nil {
		return s.conclude(s.judge(s.stallStream.judge(err, late)))
	}
	if same {
		s.waited = 0
	} else if s.note(c, from); s.calls.crowded {
		return s.conclude(s.judge(s.stallStream.judge(tooMany(), false)))
	}
	select {
	case <-s.done:
		return s.conclude(s.ctx.Err())
	default:
	}
	if s.closed.Load() {
		return s.conclude(endwell.ErrClosed)
	}
	s.verdict.emitted = s.output.emitted
	return nil
}

// conclude is finish for its error.
func (s *stackStream) conclude(err error) error {
	_, err = s.finish(err)
	return err
}

// same reports whether a chunk is more of what the one before it was: output of the same
// kind and choice in the same state of the answer. Nothing is to be noted of it but that
// it has come.
func (s *stackStream) same(c *endwell.Chunk) bool {
	return s.steady && c.Kind == s.kind && c.End == s.stated && c.Index == s.index &&
		c.Finish == endwell.FinishNone && c.Emission()
}

// note notes a chunk that has passed PayloadGuard, and the wait for it.
func (s *stackStream) note(c *endwell.Chunk, from int64) {
	s.kind, s.stated, s.index = c.Kind, c.End, c.Index
	s.steady = c.Finish == endwell.FinishNone && c.Kind != endwell.KindToolCall && c.Emission()
	s.stallStream.note(c, from)
	s.sentinel.note(c)
	s.calls.note(c)
	s.output.note(c)
}

// judge says what an ending that StallGuard let pass, or made, means further out.
func (s *stackStream) judge(err error) error {
	return s.verdict.judge(s.output.judge(s.calls.judge(s.sentinel.judge(err))), s.closed.Load())
}
