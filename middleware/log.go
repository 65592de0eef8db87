package middleware

import (
	"context"
	"log/slog"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/clock"
	"github.com/endwell-go/endwell/internal/token"
	"github.com/endwell-go/endwell/retry"
)

// LogConfig configures Log.
type LogConfig struct {
	// Logger takes the records; nil means slog.Default() at the time of each one.
	Logger *slog.Logger
	// Level gives the level of a call's record; nil means LogLevel. It may be
	// called from any number of goroutines.
	Level func(Report) slog.Level
	// Start also writes a record at level Debug when a call begins.
	Start bool
	// Clock is what time is measured with; nil means clock.System.
	Clock clock.Clock
}

// LogLevel is the level of a record when nothing else is said: Warn for a call
// that failed, Info for one that ended whole or that its caller stopped.
func LogLevel(r Report) slog.Level {
	if r.Ending == retry.EndingFailed {
		return slog.LevelWarn
	}
	return slog.LevelInfo
}

// Log writes one record when a call ends, named "stream ended", with the
// attributes of Report.LogValue. It stands where Observe does, and is one. Nothing
// of the payload and nothing of the answer is in it. The record's context is the
// caller's, which may have ended.
func Log(cfg LogConfig) endwell.Middleware {
	if cfg.Level == nil {
		cfg.Level = LogLevel
	}
	observe := Observe(ObserveConfig{Report: cfg.ended, Clock: cfg.Clock})
	if !cfg.Start {
		return observe
	}
	return func(next endwell.Next) endwell.Next {
		next = observe(next)
		return endwell.NextFunc(func(ctx context.Context, req *endwell.Request) (endwell.Stream, error) {
			cfg.logger().LogAttrs(ctx, slog.LevelDebug, "stream started", names(req.Agent, req.Provider, req.Model)...)
			return next.Open(ctx, req)
		})
	}
}

func (cfg LogConfig) ended(ctx context.Context, r Report) {
	l, level := cfg.logger(), cfg.Level(r)
	if l.Enabled(ctx, level) {
		l.LogAttrs(ctx, level, "stream ended", r.LogValue().Group()...)
	}
}

func (cfg LogConfig) logger() *slog.Logger {
	if cfg.Logger == nil {
		return slog.Default()
	}
	return cfg.Logger
}

// LogValue renders the report as a group for slog. What is not known is absent: the
// times of what never came, usage that nobody counted, the handler that answered
// unless it was another one than the request's, the error of a call that did not
// fail or that nothing classified.
func (r Report) LogValue() slog.Value {
	at := append(
		names(r.Agent, r.Provider, r.Model),
		slog.String("ending", r.Ending.String()),
		slog.Bool("emitted", r.Emitted()),
		slog.Int("chunks", r.Chunks),
		slog.Int("emissions", r.Emissions),
		slog.Duration("took", r.Took),
		slog.Duration("opened", r.Opened),
	)
	if r.Chunks > 0 {
		at = append(at, slog.Duration("first_chunk", r.FirstChunk), slog.Duration("longest_gap", r.LongestGap))
	}
	if r.Emissions > 0 {
		at = append(at, slog.Duration("first_emission", r.FirstEmission))
	}
	if r.Usage != (endwell.Usage{}) {
		at = append(at, slog.Attr{Key: "usage", Value: usageValue(r.Usage)})
	}
	if r.Attempts > 1 {
		at = append(at, slog.Int("attempts", r.Attempts))
	}
	if r.Fallbacks > 0 {
		at = append(at, slog.Int("fallbacks", r.Fallbacks), slog.Any("answered", r.Answered))
	}
	if r.Err != nil {
		at = append(at, slog.Any("error", r.Err))
	}
	return slog.GroupValue(at...)
}

// LogValue renders the target as a group for slog.
func (t Target) LogValue() slog.Value {
	return slog.GroupValue(
		slog.String("name", token.Name(t.Name)),
		slog.String("provider", token.Name(t.Provider)),
		slog.String("model", token.Name(t.Model)),
	)
}

func names(agent, provider, model string) []slog.Attr {
	return []slog.Attr{
		slog.String("agent", token.Name(agent)),
		slog.String("provider", token.Name(provider)),
		slog.String("model", token.Name(model)),
	}
}

// usageValue is what was counted; what was not reported is absent.
func usageValue(u endwell.Usage) slog.Value {
	var at []slog.Attr
	for _, n := range []struct {
		name  string
		count int64
	}{
		{"input", u.Input},
		{"output", u.Output},
		{"total", u.Total},
		{"reasoning", u.Reasoning},
		{"cached", u.Cached},
	} {
		if n.count != 0 {
			at = append(at, slog.Int64(n.name, n.count))
		}
	}
	return slog.GroupValue(at...)
}
