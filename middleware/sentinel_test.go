package middleware_test

import (
	"fmt"
	"io"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/mock/gomock"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/middleware"
	"github.com/endwell-go/endwell/mocks"
)

func TestSentinelCheck(t *testing.T) {
	cut := &endwell.Evidence{Kind: endwell.Cut, InBand: true, Frame: 2}
	cutAt := fmt.Errorf("reading: %w", cut)
	bare := endwell.Chunk{Kind: endwell.KindFinish, Finish: endwell.FinishUnknown, End: endwell.Settled}
	classOnly := endwell.Chunk{Kind: endwell.KindFinish, Finish: endwell.FinishStop, End: endwell.Settled}
	reopened := endwell.Chunk{Kind: endwell.KindMeta, End: endwell.Open}
	settled := []answer{say(hello), say(stop)}
	type ending = func(t *testing.T, err error)
	truncated := func(original error, retryable bool) ending {
		return func(t *testing.T, err error) {
			e := requireError(t, err)
			require.Equal(t, endwell.Truncated, e.Fault)
			require.Equal(t, endwell.MalformedResponse, e.Category)
			require.True(t, e.Transient)
			require.Equal(t, retryable, e.Retryable)
			require.ErrorIs(t, err, io.ErrUnexpectedEOF)
			require.NotErrorIs(t, err, io.EOF)
			require.True(t, e.Unredacted() == original)
		}
	}
	is := func(want error) ending {
		return func(t *testing.T, err error) { require.True(t, err == want, "%v is not %v", err, want) }
	}
	for _, row := range []struct {
		fault        string
		in           []answer
		want, strict ending
	}{
		{"clean close before any payload", []answer{end(io.EOF)}, is(io.EOF), is(io.EOF)},
		{"clean close after keep-alives only", []answer{say(ping), say(partial), end(io.EOF)}, is(io.EOF), is(io.EOF)},
		{"clean close after the role", []answer{say(role), end(io.EOF)}, truncated(nil, true), truncated(nil, true)},
		{"clean close, nothing ever stated", []answer{say(unstated), end(io.EOF)}, truncated(nil, true), truncated(nil, true)},
		{"clean close mid-answer", []answer{say(hello), end(io.EOF)}, truncated(nil, false), truncated(nil, false)},
		{"clean close after reasoning", []answer{say(thought), end(io.EOF)}, truncated(nil, false), truncated(nil, false)},
		{"clean close when it may end", []answer{say(hello), say(mayEnd), end(io.EOF)}, is(io.EOF), truncated(nil, false)},
		{"clean close after it may end and says nothing more", []answer{say(mayEnd), say(unstated), end(io.EOF)}, is(io.EOF), truncated(nil, true)},
		{"clean close after it may end and goes on", []answer{say(mayEnd), say(hello), say(reopened), end(io.EOF)}, truncated(nil, false), truncated(nil, false)},
		{"clean close at settled", then(settled, end(io.EOF)), is(io.EOF), truncated(nil, false)},
		{"clean close with usage after settled", then(settled, say(usage), end(io.EOF)), is(io.EOF), truncated(nil, false)},
		{"sentinel after the finish", then(settled, say(sentinel)), is(io.EOF), is(io.EOF)},
		{"sentinel after a class without word", []answer{say(hello), say(classOnly), say(sentinel)}, is(io.EOF), is(io.EOF)},
		{"bare sentinel", []answer{say(hello), say(sentinel)}, is(io.EOF), truncated(nil, false)},
		{"bare sentinel with an unknown finish", []answer{say(hello), say(bare), say(sentinel)}, is(io.EOF), truncated(nil, false)},
		{"sentinel on a keep-alive", []answer{say(endwell.Chunk{Kind: endwell.KindKeepAlive, End: endwell.Ended})}, is(io.EOF), is(io.EOF)},
		{"reset at the start", []answer{end(errReset)}, is(errReset), is(errReset)},
		{"reset mid-answer", []answer{say(hello), end(errReset)}, is(errReset), is(errReset)},
		{"reset when it may end", []answer{say(hello), say(mayEnd), end(errReset)}, is(errReset), is(errReset)},
		{"reset at settled", then(settled, end(errReset)), is(io.EOF), is(errReset)},
		{"half a frame at the start", []answer{end(cut)}, truncated(cut, true), truncated(cut, true)},
		{"half a frame mid-answer", []answer{say(hello), end(cutAt)}, truncated(cutAt, false), truncated(cutAt, false)},
		{"half a frame when it may end", []answer{say(mayEnd), end(cut)}, truncated(cut, true), truncated(cut, true)},
		{"half a frame at settled", then(settled, end(cut)), is(io.EOF), truncated(cut, false)},
		{"error frame at settled", then(settled, end(inBand)), is(inBand), is(inBand)},
		{"refusal mid-answer", []answer{say(hello), end(outOfBand)}, is(outOfBand), is(outOfBand)},
		{"fault mid-answer", []answer{say(hello), end(passing)}, is(passing), is(passing)},
		{"fault at settled", then(settled, end(passing)), is(passing), is(passing)},
		{"closed below at settled", then(settled, end(endwell.ErrClosed)), is(endwell.ErrClosed), is(endwell.ErrClosed)},
	} {
		t.Run(row.fault, func(t *testing.T) {
			got, ending := through(t, middleware.SentinelCheck(middleware.SentinelConfig{}), row.in...)
			row.want(t, ending)
			require.Equal(t, chunksOf(row.in), got, "what was emitted stays")
		})
		t.Run(row.fault+", strict", func(t *testing.T) {
			got, ending := through(t, middleware.SentinelCheck(middleware.SentinelConfig{Strict: true}), row.in...)
			row.strict(t, ending)
			require.Equal(t, chunksOf(row.in), got)
		})
	}
}

// At the sentinel the socket is not waited for: the mock would fail a second Recv.
func TestSentinelDoesNotWaitForTheClose(t *testing.T) {
	ctrl := gomock.NewController(t)
	next, stream := mocks.NewMockNext(ctrl), mocks.NewMockStream(ctrl)
	next.EXPECT().Open(gomock.Any(), request).Return(stream, nil)
	stream.EXPECT().Recv().Return(sentinel, nil).Times(1)
	stream.EXPECT().Close().Times(1)
	s, _ := middleware.SentinelCheck(middleware.SentinelConfig{})(next).Open(t.Context(), request)
	_, ending := drain(t, s)
	require.True(t, ending == io.EOF)
}

func TestSentinelCheckLetsThrough(t *testing.T) {
	mw := func() endwell.Middleware { return middleware.SentinelCheck(middleware.SentinelConfig{}) }
	letsThrough(t, mw, errReset, stubborn, passing, inBand, outOfBand, endwell.ErrClosed)
	obeysLink(t, mw)
}
