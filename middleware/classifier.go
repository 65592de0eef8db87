package middleware

import (
	"context"
	"io"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/classify"
	"github.com/endwell-go/endwell/clock"
)

// ClassifierConfig configures Classifier.
type ClassifierConfig struct {
	// Dialect names the dialect whose codes are meant where the evidence names
	// none; "" takes the codes that mean the same everywhere.
	Dialect string
	// Clock is the time from which a Retry-After date counts when the response has
	// no Date; nil means clock.System.
	Clock clock.Clock
}

// Classifier turns what is left of a failure, evidence and transports' errors,
// into an *endwell.Error, and stamps the provider and the model on it. It is the
// only place that maps evidence to categories; see package classify for the rules.
// An error that has a category keeps it.
//
// It also sees to the caller's own endings: once the context that it was given is
// done, Recv returns ctx.Err() untouched, and after Close it returns ErrClosed,
// whatever the stream below says or still has in hand.
func Classifier(cfg ClassifierConfig) endwell.Middleware {
	clk := cfg.Clock
	if clk == nil {
		clk = clock.System
	}
	return func(next endwell.Next) endwell.Next {
		return endwell.NextFunc(func(ctx context.Context, req *endwell.Request) (endwell.Stream, error) {
			call := classify.Call{Request: req, Dialect: cfg.Dialect}
			st, err := open(next, ctx, req)
			if err != nil {
				if by := callerEnding(ctx); by != nil {
					return nil, by
				}
				call.Now = clk.Now()
				return nil, classify.Error(err, call)
			}
			call.Opened = true
			return &classifierStream{link: link{next: st, ctx: ctx}, done: ctx.Done(), clk: clk, call: call}, nil
		})
	}
}

type classifierStream struct {
	link
	done <-chan struct{}
	clk  clock.Clock
	call classify.Call
}

// Recv implements endwell.Stream.
func (s *classifierStream) Recv() (endwell.Chunk, error) {
	if s.end != nil {
		return endwell.Chunk{}, s.end
	}
	c, err := s.next.Recv()
	if err != nil {
		return s.finish(s.classify(err))
	}
	select {
	case <-s.done:
		return s.finish(s.ctx.Err())
	default:
	}
	if s.closed.Load() {
		return s.finish(endwell.ErrClosed)
	}
	if c.Emission() {
		s.call.Emitted = true
	}
	return c, nil
}

func (s *classifierStream) classify(err error) error {
	if err == io.EOF || err == endwell.ErrClosed && s.closed.Load() {
		return err
	}
	s.call.Now = s.clk.Now()
	return classify.Error(err, s.call)
}
