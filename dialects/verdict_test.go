package dialects

import (
	"context"
	"errors"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/middleware"
)

// verdict is how a body ends above the standard stack, and what it said.
type verdict struct {
	fault      string         // "whole" for none
	err        *endwell.Error // nil for whole
	transcript *endwell.Transcript
}

// text is what the body said, "" if it said nothing.
func (v verdict) text() string {
	if v.transcript == nil {
		return ""
	}
	return v.transcript.Text
}

// calls are the tool calls of the body.
func (v verdict) calls() []endwell.ToolCall {
	if v.transcript == nil {
		return nil
	}
	return v.transcript.ToolCalls
}

// judge reads a body through the standard stack, as it is by default.
func judge(t testing.TB, d *Dialect, body io.Reader) (v verdict) {
	t.Helper()
	tr, err := endwell.Collect(guarded(t, d, body, Options{}))
	v.transcript, v.fault = tr, "whole"
	if err != nil {
		require.True(t, errors.As(err, &v.err), "%v", err)
		v.fault = v.err.Fault.String()
	}
	return v
}

// guarded is a body's stream above the standard stack.
func guarded(t testing.TB, d *Dialect, body io.Reader, opt Options) endwell.Stream {
	next := middleware.Standard(middleware.Config{})(endwell.NextFunc(
		func(context.Context, *endwell.Request) (endwell.Stream, error) { return d.Stream(body, opt), nil }))
	st, err := next.Open(context.Background(), &endwell.Request{Model: "m"})
	require.NoError(t, err)
	return st
}
