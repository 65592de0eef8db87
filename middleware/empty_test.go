package middleware_test

import (
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/middleware"
)

func TestEmptyGate(t *testing.T) {
	empty := func(c endwell.Category, transient, retryable bool) *endwell.Error {
		return &endwell.Error{Fault: endwell.Empty, Category: c, Transient: transient, Retryable: retryable}
	}
	blank := empty(endwell.MalformedResponse, true, true)
	for _, row := range []struct {
		fault    string
		in       []answer
		want     *endwell.Error // nil for whole
		reasoned *endwell.Error // with AllowReasoning
	}{
		{"closed before any payload", nil, blank, blank},
		{"keep-alives only", []answer{say(ping), say(partial)}, blank, blank},
		{"metadata only", []answer{say(role), say(usage), say(sentinel)}, blank, blank},
		{"stop and nothing else", []answer{say(role), say(stop), say(sentinel)}, blank, blank},
		{"tool calls announced and none made", []answer{say(finish(endwell.FinishToolCalls, "tool_calls"))}, blank, blank},
		{"reasoning without an answer", []answer{say(thought), say(stop)}, empty(endwell.MalformedResponse, true, false), nil},
		{"a filter left nothing", []answer{say(finish(endwell.FinishFilter, "content_filter"))}, empty(endwell.ContentBlocked, false, false), empty(endwell.ContentBlocked, false, false)},
		{"a filter left reasoning", []answer{say(thought), say(finish(endwell.FinishFilter, "SAFETY"))}, empty(endwell.ContentBlocked, false, false), nil},
		{"the limit was used up before any text", []answer{say(finish(endwell.FinishLength, "length"))}, empty(endwell.RequestInvalid, false, false), empty(endwell.RequestInvalid, false, false)},
		{"the limit was used up by reasoning", []answer{say(thought), say(finish(endwell.FinishLength, "length"))}, empty(endwell.RequestInvalid, false, false), nil},
		{"not empty: text", []answer{say(role), say(hello), say(stop)}, nil, nil},
		{"not empty: text that was not materialised", []answer{say(endwell.Chunk{Kind: endwell.KindText, Elided: true})}, nil, nil},
		{"not empty: text cut by a filter", []answer{say(hello), say(finish(endwell.FinishFilter, "content_filter"))}, nil, nil},
		{"not empty: reasoning and text", []answer{say(thought), say(hello)}, nil, nil},
		{"not empty: a refusal", []answer{say(refusal)}, nil, nil},
		{"not empty: a tool call", []answer{say(call(0, 0, ""))}, nil, nil},
		{"not empty: a picture", []answer{say(picture)}, nil, nil},
	} {
		for name, want := range map[string]*endwell.Error{"": row.want, ", reasoning allowed": row.reasoned} {
			t.Run(row.fault+name, func(t *testing.T) {
				mw := middleware.EmptyGate(middleware.EmptyConfig{AllowReasoning: name != ""})
				got, ending := through(t, mw, then(row.in, end(io.EOF))...)
				require.Equal(t, chunksOf(row.in), got)
				if want == nil {
					require.True(t, ending == io.EOF, ending)
					return
				}
				require.Equal(t, want, requireError(t, ending))
			})
		}
	}
}

// A stream that ended badly is not Empty, though nothing came.
func TestEmptyGateLetsThrough(t *testing.T) {
	mw := func() endwell.Middleware { return middleware.EmptyGate(middleware.EmptyConfig{}) }
	for _, err := range []error{errReset, passing, inBand, io.ErrUnexpectedEOF} {
		_, ending := through(t, mw(), say(role), end(err))
		require.True(t, ending == err, ending)
	}
	letsThrough(t, mw, errReset, stubborn, passing, inBand, outOfBand, endwell.ErrClosed)
	obeysLink(t, mw)
}
