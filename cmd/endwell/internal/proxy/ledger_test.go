package proxy

import (
	"bytes"
	"io"
	"log/slog"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell/retry"
)

type full struct{}

func (full) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

// A disk that is full is told once, and in the end how much was lost; a ledger that is
// complete says nothing.
func TestLedger(t *testing.T) {
	for _, row := range []struct {
		name string
		w    io.Writer
		want int
	}{{"full", full{}, 1}, {"written", io.Discard, 0}} {
		var said bytes.Buffer
		l := newLedger(row.w, slog.New(slog.NewTextHandler(&said, nil)))
		for range 3 {
			l.Record(retry.Entry{Ending: retry.EndingWhole})
		}
		l.close()
		require.Equal(t, row.want, strings.Count(said.String(), syscall.ENOSPC.Error()), row.name)
		require.Equal(t, row.want, strings.Count(said.String(), "lost=3"), row.name)
	}
}
