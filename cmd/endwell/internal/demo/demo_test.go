package demo

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/cmd/endwell/internal/cli"
	"github.com/endwell-go/endwell/internal/leaktest"
)

func TestRun(t *testing.T) {
	leaktest.Check(t)
	var stdout, stderr bytes.Buffer
	code := Run(t.Context(), &stdout, &stderr, nil)
	out := stdout.String()
	require.Equal(t, exitRight, code, out)
	require.Empty(t, stderr.String())
	require.NotContains(t, out, "WRONG")
	require.Contains(t, out, "20 endings, 20 right. endwell: 6 whole, 1 stopped by the caller, 13 with one typed error each.")
	require.Contains(t, out, "called 7 of 13 bad ones a finished answer (marked !) and was still waiting on 3.")
	require.NotContains(t, out, key)
	for line := range strings.Lines(out) {
		require.LessOrEqual(t, len(line), 151, line)
	}

	// Each row is there, in order, and each bad one has its sentence.
	for _, r := range rows() {
		at := strings.Index(out, r.wire)
		require.GreaterOrEqual(t, at, 0, r.wire)
		out = out[at:]
	}
	require.Equal(t, 13, strings.Count(stdout.String(), "demo-model could not")+strings.Count(stdout.String(), "demo-model did not")+
		strings.Count(stdout.String(), "demo-model stalled")+strings.Count(stdout.String(), "before demo-model had")+
		strings.Count(stdout.String(), "of demo-model was cut off")+strings.Count(stdout.String(), "demo-model ended its turn"))
}

// A wrong expectation, of whatever kind, is shown and makes the exit code 1.
func TestWrongExpectation(t *testing.T) {
	right := row{
		wire: "3 words, then a clean close", answers: ends("cut"),
		plain: finishedWith(three), want: bad(endwell.Truncated, endwell.MalformedResponse, false, three),
	}
	for _, tc := range []struct {
		name  string
		spoil func(*row)
		shown string
	}{
		{"nothing", func(*row) {}, ""},
		{"plain client", func(r *row) { r.plain.kind = failed }, "WRONG: plain client: got finished, want failed"},
		{"plain client's text", func(r *row) { r.plain.text = answer }, `WRONG: plain client's text: got "All's well that", want "All's well that ends well."`},
		{"ending", func(r *row) { r.want.kind = finished }, "WRONG: ending: got failed, want finished"},
		{"fault", func(r *row) { r.want.fault = endwell.Broken }, "WRONG: fault: got truncated, want broken"},
		{"category", func(r *row) { r.want.category = endwell.Network }, "WRONG: category: got malformed_response, want network"},
		{"retryable", func(r *row) { r.want.retryable = true }, "WRONG: retryable: got false, want true"},
		{"bound", func(r *row) { r.want.bound = endwell.BoundIdle }, "WRONG: bound: got none, want idle"},
		{"text kept", func(r *row) { r.want.text = answer }, `WRONG: text kept: got "All's well that", want "All's well that ends well."`},
		{"tool call", func(r *row) { r.want.call = "weather()" }, `WRONG: tool call: got "", want "weather()"`},
		{"cut off", func(r *row) { r.want.cutOff = false }, "WRONG: cut off: got true, want false"},
		{"ledger", func(r *row) { r.want.ledger = "attempt 1 whole" }, `WRONG: ledger: got "", want "attempt 1 whole"`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			leaktest.Check(t)
			r := right
			tc.spoil(&r)
			var stdout, stderr bytes.Buffer
			code := run(t.Context(), &stdout, &stderr, []row{r})
			require.Empty(t, stderr.String())
			out := strings.Join(strings.Fields(stdout.String()), " ")
			if tc.shown == "" {
				require.Equal(t, exitRight, code)
				require.Contains(t, out, "1 ending, 1 right.")
				return
			}
			require.Equal(t, exitWrong, code)
			require.Contains(t, out, tc.shown)
			require.Contains(t, out, "1 ending, 0 right.")
		})
	}
}

func TestUsage(t *testing.T) {
	for _, tc := range []struct {
		name           string
		args           []string
		code           int
		stdout, stderr string
	}{
		{"help", []string{"-h"}, exitRight, usage, ""},
		{"unknown flag", []string{"-row", "3"}, cli.ExitUsage, "", "endwell demo: flag provided but not defined: -row; endwell demo -h explains\n"},
		{"argument", []string{"now"}, cli.ExitUsage, "", "endwell demo: unexpected argument \"now\"; endwell demo -h explains\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			require.Equal(t, tc.code, Run(t.Context(), &stdout, &stderr, tc.args))
			require.Equal(t, tc.stdout, stdout.String())
			require.Equal(t, tc.stderr, stderr.String())
		})
	}
}

// writerFunc is a writer that does something else.
type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

func TestInterrupted(t *testing.T) {
	leaktest.Check(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var out, stderr bytes.Buffer
	stdout := writerFunc(func(p []byte) (int, error) { cancel(); return out.Write(p) })
	require.Equal(t, exitWrong, Run(ctx, stdout, &stderr, nil))
	require.Equal(t, "endwell demo: context canceled\n", stderr.String())
	require.Equal(t, intro(20), out.String(), "no table of half a run")
}

func TestStdoutFails(t *testing.T) {
	full := errors.New("disk full")
	var stderr bytes.Buffer
	stdout := writerFunc(func([]byte) (int, error) { return 0, full })
	require.Equal(t, exitWrong, Run(t.Context(), stdout, &stderr, nil))
	require.Equal(t, "endwell demo: disk full\n", stderr.String())
}

func TestJudge(t *testing.T) {
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	typed := &endwell.Error{Fault: endwell.Empty, Category: endwell.MalformedResponse, Retryable: true}
	raw := errors.New("raw")
	for _, tc := range []struct {
		name string
		ctx  context.Context
		err  error
		want ending
	}{
		{"whole", t.Context(), io.EOF, ending{outcome: outcome{kind: finished}}},
		{"the caller's stop", canceled, context.Canceled, ending{outcome: outcome{kind: stopped}}},
		{"a typed error", t.Context(), typed, ending{err: typed, outcome: outcome{
			kind: failed, fault: endwell.Empty, category: endwell.MalformedResponse, retryable: true,
		}}},
		{"somebody else's cancellation", t.Context(), context.Canceled, ending{foreign: context.Canceled}},
		{"a raw error", canceled, raw, ending{foreign: raw}},
	} {
		t.Run(tc.name, func(t *testing.T) { require.Equal(t, tc.want, judge(tc.ctx, tc.err)) })
	}
	require.Contains(t, result{guarded: ending{foreign: raw}}.wrong(), "error outside of the contract: raw")
	require.Contains(t, closing([]result{{guarded: ending{foreign: raw}}}), ", 1 outside of the contract.")
}
