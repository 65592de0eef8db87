package middleware_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/clock"
	"github.com/endwell-go/endwell/internal/interleave"
)

// The models check what package doc of interleave describes: timer, data, the caller's
// cancellation and Close meet in every order, and an oracle that is written from the
// contract, and knows nothing of the code, says what may come out.
//
// A coarse model may be interrupted where an event begins, in every order. A fine one
// may be interrupted in a callback, a Close, a reading of the clock and a question to
// the context too, by a bounded number of preemptions. An oracle therefore says what
// must be, where one event was over before the other began, and what may be otherwise.

// at is an instant of a run: its place in the order of events, 0 for never, and what
// the clock said.
type at struct {
	step int
	time time.Duration
}

// before reports whether a has happened, and before b.
func (a at) before(b at) bool { return a.step != 0 && a.step < b.step }

func (a at) never() bool { return a.step == 0 }

// model is what the models of all decorators share: a run, its clock, and the caller.
type model struct {
	*interleave.Run
	clk    modelClock
	ctx    *interleave.Context
	coarse bool

	cancelled at
	closed    at // the first Close of the caller has begun
	over      bool
}

func newModel(r *interleave.Run, coarse bool) *model {
	m := &model{Run: r, coarse: coarse}
	m.clk.m = m
	m.ctx = interleave.NewContext(r)
	m.ctx.Quiet, m.ctx.Prompt = coarse, coarse
	return m
}

// fine is a Yield of fine models only.
func (m *model) fine(point string) {
	if !m.coarse {
		m.Yield(point)
	}
}

func (m *model) now() at { return at{m.Step(), m.clk.Fake.Now().Sub(clock.Epoch)} }

// cancels has the caller's context end some time.
func (m *model) cancels() {
	m.Go("cancel", func() {
		m.cancelled = m.now()
		m.ctx.Cancel()
	})
}

// advances has time pass, bit by bit.
func (m *model) advances(steps []time.Duration) {
	if len(steps) == 0 {
		return
	}
	m.Go("clock", func() {
		for i, d := range steps {
			if i > 0 {
				m.Yield("advance")
			}
			m.clk.Advance(d)
		}
	})
}

// closes has the caller close the stream n times, each on a goroutine of its own.
func (m *model) closes(st endwell.Stream, n int) {
	for range n {
		m.Go("closer", func() { m.close(st) })
	}
}

func (m *model) close(st endwell.Stream) {
	if m.closed.never() {
		m.closed = m.now()
	}
	_ = st.Close()
}

// sticks checks that an ending is sticky, whatever comes after it, and closes.
func (m *model) sticks(st endwell.Stream, ending error) {
	m.Yield("after the end")
	if c, err := st.Recv(); err != ending || c.Kind != 0 || c.Raw != nil {
		m.Errorf("not sticky: %v, then %v", ending, err)
	}
	m.close(st)
	_ = st.Close()
	if _, err := st.Recv(); err != ending {
		m.Errorf("not sticky after Close: %v, then %v", ending, err)
	}
}

// tidy checks that nothing is left of a run.
func (m *model) tidy() {
	if !m.over {
		m.Errorf("the reader is not through")
	}
	if n := m.clk.Pending(); n != 0 {
		m.Errorf("%d timers are left", n)
	}
}

// modelClock is a Fake whose callbacks run on goroutines of their own, as System's do:
// time may pass between the instant at which a timer fires and its callback, and while
// that runs.
type modelClock struct {
	clock.Fake
	m       *model
	firings []firing
}

// firing is one callback.
type firing struct{ begun, over at }

func (c *modelClock) Now() time.Time {
	now := c.Fake.Now()
	c.m.fine("has read the clock")
	return now
}

func (c *modelClock) AfterFunc(d time.Duration, f func()) clock.Timer {
	return c.Fake.AfterFunc(d, func() {
		go func() {
			c.m.Yield("timer")
			begun := c.m.now()
			f()
			c.firings = append(c.firings, firing{begun, c.m.now()})
		}()
	})
}

// modelStream is a stream below a decorator. Data comes when the schedule has Recv go
// on.
type modelStream struct {
	m      *model
	ctx    context.Context
	script []answer
	deaf   bool // it heeds Close, and only where it would wait for ever

	waits  []*modelWait
	closes []firing
	once   sync.Once
	closed chan struct{}
}

// hang in a script waits until the context ends or the stream is closed.
var hang = answer{chunk: endwell.Chunk{Index: -1}}

// modelWait is one Recv or Open below a decorator.
type modelWait struct {
	entered, returned at
	got               answer
	own               bool // got says that the context ended or that the stream was closed
}

func newModelStream(m *model, ctx context.Context, deaf bool, script []answer) *modelStream {
	return &modelStream{m: m, ctx: ctx, script: script, deaf: deaf, closed: make(chan struct{})}
}

func (s *modelStream) Recv() (endwell.Chunk, error) {
	w := &modelWait{entered: s.m.now()}
	s.waits = append(s.waits, w)
	s.m.Yield("Recv")
	a := hang
	if len(s.script) > 0 {
		a, s.script = s.script[0], s.script[1:]
	}
	w.got = a
	if err := s.stopped(a.chunk.Index < 0); err != nil {
		w.got, w.own = end(err), true
	}
	s.m.fine("Recv returns")
	w.returned = s.m.now()
	return w.got.chunk, w.got.err
}

func (s *modelStream) stopped(hangs bool) error {
	done := s.ctx.Done()
	if s.deaf {
		done = nil
	}
	if hangs {
		select {
		case <-s.closed:
		case <-done:
		}
		s.m.Yield("Recv wakes up")
	}
	select {
	case <-s.closed:
		if hangs || !s.deaf {
			return errUnread
		}
	default:
	}
	select {
	case <-done:
		return s.ctx.Err()
	default:
		return nil
	}
}

func (s *modelStream) Close() error {
	s.m.fine("Close")
	begun := s.m.now()
	s.once.Do(func() { close(s.closed) })
	s.m.fine("Close returns")
	s.closes = append(s.closes, firing{begun, s.m.now()})
	return errReset
}

// let checks that the stream was closed once and that its context has ended.
func (s *modelStream) let() {
	if len(s.closes) != 1 {
		s.m.Errorf("the stream below was closed %d times", len(s.closes))
	}
	if s.ctx.Err() == nil {
		s.m.Errorf("the context of the stream below has not ended")
	}
}

// explores runs a program in a space and counts.
func explores(t *testing.T, space interleave.Space, total *tally, program func(*interleave.Run)) {
	t.Helper()
	runs, err := space.Explore(t, program)
	total.add(runs)
	require.NoError(t, err)
}

// tally counts runs and their outcomes, over scenarios that run at the same time.
type tally struct {
	mu       sync.Mutex
	runs     int
	outcomes map[string]int
}

func (c *tally) add(runs int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.runs += runs
}

func (c *tally) saw(outcome string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.outcomes == nil {
		c.outcomes = map[string]int{}
	}
	c.outcomes[outcome]++
}

// requires checks that each outcome has come, so that no oracle is right for want of
// cases.
func (c *tally) requires(t *testing.T, outcomes ...string) {
	t.Helper()
	t.Logf("%d interleavings: %v", c.runs, c.outcomes)
	for _, o := range outcomes {
		require.NotZero(t, c.outcomes[o], "%s never came", o)
	}
}

// outcome names an ending.
func outcome(err error) string {
	if e, ok := err.(*endwell.Error); ok {
		return e.Fault.String()
	}
	return err.Error()
}

// sameChunk compares what tells the chunks of the models apart.
func sameChunk(a, b endwell.Chunk) bool {
	return a.Kind == b.Kind && a.Text == b.Text && a.Detail == b.Detail && a.End == b.End && slices.Equal(a.Raw, b.Raw)
}
