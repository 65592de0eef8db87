package middleware

import (
	"context"
	"io"
	"slices"

	"github.com/endwell-go/endwell"
)

// SentinelConfig configures SentinelCheck.
type SentinelConfig struct {
	// Strict accepts nothing but the provider's own sentinel, after a finish word:
	// a close at MayEnd or Settled is Truncated, and so is a sentinel without a
	// finish word. The default takes what real hosts do for whole.
	Strict bool
}

// SentinelCheck makes success a positive assertion: a body that ended cleanly
// before the answer did is Truncated. It reads Chunk.End and knows no dialect.
//
// A clean close is whole at MayEnd and later. Of a provider that never sets
// Chunk.End, the finish words of all choices that have begun stand for MayEnd. A transport's error is whole from
// Settled on, since the answer is in hand, and passes before that. At Ended the
// stream is whole at once, without waiting for the body to close. A body that
// ended before any payload passes as it is: that is EmptyGate's.
func SentinelCheck(cfg SentinelConfig) endwell.Middleware {
	return func(next endwell.Next) endwell.Next {
		return endwell.NextFunc(func(ctx context.Context, req *endwell.Request) (endwell.Stream, error) {
			st, err := open(next, ctx, req)
			if err != nil {
				return nil, err
			}
			return &sentinelStream{link: link{next: st, ctx: ctx}, sentinel: sentinel{strict: cfg.Strict}}, nil
		})
	}
}

type sentinelStream struct {
	link
	sentinel sentinel
}

// sentinel is what SentinelCheck knows of a stream.
type sentinel struct {
	strict   bool
	state    endwell.End
	stated   bool  // some chunk has said how complete the answer is
	open     []int // choices without a finish word, for a provider that never says
	paid     bool  // something but keep-alives has come
	emitted  bool
	finished bool // a finish word has come
}

// Recv implements endwell.Stream.
func (s *sentinelStream) Recv() (endwell.Chunk, error) {
	if s.end != nil {
		return endwell.Chunk{}, s.end
	}
	if s.sentinel.state == endwell.Ended {
		return s.finish(s.sentinel.judge(io.EOF))
	}
	c, err := s.next.Recv()
	if err != nil {
		return s.finish(s.sentinel.judge(err))
	}
	s.sentinel.note(&c)
	return c, nil
}

// note notes a chunk.
func (s *sentinel) note(c *endwell.Chunk) {
	if c.End != endwell.Unstated {
		s.state, s.stated = c.End, true
	} else if !s.stated {
		s.infer(c)
	}
	if c.Kind == endwell.KindKeepAlive {
		return
	}
	s.paid = true
	if c.Emission() {
		s.emitted = true
	}
	if c.Kind == endwell.KindFinish && says(c) {
		s.finished = true
	}
}

// infer follows the finish words of a provider that never sets Chunk.End, as one that
// wraps an SDK may forget: it may end when every choice that has begun has a word.
func (s *sentinel) infer(c *endwell.Chunk) {
	at := slices.Index(s.open, c.Index)
	switch {
	case c.Kind == endwell.KindFinish && c.Finish != endwell.FinishNone:
		if at >= 0 {
			s.open = slices.Delete(s.open, at, at+1)
		}
		s.state = endwell.MayEnd
		if len(s.open) > 0 {
			s.state = endwell.Open
		}
	case at < 0 && c.Emission():
		s.open, s.state = append(s.open, c.Index), endwell.Open
	}
}

// says reports whether a finish chunk stands for a word of the provider: a provider
// that wraps an SDK may know the class and not the word.
func says(c *endwell.Chunk) bool {
	return c.Detail != "" || c.Finish != endwell.FinishNone && c.Finish != endwell.FinishUnknown
}

// judge says what an ending below means.
func (s *sentinel) judge(err error) error {
	ev, evident := asEvidence(err)
	switch {
	case classified(err), err == endwell.ErrClosed:
		return err
	case evident && ev.Kind != endwell.Cut:
		return err
	case err == io.EOF:
		return s.judgeClose()
	case s.settled():
		return io.EOF
	case evident:
		return s.truncated(err)
	default:
		return err
	}
}

// judgeClose judges a clean close of the body.
func (s *sentinel) judgeClose() error {
	switch {
	case s.strict && s.paid && (s.state < endwell.Ended || !s.finished):
		return s.truncated(nil)
	case s.state >= endwell.MayEnd, !s.paid:
		return io.EOF
	default:
		return s.truncated(nil)
	}
}

// settled reports whether the answer is in hand, so that a transport's error does
// not matter any more.
func (s *sentinel) settled() bool { return !s.strict && s.state >= endwell.Settled }

func (s *sentinel) truncated(original error) error {
	return truncated(s.emitted).WithOriginal(original)
}

// truncated is the error for an answer that was cut off cleanly.
func truncated(emitted bool) *endwell.Error {
	e := &endwell.Error{
		Fault: endwell.Truncated, Category: endwell.MalformedResponse, Transient: true, Retryable: !emitted,
	}
	return e.WithCause(io.ErrUnexpectedEOF)
}
