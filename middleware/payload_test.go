package middleware_test

import (
	"fmt"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/middleware"
)

func TestPayloadGuard(t *testing.T) {
	evidence := func(k endwell.EvidenceKind) error {
		return &endwell.Evidence{Kind: k, InBand: true, Frame: 7, Status: 529}
	}
	wrapped := fmt.Errorf("reading: %w", evidence(endwell.Reported))
	for _, row := range []struct {
		fault                string
		in                   error
		want                 endwell.Fault
		category             endwell.Category
		transient, retryable bool // retryable when nothing was emitted
	}{
		{"error frame", evidence(endwell.Reported), endwell.Faulted, 0, false, false},
		{"error frame behind a wrapper", wrapped, endwell.Faulted, 0, false, false},
		{"model output that the provider cannot use", evidence(endwell.BadOutput), endwell.Faulted, 0, false, false},
		{"unparseable frame", evidence(endwell.Unparseable), endwell.Malformed, endwell.MalformedResponse, false, false},
		{"a page behind a stream", evidence(endwell.NotAStream), endwell.Malformed, endwell.MalformedResponse, false, false},
		{"frame above the cap", evidence(endwell.TooLarge), endwell.Malformed, endwell.MalformedResponse, false, false},
		{"two answers in one", evidence(endwell.Spliced), endwell.Malformed, endwell.MalformedResponse, true, true},
	} {
		check := func(t *testing.T, err error, emitted bool) {
			e := requireError(t, err)
			require.Equal(t, row.want, e.Fault)
			require.Equal(t, row.category, e.Category)
			require.Equal(t, row.transient, e.Transient)
			require.Equal(t, row.retryable && !emitted, e.Retryable)
			require.Equal(t, 7, e.Frame)
			require.Equal(t, 529, e.Status)
			require.True(t, e.Unredacted() == row.in)
		}
		t.Run(row.fault, func(t *testing.T) {
			_, ending := through(t, middleware.PayloadGuard(), say(role), end(row.in))
			check(t, ending, false)
		})
		t.Run(row.fault+" after an emission", func(t *testing.T) {
			_, ending := through(t, middleware.PayloadGuard(), say(hello), end(row.in))
			check(t, ending, true)
		})
		t.Run(row.fault+" from Open", func(t *testing.T) {
			s, err := middleware.PayloadGuard()(refusing(t, row.in)).Open(t.Context(), request)
			require.Nil(t, s)
			check(t, err, false)
		})
	}
}

func TestPayloadGuardFinishFault(t *testing.T) {
	bad := finish(endwell.FinishFault, "network_error")
	bad.Raw = []byte("frame")
	got, ending := through(t, middleware.PayloadGuard(), say(role), say(hello), say(bad))
	require.Len(t, got, 2, "a frame that reports a fault is never delivered")
	e := requireError(t, ending)
	require.Equal(t, endwell.Faulted, e.Fault)
	require.Equal(t, 3, e.Frame)
	ev := e.Unredacted().(*endwell.Evidence)
	require.True(t, ev.InBand)
	require.Equal(t, "network_error", ev.Code)
	require.Equal(t, "network_error", ev.Finish)
	require.Equal(t, "frame", string(ev.Body))
	bad.Raw[0] = 'X'
	require.Equal(t, "frame", string(ev.Body), "Raw lives until the next Recv only")
}

// What merely looks odd is no fault.
func TestPayloadGuardSeesNoFault(t *testing.T) {
	for _, f := range endwell.Finishes() {
		if f == endwell.FinishFault {
			continue
		}
		t.Run(f.String(), func(t *testing.T) {
			in := []answer{say(hello), say(finish(f, "error")), say(usage), say(stop), say(hello), end(io.EOF)}
			got, ending := through(t, middleware.PayloadGuard(), in...)
			require.Equal(t, chunksOf(in), got)
			require.True(t, ending == io.EOF)
		})
	}
	t.Run("the class on a chunk that is no finish", func(t *testing.T) {
		odd := endwell.Chunk{Kind: endwell.KindText, Text: `{"error":"as prose"}`, Finish: endwell.FinishFault}
		_, ending := through(t, middleware.PayloadGuard(), say(odd), end(io.EOF))
		require.True(t, ending == io.EOF)
	})
}

func TestPayloadGuardLetsThrough(t *testing.T) {
	cut := &endwell.Evidence{Kind: endwell.Cut, InBand: true}
	above := fmt.Errorf("both: %w, %w", passing, inBand)
	letsThrough(t, middleware.PayloadGuard, errReset, stubborn, passing, cut, above, endwell.ErrClosed, io.ErrUnexpectedEOF)
	_, ending := through(t, middleware.PayloadGuard(), end(outOfBand))
	require.True(t, ending == outOfBand, "a refused call, before anything came")
	_, ending = through(t, middleware.PayloadGuard(), say(role), end(outOfBand))
	require.ErrorIs(t, ending, endwell.Faulted, "no call is refused once its answer has begun")
	obeysLink(t, middleware.PayloadGuard)
}

// requireError finds the *endwell.Error, which must be the error itself.
func requireError(t *testing.T, err error) *endwell.Error {
	t.Helper()
	require.Error(t, err)
	e, ok := err.(*endwell.Error)
	require.True(t, ok, "%T: %v", err, err)
	return e
}
