package middleware_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/clock"
	"github.com/endwell-go/endwell/middleware"
	"github.com/endwell-go/endwell/retry"
)

// logTo is a logger of JSON lines without times.
func logTo(w io.Writer, level slog.Level) *slog.Logger {
	return slog.New(slog.NewJSONHandler(w, &slog.HandlerOptions{Level: level, ReplaceAttr: logUntimed}))
}

func logUntimed(_ []string, a slog.Attr) slog.Attr {
	if a.Key == slog.TimeKey {
		return slog.Attr{}
	}
	return a
}

func TestLog(t *testing.T) {
	names := `"agent":"writer","provider":"acme","model":"small-1"`
	started := `{"level":"DEBUG","msg":"stream started",` + names + `}` + "\n"
	ended := func(level, rest string) string {
		return `{"level":"` + level + `","msg":"stream ended",` + names + `,` + rest + `}` + "\n"
	}
	quiet := `"emitted":false,"chunks":0,"emissions":0,"took":1000000000,"opened":1000000000`
	spoken := `"emitted":true,"chunks":1,"emissions":1,"took":2000000000,"opened":0,"first_chunk":0,"longest_gap":2000000000,"first_emission":0`
	always := func(l slog.Level) func(middleware.Report) slog.Level {
		return func(middleware.Report) slog.Level { return l }
	}
	for _, row := range []struct {
		fault string
		cfg   middleware.LogConfig
		level slog.Level // of the handler
		open  step
		recv  []step
		want  string
	}{
		{fault: "none", recv: in(hello, fails(2*s, io.EOF)), want: ended("INFO", `"ending":"whole",`+spoken)},
		{fault: "whole without a chunk", open: step{wait: s}, recv: in(fails(0, io.EOF)), want: ended("INFO", `"ending":"whole",`+quiet)},
		{
			fault: "with usage", recv: in(usage, fails(0, io.EOF)),
			want: ended("INFO", `"ending":"whole","emitted":false,"chunks":1,"emissions":0,"took":0,"opened":0,"first_chunk":0,"longest_gap":0,"usage":{"input":3,"output":5}`),
		},
		{
			fault: "refused", open: step{wait: s, err: stubborn},
			want: ended("WARN", `"ending":"failed",`+quiet+`,"error":{"fault":"refused","category":"auth_invalid","transient":false,"retryable":false,"status":"401"}`),
		},
		{
			fault: "broken", recv: in(hello, fails(2*s, passing)),
			want: ended("WARN", `"ending":"failed",`+spoken+`,"error":{"fault":"broken","category":"network","transient":true,"retryable":true}`),
		},
		{fault: "not classified", open: step{wait: s, err: errReset}, want: ended("WARN", `"ending":"failed",`+quiet)},
		{fault: "closed below", recv: in(hello, fails(2*s, endwell.ErrClosed)), want: ended("INFO", `"ending":"canceled",`+spoken)},
		{fault: "with a start", cfg: middleware.LogConfig{Start: true}, level: slog.LevelDebug, recv: in(hello, fails(2*s, io.EOF)), want: started + ended("INFO", `"ending":"whole",`+spoken)},
		{fault: "with a start that nobody wants", cfg: middleware.LogConfig{Start: true}, open: step{wait: s}, recv: in(fails(0, io.EOF)), want: ended("INFO", `"ending":"whole",`+quiet)},
		{fault: "a start is not asked for", level: slog.LevelDebug, open: step{wait: s}, recv: in(fails(0, io.EOF)), want: ended("INFO", `"ending":"whole",`+quiet)},
		{fault: "a level of its own", cfg: middleware.LogConfig{Level: always(slog.LevelError)}, open: step{wait: s}, recv: in(fails(0, io.EOF)), want: ended("ERROR", `"ending":"whole",`+quiet)},
		{fault: "a level that nobody wants", cfg: middleware.LogConfig{Level: always(slog.LevelDebug)}, recv: in(hello, fails(0, io.EOF))},
	} {
		t.Run(row.fault, func(t *testing.T) {
			onBoth(t, func(t *testing.T, b bench) {
				var out bytes.Buffer
				row.cfg.Logger, row.cfg.Clock = logTo(&out, row.level), b.Clock
				_, ending := collect(t, middleware.Log(row.cfg)(&provider{advance: b.advance, open: row.open, steps: row.recv}))
				require.Error(t, ending)
				require.Equal(t, row.want, out.String())
			})
		})
	}
}

func TestLogLetsThrough(t *testing.T) {
	for _, start := range []bool{false, true} {
		mw := func() endwell.Middleware {
			return middleware.Log(middleware.LogConfig{Logger: logTo(io.Discard, slog.LevelDebug), Start: start})
		}
		letsThrough(t, mw, errReset, stubborn, passing, inBand, outOfBand, endwell.ErrClosed, context.DeadlineExceeded)
		obeysLink(t, mw)
	}
}

// Who answered is on record when it was not who was asked.
func TestLogFallback(t *testing.T) {
	var out bytes.Buffer
	_, ending := collect(t, endwell.Chain(
		middleware.Log(middleware.LogConfig{Logger: logTo(&out, 0)}),
		middleware.Fallback(middleware.FallbackConfig{To: []middleware.Alternative{
			{Name: "spare", Provider: "other", Model: "small-2", Next: &obsAnswer{}},
		}}),
	)(refusing(t, fbBusy)))
	require.True(t, ending == io.EOF)
	require.Contains(t, out.String(), `"model":"small-1"`)
	require.Contains(t, out.String(), `"fallbacks":1,"answered":{"name":"spare","provider":"other","model":"small-2"}`)
}

// A nil logger is slog's default at the time of the record.
func TestLogDefaultLogger(t *testing.T) {
	was := slog.Default()
	t.Cleanup(func() { slog.SetDefault(was) })
	mw := middleware.Log(middleware.LogConfig{})
	var out bytes.Buffer
	slog.SetDefault(logTo(&out, slog.LevelInfo))
	_, err := mw(refusing(t, stubborn)).Open(t.Context(), request)
	require.ErrorIs(t, err, endwell.AuthInvalid)
	require.Contains(t, out.String(), `"msg":"stream ended"`)
}

// The handler gets the caller's context, from which it may take a trace.
func TestLogContext(t *testing.T) {
	type key struct{}
	h := &logHandler{key: key{}}
	mw := middleware.Log(middleware.LogConfig{Logger: slog.New(h), Start: true})
	_, _ = mw(refusing(t, stubborn)).Open(context.WithValue(t.Context(), key{}, "trace"), request)
	require.Equal(t, []any{"trace", "trace"}, h.seen)
}

// logHandler keeps what the contexts of records hold.
type logHandler struct {
	slog.Handler
	key  any
	seen []any
}

func (h *logHandler) Enabled(context.Context, slog.Level) bool { return true }

func (h *logHandler) Handle(ctx context.Context, _ slog.Record) error {
	h.seen = append(h.seen, ctx.Value(h.key))
	return nil
}

// Nothing of what is asked, of what is answered, of keys and of a provider's prose
// is in a record, and names cannot break it.
func TestLogSecrets(t *testing.T) {
	const planted = "planted"
	req := &endwell.Request{
		Agent: "line\nbreak", Provider: "acme", Model: "small-1", Payload: planted,
		Secret: []string{planted}, Private: []string{planted},
	}
	said := &endwell.Evidence{Status: 500, Message: planted, Code: planted + " prose", Body: []byte(planted)}
	e := (&endwell.Error{Fault: endwell.Faulted, Category: endwell.ServerError, Code: planted + " prose"}).WithOriginal(said)
	for name, err := range map[string]error{"an error": e, "an original": errors.Join(said, e), "prose": errors.New(planted), "none": io.EOF} {
		t.Run(name, func(t *testing.T) {
			var lines, text bytes.Buffer
			for _, l := range []*slog.Logger{logTo(&lines, slog.LevelDebug), slog.New(slog.NewTextHandler(&text, nil))} {
				p := &provider{steps: in(
					endwell.Chunk{Kind: endwell.KindText, Text: planted, Raw: []byte(planted), Native: planted},
					endwell.Chunk{Kind: endwell.KindReasoning, Detail: planted}, step{err: err},
				)}
				st, openErr := middleware.Log(middleware.LogConfig{Logger: l, Start: true, Clock: new(clock.Fake)})(p).Open(t.Context(), req)
				require.NoError(t, openErr)
				drain(t, st)
			}
			require.NotContains(t, lines.String()+text.String(), planted)
			require.Equal(t, 2, strings.Count(lines.String(), `"agent":"line?break"`))
			for line := range strings.Lines(lines.String()) {
				require.True(t, json.Valid([]byte(line)), line)
			}
		})
	}
}

func TestLogLevel(t *testing.T) {
	for _, e := range retry.Endings() {
		want := slog.LevelInfo
		if e == retry.EndingFailed {
			want = slog.LevelWarn
		}
		require.Equal(t, want, middleware.LogLevel(middleware.Report{Ending: e}))
	}
}

// Every count of a usage that is not zero is in the record.
func TestReportLogValueUsage(t *testing.T) {
	var out bytes.Buffer
	r := middleware.Report{Usage: endwell.Usage{Input: 1, Output: 2, Total: 3, Reasoning: 4, Cached: 5}, Took: time.Second}
	logTo(&out, 0).Info("x", "report", r)
	require.Contains(t, out.String(), `"usage":{"input":1,"output":2,"total":3,"reasoning":4,"cached":5}`)
}
