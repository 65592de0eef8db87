package middleware_test

import (
	"context"
	"errors"
	"io"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/mock/gomock"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/clock"
	"github.com/endwell-go/endwell/middleware"
	"github.com/endwell-go/endwell/mocks"
)

var request = &endwell.Request{Agent: "writer", Provider: "acme", Model: "small-1"}

// errReset stands for any failure of a transport.
var errReset error = syscall.ECONNRESET

// errUnread is what a transport says when it is read after its Close.
var errUnread = errors.New("read on closed response body")

// Chunks that tests share.
var (
	role      = endwell.Chunk{Kind: endwell.KindMeta, Raw: []byte("role"), End: endwell.Open}
	ping      = endwell.Chunk{Kind: endwell.KindKeepAlive, Raw: []byte(": ping\n\n")}
	partial   = endwell.Chunk{Kind: endwell.KindKeepAlive}
	hello     = endwell.Chunk{Kind: endwell.KindText, Text: "hello", Raw: []byte("hello")}
	thought   = endwell.Chunk{Kind: endwell.KindReasoning, Detail: "hm"}
	refusal   = endwell.Chunk{Kind: endwell.KindRefusal, Detail: "no"}
	picture   = endwell.Chunk{Kind: endwell.KindOutput}
	mayEnd    = endwell.Chunk{Kind: endwell.KindFinish, Finish: endwell.FinishStop, Detail: "STOP", End: endwell.MayEnd}
	stop      = finish(endwell.FinishStop, "stop")
	usage     = endwell.Chunk{Kind: endwell.KindUsage, Usage: &endwell.Usage{Input: 3, Output: 5}}
	sentinel  = endwell.Chunk{Kind: endwell.KindMeta, Raw: []byte("[DONE]"), End: endwell.Ended}
	unstated  = endwell.Chunk{Kind: endwell.KindMeta}
	whole     = []answer{say(role), say(hello), say(stop), say(sentinel)}
	stubborn  = &endwell.Error{Fault: endwell.Refused, Category: endwell.AuthInvalid, Status: 401}
	passing   = &endwell.Error{Fault: endwell.Broken, Category: endwell.Network, Transient: true, Retryable: true}
	inBand    = &endwell.Evidence{InBand: true, Type: "overloaded_error", Frame: 3}
	outOfBand = &endwell.Evidence{Status: 503}
)

func finish(class endwell.Finish, word string) endwell.Chunk {
	return endwell.Chunk{Kind: endwell.KindFinish, Finish: class, Detail: word, End: endwell.Settled}
}

func call(choice, index int, args string) endwell.Chunk {
	return endwell.Chunk{
		Kind: endwell.KindToolCall, Index: choice,
		ToolCall: &endwell.ToolCallDelta{Index: index, ID: "id", Name: "f", Arguments: args},
	}
}

// answer is what one Recv of a mock answers.
type answer struct {
	chunk endwell.Chunk
	err   error
}

func say(c endwell.Chunk) answer { return answer{chunk: c} }
func end(err error) answer       { return answer{err: err} }

// then is a list of answers and one more.
func then(first []answer, more ...answer) []answer {
	return append(append([]answer(nil), first...), more...)
}

// mocked is a Next whose only Open gives a stream that answers these, in order, and
// that must be closed exactly once.
func mocked(t *testing.T, answers ...answer) endwell.Next {
	ctrl := gomock.NewController(t)
	next, stream := mocks.NewMockNext(ctrl), mocks.NewMockStream(ctrl)
	next.EXPECT().Open(gomock.Any(), request).Return(stream, nil)
	for _, a := range answers {
		stream.EXPECT().Recv().Return(a.chunk, a.err)
	}
	stream.EXPECT().Close().Return(errors.New("close failed"))
	return next
}

// refusing is a Next whose Open fails.
func refusing(t *testing.T, err error) endwell.Next {
	next := mocks.NewMockNext(gomock.NewController(t))
	next.EXPECT().Open(gomock.Any(), request).Return(nil, err)
	return next
}

// drain reads a stream to its end and checks what every ending promises: it is
// sticky, it has no chunk beside it, and no Close, be it the first or the third,
// changes it.
func drain(t *testing.T, s endwell.Stream) (chunks []endwell.Chunk, ending error) {
	t.Helper()
	for ending == nil {
		c, err := s.Recv()
		if err == nil {
			chunks = append(chunks, c)
		} else {
			require.Zero(t, c, "a chunk together with an error")
		}
		require.Less(t, len(chunks), 10000, "never ends")
		ending = err
	}
	for range 3 {
		c, err := s.Recv()
		require.True(t, err == ending, "not sticky: %v, then %v", ending, err)
		require.Zero(t, c)
		_ = s.Close()
	}
	return chunks, ending
}

// through opens a stream of answers below mw and drains it.
func through(t *testing.T, mw endwell.Middleware, answers ...answer) ([]endwell.Chunk, error) {
	t.Helper()
	s, err := mw(mocked(t, answers...)).Open(t.Context(), request)
	require.NoError(t, err)
	return drain(t, s)
}

// chunksOf are the chunks among answers.
func chunksOf(answers []answer) (chunks []endwell.Chunk) {
	for _, a := range answers {
		if a.err == nil {
			chunks = append(chunks, a.chunk)
		}
	}
	return chunks
}

// full has a value in every field.
func full(k endwell.Kind) endwell.Chunk {
	return endwell.Chunk{
		Text: "text", Detail: "detail", Raw: []byte("raw"), Native: new(int), ToolCall: &endwell.ToolCallDelta{ID: "a"},
		Usage: &endwell.Usage{Input: 1}, Index: 2, Kind: k, Finish: endwell.FinishPause, End: endwell.MayEnd,
	}
}

// requireSameChunk compares also what a chunk points to by identity.
func requireSameChunk(t *testing.T, want, got endwell.Chunk) {
	t.Helper()
	require.Equal(t, want, got)
	require.Same(t, want.ToolCall, got.ToolCall)
	require.Same(t, want.Usage, got.Usage)
	require.Same(t, want.Native, got.Native)
	require.True(t, &want.Raw[0] == &got.Raw[0], "Raw was copied")
}

// letsThrough checks that a decorator lets through what is not its own: every kind
// of chunk with every field, and each of the errors by identity, from Open and from
// Recv.
func letsThrough(t *testing.T, mw func() endwell.Middleware, foreign ...error) {
	t.Run("lets every chunk through", func(t *testing.T) {
		in := []answer{say(full(endwell.KindText))} // which commits a gate
		for _, k := range endwell.Kinds() {
			in = append(in, say(full(k)))
		}
		got, ending := through(t, mw(), append(in, end(io.EOF))...)
		require.True(t, ending == io.EOF, ending)
		require.Len(t, got, 1+len(endwell.Kinds()))
		for i := range got {
			requireSameChunk(t, in[i].chunk, got[i])
		}
	})
	for _, err := range foreign {
		t.Run("lets through "+err.Error(), func(t *testing.T) {
			got, ending := through(t, mw(), say(role), say(hello), end(err))
			require.Len(t, got, 2)
			require.True(t, ending == err, "%v became %v", err, ending)
		})
		t.Run("lets through from Open "+err.Error(), func(t *testing.T) {
			s, got := mw()(refusing(t, err)).Open(t.Context(), request)
			require.Nil(t, s)
			require.True(t, got == err, "%v became %v", err, got)
		})
	}
}

// obeysLink checks what every stream of a decorator owes, whatever it looks for.
func obeysLink(t *testing.T, mw func() endwell.Middleware) {
	t.Run("the caller's context ended", func(t *testing.T) {
		for _, err := range []error{errReset, io.EOF, passing, inBand, context.Canceled} {
			ctx, cancel := context.WithCancel(t.Context())
			s, openErr := mw()(mocked(t, say(role), say(hello), end(err))).Open(ctx, request)
			require.NoError(t, openErr)
			_, _ = s.Recv()
			_, _ = s.Recv()
			cancel()
			_, ending := s.Recv()
			require.True(t, ending == context.Canceled, "%v gave %v", err, ending)
			_ = s.Close()
		}
	})
	t.Run("the caller's deadline passed", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			s, _ := mw()(mocked(t, say(role), say(hello), end(errReset))).Open(ctx, request)
			_, _ = s.Recv()
			_, _ = s.Recv()
			<-ctx.Done()
			_, ending := s.Recv()
			require.True(t, ending == context.DeadlineExceeded, ending)
			_ = s.Close()
		})
	})
	t.Run("the caller's own cause is not rendered", func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		s, _ := mw()(mocked(t, say(role), say(hello), end(errReset))).Open(ctx, request)
		_, _ = s.Recv()
		_, _ = s.Recv()
		cancel(errors.New("user pressed stop"))
		_, ending := s.Recv()
		require.True(t, ending == context.Canceled, ending)
		_ = s.Close()
	})
	t.Run("an outer guard ended the context", func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		s, _ := mw()(mocked(t, say(role), say(hello), end(context.Canceled))).Open(ctx, request)
		_, _ = s.Recv()
		_, _ = s.Recv()
		cancel(middleware.GuardCause(passing))
		_, ending := s.Recv()
		require.True(t, ending == error(passing), ending)
		_ = s.Close()
	})
	t.Run("closed by the caller", func(t *testing.T) {
		for _, err := range []error{errReset, io.EOF, passing, endwell.ErrClosed} {
			s, _ := mw()(mocked(t, say(role), say(hello), end(err))).Open(t.Context(), request)
			_, _ = s.Recv()
			_, _ = s.Recv()
			require.EqualError(t, s.Close(), "close failed")
			require.NoError(t, s.Close())
			_, ending := s.Recv()
			require.True(t, ending == endwell.ErrClosed, "%v gave %v", err, ending)
		}
	})
	t.Run("Close fails after a fault", func(t *testing.T) {
		_, ending := through(t, mw(), say(role), say(hello), end(stubborn))
		require.ErrorIs(t, ending, endwell.AuthInvalid)
	})
	t.Run("Open returns nothing at all", func(t *testing.T) {
		next := endwell.NextFunc(func(context.Context, *endwell.Request) (endwell.Stream, error) { return nil, nil })
		s, err := mw()(next).Open(t.Context(), request)
		require.Nil(t, s)
		require.Error(t, err)
	})
	t.Run("Open returns a stream beside an error", func(t *testing.T) {
		stream := mocks.NewMockStream(gomock.NewController(t))
		stream.EXPECT().Close()
		next := endwell.NextFunc(func(context.Context, *endwell.Request) (endwell.Stream, error) { return stream, stubborn })
		s, err := mw()(next).Open(t.Context(), request)
		require.Nil(t, s)
		require.ErrorIs(t, err, endwell.AuthInvalid)
	})
	t.Run("Close unblocks Recv", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			p := &provider{steps: []step{{hang: true}}}
			s, err := mw()(p).Open(t.Context(), request)
			require.NoError(t, err)
			var wg sync.WaitGroup
			wg.Go(func() {
				_, err := s.Recv()
				require.True(t, err == endwell.ErrClosed, err)
			})
			synctest.Wait()
			for range 4 {
				wg.Go(func() { _ = s.Close() })
			}
			wg.Wait()
			synctest.Wait()
			require.EqualValues(t, 1, p.closes.Load())
		})
	})
}

// bench is a clock and the way to let its time pass.
type bench struct {
	clock.Clock
	advance func(time.Duration)
	fake    *clock.Fake // nil on the system's clock
}

// idle checks that no timer is pending and nothing fires any more.
func (b bench) idle(t *testing.T) {
	t.Helper()
	if b.fake != nil {
		require.Zero(t, b.fake.Pending(), "timers pending")
	}
	b.advance(1000 * time.Hour)
}

// onBoth runs one test on a Fake and on System, each in a bubble, so that a
// goroutine that outlives the test fails it.
func onBoth(t *testing.T, test func(*testing.T, bench)) {
	t.Run("fake", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			f := new(clock.Fake)
			test(t, bench{f, func(d time.Duration) { f.Advance(d); synctest.Wait() }, f})
		})
	})
	t.Run("system", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			test(t, bench{clock.System, func(d time.Duration) {
				<-time.After(d)
				synctest.Wait()
			}, nil})
		})
	})
}

// step is what one Recv of a provider does: it lets time pass, calls do, and
// answers. The Recv that waits drives the clock itself, so that a test in time has
// one goroutine.
type step struct {
	wait  time.Duration
	do    func()
	hang  bool // until the context ends or the stream is closed
	chunk endwell.Chunk
	err   error
}

func after(d time.Duration, c endwell.Chunk) step { return step{wait: d, chunk: c} }
func fails(d time.Duration, err error) step       { return step{wait: d, err: err} }

// provider is a Next, and the one stream that it opens, with a script.
type provider struct {
	advance   func(time.Duration)
	open      step // what Open does
	steps     []step
	deaf      bool // ignores its context
	deafClose bool // ignores Close

	ctx    context.Context
	opens  atomic.Int32
	closes atomic.Int32
	once   sync.Once
	closed chan struct{}
	at     int
}

func (p *provider) Open(ctx context.Context, _ *endwell.Request) (endwell.Stream, error) {
	p.opens.Add(1)
	p.ctx, p.closed = ctx, make(chan struct{})
	if err := p.pass(p.open); err != nil {
		return nil, err
	}
	if p.open.err != nil {
		return nil, p.open.err
	}
	return p, nil
}

// pass lets a step's time pass, and says how the caller ended the call meanwhile.
func (p *provider) pass(s step) error {
	if s.wait > 0 {
		p.advance(s.wait)
	}
	if s.do != nil {
		s.do()
	}
	var done <-chan struct{}
	if !p.deaf {
		done = p.ctx.Done()
	}
	if !s.hang {
		select {
		case <-p.closed:
			return errUnread
		case <-done:
			return p.ctx.Err()
		default:
			return nil
		}
	}
	select {
	case <-p.closed:
		return errUnread
	case <-done:
		return p.ctx.Err()
	}
}

func (p *provider) Recv() (endwell.Chunk, error) {
	if p.at >= len(p.steps) {
		panic("the script has no such step")
	}
	s := p.steps[p.at]
	p.at++
	if err := p.pass(s); err != nil {
		return endwell.Chunk{}, err
	}
	return s.chunk, s.err
}

func (p *provider) Close() error {
	p.closes.Add(1)
	if !p.deafClose {
		p.once.Do(func() { close(p.closed) })
	}
	return nil
}

// replay is a Next whose streams answer the same chunk for ever, and allocates
// nothing.
type replay struct{ chunk endwell.Chunk }

func (r *replay) Open(context.Context, *endwell.Request) (endwell.Stream, error) { return r, nil }
func (r *replay) Recv() (endwell.Chunk, error)                                   { return r.chunk, nil }
func (r *replay) Close() error                                                   { return nil }

// leaves fails the test if goroutines of this module are left when it ends. It is
// for tests outside a bubble.
func leaves(t *testing.T) {
	t.Cleanup(func() {
		deadline := time.Now().Add(2 * time.Minute)
		for {
			left := leftovers()
			if left == "" {
				return
			}
			if time.Now().After(deadline) {
				t.Errorf("goroutines left:\n%s", left)
				return
			}
			runtime.Gosched()
		}
	})
}

// leftovers are the stacks of all goroutines of this module but the one that asks.
func leftovers() string {
	buf := make([]byte, 1<<20)
	buf = buf[:runtime.Stack(buf, true)]
	var left []string
	for i, stack := range strings.Split(string(buf), "\n\n") {
		if i > 0 && strings.Contains(stack, "endwell/middleware") && !strings.Contains(stack, "testing.(*T).Run") {
			left = append(left, stack)
		}
	}
	return strings.Join(left, "\n\n")
}

// guarded is a cause as a decorator further out gives it for its own endings; any
// other cause is the caller's and stays as it is.
func guarded(cause error) error {
	if _, ours := cause.(*endwell.Error); ours || cause == endwell.ErrClosed {
		return middleware.GuardCause(cause)
	}
	return cause
}
