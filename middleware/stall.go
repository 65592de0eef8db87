package middleware

import (
	"context"
	"io"
	"sync/atomic"
	"time"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/clock"
)

// The bounds of StallGuard when nothing else is said. They are wide on purpose:
// healthy silences of 157 s, of 5 min while a model is loaded and of 8 min with
// pings only are on record, while dead streams with pings stayed open for 17 min
// (wire/envelopes-and-policy.md §3).
const (
	DefaultFirst    = 10 * time.Minute
	DefaultIdle     = 5 * time.Minute
	DefaultProgress = 15 * time.Minute
	DefaultLinger   = 10 * time.Second
)

// Bounds are how long a stream may keep a caller waiting. In each field 0 means
// the default and a negative value means no bound. A wait of exactly the bound has
// expired.
type Bounds struct {
	// First bounds the waiting time to the first emission, Open included.
	First time.Duration
	// Idle bounds one wait without any byte, once there has been one. Keep-alives
	// are bytes, and so is a frame that is not complete yet.
	Idle time.Duration
	// Progress bounds the waiting time since the last emission. Keep-alives and
	// lifecycle events are none; deltas of reasoning and of tool arguments are.
	Progress time.Duration
	// Linger bounds the waiting time for metadata and the close, from Settled on.
	// Its expiry is a whole end.
	Linger time.Duration
}

// or fills what is 0 from other.
func (b Bounds) or(other Bounds) Bounds {
	pick := func(d, e time.Duration) time.Duration {
		if d != 0 {
			return d
		}
		return e
	}
	return Bounds{
		First: pick(b.First, other.First), Idle: pick(b.Idle, other.Idle),
		Progress: pick(b.Progress, other.Progress), Linger: pick(b.Linger, other.Linger),
	}
}

// StallConfig configures StallGuard.
type StallConfig struct {
	// Bounds are the bounds of every request.
	Bounds
	// For, when set, gives a request its own, so that a slow model can have more
	// time; what it leaves 0 is taken from Bounds. It may be called from any
	// number of goroutines.
	For func(*endwell.Request) Bounds
	// Clock is what time is measured with; nil means clock.System.
	Clock clock.Clock
}

// StallGuard bounds how long the stream below may keep its caller waiting. All
// bounds run only while an Open or a Recv waits, so a slow consumer is never a
// stall. On expiry the stream is Stalled, with the bound and its length in the
// error: the guard ends the context that it gave to the stream below, with that
// error as the cause, and closes the stream, so that a pending read returns. When
// the caller's context ends, it closes the stream too, for a provider that ignores
// its context.
//
// A provider whose Recv obeys neither its context nor Close breaks the contract of
// endwell.Stream; see Detach.
//
// It starts no goroutine, and a chunk costs no allocation and no lock.
func StallGuard(cfg StallConfig) endwell.Middleware {
	cfg = cfg.filled()
	return func(next endwell.Next) endwell.Next {
		return endwell.NextFunc(func(ctx context.Context, req *endwell.Request) (endwell.Stream, error) {
			s := new(stallStream)
			if err := s.open(next, &cfg, ctx, req); err != nil {
				return nil, err
			}
			return s, nil
		})
	}
}

// filled is the configuration with its defaults.
func (c StallConfig) filled() StallConfig {
	if c.Clock == nil {
		c.Clock = clock.System
	}
	c.Bounds = c.or(Bounds{DefaultFirst, DefaultIdle, DefaultProgress, DefaultLinger})
	return c
}

// open opens the stream below, under the bound for the first emission.
func (s *stallStream) open(next endwell.Next, cfg *StallConfig, ctx context.Context, req *endwell.Request) error {
	s.ctx, s.bounds = ctx, cfg.Bounds
	if cfg.For != nil {
		s.bounds = cfg.For(req).or(cfg.Bounds)
	}
	s.watch.start(cfg.Clock)
	s.watch.fire = s
	below, cancel := guarded(ctx, req)
	s.cancel = cancel

	from := s.begin()
	st, err := open(next, below, req)
	late := s.watch.over()
	if by := callerEnding(ctx); by != nil {
		err, late = by, false
	}
	if late {
		err = s.stalled()
	}
	if err != nil {
		s.watch.stop()
		cancel.Cancel(nil)
		if st != nil {
			_ = st.Close()
		}
		return err
	}
	s.next = st
	s.ready, _ = st.(readier)
	s.account(from)
	if ctx.Done() != nil {
		s.release = context.AfterFunc(ctx, func() { _ = s.closeNext() })
	}
	return nil
}

// guarding is a payload whose provider makes the context of its guarded calls itself,
// so that it needs no other one for what it may keep beyond them. What comes with it is
// told the guard's verdict, or that the call is over. Without a context it makes none.
type guarding interface {
	Guard(ctx context.Context) (context.Context, canceller)
}

// canceller ends a context.
type canceller = interface{ Cancel(cause error) }

// cancelFunc is a function that does.
type cancelFunc context.CancelCauseFunc

// Cancel calls it.
func (f cancelFunc) Cancel(cause error) { f(cause) }

// readier is a stream that knows when its Recv returns without waiting: then no bound
// runs, and the clock need not be read.
type readier interface{ RecvReady() bool }

// guarded is the context for what is below a guard.
func guarded(ctx context.Context, req *endwell.Request) (context.Context, canceller) {
	if req != nil {
		if p, ok := req.Payload.(guarding); ok {
			if below, cancel := p.Guard(ctx); below != nil {
				return below, cancel
			}
		}
	}
	below, cancel := context.WithCancelCause(ctx)
	return below, cancelFunc(cancel)
}

type stallStream struct {
	link
	watch   watch
	bounds  Bounds
	cancel  canceller
	release func() bool // calls off the close at the caller's cancellation; nil where that cannot be
	ready   readier     // next, if it can tell that there is nothing to wait for

	waited  time.Duration // waiting time that counts against the bound in force
	state   endwell.End
	bytes   bool // something has come
	emitted bool

	lingered bool // Linger has expired, and what came with it has been delivered

	// The wait that is on, for whoever finds it expired.
	bound  endwell.Bound
	length time.Duration

	error atomic.Pointer[endwell.Error]
	drop  once // closes next
}

// Recv implements endwell.Stream.
func (s *stallStream) Recv() (endwell.Chunk, error) {
	if s.end != nil {
		return endwell.Chunk{}, s.end
	}
	from := s.begin()
	if from == expired {
		s.expire()
		return s.finish(s.judge(io.EOF, true))
	}
	c, err := s.next.Recv()
	if late := s.late(from, err); late || err != nil {
		return s.finish(s.judge(err, late))
	}
	s.note(&c, from)
	return c, nil
}

// RecvReady is link's, of a stream that has been looked at once.
func (s *stallStream) RecvReady() bool { return s.end != nil || s.ready != nil && s.ready.RecvReady() }

// late ends the wait that began at from, and reports whether it expired instead of
// bringing what it brought. Linger's expiry is a whole end: what came with it is the last
// of the answer, since to drop it would leave a gap before whatever is read behind it.
func (s *stallStream) late(from int64, err error) bool {
	if !s.over(from) {
		return false
	}
	s.lingered = s.bound == 0 && err == nil
	return !s.lingered
}

// note notes a chunk, and the wait for it.
func (s *stallStream) note(c *endwell.Chunk, from int64) {
	s.bytes = true
	if c.Emission() {
		s.emitted = true
		s.waited = 0
	} else {
		s.account(from)
	}
	if c.End != endwell.Unstated && c.End != s.state {
		s.turn(c.End)
	}
}

// turn notes a new state of the answer. Linger counts from Settled on.
func (s *stallStream) turn(state endwell.End) {
	if (state >= endwell.Settled) != (s.state >= endwell.Settled) {
		s.waited = 0
	}
	s.state = state
}

// begin begins a wait under the bound that expires first, and returns when. It
// returns expired when there is no time left, and noWait when no bound is on or nothing
// to wait for.
func (s *stallStream) begin() int64 {
	if s.lingered {
		return expired
	}
	left, on := s.left()
	if !on {
		return noWait
	}
	switch {
	case left <= 0:
		return expired
	case s.ready != nil && s.ready.RecvReady():
		return noWait
	}
	now := s.watch.now()
	s.watch.begin(now, left)
	return now
}

// left says how long the next wait may be, and notes under which bound. Of Idle and
// Progress at once it is Idle: there has been no byte either.
func (s *stallStream) left() (left time.Duration, on bool) {
	consider := func(bound endwell.Bound, length, used time.Duration) {
		if length < 0 || on && length-used >= left {
			return
		}
		s.bound, s.length, left, on = bound, length, length-used, true
	}
	if s.state >= endwell.Settled {
		consider(0, s.bounds.Linger, s.waited)
		return left, on
	}
	if !s.emitted {
		consider(endwell.BoundFirst, s.bounds.First, s.waited)
	}
	if s.bytes {
		consider(endwell.BoundIdle, s.bounds.Idle, 0)
	}
	if s.emitted {
		consider(endwell.BoundProgress, s.bounds.Progress, s.waited)
	}
	return left, on
}

// over ends the wait that began at from, and reports whether it had expired.
func (s *stallStream) over(from int64) bool { return from != noWait && s.watch.over() }

// account adds the wait that began at from.
func (s *stallStream) account(from int64) {
	if from != noWait {
		s.waited += time.Duration(max(s.watch.now()-from, 0))
	}
}

// expire is called when a wait has expired, by the timer's callback while the wait
// is on, or by Recv instead of a wait.
func (s *stallStream) expire() {
	if s.bound == 0 {
		s.cancel.Cancel(nil)
	} else {
		s.cancel.Cancel(guardCause{s.stalled()})
	}
	_ = s.closeNext()
}

// stalled is the error for the wait that has expired; the same one however often
// it is asked for.
func (s *stallStream) stalled() *endwell.Error {
	s.error.CompareAndSwap(nil, &endwell.Error{
		Fault: endwell.Stalled, Category: endwell.Timeout, Transient: true, Retryable: !s.emitted,
		Bound: s.bound, Waited: s.length,
	})
	return s.error.Load()
}

// judge says what an ending below means, and stops the watch. A wait that expired
// outranks what the stream below says, since it may only say that we closed it.
func (s *stallStream) judge(err error, late bool) error {
	s.watch.stop()
	switch {
	case late && s.bound == 0:
		return io.EOF
	case late:
		return s.stalled()
	default:
		return err
	}
}

// closeNext closes the stream below, once; it has been closed when closeNext returns.
// During Open there is none yet.
func (s *stallStream) closeNext() error {
	if s.next == nil {
		return nil
	}
	return s.drop.do(s.next.Close)
}

// closedByGuard is why a context ends whose stream has been closed.
var closedByGuard error = guardCause{endwell.ErrClosed}

// Close implements endwell.Stream.
func (s *stallStream) Close() error {
	if s.closed.Swap(true) {
		return nil
	}
	s.watch.stop()
	if s.release != nil {
		s.release()
	}
	err := s.closeNext()
	s.cancel.Cancel(closedByGuard)
	return err
}
