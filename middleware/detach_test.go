package middleware_test

import (
	"context"
	"io"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/middleware"
)

// stuck is a provider that obeys nothing until free is closed.
type stuck struct {
	inOpen, obeysClose bool
	free, closed       chan struct{}
	closes             int
}

func newStuck() *stuck { return &stuck{free: make(chan struct{}), closed: make(chan struct{})} }

func (s *stuck) Open(context.Context, *endwell.Request) (endwell.Stream, error) {
	if s.inOpen {
		<-s.free
	}
	return s, nil
}

func (s *stuck) Recv() (endwell.Chunk, error) {
	if s.obeysClose {
		<-s.closed
		return endwell.Chunk{}, errUnread
	}
	<-s.free
	return hello, nil
}

func (s *stuck) Close() error {
	s.closes++
	close(s.closed)
	if !s.obeysClose {
		<-s.free
	}
	return nil
}

func TestDetach(t *testing.T) {
	for _, row := range []struct {
		fault string
		make  func(*stuck)
		stop  func(cancel context.CancelCauseFunc, s endwell.Stream)
		want  error
	}{
		{"Recv hangs and the caller cancels", nil, func(c context.CancelCauseFunc, _ endwell.Stream) { c(nil) }, context.Canceled},
		{"Recv hangs and an outer guard ends it", nil, func(c context.CancelCauseFunc, _ endwell.Stream) { c(middleware.GuardCause(passing)) }, passing},
		{"Recv hangs and the caller closes", nil, func(_ context.CancelCauseFunc, s endwell.Stream) { _ = s.Close() }, endwell.ErrClosed},
		{"Recv obeys Close only and the caller cancels", func(s *stuck) { s.obeysClose = true }, func(c context.CancelCauseFunc, _ endwell.Stream) { c(nil) }, context.Canceled},
		{"Recv obeys Close only and the caller closes", func(s *stuck) { s.obeysClose = true }, func(_ context.CancelCauseFunc, s endwell.Stream) { _ = s.Close() }, endwell.ErrClosed},
	} {
		t.Run(row.fault, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := newStuck()
				if row.make != nil {
					row.make(p)
				}
				ctx, cancel := context.WithCancelCause(t.Context())
				s, err := middleware.Detach()(p).Open(ctx, request)
				require.NoError(t, err)
				go func() {
					synctest.Wait()
					row.stop(cancel, s)
				}()
				_, ending := drain(t, s)
				require.True(t, ending == row.want, ending)
				synctest.Wait()
				require.Equal(t, 1, p.closes)
				close(p.free)
				cancel(nil)
			})
		})
	}
}

func TestDetachOpen(t *testing.T) {
	for name, row := range map[string]struct{ cause, want error }{
		"Open hangs and the caller cancels":       {nil, context.Canceled},
		"Open hangs and an outer guard ends it":   {passing, passing},
		"Open hangs and the gate is closed above": {endwell.ErrClosed, endwell.ErrClosed},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := newStuck()
				p.inOpen = true
				ctx, cancel := context.WithCancelCause(t.Context())
				go func() {
					synctest.Wait()
					cancel(guarded(row.cause))
				}()
				s, err := middleware.Detach()(p).Open(ctx, request)
				require.Nil(t, s)
				require.True(t, err == row.want, err)
				require.Zero(t, p.closes)
				close(p.free)
				synctest.Wait()
				require.Equal(t, 1, p.closes, "what Open returned late was not closed")
			})
		})
	}
	t.Run("Open fails late", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			free := make(chan struct{})
			next := endwell.NextFunc(func(context.Context, *endwell.Request) (endwell.Stream, error) {
				<-free
				return nil, errReset
			})
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			_, err := middleware.Detach()(next).Open(ctx, request)
			require.True(t, err == context.Canceled)
			close(free)
		})
	})
}

// A chunk is valid until the next Recv, so nothing is read ahead.
func TestDetachReadsNothingAhead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		reads := 0
		note := func() { reads++ }
		p := &provider{steps: []step{{do: note, chunk: role}, {do: note, chunk: hello}}}
		s, _ := middleware.Detach()(p).Open(t.Context(), request)
		for want := range 3 {
			synctest.Wait()
			require.Equal(t, want, reads)
			if want < 2 {
				_, err := s.Recv()
				require.NoError(t, err)
			}
		}
		_ = s.Close()
		synctest.Wait()
	})
}

// After Close and after a cancellation no coin is tossed.
func TestDetachDeliversNothingAfterTheEnd(t *testing.T) {
	leaves(t)
	for i := range 200 {
		ctx, cancel := context.WithCancel(t.Context())
		s, _ := middleware.Detach()(&replay{hello}).Open(ctx, request)
		want := endwell.ErrClosed
		if i%2 == 0 {
			_ = s.Close()
		} else {
			cancel()
			want = context.Canceled
		}
		_, err := s.Recv()
		require.True(t, err == want, err)
		cancel()
		_ = s.Close()
	}
}

func TestDetachLetsThrough(t *testing.T) {
	// Detach closes on a goroutine of its own, so gomock must not see the test end
	// before that, and its Close has nothing to say.
	for _, k := range endwell.Kinds() {
		synctest.Test(t, func(t *testing.T) {
			s, _ := middleware.Detach()(mocked(t, say(full(k)), end(io.EOF))).Open(t.Context(), request)
			got, ending := drain(t, s)
			require.True(t, ending == io.EOF)
			require.Equal(t, []endwell.Chunk{full(k)}, got)
			synctest.Wait()
		})
	}
	for _, err := range []error{errReset, stubborn, passing, inBand, outOfBand, endwell.ErrClosed, context.Canceled} {
		synctest.Test(t, func(t *testing.T) {
			s, _ := middleware.Detach()(mocked(t, say(hello), end(err))).Open(t.Context(), request)
			_, ending := drain(t, s)
			require.True(t, ending == err, ending)
			_, got := middleware.Detach()(refusing(t, err)).Open(t.Context(), request)
			require.True(t, got == err, got)
			synctest.Wait()
		})
	}
}
