package middleware_test

import (
	"fmt"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/middleware"
)

func TestToolCallGuard(t *testing.T) {
	tools := finish(endwell.FinishToolCalls, "tool_calls")
	length := finish(endwell.FinishLength, "length")
	filtered := finish(endwell.FinishFilter, "content_filter")
	second := length
	second.Index = 1
	for _, row := range []struct {
		fault string
		in    []answer
		cut   bool
	}{
		{"arguments end in a string", []answer{say(call(0, 0, `{"city":"Par`)), say(tools)}, true},
		{"arguments end in a nested object", []answer{say(call(0, 0, `{"a":{"b":1}`)), say(tools)}, true},
		{"arguments end after an escape", []answer{say(call(0, 0, `{"a":"\`)), say(call(0, 0, `"`)), say(tools)}, true},
		{"the first of two calls is cut", []answer{say(call(0, 0, `{"a`)), say(call(0, 1, `{}`)), say(tools)}, true},
		{"the same index in another choice", []answer{say(call(0, 0, `{}`)), say(call(1, 0, `{`)), say(tools)}, true},
		{"no finish word at all", []answer{say(call(0, 0, `{`))}, true},
		{"another choice met the limit", []answer{say(call(0, 0, `{`)), say(second)}, true},
		{"cut by the limit", []answer{say(call(0, 0, `{"a`)), say(length)}, false},
		{"cut by the limit, twice said", []answer{say(call(0, 0, `{"a`)), say(length), say(length)}, false},
		{"cut by a filter", []answer{say(call(0, 0, `{"a`)), say(filtered)}, false},
		{"cut by the limit in the second choice", []answer{say(call(1, 0, `{"a`)), say(second)}, false},
		{"whole in pieces", []answer{say(call(0, 0, `{"a":`)), say(call(0, 0, `"}"`)), say(call(0, 0, `}`)), say(tools)}, false},
		{"interleaved", []answer{say(call(0, 0, `{`)), say(call(0, 1, `[`)), say(call(0, 0, `}`)), say(call(0, 1, `]`))}, false},
		{"no arguments", []answer{say(call(0, 0, ``)), say(tools)}, false},
		{"not JSON, but whole", []answer{say(call(0, 0, `Paris`)), say(tools)}, false},
		{"invalid, but balanced", []answer{say(call(0, 0, `{"a":,}`)), say(tools)}, false},
		{"more after the JSON", []answer{say(call(0, 0, `{}{`)), say(tools)}, false},
		{"no call", []answer{say(hello), say(stop)}, false},
		{"a call without a delta", []answer{say(endwell.Chunk{Kind: endwell.KindToolCall}), say(tools)}, false},
	} {
		t.Run(row.fault, func(t *testing.T) {
			got, ending := through(t, middleware.ToolCallGuard(), then(row.in, end(io.EOF))...)
			require.Equal(t, chunksOf(row.in), got)
			if !row.cut {
				require.True(t, ending == io.EOF, ending)
				return
			}
			e := requireError(t, ending)
			require.Equal(t, endwell.Truncated, e.Fault)
			require.Equal(t, endwell.MalformedResponse, e.Category)
			require.True(t, e.Transient)
			require.False(t, e.Retryable, "a call was emitted")
			require.ErrorIs(t, ending, io.ErrUnexpectedEOF)
		})
	}
}

// An answer has at most 1024 calls, whatever their choices. What came before the one
// too many stays.
func TestToolCallGuardCrowded(t *testing.T) {
	for _, row := range []struct {
		fault string
		calls int
		more  bool
	}{
		{"as many as there may be", 1024, false},
		{"one too many", 1025, true},
	} {
		t.Run(row.fault, func(t *testing.T) {
			var in []answer
			for i := range row.calls {
				in = append(in, say(call(i%2, i, `{}`)))
			}
			if !row.more {
				in = append(in, say(call(0, 0, ` `)), end(io.EOF))
			}
			got, ending := through(t, middleware.ToolCallGuard(), in...)
			if !row.more {
				require.True(t, ending == io.EOF, ending)
				return
			}
			require.Len(t, got, 1024)
			e := requireError(t, ending)
			require.Equal(t, endwell.Malformed, e.Fault)
			require.Equal(t, endwell.MalformedResponse, e.Category)
			require.False(t, e.Transient)
		})
	}
}

// An ending that is bad anyway is not overwritten by what the guard knows.
func TestToolCallGuardLetsThrough(t *testing.T) {
	above := fmt.Errorf("above: %w", passing)
	for _, err := range []error{errReset, passing, inBand, above} {
		_, ending := through(t, middleware.ToolCallGuard(), say(call(0, 0, `{"a`)), end(err))
		require.True(t, ending == err, ending)
	}
	letsThrough(t, middleware.ToolCallGuard, errReset, stubborn, passing, inBand, outOfBand, endwell.ErrClosed)
	obeysLink(t, middleware.ToolCallGuard)
}
