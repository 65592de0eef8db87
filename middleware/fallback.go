package middleware

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/clock"
	"github.com/endwell-go/endwell/retry"
)

// FallbackConfig configures Fallback.
type FallbackConfig struct {
	// To lists who is asked when the decorated handler failed, in order, each at
	// most once for a call. Empty means that there is no fallback at all. An
	// alternative without a Next panics.
	To []Alternative
	// On says which failures another handler may answer. It is asked only while
	// nothing has been emitted, and must not change the error. It may be called
	// from any number of goroutines. Nil means Error.Retryable: what is over soon,
	// and would be safe to send again. An exhausted quota or a model that is gone
	// are not among these, since a key or a name that is wrong ought to be seen: a
	// caller who wants them names them.
	On func(*endwell.Error) bool
	// OnFallback, when set, is told of each switch before the other handler is
	// asked, on the goroutine of the caller's Open or Recv. The context has the
	// values of the caller's.
	OnFallback func(context.Context, Switch)
	// Ledger is given one entry for each handler that was asked; nil means none.
	// Entry.Attempt is the handler's number within the call, from 1, and Provider
	// and Model are the handler's own. The attempts of a RetryGate below are on the
	// ledger of its policy, under the same names; give this one a ledger of its
	// own, or none, where each attempt should be counted once.
	Ledger retry.Ledger
	// Name names the decorated handler in a Switch and in a Report; "" is fine.
	Name string
	// Clock is what the ledger's times are taken from; nil means clock.System.
	Clock clock.Clock
}

// Alternative is another handler for the same question.
type Alternative struct {
	// Name names the alternative in a Switch and in a Report; "" is fine.
	Name string
	// Provider and Model stand in the request that the alternative gets, and so in
	// errors and ledger entries; "" leaves the caller's. They do not reach into the
	// payload, which Adapt may replace.
	Provider, Model string
	// Adapt, when set, changes the request that the alternative gets, once for each
	// call that comes to it: the payload of another model or dialect, the secret of
	// another provider. It is given a copy, with Provider and Model set, to which
	// it may append and assign; what Payload points to is the caller's and must not
	// be changed. It may be called from any number of goroutines.
	Adapt func(*endwell.Request)
	// Next answers. It is a whole stack of its own, such as Standard around another
	// provider, since nothing else turns that provider's failures into errors.
	Next endwell.Next
}

// request makes the alternative's request, which every attempt of it shares.
func (a *Alternative) request(asked *endwell.Request) *endwell.Request {
	req := *asked
	req.Secret, req.Private = slices.Clone(asked.Secret), slices.Clone(asked.Private)
	if a.Provider != "" {
		req.Provider = a.Provider
	}
	if a.Model != "" {
		req.Model = a.Model
	}
	if a.Adapt != nil {
		a.Adapt(&req)
	}
	return &req
}

// Target is one of the handlers of a Fallback, as others see it.
type Target struct {
	// Place is 0 for the handler that Fallback decorates, and an alternative's
	// place in To, from 1.
	Place int
	// Name is the configured one.
	Name string
	// Provider and Model are those of the request that the handler gets.
	Provider, Model string
}

// Switch says that a call goes on with another handler.
type Switch struct {
	// Agent is the request's.
	Agent string
	// From failed, and To is asked next.
	From, To Target
	// Err is the failure of From.
	Err *endwell.Error
}

// Fallback asks other handlers, from an explicit list, when the one that it
// decorates failed before anything was emitted. It stands outside Standard, and
// each alternative is such a stack of its own:
//
//	Observe( Fallback( Standard( provider )))
//
// Like RetryGate it holds back the preamble, the chunks before the first emission,
// so that a failed answer leaves no trace downstream. With the first emission, or
// when the preamble exceeds 64 chunks or 256 KiB, it commits: nobody else is asked
// any more. The stream that failed is closed before the next handler is asked. It
// does not wait, keeps no memory of failures from call to call, and breaks no
// circuit: every call begins with the decorated handler.
//
// A failure that FallbackConfig.On does not allow, an error that nothing
// classified, one that says that something was emitted (Transient and not
// Retryable), and the caller's own ending are final. When handlers failed before
// the last one, its error is a copy that wraps theirs: errors.As finds the last
// failure first and fields are its own, while errors.Is finds any of them.
// A failure after the commit passes as it is.
//
// Who answers is never hidden: OnFallback, the ledger and the Report of an Observe
// further out name it.
func Fallback(cfg FallbackConfig) endwell.Middleware {
	cfg.To = slices.Clone(cfg.To)
	for i := range cfg.To {
		if cfg.To[i].Next == nil {
			panic(fmt.Sprintf("middleware: FallbackConfig.To[%d] has no Next", i))
		}
	}
	if cfg.Clock == nil {
		cfg.Clock = clock.System
	}
	return func(next endwell.Next) endwell.Next {
		if len(cfg.To) == 0 {
			return next
		}
		return endwell.NextFunc(func(ctx context.Context, req *endwell.Request) (endwell.Stream, error) {
			return openFallback(next, &cfg, ctx, req)
		})
	}
}

func openFallback(next endwell.Next, cfg *FallbackConfig, ctx context.Context, req *endwell.Request) (endwell.Stream, error) {
	s := &fallbackStream{relay: newRelay(ctx), cfg: cfg, next: next, asked: req}
	s.turn = turn{ledger: cfg.Ledger, clk: cfg.Clock, req: req}
	if err := s.ask(); err != nil {
		s.cancel(nil)
		return nil, err
	}
	return s, nil
}

type fallbackStream struct {
	relay
	cfg   *FallbackConfig
	next  endwell.Next
	asked *endwell.Request
	turn  turn

	held      preamble
	committed bool
	earlier   *endwell.Error // the failures so far, each wrapping the one before it
	end       error
}

// ask asks the handler whose turn it is, and further ones until one opens a
// stream. It returns the ending when none does.
func (s *fallbackStream) ask() error {
	for {
		s.turn.begin()
		st, err := open(s.next, s.ctx, s.turn.req)
		if err == nil && s.put(st) {
			return nil
		}
		if err == nil {
			err = endwell.ErrClosed
		}
		if ending := s.failed(err); ending != nil {
			return ending
		}
	}
}

// failed notes the failure of a handler. It makes it the turn of the next one, or
// returns the ending.
func (s *fallbackStream) failed(err error) error {
	by := s.stopped()
	if by == nil && err == endwell.ErrClosed {
		by = err
	}
	if by != nil {
		s.turn.over(retry.Entry{Ending: retry.EndingCanceled})
		return by
	}
	entry := retry.Entry{Ending: retry.EndingFailed, Stop: retry.StopNotRetryable}
	if e, ok := asError(err); ok {
		entry.Err, entry.Stop = e, s.judge(e)
	}
	if !s.turn.over(entry) {
		return endwell.ErrClosed
	}
	if entry.Stop != 0 {
		return s.final(err, entry.Err)
	}
	if by := s.stopped(); by != nil {
		return by
	}
	s.switchTo(&s.cfg.To[s.turn.place], entry.Err)
	return s.stopped()
}

// judge says why nobody else is asked; 0 when somebody is.
func (s *fallbackStream) judge(e *endwell.Error) retry.Stop {
	switch {
	case s.committed, e.Transient && !e.Retryable:
		return retry.StopEmitted
	case s.cfg.On == nil && !e.Retryable:
		return retry.StopNotRetryable
	case s.cfg.On != nil && !s.cfg.On(e):
		return retry.StopPredicate
	case s.turn.place == len(s.cfg.To):
		return retry.StopAttempts
	default:
		return 0
	}
}

// final is the ending when nobody else is asked. An error that nothing classified
// cannot wrap the ones before it.
func (s *fallbackStream) final(err error, e *endwell.Error) error {
	if s.committed || s.earlier == nil || e == nil {
		return err
	}
	return e.WithCause(s.earlier)
}

func (s *fallbackStream) switchTo(a *Alternative, e *endwell.Error) {
	from := s.target()
	s.next = a.Next
	s.turn.place, s.turn.req = s.turn.place+1, a.request(s.asked)
	to := s.target()
	tallyOf(s.ctx).switched(to)
	if s.cfg.OnFallback != nil {
		s.cfg.OnFallback(s.ctx, Switch{Agent: s.asked.Agent, From: from, To: to, Err: e})
	}
	if s.earlier != nil {
		e = e.WithCause(s.earlier)
	}
	s.earlier = e
}

// target is the handler whose turn it is.
func (s *fallbackStream) target() Target {
	t := Target{Place: s.turn.place, Name: s.cfg.Name, Provider: s.turn.req.Provider, Model: s.turn.req.Model}
	if t.Place > 0 {
		t.Name = s.cfg.To[t.Place-1].Name
	}
	return t
}

// Recv implements endwell.Stream.
func (s *fallbackStream) Recv() (endwell.Chunk, error) {
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
		if err != nil {
			s.ended(err)
			continue
		}
		s.turn.note(&c)
		if s.committed {
			return c, nil
		}
		s.hold(c)
	}
}

// flush delivers a chunk that was held back, unless the caller has gone meanwhile.
func (s *fallbackStream) flush(c endwell.Chunk) (endwell.Chunk, error) {
	by := s.gone()
	if by == nil {
		return c, nil
	}
	s.held.drop()
	s.turn.over(retry.Entry{Ending: retry.EndingCanceled})
	s.end = by
	return endwell.Chunk{}, by
}

// hold keeps a chunk of the preamble, or commits.
func (s *fallbackStream) hold(c endwell.Chunk) {
	if s.held.hold(c) {
		s.commit()
	}
}

func (s *fallbackStream) commit() {
	s.committed = true
	s.turn.emitted.Store(true)
}

// ended handles the ending of the stream that is on: it sets the ending, or asks
// the next handler.
func (s *fallbackStream) ended(err error) {
	if err == io.EOF && s.stopped() == nil && s.turn.over(retry.Entry{Ending: retry.EndingWhole}) {
		s.commit()
		s.end = err
		return
	}
	s.held.drop()
	if s.committed {
		s.end = s.failed(err)
		return
	}
	s.drop()
	s.end = err // should a ledger panic
	if s.end = s.failed(err); s.end == nil {
		s.end = s.ask()
	}
}

// Close implements endwell.Stream. The stream is closed before the context ends,
// so that a transport may still drain its connection.
func (s *fallbackStream) Close() error {
	st, first := s.shut()
	if !first {
		return nil
	}
	var err error
	if st != nil {
		err = st.Close()
	}
	s.cancel(guardCause{endwell.ErrClosed})
	s.turn.over(retry.Entry{Ending: retry.EndingCanceled}) // last, since a ledger may be slow
	return err
}
