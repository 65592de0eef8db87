package middleware

import (
	"context"
	"io"
	"sync/atomic"
	"time"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/clock"
	"github.com/endwell-go/endwell/internal/token"
	"github.com/endwell-go/endwell/retry"
)

// ObserveConfig configures Observe.
type ObserveConfig struct {
	// Report is given the report of each call, once. It is called on the goroutine
	// of the caller's Open, Recv or Close, before that returns, so it should be
	// quick; it may be called from any number of goroutines. The context is the
	// caller's, which may have ended. Nil means that nothing is observed.
	Report func(context.Context, Report)
	// Clock is what time is measured with; nil means clock.System.
	Clock clock.Clock
}

// Report is what was seen of one call. It holds nothing secret: the caller's own
// names, numbers, and an error that renders protocol tokens only. Durations are
// never negative.
type Report struct {
	// Agent, Provider and Model are the request's.
	Agent, Provider, Model string
	// Answered is the handler that answered, or failed last. Unless a Fallback
	// below went on to another one, it has the request's Provider and Model and
	// nothing else.
	Answered Target
	// Attempts is how often the request was sent, as far as a RetryGate or a
	// Fallback below tells; 1 when neither sent it again. Decorators further in
	// that send it on their own are not counted.
	Attempts int
	// Fallbacks is how often a Fallback below went on to another handler.
	Fallbacks int
	// Began is when the call came.
	Began time.Time
	// Opened is how long Open took, also when it failed.
	Opened time.Duration
	// FirstChunk and FirstEmission are the times from Began to the first chunk and
	// to the first emission, what the caller did between Open and Recv included.
	// They mean nothing when Chunks, or Emissions, is 0.
	FirstChunk, FirstEmission time.Duration
	// LongestGap is the longest that one Recv waited once there had been a chunk,
	// be it for the next one or for the ending. What the caller does between two
	// Recv does not count.
	LongestGap time.Duration
	// Took is the time from Began until the stream ended or was closed.
	Took time.Duration
	// Chunks counts the chunks, and Emissions those with output of the model.
	Chunks, Emissions int
	// Usage is the last count that came; zero when none did. What a RetryGate
	// discarded is on its ledger.
	Usage endwell.Usage
	// Ending says how the call ended. A stream that the caller closed before its
	// end is EndingCanceled.
	Ending retry.Ending
	// Err is the failure without its unredacted original. It is nil unless the
	// ending is EndingFailed, and also for a failure that nothing classified.
	Err *endwell.Error
}

// Emitted reports whether output of the model came.
func (r *Report) Emitted() bool { return r.Emissions > 0 }

func (r *Report) add(c *endwell.Chunk, after time.Duration) {
	if r.Chunks++; r.Chunks == 1 {
		r.FirstChunk = after
	}
	if c.Emission() {
		if r.Emissions++; r.Emissions == 1 {
			r.FirstEmission = after
		}
	}
	if c.Kind == endwell.KindUsage && c.Usage != nil {
		r.Usage.Merge(*c.Usage)
	}
}

// conclude notes the ending.
func (r *Report) conclude(ctx context.Context, err error) {
	switch {
	case err == io.EOF:
		r.Ending = retry.EndingWhole
	case err == endwell.ErrClosed, err == ctx.Err():
		r.Ending = retry.EndingCanceled
	default:
		r.Ending = retry.EndingFailed
		if e, ok := asError(err); ok {
			r.Err = e.WithOriginal(nil)
		}
	}
}

// Observe reports each call, once: when it failed to open, or when its stream ended
// or was closed, whichever comes first. A Close beside a Recv leaves the report to
// that Recv. Chunks and errors pass unchanged, except for the caller's own ending,
// which outranks any other one here too. It stands outside everything else; of
// several observers around each other each sees what its own caller sees.
//
// A chunk costs two readings of the clock, no allocation and no lock.
func Observe(cfg ObserveConfig) endwell.Middleware {
	if cfg.Clock == nil {
		cfg.Clock = clock.System
	}
	return func(next endwell.Next) endwell.Next {
		if cfg.Report == nil {
			return next
		}
		return endwell.NextFunc(func(ctx context.Context, req *endwell.Request) (endwell.Stream, error) {
			return openObserved(next, &cfg, ctx, req)
		})
	}
}

func openObserved(next endwell.Next, cfg *ObserveConfig, ctx context.Context, req *endwell.Request) (endwell.Stream, error) {
	s := &observeStream{link: link{ctx: ctx}, cfg: cfg, began: cfg.Clock.Now()}
	s.report = Report{Agent: req.Agent, Began: s.began.Round(0)}
	s.report.Provider = token.Visible(req.Provider, req.Secret)
	s.report.Model = token.Visible(req.Model, req.Secret)
	s.report.Answered = Target{Provider: s.report.Provider, Model: s.report.Model}
	s.tally.up = tallyOf(ctx)
	st, err := open(next, context.WithValue(ctx, tallyKey{}, &s.tally), req)
	now := cfg.Clock.Now()
	s.report.Opened = span(s.began, now)
	if err != nil {
		if by := callerEnding(ctx); by != nil {
			err = by
		}
		s.tell(err, now)
		return nil, err
	}
	s.next = st
	return s, nil
}

type observeStream struct {
	link
	cfg    *ObserveConfig
	began  time.Time
	tally  tally
	report Report        // belongs to whoever moved the state away from resting
	state  atomic.Uint32 // resting, receiving, closing or told
}

// The states of an observed stream: no Recv is on; one is; one is, and will make
// the report because Close has been called meanwhile; the report is made.
const (
	resting = iota
	receiving
	closing
	told
)

// Recv implements endwell.Stream.
func (s *observeStream) Recv() (endwell.Chunk, error) {
	if s.end != nil {
		return endwell.Chunk{}, s.end
	}
	watching := s.state.CompareAndSwap(resting, receiving)
	from := s.cfg.Clock.Now()
	c, err := s.next.Recv()
	if err != nil {
		c, err = s.finish(err)
	}
	if watching {
		s.saw(&c, err, from)
	}
	return c, err
}

// saw notes what a Recv that waited since from brought.
func (s *observeStream) saw(c *endwell.Chunk, err error, from time.Time) {
	now := s.cfg.Clock.Now()
	if s.report.Chunks > 0 {
		s.report.LongestGap = max(s.report.LongestGap, span(from, now))
	}
	if err == nil {
		s.report.add(c, span(s.began, now))
		if s.state.CompareAndSwap(receiving, resting) {
			return
		}
		err = s.left()
	}
	s.state.Store(told)
	s.tell(err, now)
}

// left is the ending of a caller who left before the stream had one.
func (s *observeStream) left() error {
	if by := callerEnding(s.ctx); by != nil {
		return by
	}
	return endwell.ErrClosed
}

func (s *observeStream) tell(err error, now time.Time) {
	s.report.Took = span(s.began, now)
	s.report.conclude(s.ctx, err)
	s.tally.into(&s.report)
	s.cfg.Report(s.ctx, s.report)
}

// span is the time between two readings of a clock, also of one that goes back.
func span(from, to time.Time) time.Duration { return max(to.Sub(from), 0) }

// Close implements endwell.Stream.
func (s *observeStream) Close() error {
	if s.closed.Swap(true) {
		return nil
	}
	if !s.claim() {
		return s.next.Close()
	}
	now := s.cfg.Clock.Now()
	err := s.next.Close()
	s.tell(s.left(), now)
	return err
}

// claim makes the report Close's own. A Recv that is on keeps it, since it owns
// what there is to report until it is back.
func (s *observeStream) claim() bool {
	for {
		switch {
		case s.state.CompareAndSwap(resting, told):
			return true
		case s.state.CompareAndSwap(receiving, closing), s.state.Load() >= closing:
			return false
		}
	}
}

// tally is where decorators further in tell an observer what a stream does not say.
// It is in the context of the call.
type tally struct {
	up        *tally // of an observer further out
	repeats   atomic.Int32
	fallbacks atomic.Int32
	answered  atomic.Pointer[Target]
}

type tallyKey struct{}

// tallyOf returns the tally of the innermost observer, nil when there is none.
func tallyOf(ctx context.Context) *tally {
	t, _ := ctx.Value(tallyKey{}).(*tally)
	return t
}

// switched tells all observers that the call goes on with another handler.
func (t *tally) switched(to Target) {
	for ; t != nil; t = t.up {
		t.repeats.Add(1)
		t.fallbacks.Add(1)
		t.answered.Store(&to)
	}
}

// again tells all observers that the request is sent once more.
func (t *tally) again() {
	for ; t != nil; t = t.up {
		t.repeats.Add(1)
	}
}

func (t *tally) into(r *Report) {
	r.Attempts = 1 + int(t.repeats.Load())
	r.Fallbacks = int(t.fallbacks.Load())
	if to := t.answered.Load(); to != nil {
		r.Answered = *to
	}
}
