package dialects

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
)

// spoken is said without keep-alives: a line end that comes by itself is one, so how
// many there are depends on how the body is split.
func spoken(st endwell.Stream) (words, raw string, end error) {
	var b, bytes strings.Builder
	state := endwell.Open
	for {
		c, err := st.Recv()
		if err != nil {
			return strings.TrimSpace(b.String()), bytes.String(), err
		}
		bytes.Write(c.Raw)
		if c.Kind == endwell.KindKeepAlive {
			continue
		}
		b.WriteString(" " + word1(c))
		if c.End != state {
			state = c.End
			b.WriteString("@" + state.String())
		}
	}
}

// requireSpoken checks what a body says, however it is split, and that the raw bytes
// of the chunks are the body up to the fault.
func requireSpoken(t *testing.T, d *Dialect, body, want, wantEnd string) {
	t.Helper()
	for way, open := range splits(body) {
		got, raw, err := spoken(d.Stream(open(), Options{}))
		require.Equal(t, want, got, way)
		require.Equal(t, wantEnd, ending(err), way)
		if ending(err) == "eof" {
			require.Equal(t, body, raw, way)
		} else {
			require.True(t, strings.HasPrefix(body, raw), way)
		}
	}
}

// spokenRow is a row of a table: what a body says and how it ends, "" for eof.
type spokenRow struct{ name, body, want, end string }

func runSpoken(t *testing.T, dialect string, rows []spokenRow) {
	t.Helper()
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			end := row.end
			if end == "" {
				end = "eof"
			}
			requireSpoken(t, Native(dialect), row.body, row.want, end)
		})
	}
}

// lines joins documents as NDJSON.
func lines(docs ...string) string { return strings.Join(docs, "\n") + "\n" }

// evidenceWith is how ending renders evidence.
func evidenceWith(kind, status, typ, code, message string) string {
	return kind + " status=" + status + " type=" + typ + " code=" + code + " message=" + message
}

func reported(code, message string) string {
	return evidenceWith("reported", "0", "", code, message)
}

const (
	cutEnd         = "cut status=0 type= code= message="
	unparseableEnd = "unparseable status=0 type= code= message="
	splicedEnd     = "spliced status=0 type= code= message="
	notAStreamEnd  = "not_a_stream status=0 type= code= message="
)
