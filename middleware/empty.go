package middleware

import (
	"context"
	"io"

	"github.com/endwell-go/endwell"
)

// EmptyConfig configures EmptyGate.
type EmptyConfig struct {
	// AllowReasoning lets an answer pass that holds reasoning and nothing else.
	// By default it is Empty.
	AllowReasoning bool
}

// EmptyGate refuses an answer that ended whole with nothing usable in it, and a
// body that ended before any payload: both are Empty. Text, a refusal, a tool call
// and other output are usable, reasoning alone is not unless allowed.
//
// The category is MalformedResponse, transient; ContentBlocked when the finish
// word was a filter's; RequestInvalid when the token limit was used up before any
// text.
func EmptyGate(cfg EmptyConfig) endwell.Middleware {
	return func(next endwell.Next) endwell.Next {
		return endwell.NextFunc(func(ctx context.Context, req *endwell.Request) (endwell.Stream, error) {
			st, err := open(next, ctx, req)
			if err != nil {
				return nil, err
			}
			return &emptyStream{link: link{next: st, ctx: ctx}, output: output{reasoning: cfg.AllowReasoning}}, nil
		})
	}
}

type emptyStream struct {
	link
	output output
}

// output is what EmptyGate knows of a stream.
type output struct {
	reasoning bool // counts as usable
	usable    bool
	emitted   bool
	class     endwell.Finish
}

// Recv implements endwell.Stream.
func (s *emptyStream) Recv() (endwell.Chunk, error) {
	if s.end != nil {
		return endwell.Chunk{}, s.end
	}
	c, err := s.next.Recv()
	if err != nil {
		return s.finish(s.output.judge(err))
	}
	s.output.note(&c)
	return c, nil
}

// judge says what an ending below means.
func (s *output) judge(err error) error {
	if err == io.EOF && !s.usable {
		return s.empty()
	}
	return err
}

// note notes a chunk.
func (s *output) note(c *endwell.Chunk) {
	switch {
	case c.Kind == endwell.KindFinish:
		s.class = c.Finish
	case c.Emission():
		s.emitted = true
		s.usable = s.usable || c.Kind != endwell.KindReasoning || s.reasoning
	}
}

func (s *output) empty() error {
	e := &endwell.Error{Fault: endwell.Empty, Category: endwell.MalformedResponse, Transient: true}
	switch s.class {
	case endwell.FinishFilter:
		e.Category, e.Transient = endwell.ContentBlocked, false
	case endwell.FinishLength:
		e.Category, e.Transient = endwell.RequestInvalid, false
	default:
	}
	e.Retryable = e.Transient && !s.emitted
	return e
}
