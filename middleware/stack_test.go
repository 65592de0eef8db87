package middleware_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/clock"
	"github.com/endwell-go/endwell/middleware"
)

// plan is what a provider does in one call, and its caller.
type plan struct {
	opens   error
	steps   []planned
	closeAt int  // before which Recv the caller closes the stream
	strict  bool // of SentinelCheck
	allow   bool // reasoning alone
}

// planned is one Recv of the provider: how long it takes, whether the caller's context
// ends meanwhile, and what it returns.
type planned struct {
	wait   time.Duration
	cancel bool
	answer answer
}

// planner is a provider that keeps to a plan, on a clock that it moves itself.
type planner struct {
	plan
	clk    *clock.Fake
	cancel context.CancelFunc
	at     int
	shut   atomic.Bool // by the caller's cancellation too, on a goroutine of its own
}

func (p *planner) Open(context.Context, *endwell.Request) (endwell.Stream, error) {
	if p.opens != nil {
		return nil, p.opens
	}
	return p, nil
}

func (p *planner) Recv() (endwell.Chunk, error) {
	s := p.steps[min(p.at, len(p.steps)-1)]
	p.at++
	p.clk.Advance(s.wait)
	if s.cancel {
		p.cancel()
	}
	if p.shut.Load() {
		return endwell.Chunk{}, errUnread
	}
	return s.answer.chunk, s.answer.err
}

func (p *planner) Close() error { p.shut.Store(true); return nil }

// played is what a caller saw.
type played struct {
	chunks []endwell.Chunk
	end    error
	at     int // how often the provider was asked
	shut   bool
}

// perform plays a plan through a stack.
func perform(t *testing.T, pl plan, stack func(clock.Clock) endwell.Middleware) (o played) {
	clk := new(clock.Fake)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	p := &planner{plan: pl, clk: clk, cancel: cancel}
	s, err := stack(clk)(p).Open(ctx, request)
	if err != nil {
		return played{end: err, at: p.at, shut: p.shut.Load()}
	}
	for i := 0; ; i++ {
		if i == pl.closeAt {
			_ = s.Close()
		}
		c, err := s.Recv()
		if err != nil {
			o.end = err
			_ = s.Close()
			o.at, o.shut = p.at, p.shut.Load()
			return o
		}
		o.chunks = append(o.chunks, c)
		require.Less(t, i, 10_000)
	}
}

func randomPlan(rng *rand.Rand) plan {
	chunks := []endwell.Chunk{
		role, ping, partial, hello, hello, hello, thought, refusal, picture, mayEnd, stop, usage, sentinel, unstated,
		finish(endwell.FinishLength, "length"), finish(endwell.FinishFilter, "content_filter"), finish(endwell.FinishFault, "error"),
		finish(endwell.FinishUnknown, ""), call(0, 0, `{"a":`), call(0, 0, `1}`), call(0, 1, `{}`), call(1, 0, `{`),
		{Kind: endwell.KindText, Text: "more", End: endwell.Open, Index: 1},
		{Kind: endwell.KindText, Elided: true, End: endwell.Open},
		{Kind: endwell.KindKeepAlive, End: endwell.Settled},
		{Kind: endwell.KindText, Finish: endwell.FinishFault, Text: "x"},
		{Kind: endwell.KindFinish, Finish: endwell.FinishStop},
		{Kind: endwell.KindMeta, End: endwell.MayEnd},
	}
	endings := []error{
		io.EOF, io.EOF, io.EOF, errReset, io.ErrUnexpectedEOF, stubborn, passing, inBand, outOfBand, endwell.ErrClosed,
		context.Canceled, context.DeadlineExceeded, errors.New("a bug"), fmt.Errorf("above: %w", passing),
		&endwell.Evidence{InBand: true, Kind: endwell.Cut}, &endwell.Evidence{InBand: true, Kind: endwell.Unparseable, Frame: 2},
		&endwell.Evidence{InBand: true, Kind: endwell.Spliced}, &endwell.Evidence{InBand: true, Kind: endwell.BadOutput, Finish: "x"},
	}
	waits := []time.Duration{0, 0, 0, time.Millisecond, time.Second, time.Second - 1, 2 * time.Second, 3 * time.Second, 4*time.Second + 1}
	pl := plan{closeAt: -1, strict: rng.IntN(4) == 0, allow: rng.IntN(4) == 0}
	if rng.IntN(20) == 0 {
		pl.opens = endings[rng.IntN(len(endings))]
		return pl
	}
	if rng.IntN(8) == 0 {
		pl.closeAt = rng.IntN(6)
	}
	for range rng.IntN(9) {
		pl.steps = append(pl.steps, planned{wait: waits[rng.IntN(len(waits))], cancel: rng.IntN(40) == 0, answer: say(chunks[rng.IntN(len(chunks))])})
	}
	pl.steps = append(pl.steps, planned{wait: waits[rng.IntN(len(waits))], answer: end(endings[rng.IntN(len(endings))])})
	return pl
}

// Standard gives what the chain of its decorators gives, whatever happens below it and
// above.
func TestStandardIsTheChain(t *testing.T) {
	bounds := middleware.Bounds{First: 4 * time.Second, Idle: 2 * time.Second, Progress: 3 * time.Second, Linger: time.Second}
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range 60_000 {
		pl := randomPlan(rng)
		sentinels, empties := middleware.SentinelConfig{Strict: pl.strict}, middleware.EmptyConfig{AllowReasoning: pl.allow}
		one := perform(t, pl, func(clk clock.Clock) endwell.Middleware {
			return middleware.Standard(middleware.Config{Stall: middleware.StallConfig{Bounds: bounds}, Sentinel: sentinels, Empty: empties, Clock: clk})
		})
		chain := perform(t, pl, func(clk clock.Clock) endwell.Middleware {
			return endwell.Chain(
				middleware.Classifier(middleware.ClassifierConfig{Clock: clk}), middleware.EmptyGate(empties), middleware.ToolCallGuard(),
				middleware.SentinelCheck(sentinels), middleware.StallGuard(middleware.StallConfig{Bounds: bounds, Clock: clk}), middleware.PayloadGuard(),
			)
		})
		require.Equal(t, chain.chunks, one.chunks, "plan %d: %+v", i, pl)
		require.Equal(t, fmt.Sprintf("%#v", chain.end), fmt.Sprintf("%#v", one.end), "plan %d: %+v", i, pl)
		require.Equal(t, chain.end, one.end, "plan %d: %+v", i, pl)
		require.Equal(t, chain.at, one.at, "plan %d: %+v", i, pl)
		require.Equal(t, chain.shut, one.shut, "plan %d: %+v", i, pl)
	}
}

// Output of another choice is not more of the same: a provider that states no End may
// only end when each choice that has begun has a finish word.
func TestStandardTellsChoicesApart(t *testing.T) {
	text := func(index int) endwell.Chunk {
		return endwell.Chunk{Kind: endwell.KindText, Text: "x", Index: index}
	}
	finish := endwell.Chunk{Kind: endwell.KindFinish, Finish: endwell.FinishStop, Detail: "stop"}
	for _, row := range []struct {
		name   string
		second int
		whole  bool
	}{{"the same choice", 0, true}, {"another one, which stays open", 1, false}} {
		t.Run(row.name, func(t *testing.T) {
			p := &provider{steps: in(text(0), text(0), text(row.second), finish, io.EOF)}
			st, err := middleware.Standard(middleware.Config{Clock: new(clock.Fake)})(p).Open(t.Context(), request)
			require.NoError(t, err)
			for err == nil {
				_, err = st.Recv()
			}
			require.Equal(t, row.whole, err == io.EOF, "%v", err)
			if !row.whole {
				require.ErrorIs(t, err, endwell.Truncated)
			}
			require.NoError(t, st.Close())
		})
	}
}
