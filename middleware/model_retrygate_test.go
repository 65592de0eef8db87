package middleware_test

import (
	"context"
	"errors"
	"io"
	"testing"
	"time"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/internal/interleave"
	"github.com/endwell-go/endwell/middleware"
	"github.com/endwell-go/endwell/retry"
)

// gateAttempt is what one attempt below a gate does.
type gateAttempt struct {
	open   error // of Open; errUnread hangs until the context ends
	deaf   bool  // Open and Recv ignore the context
	script []answer
}

var gateScripts = []struct {
	name     string
	attempts []gateAttempt
}{
	{"a fault in the preamble, then whole", []gateAttempt{
		{script: []answer{say(role), end(passing)}}, {script: []answer{say(role), say(hello), end(io.EOF)}},
	}},
	{"three faults", []gateAttempt{
		{script: []answer{end(passing)}}, {open: passing}, {script: []answer{say(role), end(passing)}},
	}},
	{"Open fails, then a fault after the first emission", []gateAttempt{
		{open: passing}, {script: []answer{say(hello), say(usage), end(passing)}},
	}},
	{"a fault, then Open hangs", []gateAttempt{{script: []answer{end(passing)}}, {open: errUnread}}},
	{"a fault, then Open is late", []gateAttempt{
		{script: []answer{end(passing)}}, {deaf: true, script: []answer{say(hello), end(io.EOF)}},
	}},
	{"silence in the preamble", []gateAttempt{{script: []answer{say(role), hang}}}},
	{"silence, heeding Close only", []gateAttempt{{deaf: true, script: []answer{say(role), hang}}}},
	{"whole without an emission", []gateAttempt{{script: []answer{say(role), say(ping), end(io.EOF)}}}},
	{"a foreign error", []gateAttempt{{script: []answer{say(role), end(errReset)}}}},
}

// gateAttempts and gateWait are the policy of the models.
const (
	gateAttempts = 3
	gateWait     = 5
)

// gateModel is one run of a gate.
type gateModel struct {
	*model
	plan    []gateAttempt
	made    []*gateMade
	entries []retry.Entry

	got    []endwell.Chunk
	called at // the call that brought the ending
	done   at
	ending error
}

// gateMade is an attempt that was made.
type gateMade struct {
	modelWait
	stream *modelStream
}

// TestModelRetryGate lets failures, waits, the caller's cancellation and Close meet in
// every order, below and above a RetryGate.
func TestModelRetryGate(t *testing.T) {
	var total tally
	t.Run("of", func(t *testing.T) {
		for _, s := range gateScripts {
			t.Run(s.name, func(t *testing.T) {
				t.Parallel()
				exploreGate(t, &total, s.attempts)
			})
		}
	})
	total.requires(t, "EOF", "context canceled", "endwell: stream closed by the caller", "broken", errReset.Error())
}

func exploreGate(t *testing.T, total *tally, plan []gateAttempt) {
	for _, cancels := range []bool{false, true} {
		for closers := range 3 {
			last := plan[len(plan)-1]
			hangs := last.open == errUnread || len(last.script) > 0 && last.script[len(last.script)-1].chunk.Index < 0
			if hangs && closers == 0 && (last.deaf || !cancels) {
				continue // it waits for ever, as it should: a bound is StallGuard's
			}
			coarse, fine := interleave.Space{Preemptions: -1}, interleave.Space{Preemptions: -1, Delays: 3}
			if cancels && closers > 0 || closers == 2 {
				coarse.Delays, fine.Delays = 4, 2
			}
			for _, is := range []bool{true, false} {
				space := fine
				if is {
					space = coarse
				}
				explores(t, space, total, func(r *interleave.Run) { modelGate(r, total, plan, is, cancels, closers) })
			}
		}
	}
}

func modelGate(r *interleave.Run, total *tally, plan []gateAttempt, coarse, cancels bool, closers int) {
	m := &gateModel{model: newModel(r, coarse), plan: plan}
	m.OnIdle(m.wait)
	m.OnHang(m.unblock)
	policy := &retry.Policy{MaxAttempts: gateAttempts, MaxWait: -1, NewBackOff: every(gateWait), Ledger: m}
	next := middleware.RetryGate(middleware.RetryConfig{Policy: retry.Always(policy), Clock: &m.clk})(m)
	m.Go("reader", func() {
		m.read(next, closers)
		m.over = true
	})
	m.advances([]time.Duration{gateWait, gateWait}[:len(plan)-1])
	if cancels {
		m.cancels()
	}
	m.OnEnd(func() {
		m.tidy()
		m.judge()
		total.saw(outcome(m.ending))
	})
}

// Record implements retry.Ledger.
func (m *gateModel) Record(e retry.Entry) {
	m.fine("Record")
	m.entries = append(m.entries, e)
}

// Open is the provider's.
func (m *gateModel) Open(ctx context.Context, _ *endwell.Request) (endwell.Stream, error) {
	a := &gateMade{}
	a.entered = m.now()
	m.made = append(m.made, a)
	m.Yield("Open")
	if len(m.made) > len(m.plan) {
		m.Errorf("attempt %d", len(m.made))
		return nil, errReset
	}
	plan := m.plan[len(m.made)-1]
	err := plan.open
	if err == errUnread {
		<-ctx.Done()
		m.Yield("Open wakes up")
	}
	if ctx.Err() != nil && !plan.deaf {
		err, a.own = ctx.Err(), true
	}
	m.fine("Open returns")
	a.got, a.returned = end(err), m.now()
	if err != nil {
		return nil, err
	}
	a.stream = newModelStream(m.model, ctx, plan.deaf, plan.script)
	return a.stream, nil
}

func (m *gateModel) read(next endwell.Next, closers int) {
	m.called = m.now()
	st, err := next.Open(m.ctx, request)
	if err == nil {
		m.closes(st, closers)
	}
	for err == nil {
		m.called = m.now()
		var c endwell.Chunk
		if c, err = st.Recv(); err == nil {
			m.got = append(m.got, c)
		}
	}
	m.ending, m.done = err, m.now()
	if st != nil {
		m.sticks(st, err)
	}
}

// wait is called when all wait: only a wait between attempts may go on like that.
func (m *gateModel) wait() bool {
	if _, pending := m.clk.Next(); !pending || m.stopped(m.now()) {
		return false
	}
	m.Go("clock", func() { m.clk.Advance(gateWait) })
	return true
}

func (m *gateModel) unblock() {
	m.ctx.Cancel()
	for _, a := range m.made {
		if a.stream != nil {
			a.stream.once.Do(func() { close(a.stream.closed) })
		}
	}
}

// stopped reports whether the caller had stopped the call before an instant.
func (m *gateModel) stopped(before at) bool {
	return m.cancelled.before(before) || m.closed.before(before)
}

// last returns what came last from an attempt, and when.
func (a *gateMade) last() (answer, at) {
	if a.stream == nil || len(a.stream.waits) == 0 {
		return a.got, a.returned
	}
	w := a.stream.waits[len(a.stream.waits)-1]
	return w.got, w.returned
}

// chunks returns what came from an attempt, and whether something was emitted.
func (a *gateMade) chunks() (chunks []endwell.Chunk, emitted bool) {
	if a.stream == nil {
		return nil, false
	}
	for _, w := range a.stream.waits {
		if w.got.err == nil {
			chunks = append(chunks, w.got.chunk)
			emitted = emitted || w.got.chunk.Emission()
		}
	}
	return chunks, emitted
}

func (m *gateModel) judge() {
	for i, a := range m.made {
		if a.stream != nil {
			a.stream.let()
		}
		if i > 0 {
			m.judgeNext(m.made[i-1], a, i)
		}
	}
	m.judgeChunks()
	m.judgeEnding()
	m.judgeLedger()
}

// judgeNext judges whether an attempt was allowed to follow another one.
func (m *gateModel) judgeNext(was, is *gateMade, n int) {
	got, failed := was.last()
	_, emitted := was.chunks()
	switch {
	case got.err != passing:
		m.Errorf("re-sent after %v", got.err)
	case emitted:
		m.Errorf("re-sent after an emission")
	case was.stream != nil && (len(was.stream.closes) != 1 || !was.stream.closes[0].over.before(is.entered)):
		m.Errorf("re-sent before the old stream was closed")
	case m.stopped(failed):
		m.Errorf("re-sent although the caller had stopped before the failure")
	case len(m.clk.firings) < n || is.entered.time < failed.time+gateWait:
		m.Errorf("re-sent without a wait")
	case m.stopped(m.clk.firings[n-1].begun):
		m.Errorf("re-sent although the caller had stopped in the wait")
	}
}

// judgeChunks judges what was delivered: the chunks of the last attempt, all unless the
// caller stopped it, or none when it failed without an emission.
func (m *gateModel) judgeChunks() {
	last := m.made[len(m.made)-1]
	want, emitted := last.chunks()
	if got, _ := last.last(); got.err != io.EOF && !emitted {
		want = nil
	}
	if len(m.got) > len(want) || len(m.got) < len(want) && !m.stopped(m.done) {
		m.Errorf("%d chunks delivered of %d", len(m.got), len(want))
		return
	}
	for i, c := range m.got {
		if !sameChunk(c, want[i]) {
			m.Errorf("chunk %d is another one", i)
		}
	}
}

func (m *gateModel) judgeEnding() {
	last := m.made[len(m.made)-1]
	got, came := last.last()
	_, emitted := last.chunks()
	var e *endwell.Error
	switch {
	case m.ending == context.Canceled:
		if !m.cancelled.before(m.done) {
			m.Errorf("canceled, but not by the caller")
		}
	case got.err != nil && m.cancelled.before(came):
		m.Errorf("%v, although the caller had canceled", m.ending)
	case m.ending == endwell.ErrClosed:
		if !m.closed.before(m.done) {
			m.Errorf("closed, but not by the caller")
		}
	case got.err != nil && m.closed.before(came):
		m.Errorf("%v, although the caller had closed", m.ending)
	case got.err != passing:
		if m.ending != got.err || got.err == errUnread {
			m.Errorf("%v instead of %v", m.ending, got.err)
		}
	case !errors.As(m.ending, &e) || e.Fault != passing.Fault || e.Retryable == emitted:
		m.Errorf("%v instead of the last failure", m.ending)
	case !emitted && (len(m.made) < gateAttempts || !errors.Is(e, retry.StopAttempts)):
		m.Errorf("given up after %d attempts", len(m.made))
	}
}

// judgeLedger judges that each attempt has one entry, which is no failure when the
// caller stopped it.
func (m *gateModel) judgeLedger() {
	if len(m.entries) != len(m.made) {
		m.Errorf("%d entries for %d attempts", len(m.entries), len(m.made))
		return
	}
	for i, e := range m.entries {
		got, came := m.made[i].last()
		switch {
		case e.Attempt != i+1:
			m.Errorf("entry %d is of attempt %d", i+1, e.Attempt)
		case got.err != nil && m.stopped(came), got.err == nil:
			m.mustBe(e, retry.EndingCanceled)
		case e.Ending == retry.EndingCanceled && m.stopped(m.done):
		case got.err == io.EOF:
			m.mustBe(e, retry.EndingWhole)
		default:
			m.mustBe(e, retry.EndingFailed)
		}
	}
}

func (m *gateModel) mustBe(e retry.Entry, want retry.Ending) {
	if e.Ending != want {
		m.Errorf("the ledger says %v of attempt %d, which is %v", e.Ending, e.Attempt, want)
	}
}
