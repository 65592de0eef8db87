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
	if cfg.Clock == nil {
		cfg.Clock = clock.System
	}
	return func(next endwell.Next) endwell.Next {
		return endwell.NextFunc(func(ctx context.Context, req *endwell.Request) (endwell.Stream, error) {
			st, err := open(next, ctx, req)
			if err != nil {
				return nil, refused(err, &cfg, ctx, req)
			}
			return &classifierStream{
				link: link{next: st, ctx: ctx}, done: ctx.Done(), verdict: verdict{cfg: &cfg, req: req},
			}, nil
		})
	}
}

// refused is the error for a call that did not open.
func refused(err error, cfg *ClassifierConfig, ctx context.Context, req *endwell.Request) error {
	if by := callerEnding(ctx); by != nil {
		return by
	}
	return classify.Error(err, classify.Call{Request: req, Dialect: cfg.Dialect, Now: cfg.Clock.Now()})
}

type classifierStream struct {
	link
	done    <-chan struct{}
	verdict verdict
}

// verdict is what Classifier knows of a stream.
type verdict struct {
	cfg     *ClassifierConfig
	req     *endwell.Request
	emitted bool
}

// Recv implements endwell.Stream.
func (s *classifierStream) Recv() (endwell.Chunk, error) {
	if s.end != nil {
		return endwell.Chunk{}, s.end
	}
	c, err := s.next.Recv()
	if err != nil {
		return s.finish(s.verdict.judge(err, s.closed.Load()))
	}
	select {
	case <-s.done:
		return s.finish(s.ctx.Err())
	default:
	}
	if s.closed.Load() {
		return s.finish(endwell.ErrClosed)
	}
	s.verdict.emitted = s.verdict.emitted || c.Emission()
	return c, nil
}

// judge says what an ending below means.
func (v *verdict) judge(err error, closed bool) error {
	if err == io.EOF || err == endwell.ErrClosed && closed {
		return err
	}
	return classify.Error(err, classify.Call{
		Request: v.req, Dialect: v.cfg.Dialect, Opened: true, Emitted: v.emitted, Now: v.cfg.Clock.Now(),
	})
}
