package middleware_test

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cenkalti/backoff/v4"
	"github.com/stretchr/testify/require"
	"go.uber.org/mock/gomock"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/clock"
	"github.com/endwell-go/endwell/middleware"
	"github.com/endwell-go/endwell/mocks"
	"github.com/endwell-go/endwell/retry"
)

// attempt is what one Open of a mock does: it refuses, or opens a stream of answers.
type attempt struct {
	refuse  error
	answers []answer
}

func refuse(err error) attempt         { return attempt{refuse: err} }
func stream(answers ...answer) attempt { return attempt{answers: answers} }
func every(d time.Duration) backoffMaker {
	return func() backoff.BackOff { return backoff.NewConstantBackOff(d) }
}

func hint(d time.Duration) *endwell.Error { e := passing.WithCause(nil); e.RetryAfter = d; return e }

type backoffMaker = func() backoff.BackOff

// inOrder is a Next on which exactly these attempts must be made, each stream
// closed, though its Close fails, before the next Open.
func inOrder(t *testing.T, attempts ...attempt) endwell.Next {
	ctrl := gomock.NewController(t)
	next := mocks.NewMockNext(ctrl)
	var calls []any
	for _, a := range attempts {
		if a.refuse != nil {
			calls = append(calls, next.EXPECT().Open(gomock.Any(), request).Return(nil, a.refuse).Call)
			continue
		}
		st := mocks.NewMockStream(ctrl)
		calls = append(calls, next.EXPECT().Open(gomock.Any(), request).Return(st, nil).Call)
		for _, ans := range a.answers {
			calls = append(calls, st.EXPECT().Recv().Return(ans.chunk, ans.err).Call)
		}
		calls = append(calls, st.EXPECT().Close().Return(errReset).Call)
	}
	gomock.InOrder(calls...)
	return next
}

// drive lets a Fake fire timer after timer, as the bubble does for System, until
// the test ends it.
func (b bench) drive(ctx context.Context) {
	if b.fake == nil {
		return
	}
	go func() {
		for b.fake.BlockUntil(ctx, 1) == nil {
			if due, ok := b.fake.Next(); ok {
				b.fake.AdvanceTo(due)
			}
		}
	}()
}

func gate(p *retry.Policy, clk clock.Clock) endwell.Middleware {
	return middleware.RetryGate(middleware.RetryConfig{Policy: retry.Always(p), Clock: clk})
}

func repeat(a answer, n int) (all []answer) {
	for range n {
		all = append(all, a)
	}
	return all
}

func TestRetryGate(t *testing.T) {
	failing := stream(say(role), say(ping), end(passing))
	wrapped := fmt.Errorf("wrapped: %w", stubborn)
	late := passing.WithCause(nil)
	late.Retryable = false
	held64 := repeat(say(unstated), 64)
	no := func(*endwell.Error) bool { return false }
	broke := purse(0)
	F, W, C := retry.EndingFailed, retry.EndingWhole, retry.EndingCanceled
	for _, row := range []struct {
		fault    string
		policy   retry.Policy // MaxAttempts 0 means 3 here
		attempts []attempt
		chunks   []answer // of which the stream consists
		same     error    // the very ending; nil to check is
		is       []error
		waited   time.Duration
		ledger   []retry.Ending
	}{
		{fault: "refused, then whole", attempts: []attempt{refuse(passing), stream(then(whole, end(io.EOF))...)}, chunks: whole, same: io.EOF, waited: s, ledger: []retry.Ending{F, W}},
		{fault: "broken before an emission, then whole", attempts: []attempt{failing, stream(then(whole, end(io.EOF))...)}, chunks: whole, same: io.EOF, waited: s, ledger: []retry.Ending{F, W}},
		{fault: "nothing came at all, then whole", attempts: []attempt{stream(end(passing)), stream(say(hello), end(io.EOF))}, chunks: []answer{say(hello)}, same: io.EOF, waited: s, ledger: []retry.Ending{F, W}},
		{fault: "broken and refused, then whole", attempts: []attempt{failing, refuse(passing), stream(say(hello), end(io.EOF))}, chunks: []answer{say(hello)}, same: io.EOF, waited: 2 * s, ledger: []retry.Ending{F, F, W}},
		{fault: "broken to the end", attempts: []attempt{failing, failing, failing}, is: []error{retry.StopAttempts, endwell.Broken, endwell.Network}, waited: 2 * s, ledger: []retry.Ending{F, F, F}},
		{fault: "broken, then refused to the end", attempts: []attempt{failing, refuse(passing), refuse(passing)}, is: []error{retry.StopAttempts, endwell.Broken}, waited: 2 * s, ledger: []retry.Ending{F, F, F}},
		{fault: "broken, then something that is not retried", attempts: []attempt{failing, stream(say(role), end(stubborn))}, same: stubborn, waited: s, ledger: []retry.Ending{F, F}},
		{fault: "broken, then a refusal that is not retried", attempts: []attempt{failing, refuse(wrapped)}, same: wrapped, waited: s, ledger: []retry.Ending{F, F}},
		{fault: "not retryable", attempts: []attempt{stream(say(role), end(stubborn))}, same: stubborn, ledger: []retry.Ending{F}},
		{fault: "not retryable, wrapped", attempts: []attempt{stream(say(role), end(wrapped))}, same: wrapped, ledger: []retry.Ending{F}},
		{fault: "not classified", attempts: []attempt{stream(say(role), end(errReset))}, same: errReset, ledger: []retry.Ending{F}},
		{fault: "transient but not retryable", attempts: []attempt{stream(end(late))}, same: late, ledger: []retry.Ending{F}},
		{fault: "after the first emission", attempts: []attempt{stream(say(role), say(hello), end(late))}, chunks: []answer{say(role), say(hello)}, same: late, ledger: []retry.Ending{F}},
		{fault: "after the first emission, and the fault says retryable", attempts: []attempt{stream(say(role), say(hello), end(passing))}, chunks: []answer{say(role), say(hello)}, is: []error{endwell.Broken}, ledger: []retry.Ending{F}},
		{fault: "after reasoning", attempts: []attempt{stream(say(thought), end(passing))}, chunks: []answer{say(thought)}, is: []error{endwell.Broken}, ledger: []retry.Ending{F}},
		{fault: "not classified after the first emission", attempts: []attempt{stream(say(hello), end(errReset))}, chunks: []answer{say(hello)}, same: errReset, ledger: []retry.Ending{F}},
		{fault: "whole without an emission", attempts: []attempt{stream(say(role), say(usage), end(io.EOF))}, chunks: []answer{say(role), say(usage)}, same: io.EOF, ledger: []retry.Ending{W}},
		{fault: "closed below", attempts: []attempt{stream(say(role), end(endwell.ErrClosed))}, same: endwell.ErrClosed, ledger: []retry.Ending{C}},
		{fault: "closed below after the first emission", attempts: []attempt{stream(say(hello), end(endwell.ErrClosed))}, chunks: []answer{say(hello)}, same: endwell.ErrClosed, ledger: []retry.Ending{C}},
		{fault: "64 chunks are held", attempts: []attempt{stream(then(held64, end(passing))...), stream(say(hello), end(io.EOF))}, chunks: []answer{say(hello)}, same: io.EOF, waited: s, ledger: []retry.Ending{F, W}},
		{fault: "65 chunks commit", attempts: []attempt{stream(then(held64, say(role), end(passing))...)}, chunks: then(held64, say(role)), is: []error{endwell.Broken}, ledger: []retry.Ending{F}},
		{fault: "keep-alives are held as one", attempts: []attempt{stream(append(repeat(say(ping), 500), end(passing))...), stream(say(hello), end(io.EOF))}, chunks: []answer{say(hello)}, same: io.EOF, waited: s, ledger: []retry.Ending{F, W}},
		{fault: "Retry-After is a floor", attempts: []attempt{refuse(hint(7 * s)), stream(say(hello), end(io.EOF))}, chunks: []answer{say(hello)}, same: io.EOF, waited: 7 * s, ledger: []retry.Ending{F, W}},
		{fault: "Retry-After is less than the schedule", attempts: []attempt{refuse(hint(1)), stream(say(hello), end(io.EOF))}, chunks: []answer{say(hello)}, same: io.EOF, waited: s, ledger: []retry.Ending{F, W}},
		{fault: "Retry-After does not fit", attempts: []attempt{stream(end(hint(h)))}, is: []error{retry.StopWait, endwell.Broken}, ledger: []retry.Ending{F}},
		{fault: "no wait at all", policy: retry.Policy{NewBackOff: every(0)}, attempts: []attempt{failing, stream(say(hello), end(io.EOF))}, chunks: []answer{say(hello)}, same: io.EOF, ledger: []retry.Ending{F, W}},
		{fault: "the schedule ends", policy: retry.Policy{NewBackOff: every(backoff.Stop)}, attempts: []attempt{failing}, is: []error{retry.StopBackOff, endwell.Network}, ledger: []retry.Ending{F}},
		{fault: "the predicate says no", policy: retry.Policy{Retry: no}, attempts: []attempt{failing}, is: []error{retry.StopPredicate, endwell.Broken}, ledger: []retry.Ending{F}},
		{fault: "the budget is spent", policy: retry.Policy{Budget: &broke}, attempts: []attempt{failing}, is: []error{retry.StopBudget, endwell.Broken}, ledger: []retry.Ending{F}},
		{fault: "one attempt and a ledger", policy: retry.Policy{MaxAttempts: 1}, attempts: []attempt{failing}, same: passing, ledger: []retry.Ending{F}},
	} {
		t.Run(row.fault, func(t *testing.T) {
			onBoth(t, func(t *testing.T, b bench) {
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				b.drive(ctx)
				ring, began := retry.NewRing(9), b.Now()
				p := row.policy
				p.Ledger = ring
				if p.MaxAttempts == 0 {
					p.MaxAttempts = 3
				}
				if p.NewBackOff == nil {
					p.NewBackOff = every(s)
				}
				got, ending := collect(t, gate(&p, b.Clock)(inOrder(t, row.attempts...)))
				require.Equal(t, chunksOf(row.chunks), got)
				if row.same != nil {
					require.True(t, ending == row.same, "%v is not %v", ending, row.same)
				}
				for _, target := range row.is {
					require.ErrorIs(t, ending, target)
					require.Equal(t, len(row.chunks) == 0, requireError(t, ending).Retryable)
				}
				require.Equal(t, row.waited, b.Now().Sub(began))
				var endings []retry.Ending
				for _, e := range ring.Snapshot() {
					endings = append(endings, e.Ending)
				}
				require.Equal(t, row.ledger, endings)
			})
		})
	}
}

// collect drains what next opens; an error of Open is an ending like any other.
func collect(t *testing.T, next endwell.Next) ([]endwell.Chunk, error) {
	st, err := next.Open(t.Context(), request)
	if err != nil {
		require.Nil(t, st)
		return nil, err
	}
	return drain(t, st)
}

type purse int

func (p *purse) Take(string, time.Time) bool { *p--; return *p >= 0 }

// Without a policy the gate is not there: one Open, and the very stream.
func TestRetryGateWithoutPolicy(t *testing.T) {
	for name, policy := range map[string]func(*endwell.Request) *retry.Policy{
		"no function":  nil,
		"nil policy":   retry.Always(nil),
		"zero policy":  retry.Always(&retry.Policy{}),
		"one attempt":  retry.Always(&retry.Policy{MaxAttempts: 1}),
		"other agents": retry.ByAgent(map[string]*retry.Policy{"reader": retry.Default()}, nil),
	} {
		t.Run(name, func(t *testing.T) {
			ctrl := gomock.NewController(t)
			next, st := mocks.NewMockNext(ctrl), mocks.NewMockStream(ctrl)
			next.EXPECT().Open(t.Context(), request).Return(st, nil)
			next.EXPECT().Open(t.Context(), request).Return(nil, passing)
			mw := middleware.RetryGate(middleware.RetryConfig{Policy: policy})
			got, err := mw(next).Open(t.Context(), request)
			require.NoError(t, err)
			require.True(t, got == endwell.Stream(st))
			_, err = mw(next).Open(t.Context(), request)
			require.True(t, err == error(passing))
		})
	}
}

// Hold commits when it says no: what was held back is flushed, and nothing is sent again.
func TestRetryGateHold(t *testing.T) {
	failing := stream(say(role), say(ping), say(role), end(passing))
	for _, row := range []struct {
		name   string
		until  int // chunks that are held back
		chunks int
		sent   []attempt
	}{
		{"over with the second chunk", 1, 3, []attempt{failing}},
		{"over with the last chunk", 2, 3, []attempt{failing}},
		{"never over", 99, 0, []attempt{failing, failing}},
	} {
		t.Run(row.name, func(t *testing.T) {
			asked := 0
			mw := middleware.RetryGate(middleware.RetryConfig{
				Policy: retry.Always(&retry.Policy{MaxAttempts: 2, NewBackOff: every(0)}),
				Hold: func(req *endwell.Request) bool {
					require.True(t, req == request)
					asked++
					return asked <= row.until
				},
			})
			got, err := collect(t, mw(inOrder(t, row.sent...)))
			require.Len(t, got, row.chunks)
			require.Equal(t, row.chunks == 0, requireError(t, err).Retryable)
			require.ErrorIs(t, err, endwell.Broken)
		})
	}
}

func TestRetryGateLetsThrough(t *testing.T) {
	mw := func() endwell.Middleware { return gate(retry.Default(), nil) }
	letsThrough(t, mw, errReset, stubborn, inBand, outOfBand, endwell.ErrClosed, context.DeadlineExceeded)
	obeysLink(t, mw)
}

// Raw is valid until the next Recv only: what is held is a copy, and comes in order.
func TestRetryGateKeepsRawIntact(t *testing.T) {
	buf := make([]byte, 4)
	n := 0
	st := endwell.FromSeq(func(yield func(endwell.Chunk, error) bool) {
		for _, k := range []endwell.Kind{endwell.KindMeta, endwell.KindKeepAlive, endwell.KindKeepAlive, endwell.KindMeta, endwell.KindText, endwell.KindText} {
			n++
			copy(buf, fmt.Sprintf("<%02d>", n))
			if !yield(endwell.Chunk{Kind: k, Raw: buf, Index: n}, nil) {
				return
			}
		}
	})
	next := endwell.NextFunc(func(context.Context, *endwell.Request) (endwell.Stream, error) { return st, nil })
	s, err := gate(retry.Default(), nil)(next).Open(t.Context(), request)
	require.NoError(t, err)
	var body string
	var order []int
	for c, err := range endwell.All(s) {
		require.NoError(t, err)
		body += string(c.Raw)
		order = append(order, c.Index)
	}
	require.Equal(t, "<01><02><03><04><05><06>", body)
	require.Equal(t, []int{1, 2, 4, 5, 6}, order)
}

func TestRetryGateStops(t *testing.T) {
	failing := step{err: passing}
	slow := &retry.Policy{MaxAttempts: 3, MaxWait: -1, NewBackOff: every(h)}
	quick := &retry.Policy{MaxAttempts: 3, NewBackOff: every(0)}
	for _, row := range []struct {
		fault  string
		policy *retry.Policy
		again  step // what the later Open does
		recv   []step
		opens  int32
		ledger []retry.Ending
	}{
		{"in the wait", slow, step{}, in(role, failing), 1, []retry.Ending{retry.EndingFailed}},
		{"in a later Open", quick, step{hang: true}, in(role, failing), 2, []retry.Ending{retry.EndingFailed, retry.EndingCanceled}},
		{"in Recv of the preamble", quick, step{}, in(role, step{hang: true}), 1, []retry.Ending{retry.EndingCanceled}},
		{"in a later Recv of the preamble", quick, step{}, in(role, failing, role, step{hang: true}), 2, []retry.Ending{retry.EndingFailed, retry.EndingCanceled}},
		{"after the first emission", quick, step{}, in(role, hello, step{hang: true}), 1, []retry.Ending{retry.EndingCanceled}},
	} {
		for _, how := range []string{"canceled", "closed", "canceled, then closed"} {
			t.Run(how+" "+row.fault, func(t *testing.T) {
				onBoth(t, func(t *testing.T, b bench) {
					ctx, cancel := context.WithCancel(t.Context())
					defer cancel()
					p := &provider{advance: b.advance, steps: row.recv}
					next := endwell.NextFunc(func(ctx context.Context, req *endwell.Request) (endwell.Stream, error) {
						if p.opens.Load() > 0 {
							p.open = row.again
						}
						return p.Open(ctx, req)
					})
					policy, ring := *row.policy, retry.NewRing(9)
					policy.Ledger = ring
					began := b.Now()
					st, err := gate(&policy, b.Clock)(next).Open(ctx, request)
					require.NoError(t, err)
					var wg sync.WaitGroup
					want := context.Canceled
					if how == "closed" {
						want = endwell.ErrClosed
					}
					wg.Go(func() {
						_, ending := drain(t, st)
						require.True(t, ending == want, ending)
					})
					synctest.Wait()
					if how != "closed" {
						cancel()
					}
					if how != "canceled" {
						_ = st.Close()
					}
					wg.Wait()
					require.Zero(t, b.Now().Sub(began), "the caller had to wait")
					require.Equal(t, row.opens, p.opens.Load())
					var endings []retry.Ending
					for _, e := range ring.Snapshot() {
						endings = append(endings, e.Ending)
					}
					require.Equal(t, row.ledger, endings)
					if how == "closed" {
						require.ErrorIs(t, context.Cause(p.ctx), endwell.ErrClosed)
					}
					require.Error(t, p.ctx.Err())
					b.idle(t)
				})
			})
		}
	}
}

// A caller that goes while the preamble is being handed out gets nothing more.
func TestRetryGateStopsInThePreamble(t *testing.T) {
	for _, last := range []answer{say(hello), end(io.EOF)} {
		ctx, cancel := context.WithCancel(t.Context())
		st, _ := gate(retry.Default(), nil)(inOrder(t, stream(say(role), say(usage), last))).Open(ctx, request)
		_, err := st.Recv()
		require.NoError(t, err)
		cancel()
		got, ending := drain(t, st)
		require.Empty(t, got)
		require.True(t, ending == context.Canceled, ending)

		st, _ = gate(retry.Default(), nil)(inOrder(t, stream(say(role), say(usage), last))).Open(t.Context(), request)
		_, _ = st.Recv()
		_ = st.Close()
		got, ending = drain(t, st)
		require.Empty(t, got)
		require.True(t, ending == endwell.ErrClosed, ending)
	}
}

// The caller's ending outranks what arrives together with it.
func TestRetryGateCallerFirst(t *testing.T) {
	for _, err := range []error{io.EOF, endwell.ErrClosed, passing, errReset, stubborn} {
		for _, first := range []endwell.Chunk{role, hello} {
			ctx, cancel := context.WithCancel(t.Context())
			p := &provider{deaf: true, steps: in(first, step{do: cancel, err: err})}
			st, _ := gate(retry.Default(), nil)(p).Open(ctx, request)
			_, ending := drain(t, st)
			require.True(t, ending == context.Canceled, "%v gave %v", err, ending)
			require.EqualValues(t, 1, p.closes.Load())
		}
	}
	t.Run("in Open", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		p := &provider{deaf: true, open: step{do: cancel, err: passing}}
		_, err := gate(retry.Default(), nil)(p).Open(ctx, request)
		require.True(t, err == context.Canceled, err)
		require.EqualValues(t, 1, p.opens.Load())
		require.Error(t, p.ctx.Err())
	})
}

// A deadline before the end of the wait is not waited for.
func TestRetryGateDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		began := time.Now()
		_, err := gate(&retry.Policy{MaxAttempts: 2, NewBackOff: every(time.Second)}, nil)(refusing(t, passing)).Open(ctx, request)
		require.ErrorIs(t, err, retry.StopContext)
		require.ErrorIs(t, err, endwell.Broken)
		require.Zero(t, time.Since(began))
	})
}

// A stream that a later Open returns after Close is closed, and its attempt is on
// the ledger.
func TestRetryGateClosesWhatOpensLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		let := make(chan struct{})
		opens := 0
		late := mocks.NewMockStream(gomock.NewController(t))
		late.EXPECT().Close().Times(1)
		next := endwell.NextFunc(func(context.Context, *endwell.Request) (endwell.Stream, error) {
			if opens++; opens == 1 {
				return endwell.FromSeq(func(yield func(endwell.Chunk, error) bool) { yield(endwell.Chunk{}, passing) }), nil
			}
			<-let
			return late, nil
		})
		ring := retry.NewRing(9)
		st, err := gate(&retry.Policy{MaxAttempts: 2, NewBackOff: every(0), Ledger: ring}, nil)(next).Open(t.Context(), request)
		require.NoError(t, err)
		go func() {
			synctest.Wait()
			_ = st.Close()
			close(let)
		}()
		_, ending := drain(t, st)
		require.True(t, ending == endwell.ErrClosed, ending)
		require.Equal(t, 2, ring.Total())
	})
}

// Each entry has the usage of its own attempt, also of one that was discarded.
func TestRetryGateUsage(t *testing.T) {
	use := func(in, out int64) answer {
		return say(endwell.Chunk{Kind: endwell.KindUsage, Usage: &endwell.Usage{Input: in, Output: out}})
	}
	ring := retry.NewRing(9)
	p := &retry.Policy{MaxAttempts: 4, NewBackOff: every(0), Ledger: ring}
	_, ending := collect(t, gate(p, nil)(inOrder(
		t,
		stream(use(3, 0), use(0, 7), end(passing)),
		refuse(passing),
		stream(say(endwell.Chunk{Kind: endwell.KindUsage}), end(passing)),
		stream(use(3, 1), say(hello), use(0, 9), end(io.EOF)),
	)))
	require.True(t, ending == io.EOF)
	var got []endwell.Usage
	for _, e := range ring.Snapshot() {
		got = append(got, e.Usage)
	}
	require.Equal(t, []endwell.Usage{{Input: 3, Output: 7}, {}, {}, {Input: 3, Output: 9}}, got)
}

// Two agents on one chain do not touch each other.
func TestRetryGatePerAgent(t *testing.T) {
	leaves(t)
	var mu sync.Mutex
	opens := map[string]int{}
	next := endwell.NextFunc(func(_ context.Context, req *endwell.Request) (endwell.Stream, error) {
		mu.Lock()
		defer mu.Unlock()
		opens[req.Agent]++
		return nil, passing
	})
	eager, shy := retry.NewRing(99), retry.NewRing(99)
	chain := middleware.RetryGate(middleware.RetryConfig{Policy: retry.ByAgent(map[string]*retry.Policy{
		"eager": {MaxAttempts: 5, NewBackOff: every(0), Ledger: eager},
		"shy":   {MaxAttempts: 2, NewBackOff: every(0), Ledger: shy},
	}, nil)})(next)
	var wg sync.WaitGroup
	for _, agent := range []string{"eager", "shy", "other"} {
		for range 8 {
			wg.Go(func() {
				_, err := chain.Open(t.Context(), &endwell.Request{Agent: agent})
				require.ErrorIs(t, err, endwell.Broken)
			})
		}
	}
	wg.Wait()
	require.Equal(t, map[string]int{"eager": 40, "shy": 16, "other": 8}, opens)
	require.Equal(t, 40, eager.Total())
	require.Equal(t, 16, shy.Total())
}

// random is a Next whose attempts fail in any way, at any point, and whose text is
// never the same twice.
type random struct {
	t       *testing.T
	rnd     *rand.Rand
	open    int // streams that are not closed
	opens   int
	texts   int
	emitted bool // some attempt has emitted
}

func (r *random) Open(context.Context, *endwell.Request) (endwell.Stream, error) {
	require.Zero(r.t, r.open, "attempts overlap")
	require.False(r.t, r.emitted, "sent again after the first emission")
	r.opens++
	if r.rnd.IntN(4) == 0 {
		return nil, passing
	}
	r.open++
	return &randomStream{random: r}, nil
}

type randomStream struct {
	*random
	closed bool
}

func (s *randomStream) Recv() (endwell.Chunk, error) {
	require.False(s.t, s.closed, "Recv after Close")
	switch s.rnd.IntN(12) {
	case 0, 1, 2:
		e := passing.WithCause(nil)
		e.Retryable = s.rnd.IntN(6) != 0
		return endwell.Chunk{}, e
	case 3:
		return endwell.Chunk{}, errReset
	case 4:
		return endwell.Chunk{}, io.EOF
	case 5:
		s.texts++
		s.emitted = true
		return endwell.Chunk{Kind: endwell.KindText, Text: fmt.Sprintf("%d.%d", s.opens, s.texts)}, nil
	case 6:
		return ping, nil
	default:
		return role, nil
	}
}

func (s *randomStream) Close() error {
	require.False(s.t, s.closed, "closed twice")
	s.closed = true
	s.open--
	return nil
}

func TestRetryGateProperty(t *testing.T) {
	retried, emitted := 0, 0
	synctest.Test(t, func(t *testing.T) {
		for seed := range uint64(5000) {
			rnd := rand.New(rand.NewPCG(seed, 3))
			next := &random{t: t, rnd: rnd}
			ring := retry.NewRing(32)
			p := &retry.Policy{MaxAttempts: 1 + rnd.IntN(6), Ledger: ring}
			st, err := gate(p, nil)(next).Open(t.Context(), request)
			seen := map[string]bool{}
			if err == nil {
				chunks, ending := drain(t, st)
				err = ending
				for _, c := range chunks {
					if c.Emission() {
						require.False(t, seen[c.Text], "seen twice")
						require.Contains(t, c.Text, fmt.Sprintf("%d.", next.opens), "of another attempt")
						seen[c.Text] = true
					}
				}
				if len(seen) == 0 && err != io.EOF {
					require.Empty(t, chunks, "the preamble of a failed attempt")
				}
			}
			require.Len(t, seen, next.texts, "an emission is lost")
			require.Zero(t, next.open, "not closed")
			require.Equal(t, next.opens, ring.Total())
			require.LessOrEqual(t, next.opens, p.MaxAttempts)
			retried += next.opens - 1
			emitted += len(seen)
		}
	})
	require.Greater(t, retried, 2000)
	require.Greater(t, emitted, 1000)
}

// nthNow is a clock that lets something happen at its n-th reading from now.
type nthNow struct {
	clock.Fake
	left int
	hook func()
}

func (c *nthNow) Now() time.Time {
	if c.left--; c.left == 0 {
		c.hook()
	}
	return c.Fake.Now()
}

// A Close after the wait and before the next attempt's beginning: that attempt is
// made, its stream is closed, and it is on the ledger.
func TestRetryGateClosedAsAnAttemptBegins(t *testing.T) {
	clk, ring := new(nthNow), retry.NewRing(9)
	p := &retry.Policy{MaxAttempts: 2, NewBackOff: every(0), Ledger: ring}
	st, err := gate(p, clk)(inOrder(t, stream(end(passing)), stream())).Open(t.Context(), request)
	require.NoError(t, err)
	clk.left, clk.hook = 2, func() { _ = st.Close() } // Failed reads the clock, then Begin
	_, ending := drain(t, st)
	require.True(t, ending == endwell.ErrClosed, ending)
	require.Equal(t, 2, ring.Total())
	require.Equal(t, retry.EndingCanceled, ring.Snapshot()[1].Ending)
}

// A gate whose Open failed leaves no context behind.
func TestRetryGateEndsItsContext(t *testing.T) {
	p := &provider{open: step{err: stubborn}}
	_, err := gate(retry.Default(), nil)(p).Open(t.Context(), request)
	require.True(t, err == error(stubborn))
	require.Error(t, p.ctx.Err())
}
