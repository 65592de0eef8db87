package middleware_test

import (
	"context"
	"io"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/middleware"
	"github.com/endwell-go/endwell/retry"
)

// What providers that wrap an SDK get wrong, or leave out.

// unmarked is a chunk of a provider that never sets Chunk.End.
func unmarked(kind endwell.Kind, index int, text string) endwell.Chunk {
	c := endwell.Chunk{Kind: kind, Index: index}
	switch kind {
	case endwell.KindText:
		c.Text = text
	case endwell.KindFinish:
		c.Finish, c.Detail = endwell.FinishStop, text
	default:
	}
	return c
}

func TestProviderThatNeverStatesAnEnd(t *testing.T) {
	text, finished := endwell.KindText, endwell.KindFinish
	for _, row := range []struct {
		fault  string
		chunks []endwell.Chunk
		whole  bool
	}{
		{"finished", []endwell.Chunk{unmarked(text, 0, "hi"), unmarked(finished, 0, "stop")}, true},
		{"cut", []endwell.Chunk{unmarked(text, 0, "hi")}, false},
		{"one choice of two finished", []endwell.Chunk{unmarked(text, 0, "a"), unmarked(text, 1, "b"), unmarked(finished, 0, "stop")}, false},
		{"both finished", []endwell.Chunk{unmarked(text, 0, "a"), unmarked(text, 1, "b"), unmarked(finished, 1, "stop"), unmarked(finished, 0, "stop")}, true},
		{"goes on after the finish", []endwell.Chunk{unmarked(text, 0, "a"), unmarked(finished, 0, "stop"), unmarked(text, 0, "b")}, false},
		{"not finished, with an empty word", []endwell.Chunk{unmarked(text, 0, "a"), {Kind: finished}}, false},
	} {
		t.Run(row.fault, func(t *testing.T) {
			var in []answer
			for _, c := range row.chunks {
				in = append(in, say(c))
			}
			_, ending := through(t, middleware.Standard(middleware.Config{}), then(in, end(io.EOF))...)
			if row.whole {
				require.True(t, ending == io.EOF, ending)
			} else {
				require.ErrorIs(t, ending, endwell.Truncated)
			}
			// Strict asks for the provider's own sentinel, which never came.
			_, ending = through(t, middleware.SentinelCheck(middleware.SentinelConfig{Strict: true}), then(in, end(io.EOF))...)
			require.ErrorIs(t, ending, endwell.Truncated)
		})
	}
}

func TestEmptyTextIsNoAnswer(t *testing.T) {
	chunks := []answer{say(unmarked(endwell.KindText, 0, "")), say(unmarked(endwell.KindFinish, 0, "stop"))}
	_, ending := through(t, middleware.Standard(middleware.Config{}), then(chunks, end(io.EOF))...)
	require.ErrorIs(t, ending, endwell.Empty)
	require.True(t, requireError(t, ending).Retryable, "nothing was emitted")
}

func TestNilsInsideErrors(t *testing.T) {
	for name, err := range map[string]error{
		"evidence": (*endwell.Evidence)(nil), "error": (*endwell.Error)(nil),
	} {
		for stack, mw := range map[string]endwell.Middleware{
			"standard": middleware.Standard(middleware.Config{}),
			"retry": middleware.Standard(middleware.Config{Retry: middleware.RetryConfig{
				Policy: retry.Always(&retry.Policy{MaxAttempts: 2, NewBackOff: every(0)}),
			}}),
		} {
			t.Run(name+" "+stack, func(t *testing.T) {
				_, ending := through(t, mw, say(hello), end(err))
				require.Equal(t, endwell.Unclassified, requireError(t, ending).Category)
			})
		}
		t.Run(name+" alone", func(t *testing.T) {
			for _, mw := range []endwell.Middleware{
				middleware.PayloadGuard(), middleware.SentinelCheck(middleware.SentinelConfig{}),
				middleware.Observe(middleware.ObserveConfig{Report: func(context.Context, middleware.Report) {}}),
				middleware.RetryGate(middleware.RetryConfig{Policy: retry.Always(&retry.Policy{MaxAttempts: 2})}),
			} {
				_, ending := through(t, mw, say(hello), end(err))
				require.True(t, ending == err)
			}
		})
	}
}

// slowLedger blocks until it is released.
type slowLedger struct{ release chan struct{} }

func (l slowLedger) Record(retry.Entry) { <-l.release }

func TestASlowLedgerDoesNotKeepAStreamOpen(t *testing.T) {
	ledger := slowLedger{make(chan struct{})}
	closed := make(chan struct{})
	provider := endwell.NextFunc(func(context.Context, *endwell.Request) (endwell.Stream, error) {
		return &closing{closed: closed}, nil
	})
	st, err := middleware.RetryGate(middleware.RetryConfig{
		Policy: retry.Always(&retry.Policy{MaxAttempts: 2, Ledger: ledger}),
	})(provider).Open(t.Context(), request)
	require.NoError(t, err)
	var wg sync.WaitGroup
	wg.Go(func() { _ = st.Close() })
	select {
	case <-closed:
	case <-time.After(2 * time.Minute):
		t.Error("the ledger keeps the stream open")
	}
	close(ledger.release)
	wg.Wait()
}

type closing struct{ closed chan struct{} }

func (c *closing) Recv() (endwell.Chunk, error) { return endwell.Chunk{}, io.EOF }
func (c *closing) Close() error                 { close(c.closed); return nil }

func TestDetachHandsAPanicOver(t *testing.T) {
	inRecv := endwell.NextFunc(func(context.Context, *endwell.Request) (endwell.Stream, error) {
		return panicking{}, nil
	})
	inOpen := endwell.NextFunc(func(context.Context, *endwell.Request) (endwell.Stream, error) { panic("bug") })
	exits := endwell.NextFunc(func(context.Context, *endwell.Request) (endwell.Stream, error) {
		runtime.Goexit()
		return nil, nil
	})
	require.PanicsWithValue(t, "bug", func() { _, _ = middleware.Detach()(inOpen).Open(t.Context(), request) })
	st, err := middleware.Detach()(inRecv).Open(t.Context(), request)
	require.NoError(t, err)
	require.PanicsWithValue(t, "bug", func() { _, _ = st.Recv() })
	_, err = st.Recv()
	require.Error(t, err, "and the stream has ended")
	require.NoError(t, st.Close())

	done := make(chan bool, 1)
	go func() {
		defer func() { done <- recover() == nil }()
		_, _ = middleware.Detach()(exits).Open(t.Context(), request)
		t.Error("Goexit did not go on")
	}()
	require.True(t, <-done)
}

type panicking struct{}

func (panicking) Recv() (endwell.Chunk, error) { panic("bug") }
func (panicking) Close() error                 { return nil }
