package middleware_test

import (
	"context"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/clock"
	"github.com/endwell-go/endwell/middleware"
	"github.com/endwell-go/endwell/retry"
)

// lender is a provider that says the same chunk n times, knows that it does not wait, and
// counts how it was asked.
type lender struct {
	chunks []endwell.Chunk
	at     int
	asked  int
	ready  bool
}

func (l *lender) Recv() (endwell.Chunk, error) {
	c, err := l.RecvRef()
	if err != nil {
		return endwell.Chunk{}, err
	}
	return *c, nil
}

func (l *lender) RecvRef() (*endwell.Chunk, error) {
	if l.at == len(l.chunks) {
		return nil, io.EOF
	}
	l.at++
	return &l.chunks[l.at-1], nil
}

func (l *lender) RecvReady() bool { l.asked++; return l.ready }
func (l *lender) Close() error    { return nil }

type (
	readier  interface{ RecvReady() bool }
	referrer interface {
		RecvRef() (*endwell.Chunk, error)
	}
)

// Readiness is that of the stream below, for decorators that hand on every chunk; not
// through one whose stream below is another goroutine's, or of which it is not known.
func TestReadinessGoesThroughTheChain(t *testing.T) {
	for _, d := range decorators {
		t.Run(d.name, func(t *testing.T) {
			for _, ready := range []bool{true, false} {
				l := &lender{chunks: []endwell.Chunk{hello, stop, sentinel}, ready: ready}
				st, err := d.mw(streams(l)).Open(t.Context(), request)
				require.NoError(t, err)
				r, ok := st.(readier)
				require.True(t, ok)
				_, err = st.Recv()
				require.NoError(t, err)
				require.Equal(t, ready, r.RecvReady())
				for err == nil {
					_, err = st.Recv()
				}
				require.True(t, r.RecvReady(), "an ending does not wait")
				require.NoError(t, st.Close())
			}
		})
	}
	unknown := &provider{steps: in(hello, stop, sentinel)}
	st, err := middleware.Standard(middleware.Config{Clock: new(clock.Fake)})(unknown).Open(t.Context(), request)
	require.NoError(t, err)
	require.False(t, st.(readier).RecvReady())
	require.NoError(t, st.Close())

	l := &lender{chunks: []endwell.Chunk{hello}, ready: true}
	st, err = middleware.Detach()(streams(l)).Open(t.Context(), request)
	require.NoError(t, err)
	require.False(t, st.(readier).RecvReady())
	require.Zero(t, l.asked)
	require.NoError(t, st.Close())
}

// While a gate holds chunks its stream below is not asked.
func TestReadinessOfAGateThatHolds(t *testing.T) {
	l := &lender{chunks: []endwell.Chunk{role, ping, hello, stop, sentinel}, ready: true}
	p := &retry.Policy{MaxAttempts: 2, Ledger: retry.NewRing(8)}
	st, err := gate(p, new(clock.Fake))(streams(l)).Open(t.Context(), request)
	require.NoError(t, err)
	require.False(t, st.(readier).RecvReady(), "nothing has been asked for")
	for range 2 {
		_, err = st.Recv()
		require.NoError(t, err)
		require.True(t, st.(readier).RecvReady())
		require.Zero(t, l.asked)
	}
	_, err = st.Recv()
	require.NoError(t, err)
	require.True(t, st.(readier).RecvReady())
	require.Equal(t, 1, l.asked)
	require.NoError(t, st.Close())
}

// Standard's chunks are the same, lent or copied, whether the stream below lends its own
// or not.
func TestStandardLendsItsChunks(t *testing.T) {
	want := []endwell.Chunk{hello, stop, sentinel}
	for name, below := range map[string]func() endwell.Stream{
		"lends": func() endwell.Stream { return &lender{chunks: []endwell.Chunk{hello, stop, sentinel}} },
		"copies": func() endwell.Stream {
			return struct{ endwell.Stream }{&lender{chunks: []endwell.Chunk{hello, stop, sentinel}}}
		},
	} {
		t.Run(name, func(t *testing.T) {
			open := func() endwell.Stream {
				st, err := middleware.Standard(middleware.Config{Clock: new(clock.Fake)})(streams(below())).Open(t.Context(), request)
				require.NoError(t, err)
				return st
			}
			copied, lent := open(), open().(referrer)
			for _, c := range want {
				got, err := copied.Recv()
				require.NoError(t, err)
				require.Equal(t, c, got)
				ref, err := lent.RecvRef()
				require.NoError(t, err)
				require.Equal(t, c, *ref)
			}
			_, err := copied.Recv()
			require.Equal(t, io.EOF, err)
			_, err = lent.RecvRef()
			require.Equal(t, io.EOF, err)
			_, err = lent.RecvRef()
			require.Equal(t, io.EOF, err)
		})
	}
}

// streams is a provider of one stream.
func streams(st endwell.Stream) endwell.Next {
	return endwell.NextFunc(func(context.Context, *endwell.Request) (endwell.Stream, error) { return st, nil })
}
