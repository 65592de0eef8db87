package dialects

import (
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
)

// verdictRow is a row of a table: how a body ends above the standard stack, and its
// text. A row of no dialect is detected.
type verdictRow struct{ name, dialect, body, fault, text string }

func runVerdicts(t *testing.T, rows []verdictRow) {
	t.Helper()
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			d := MustByName(row.dialect)
			for _, v := range []verdict{
				judge(t, d, bodyOf(row.body)),
				judge(t, d, iotest.OneByteReader(bodyOf(row.body))),
			} {
				require.Equal(t, row.fault, v.fault, "%v", v.err)
				require.Equal(t, row.text, v.text())
			}
		})
	}
}
