package retry

import (
	"context"
	"log/slog"
)

// NewSlog returns a ledger that logs each attempt as one record named "attempt":
// a failed one at level Warn, any other at level Info. The attributes are those
// of [Entry.LogValue]. A nil logger means slog.Default() at the time of each
// record. An error of the handler is the handler's affair.
func NewSlog(l *slog.Logger) Ledger { return slogLedger{l} }

type slogLedger struct{ logger *slog.Logger }

func (s slogLedger) Record(e Entry) {
	l := s.logger
	if l == nil {
		l = slog.Default()
	}
	level := slog.LevelInfo
	if e.Ending == EndingFailed {
		level = slog.LevelWarn
	}
	l.LogAttrs(context.Background(), level, "attempt", e.LogValue().Group()...)
}
