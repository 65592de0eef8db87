package middleware

import (
	"context"
	"io"
	"sync/atomic"
	"time"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/clock"
	"github.com/endwell-go/endwell/retry"
)

// RetryConfig configures RetryGate.
type RetryConfig struct {
	// Policy gives the policy of a request, so that agents can differ; see
	// retry.Always and retry.ByAgent. A nil function, or a nil policy, is no retry.
	// It may be called from any number of goroutines.
	Policy func(*endwell.Request) *retry.Policy
	// Hold is asked after each chunk of the preamble whether to hold back still:
	// false commits, as the first emission does. It may be called from any number of
	// goroutines. Nil means always true.
	Hold func(*endwell.Request) bool
	// Clock is what waits are measured with; nil means clock.System.
	Clock clock.Clock
}

// RetryGate sends a request again when an attempt failed before anything was
// emitted and the request's policy says so. Without a policy it is not there at
// all.
//
// It holds back the preamble, the chunks before the first emission, so that a
// failed attempt leaves no trace downstream: with the first emission it flushes
// them and is out of the way, and nothing is re-sent any more. A preamble of more
// than 64 chunks or 256 KiB is flushed too, which commits: from then on no error is
// Retryable. Keep-alives in a row count as one chunk. The preamble of an attempt
// that failed is dropped, also the last one's.
//
// The stream of a failed attempt is closed before the next one opens. A wait ends
// at once when the caller's context does, or with Close. When a bound of the
// policy ends the attempts, the error wraps the retry.Stop that says which, and is
// the last failure otherwise.
func RetryGate(cfg RetryConfig) endwell.Middleware {
	if cfg.Clock == nil {
		cfg.Clock = clock.System
	}
	return func(next endwell.Next) endwell.Next {
		if cfg.Policy == nil {
			return next
		}
		return endwell.NextFunc(func(ctx context.Context, req *endwell.Request) (endwell.Stream, error) {
			policy := cfg.Policy(req)
			if policy == nil || policy.MaxAttempts <= 1 && policy.Ledger == nil {
				return next.Open(ctx, req)
			}
			return openGate(next, cfg, policy, ctx, req)
		})
	}
}

func openGate(next endwell.Next, cfg RetryConfig, policy *retry.Policy, ctx context.Context, req *endwell.Request) (endwell.Stream, error) {
	s := &gateStream{relay: newRelay(ctx), next: next, cfg: cfg, req: req, run: policy.Start(cfg.Clock, req)}
	if deadline, ok := ctx.Deadline(); ok {
		s.run.Until(deadline)
	}
	if err := s.attempt(); err != nil {
		s.cancel(nil)
		return nil, err
	}
	return s, nil
}

type gateStream struct {
	relay
	next endwell.Next
	cfg  RetryConfig
	req  *endwell.Request
	run  *retry.Run

	held      preamble
	committed bool
	end       error
	usage     atomic.Pointer[endwell.Usage]
}

// attempt opens streams until one opens or the run is over.
func (s *gateStream) attempt() error {
	for {
		if s.run.Begin() > 1 {
			tallyOf(s.ctx).again()
		}
		st, err := open(s.next, s.ctx, s.req)
		if err == nil {
			return s.install(st)
		}
		wait, ending := s.failed(err)
		if ending == nil {
			ending = s.sleep(wait)
		}
		if ending != nil {
			return ending
		}
	}
}

// install makes st the current stream, unless the caller has closed the gate.
func (s *gateStream) install(st endwell.Stream) error {
	if s.put(st) {
		return nil
	}
	s.run.Canceled(s.takeUsage())
	return endwell.ErrClosed
}

// failed notes the failure of an attempt. It returns how long to wait for the next
// one, or the ending when there is none.
func (s *gateStream) failed(err error) (time.Duration, error) {
	usage := s.takeUsage()
	if by := s.stopped(); by != nil {
		s.run.Canceled(usage)
		return 0, by
	}
	e, ok := asError(err)
	if !ok {
		s.run.Foreign(usage)
		return 0, err
	}
	wait, final := s.run.Failed(e, usage)
	if final == nil {
		return wait, nil
	}
	if by := s.stopped(); by != nil {
		return 0, by
	}
	if final == e {
		return 0, err
	}
	return 0, final
}

// sleep waits, and returns the ending when the caller's comes first.
func (s *gateStream) sleep(d time.Duration) error {
	if d > 0 {
		over := make(chan struct{})
		timer := s.cfg.Clock.AfterFunc(d, func() { close(over) })
		defer timer.Stop()
		select {
		case <-over:
		case <-s.ctx.Done():
		}
	}
	return s.stopped()
}

// Recv implements endwell.Stream.
func (s *gateStream) Recv() (endwell.Chunk, error) {
	for {
		if s.committed {
			if c, ok := s.held.next(); ok {
				return s.flush(c)
			}
		}
		if s.end != nil {
			return endwell.Chunk{}, s.end
		}
		c, err := s.cur.Recv()
		switch {
		case err != nil:
			s.ended(err)
		case s.committed:
			s.note(&c)
			return c, nil
		default:
			s.note(&c)
			s.hold(c)
		}
	}
}

// RecvReady reports whether Recv returns without waiting. While a chunk is held that is
// so, and the stream below, whose bytes it may have, is not asked.
func (s *gateStream) RecvReady() bool {
	switch {
	case !s.committed:
		return s.end != nil
	case s.held.at < len(s.held.chunks) || s.end != nil:
		return true
	default:
		return ready(s.cur)
	}
}

// flush delivers a chunk that was held back, unless the caller has gone meanwhile.
func (s *gateStream) flush(c endwell.Chunk) (endwell.Chunk, error) {
	by := s.gone()
	if by == nil {
		return c, nil
	}
	s.held.drop()
	s.run.Canceled(s.takeUsage())
	s.end = by
	return endwell.Chunk{}, by
}

// hold keeps a chunk of the preamble, or commits.
func (s *gateStream) hold(c endwell.Chunk) {
	if s.held.hold(c) || s.cfg.Hold != nil && !s.cfg.Hold(s.req) {
		s.commit()
	}
}

func (s *gateStream) commit() {
	s.committed = true
	s.run.Emitted()
}

// note keeps the last usage record, for the ledger.
func (s *gateStream) note(c *endwell.Chunk) {
	if c.Kind != endwell.KindUsage || c.Usage == nil {
		return
	}
	sum := s.takeUsage()
	sum.Merge(*c.Usage)
	s.usage.Store(&sum)
}

func (s *gateStream) takeUsage() endwell.Usage {
	if u := s.usage.Load(); u != nil {
		return *u
	}
	return endwell.Usage{}
}

// ended handles the ending of the current attempt: it sets the ending, or opens
// the next attempt.
func (s *gateStream) ended(err error) {
	by := s.stopped()
	switch {
	case by != nil:
		s.run.Canceled(s.takeUsage())
		s.held.drop()
		s.end = by
	case err == endwell.ErrClosed:
		s.run.Canceled(s.takeUsage())
		s.held.drop()
		s.end = err
	case err == io.EOF:
		s.run.Whole(s.takeUsage())
		s.commit()
		s.end = err
	case s.committed:
		_, s.end = s.failed(err)
	default:
		s.end = err // should a ledger panic
		s.end = s.again(err)
	}
}

// again drops what failed and opens the next attempt. It returns the ending when
// there is none.
func (s *gateStream) again(err error) error {
	s.held.drop()
	s.drop()
	wait, ending := s.failed(err)
	s.usage.Store(nil)
	if ending == nil {
		ending = s.sleep(wait)
	}
	if ending == nil {
		ending = s.attempt()
	}
	return ending
}

// Close implements endwell.Stream. The stream is closed before the context ends,
// so that a transport may still drain its connection.
func (s *gateStream) Close() error {
	st, first := s.shut()
	if !first {
		return nil
	}
	var err error
	if st != nil {
		err = st.Close()
	}
	s.cancel(guardCause{endwell.ErrClosed})
	s.run.Canceled(s.takeUsage()) // last, since a ledger may be slow
	return err
}
