package proxy

import (
	"io"
	"log/slog"
	"sync"

	"github.com/endwell-go/endwell/retry"
)

// ledger writes entries as lines of JSON, and says so when it cannot: once, and how many
// were lost in the end.
type ledger struct {
	*retry.JSONLines
	log  *slog.Logger
	tell sync.Once
}

func newLedger(w io.Writer, log *slog.Logger) *ledger {
	return &ledger{JSONLines: retry.NewJSONLines(w), log: log}
}

// Record implements retry.Ledger.
func (l *ledger) Record(e retry.Entry) {
	l.JSONLines.Record(e)
	if err := l.Err(); err != nil {
		l.tell.Do(func() { l.log.Warn("the ledger cannot be written", "error", err) })
	}
}

// close says what was lost.
func (l *ledger) close() {
	if n := l.Lost(); n > 0 {
		l.log.Warn("the ledger is not complete", "lost", n)
	}
}
