package proxy

import (
	"context"
	"log/slog"
	"time"

	"github.com/endwell-go/endwell/cmd/endwell/internal/cli"
	"github.com/endwell-go/endwell/middleware"
	"github.com/endwell-go/endwell/retry"
)

// log writes the record of an exchange. It has no query, no header, and nothing of a
// body but the model's name.
func (x *exchange) log(r *middleware.Report) {
	attrs := []slog.Attr{
		slog.Int64("exchange", x.number),
		slog.String("method", x.req.Method), slog.String("path", x.req.URL.EscapedPath()), slog.Int("status", x.status),
		slog.Int64("bytes", x.bytes), slog.Duration("took", time.Since(x.began).Round(time.Millisecond)),
	}
	if x.model != "" {
		attrs = append(attrs, slog.String("model", x.model))
	}
	level, ending := x.ending(r)
	attrs = append(attrs, ending...)
	if r != nil && r.Emissions > 0 {
		attrs = append(attrs, slog.Duration("first", r.FirstEmission.Round(time.Millisecond)))
	}
	if r != nil && r.Attempts > 1 {
		attrs = append(attrs, slog.Int("attempts", r.Attempts))
	}
	x.p.cfg.Log.LogAttrs(context.WithoutCancel(x.req.Context()), level, "exchange", attrs...)
}

// ending is how an exchange ended, as far as that is known.
func (x *exchange) ending(r *middleware.Report) (slog.Level, []slog.Attr) {
	switch {
	case x.failure != nil:
		attrs := []slog.Attr{slog.String("ending", "failed"), slog.Any("error", x.failure)}
		if cause := cli.Cause(x.failure); cause != "" {
			attrs = append(attrs, slog.String("cause", cause))
		}
		return slog.LevelWarn, attrs
	case r != nil && r.Ending == retry.EndingWhole:
		return slog.LevelInfo, []slog.Attr{slog.String("ending", "whole")}
	case x.watches() || x.req.Context().Err() != nil:
		return slog.LevelInfo, []slog.Attr{slog.String("ending", "canceled")}
	case !x.through:
		return slog.LevelWarn, []slog.Attr{slog.String("ending", "aborted")}
	default:
		return slog.LevelInfo, nil
	}
}
