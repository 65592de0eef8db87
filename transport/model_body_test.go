package transport_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/clock"
	"github.com/endwell-go/endwell/internal/interleave"
	"github.com/endwell-go/endwell/middleware"
	"github.com/endwell-go/endwell/retry"
	"github.com/endwell-go/endwell/transport"
)

// The model lets data, the timers, the caller's cancellation and Close meet in every
// order, below and above the body that Wrap hands over and the stream of New. An oracle
// that is written from the contract says what may come out.

// modelIdle is the stall bound and modelHold the hold of the models.
const (
	modelIdle = 4
	modelHold = 6
)

// modelPart is what one Read of a body brings; it waits when it has neither.
type modelPart struct {
	text string
	err  error
}

func modelTexts(parts ...string) (list []modelPart) {
	for _, s := range parts {
		list = append(list, modelPart{text: s})
	}
	return list
}

type modelScript struct {
	name     string
	bodies   [][]modelPart
	advances []time.Duration
	gate     bool
}

var modelPreamble = ": hi\n\n"

var modelScripts = []modelScript{
	{"whole", [][]modelPart{append(modelTexts(hel, stop+done), modelPart{err: io.EOF})}, []time.Duration{modelIdle}, false},
	{"whole, and no end of the body", [][]modelPart{append(modelTexts(hel, stop+done), modelPart{})}, []time.Duration{modelIdle}, false},
	{"cut", [][]modelPart{append(modelTexts(hel), modelPart{err: io.EOF})}, []time.Duration{modelIdle}, false},
	{"reset", [][]modelPart{append(modelTexts(hel), modelPart{err: errModelBroken})}, []time.Duration{modelIdle}, false},
	{"silence", [][]modelPart{append(modelTexts(hel), modelPart{})}, []time.Duration{modelIdle - 1, 1}, false},
	{"held, whole", [][]modelPart{append(modelTexts(modelPreamble, hel, stop+done), modelPart{err: io.EOF})}, []time.Duration{modelHold}, true},
	{"held, reset in the preamble", [][]modelPart{
		append(modelTexts(modelPreamble), modelPart{err: errModelBroken}), append(modelTexts(hel, stop+done), modelPart{err: io.EOF}),
	}, []time.Duration{modelHold}, true},
	{"held, silence in the preamble", [][]modelPart{
		append(modelTexts(modelPreamble), modelPart{}), append(modelTexts(hel), modelPart{}),
	}, []time.Duration{modelIdle, modelHold - modelIdle}, true},
}

var errModelBroken = errors.New("connection broken")

// instant is a place in the order of events, 0 for never, and what the clock said.
type modelInstant struct {
	step int
	time time.Duration
}

func (a modelInstant) before(b modelInstant) bool { return a.step != 0 && a.step < b.step }

// wire is one run.
type modelRun struct {
	*interleave.Run
	from    modelScript
	coarse  bool
	clk     modelClock
	ctx     *interleave.Context
	bodies  []*modelBody
	idles   int
	through bool

	cancelled, closed modelInstant
	got               string
	called, done      modelInstant // the call that brought the ending
	ending            error
}

func (w *modelRun) now() modelInstant {
	return modelInstant{w.Step(), w.clk.Fake.Now().Sub(clock.Epoch)}
}

func (w *modelRun) fine(point string) {
	if !w.coarse {
		w.Yield(point)
	}
}

// modelClock runs callbacks on goroutines of their own, as System does.
type modelClock struct {
	clock.Fake
	w       *modelRun
	firings [][2]modelInstant // of a guard's timer
}

func (c *modelClock) AfterFunc(d time.Duration, f func()) clock.Timer {
	return c.Fake.AfterFunc(d, func() {
		go func() {
			c.w.Yield(fmt.Sprintf("timer of %d", d))
			begun := c.w.now()
			f()
			if d != modelHold {
				c.firings = append(c.firings, [2]modelInstant{begun, c.w.now()})
			}
		}()
	})
}

// modelBody is a response's body. It heeds the request's context and Close.
type modelBody struct {
	w      *modelRun
	ctx    context.Context
	parts  []modelPart
	reads  []modelRead
	closes int
	shut   modelInstant // the first Close
	once   sync.Once
	closed chan struct{}
}

type modelRead struct {
	entered, returned modelInstant
	part              modelPart
	own               bool // the body was closed or the request was ended
}

func (b *modelBody) Read(p []byte) (int, error) {
	r := modelRead{entered: b.w.now()}
	b.w.Yield("Read")
	if len(b.parts) > 0 {
		r.part = b.parts[0]
	}
	if err := b.stopped(r.part == modelPart{}); err != nil {
		r.part, r.own = modelPart{err: err}, true
	} else if b.parts[0].err == nil {
		b.parts = b.parts[1:]
	}
	b.w.fine("Read returns")
	r.returned = b.w.now()
	b.reads = append(b.reads, r)
	return copy(p, r.part.text), r.part.err
}

func (b *modelBody) stopped(hangs bool) error {
	if hangs {
		select {
		case <-b.closed:
		case <-b.ctx.Done():
		}
		b.w.Yield("Read wakes up")
	}
	select {
	case <-b.closed:
		return http.ErrBodyReadAfterClose
	default:
		return b.ctx.Err()
	}
}

func (b *modelBody) Close() error {
	b.w.fine("body is closed")
	if b.shut.step == 0 {
		b.shut = b.w.now()
	}
	b.once.Do(func() { close(b.closed) })
	b.closes++
	b.w.fine("body has been closed")
	return errModelBroken
}

// said is what came of a body, and its last Read.
func (b *modelBody) said() (s string, last modelRead) {
	for _, r := range b.reads {
		s += r.part.text
		last = r
	}
	return s, last
}

// RoundTrip is the base's.
func (w *modelRun) RoundTrip(r *http.Request) (*http.Response, error) {
	// A guard's timer ends the request a moment before it closes the body, and whoever
	// was woken by that does not wait for the Close.
	if n := len(w.bodies); n > 0 && w.bodies[n-1].shut.step == 0 && w.bodies[n-1].ctx.Err() == nil {
		w.Errorf("re-sent while the old request was on")
	}
	w.Yield("RoundTrip")
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	if len(w.bodies) == len(w.from.bodies) {
		w.Errorf("sent once more")
		return nil, errModelBroken
	}
	b := &modelBody{w: w, ctx: r.Context(), parts: w.from.bodies[len(w.bodies)], closed: make(chan struct{})}
	w.bodies = append(w.bodies, b)
	w.fine("RoundTrip returns")
	resp := respond(b)
	resp.Request = r
	return resp, nil
}

// modelReader is what a subject hands over.
type modelReader interface {
	read() (string, error)
	Close() error
}

type modelBodyReader struct{ io.ReadCloser }

func (b modelBodyReader) read() (string, error) {
	var buf [48]byte // less than a frame
	n, err := b.Read(buf[:])
	return string(buf[:n]), err
}

type modelStreamReader struct{ endwell.Stream }

func (s modelStreamReader) read() (string, error) {
	c, err := s.Recv()
	return string(c.Raw), err
}

// wrapped asks as an SDK does.
func (w *modelRun) wrapped() (modelReader, error) {
	cfg := transport.WrapConfig{Chain: w.chain(), Dialect: openai, Clock: &w.clk, Hold: -1}
	if w.from.gate {
		cfg.Hold = modelHold
		cfg.Retry.Policy = retry.Always(&retry.Policy{MaxAttempts: len(w.from.bodies), NewBackOff: atOnce})
	}
	req, err := http.NewRequestWithContext(w.ctx, http.MethodPost, "http://host.invalid/", strings.NewReader(asking))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := transport.Wrap(w, cfg).RoundTrip(req)
	if err != nil {
		return nil, err
	}
	return modelBodyReader{resp.Body}, nil
}

// opened asks through New.
func (w *modelRun) opened() (modelReader, error) {
	next := transport.New(transport.Config{URL: "http://host.invalid/", Dialect: openai, Client: &http.Client{Transport: w}})
	st, err := w.chain()(next).Open(w.ctx, &endwell.Request{Payload: asking})
	if err != nil {
		return nil, err
	}
	return modelStreamReader{st}, nil
}

func (w *modelRun) chain() endwell.Middleware {
	return middleware.Standard(middleware.Config{
		Clock: &w.clk, Stall: middleware.StallConfig{Bounds: middleware.Bounds{Idle: modelIdle, First: 1000, Progress: 1000}},
	})
}

func TestModelWrap(t *testing.T) { testModel(t, modelScripts, (*modelRun).wrapped) }
func TestModelNew(t *testing.T)  { testModel(t, modelScripts[:5], (*modelRun).opened) }

func testModel(t *testing.T, scripts []modelScript, ask func(*modelRun) (modelReader, error)) {
	var mu sync.Mutex
	total, endings := 0, map[string]int{}
	t.Run("of", func(t *testing.T) {
		for _, s := range scripts {
			t.Run(s.name, func(t *testing.T) {
				t.Parallel()
				runs, seen := exploreModel(t, s, ask)
				mu.Lock()
				defer mu.Unlock()
				total += runs
				for ending := range seen {
					endings[ending] += seen[ending]
				}
			})
		}
	})
	t.Logf("%d interleavings: %v", total, endings)
	for _, ending := range []string{
		"EOF", "context canceled", "endwell: stream closed by the caller", "stalled timeout", "truncated malformed_response", "broken network",
	} {
		require.NotZero(t, endings[ending], "%s never came", ending)
	}
}

func exploreModel(t *testing.T, s modelScript, ask func(*modelRun) (modelReader, error)) (total int, endings map[string]int) {
	endings = map[string]int{}
	for _, coarse := range []bool{true, false} {
		for _, cancels := range []bool{false, true} {
			for _, closes := range []bool{false, true} {
				space := interleave.Space{Preemptions: -1, Delays: 3}
				if cancels || closes {
					space.Delays = 2
				}
				if coarse {
					space.Delays += 1
				}
				runs, err := space.Explore(t, func(r *interleave.Run) {
					w := &modelRun{Run: r, from: s, coarse: coarse}
					w.start(ask, cancels, closes)
					r.OnEnd(func() {
						w.judge()
						endings[verdict(w.ending)]++
					})
				})
				total += runs
				require.NoError(t, err)
			}
		}
	}
	return total, endings
}

func (w *modelRun) start(ask func(*modelRun) (modelReader, error), cancels, closes bool) {
	w.clk.w, w.ctx = w, interleave.NewContext(w.Run)
	w.ctx.Quiet, w.ctx.Prompt = true, w.coarse
	w.OnIdle(w.idle)
	w.OnHang(w.unblock)
	w.Go("reader", func() {
		w.read(ask, closes)
		w.through = true
	})
	w.Go("clock", func() {
		for i, d := range w.from.advances {
			if i > 0 {
				w.Yield("advance")
			}
			w.clk.Advance(d)
		}
	})
	if cancels {
		w.Go("cancel", func() {
			w.cancelled = w.now()
			w.ctx.Cancel()
		})
	}
}

func (w *modelRun) read(ask func(*modelRun) (modelReader, error), closes bool) {
	w.called = w.now()
	r, err := ask(w)
	if err == nil && closes {
		w.Go("closer", func() { w.close(r) })
	}
	for err == nil {
		w.fine("next")
		w.called = w.now()
		var s string
		s, err = r.read()
		w.got += s
		if s != "" && (err != nil || w.closed.before(w.called)) {
			w.Errorf("bytes with %v or after Close", err)
		}
	}
	w.ending, w.done = err, w.now()
	if r == nil {
		return
	}
	w.Yield("after the end")
	w.sticks(r)
	w.close(r)
	w.sticks(r)
}

func (w *modelRun) sticks(r modelReader) {
	if s, err := r.read(); s != "" || err != w.ending {
		w.Errorf("not sticky: %v, then %v", w.ending, err)
	}
}

func (w *modelRun) close(r modelReader) {
	if w.closed.step == 0 {
		w.closed = w.now()
	}
	_ = r.Close()
	if err := r.Close(); err != nil {
		w.Errorf("a second Close says %v", err)
	}
}

// idle lets time pass: that of the bubble, which bounds what is read behind an answer,
// and then that of the stall guard.
func (w *modelRun) idle() bool {
	w.idles++
	_, pending := w.clk.Next()
	switch {
	case w.idles == 1:
		<-time.After(time.Second)
	case w.idles < 5 && pending && w.cancelled.step == 0 && w.closed.step == 0:
		w.Go("clock goes on", func() { w.clk.Advance(modelIdle) })
	default:
		return false
	}
	return true
}

func (w *modelRun) unblock() {
	w.ctx.Cancel()
	for _, b := range w.bodies {
		b.once.Do(func() { close(b.closed) })
	}
}

// judge holds a run against the contract.
func (w *modelRun) judge() {
	if n := w.clk.Pending(); n != 0 || !w.through {
		w.Errorf("%d timers are left, the reader is through: %t", n, w.through)
	}
	for i, b := range w.bodies {
		if b.closes == 0 || b.ctx.Err() == nil {
			w.Errorf("body %d was closed %d times, its request has ended with %v", i+1, b.closes, b.ctx.Err())
		}
	}
	if len(w.bodies) == 0 {
		w.byCaller(modelInstant{})
		return
	}
	w.judgeEnding(w.bodies[len(w.bodies)-1])
}

// byCaller reports whether the ending is the caller's, and whether he may have it. Once
// he has stopped before an modelInstant no other one is right.
func (w *modelRun) byCaller(came modelInstant) bool {
	switch {
	case w.ending == context.Canceled || errors.Is(w.ending, context.Canceled):
		if !w.cancelled.before(w.done) {
			w.Errorf("canceled, but not by the caller")
		}
		return true
	case w.ending == endwell.ErrClosed:
		if !w.closed.before(w.done) {
			w.Errorf("closed, but not by the caller")
		}
		return true
	case w.cancelled.before(came) || w.closed.before(came):
		w.Errorf("%v, although the caller had stopped", w.ending)
	}
	return false
}

func (w *modelRun) judgeEnding(b *modelBody) {
	said, last := b.said()
	if !strings.HasPrefix(said, w.got) {
		w.Errorf("%q was delivered of %q", w.got, said)
	}
	whole := strings.Contains(said, done)
	came := last.returned
	if whole || last.part.err == nil {
		came = modelInstant{}
	}
	if w.byCaller(came) {
		return
	}
	may, must := w.stalls(b)
	stalled := errors.Is(w.ending, endwell.Stalled)
	switch {
	case stalled && !may, !stalled && must:
		w.Errorf("%v; it may be stalled: %t, it must: %t", w.ending, may, must)
	case stalled:
	case whole:
		if w.ending != io.EOF || w.got != said {
			w.Errorf("%v after %q, although it is whole", w.ending, w.got)
		}
	case last.own:
		w.Errorf("%v is our own close", w.ending)
	case w.got != said && strings.Contains(said, hel):
		w.Errorf("%q was delivered of %q", w.got, said)
	case last.part.err == io.EOF && !errors.Is(w.ending, endwell.Truncated),
		last.part.err == errModelBroken && !errors.Is(w.ending, endwell.Broken):
		w.Errorf("%v instead of what came: %v", w.ending, last.part.err)
	}
}

// stalls reports whether a wait for the last body may have expired, and whether it
// must have: a callback was through before the bytes came. What is read behind the
// sentinel counts for neither.
func (w *modelRun) stalls(b *modelBody) (may, must bool) {
	for i, r := range b.reads {
		if i > 0 && strings.Contains(b.reads[i-1].part.text, done) {
			break
		}
		may = may || i > 0 && w.done.time-r.entered.time >= modelIdle
		for _, f := range w.clk.firings {
			must = must || i > 0 && r.entered.before(f[0]) && f[1].before(r.returned) && f[0].time-r.entered.time >= modelIdle
		}
	}
	return may, must
}
