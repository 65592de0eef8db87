package middleware_test

import (
	"context"
	"fmt"
	"io"
	"testing"
	"time"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/internal/interleave"
	"github.com/endwell-go/endwell/middleware"
)

// modelBounds are bounds that differ, in nanoseconds.
var modelBounds = middleware.Bounds{First: 10, Idle: 4, Progress: 7, Linger: 3}

// stallScript is what comes from below a guard in a model, and when time passes.
type stallScript struct {
	name     string
	open     error // of Open, hangs for errUnread
	script   []answer
	advances []time.Duration
}

var stallScripts = []stallScript{
	{"silence from the start", nil, []answer{hang}, []time.Duration{10}},
	{"the first chunk at First", nil, []answer{say(hello), end(io.EOF)}, []time.Duration{10}},
	{"First in two steps", nil, []answer{say(ping), say(hello), hang}, []time.Duration{7, 3}},
	{"a chunk at Idle", nil, []answer{say(hello), say(hello), end(io.EOF)}, []time.Duration{4}},
	{"short of Idle, then Idle", nil, []answer{say(hello), say(hello), hang}, []time.Duration{3, 1}},
	{"Idle twice", nil, []answer{say(hello), say(hello), say(hello), end(io.EOF)}, []time.Duration{4, 4}},
	{"a reset at Idle", nil, []answer{say(hello), end(errReset)}, []time.Duration{4}},
	{"a fault at Idle", nil, []answer{say(hello), end(passing)}, []time.Duration{4}},
	{"keep-alives up to Progress", nil, []answer{say(hello), say(ping), say(ping), end(io.EOF)}, []time.Duration{3, 4}},
	{"the close at Linger", nil, []answer{say(hello), say(stop), end(io.EOF)}, []time.Duration{3}},
	{"no close after the finish", nil, []answer{say(stop), say(usage), hang}, []time.Duration{2, 1}},
	{"Open fails at First", errReset, nil, []time.Duration{10}},
	{"Open hangs", errUnread, nil, []time.Duration{10}},
}

// stallModel is one run of a guard.
type stallModel struct {
	*model
	from   stallScript
	deaf   bool
	calls  []*stallCall // Open, then each Recv up to the ending
	below  *modelStream
	opened modelWait
}

// stallCall is one call above the guard.
type stallCall struct {
	called, done at
	out          answer
}

// TestModelStallGuard lets the timer, data, the caller's cancellation and Close meet in
// every order, below and above a StallGuard.
func TestModelStallGuard(t *testing.T) {
	var total tally
	t.Run("of", func(t *testing.T) {
		for _, s := range stallScripts {
			for _, deaf := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s, deaf %t", s.name, deaf), func(t *testing.T) {
					t.Parallel()
					exploreStall(t, &total, s, deaf)
				})
			}
		}
	})
	total.requires(t, "EOF", "stalled", "context canceled", "endwell: stream closed by the caller", "broken", errReset.Error())
}

func exploreStall(t *testing.T, total *tally, s stallScript, deaf bool) {
	for _, cancels := range []bool{false, true} {
		for closers := range 3 {
			if cancels && closers == 2 {
				continue
			}
			model := func(coarse bool) func(*interleave.Run) {
				return func(r *interleave.Run) { modelStall(r, total, s, coarse, deaf, cancels, closers) }
			}
			coarse, fine := interleave.Space{Preemptions: -1}, interleave.Space{Preemptions: -1, Delays: 3}
			if len(s.advances) > 1 {
				coarse.Delays = 5
			}
			if cancels || closers > 0 {
				coarse.Delays, fine.Delays = 3, 2
			}
			if closers == 2 {
				coarse.Delays = 2
			}
			explores(t, coarse, total, model(true))
			if closers < 2 {
				explores(t, fine, total, model(false))
			}
		}
	}
}

func modelStall(r *interleave.Run, total *tally, s stallScript, coarse, deaf, cancels bool, closers int) {
	m := &stallModel{model: newModel(r, coarse), from: s, deaf: deaf}
	m.OnIdle(m.wait)
	m.OnHang(m.unblock)
	next := middleware.StallGuard(middleware.StallConfig{Bounds: modelBounds, Clock: &m.clk})(m)
	m.Go("reader", func() {
		m.read(next, closers)
		m.over = true
	})
	m.advances(s.advances)
	if cancels {
		m.cancels()
	}
	m.OnEnd(func() {
		m.tidy()
		m.judge()
		if m.below != nil {
			m.below.let()
		}
		total.saw(outcome(m.calls[len(m.calls)-1].out.err))
	})
}

// Open is the provider's.
func (m *stallModel) Open(ctx context.Context, _ *endwell.Request) (endwell.Stream, error) {
	m.opened.entered = m.now()
	m.Yield("Open")
	err := m.from.open
	if err == errUnread {
		<-ctx.Done()
		m.Yield("Open wakes up")
	}
	if ctx.Err() != nil && !m.deaf || err == errUnread {
		err, m.opened.own = ctx.Err(), true
	}
	m.fine("Open returns")
	m.opened.got, m.opened.returned = end(err), m.now()
	if err != nil {
		return nil, err
	}
	m.below = newModelStream(m.model, ctx, m.deaf, m.from.script)
	return m.below, nil
}

// read opens the stream and reads it to its end.
func (m *stallModel) read(next endwell.Next, closers int) {
	call := m.begin()
	st, err := next.Open(m.ctx, request)
	m.done(call, answer{err: err})
	if err != nil {
		if st != nil {
			m.Errorf("Open returned a stream with an error")
		}
		return
	}
	m.closes(st, closers)
	m.fine("opened") // what the end of the context has begun in Open comes to its Close
	for err == nil {
		call := m.begin()
		var c endwell.Chunk
		c, err = st.Recv()
		m.done(call, answer{c, err})
	}
	if n := m.clk.Pending(); n != 0 {
		m.Errorf("%d timers are left at the end", n)
	}
	m.sticks(st, err)
}

func (m *stallModel) begin() *stallCall {
	c := &stallCall{called: m.now()}
	m.calls = append(m.calls, c)
	return c
}

func (m *stallModel) done(c *stallCall, out answer) { c.out, c.done = out, m.now() }

// wait is called when all wait for bytes: that must be right, and then time passes.
func (m *stallModel) wait() bool {
	_, pending := m.clk.Next()
	if !m.cancelled.never() || !m.closed.never() || !pending {
		return false
	}
	m.Go("clock goes on", func() { m.clk.Advance(10) })
	return true
}

// unblock ends what hangs.
func (m *stallModel) unblock() {
	m.ctx.Cancel()
	if m.below != nil {
		m.below.once.Do(func() { close(m.below.closed) })
	}
}

// judge holds each call against the contract, and follows the state of the answer.
func (m *stallModel) judge() {
	o := stallOracle{stallModel: m}
	o.judge(m.calls[0], &m.opened)
	for i, c := range m.calls[1:] {
		var w *modelWait
		if i < len(m.below.waits) {
			w = m.below.waits[i]
		}
		o.judge(c, w)
	}
}

// stallOracle is the contract of a guard. What a wait has used up of its bound is known
// up to the time that passed beside the wait itself.
type stallOracle struct {
	*stallModel
	least, most time.Duration
	bytes       bool
	emitted     bool
	settled     bool
	lingered    bool // a chunk has come as Linger expired, which is the last
}

// limit is a bound that is on, and what is left of it.
type limit struct {
	bound       endwell.Bound
	length      time.Duration
	least, most time.Duration // used before
}

func (o *stallOracle) limits() []limit {
	if o.settled {
		return []limit{{0, modelBounds.Linger, o.least, o.most}}
	}
	l := []limit{{endwell.BoundFirst, modelBounds.First, o.least, o.most}}
	if o.emitted {
		l[0].bound, l[0].length = endwell.BoundProgress, modelBounds.Progress
	}
	if o.bytes {
		l = append(l, limit{endwell.BoundIdle, modelBounds.Idle, 0, 0})
	}
	return l
}

// judge judges one call, with what it got from below; nil when it did not ask.
func (o *stallOracle) judge(c *stallCall, w *modelWait) {
	if w == nil {
		w = &modelWait{entered: c.called, returned: c.called, own: true}
		w.returned.time = c.done.time
	}
	opens := c == o.calls[0]
	must, may := o.mustStall(w), o.mayStall(c, w)
	switch out := c.out.err; {
	case out == nil:
		if w.got.err != nil || w.own || must && !o.settled || o.lingered || opens && o.cancelled.before(w.returned) {
			o.Errorf("%v instead of an ending; must stall: %t", c.out.chunk.Kind, must)
		}
		o.lingered = must
		if !opens && !sameChunk(c.out.chunk, w.got.chunk) {
			o.Errorf("another chunk than came")
		}
	case w.got.err == nil && !w.own && !may && !opens:
		o.Errorf("a chunk that came in time is lost to %v", out)
	case out == context.Canceled:
		if !o.cancelled.before(c.done) {
			o.Errorf("canceled, but not by the caller")
		}
	case o.cancelled.before(w.returned):
		o.Errorf("%v, although the caller had canceled", out)
	case out == endwell.ErrClosed:
		if !o.closed.before(c.done) {
			o.Errorf("closed, but not by the caller")
		}
	case o.closed.before(w.returned):
		o.Errorf("%v, although the caller had closed", out)
	case may && o.isStall(c, w, out):
	case must:
		o.Errorf("%v instead of a stall", out)
	case w.own || out != w.got.err:
		o.Errorf("%v instead of %v, which came", out, w.got.err)
	}
	o.follow(c, w)
}

// mayStall reports whether a bound can have expired before the answer came.
func (o *stallOracle) mayStall(c *stallCall, w *modelWait) bool {
	for _, l := range o.limits() {
		if l.most+w.returned.time-c.called.time >= l.length {
			return true
		}
	}
	return false
}

// mustStall reports whether a bound was used up before, or a callback found it used up
// and was through before the answer came, and before Close called it off.
func (o *stallOracle) mustStall(w *modelWait) bool {
	for _, l := range o.limits() {
		if l.least >= l.length {
			return true
		}
		for _, f := range o.clk.firings {
			if w.entered.before(f.begun) && f.over.before(w.returned) && !o.closed.before(w.returned) && l.least+f.begun.time-w.entered.time >= l.length {
				return true
			}
		}
	}
	return false
}

// isStall reports whether an error is that of a bound which can have expired.
func (o *stallOracle) isStall(c *stallCall, w *modelWait, err error) bool {
	for _, l := range o.limits() {
		if l.most+w.returned.time-c.called.time < l.length {
			continue
		}
		e, ok := err.(*endwell.Error)
		if l.bound == 0 && err == io.EOF ||
			ok && e.Fault == endwell.Stalled && e.Bound == l.bound && e.Waited == l.length && e.Retryable == !o.emitted {
			return true
		}
	}
	return false
}

// follow notes what a call has used up, and what it brought.
func (o *stallOracle) follow(c *stallCall, w *modelWait) {
	o.least += w.returned.time - w.entered.time
	o.most += c.done.time - c.called.time
	if c == o.calls[0] || c.out.err != nil {
		return
	}
	o.bytes = true
	settled := o.settled || c.out.chunk.End >= endwell.Settled
	if c.out.chunk.Emission() || settled != o.settled {
		o.least, o.most = 0, 0
	}
	o.emitted, o.settled = o.emitted || c.out.chunk.Emission(), settled
}
