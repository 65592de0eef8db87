package middleware

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
)

func TestPreamble(t *testing.T) {
	meta := func(raw string) endwell.Chunk { return endwell.Chunk{Kind: endwell.KindMeta, Raw: []byte(raw)} }
	ping := func(raw string) endwell.Chunk { return endwell.Chunk{Kind: endwell.KindKeepAlive, Raw: []byte(raw)} }
	many := func(c endwell.Chunk, n int) (all []endwell.Chunk) {
		for range n {
			all = append(all, c)
		}
		return all
	}
	big := strings.Repeat("x", maxPreambleBytes)
	for _, row := range []struct {
		fault string
		in    []endwell.Chunk
		holds bool
		kept  int
	}{
		{"as many chunks as fit", many(meta("m"), 64), true, 64},
		{"one chunk too many", many(meta("m"), 65), false, 65},
		{"as many bytes as fit", []endwell.Chunk{meta(big)}, true, 1},
		{"one byte too many", []endwell.Chunk{meta(big), meta("x")}, false, 2},
		{"keep-alives in a row are one", many(ping(": p\n\n"), 10000), true, 1},
		{"their bytes count", []endwell.Chunk{ping(big), ping("x")}, false, 1},
		{"keep-alives between others are not", append(many(ping("p"), 3), meta("m"), ping("q")), true, 3},
	} {
		t.Run(row.fault, func(t *testing.T) {
			var p preamble
			var sent, kept strings.Builder
			for i, c := range row.in {
				sent.Write(c.Raw)
				c.Raw = append([]byte(nil), c.Raw...)
				require.Equal(t, row.holds || i < len(row.in)-1, p.add(c))
				clear(c.Raw) // it was the provider's
			}
			n := 0
			for c, ok := p.next(); ok; c, ok = p.next() {
				kept.Write(c.Raw)
				n++
			}
			require.Equal(t, row.kept, n)
			require.True(t, sent.String() == kept.String(), "Raw is not intact")
			require.Zero(t, p, "what was delivered is still held")
		})
	}
}

func TestPreambleKeepsTheLastState(t *testing.T) {
	var p preamble
	for _, e := range []endwell.End{endwell.Unstated, endwell.Open, endwell.MayEnd, endwell.Unstated} {
		p.add(endwell.Chunk{Kind: endwell.KindKeepAlive, End: e})
	}
	c, ok := p.next()
	require.True(t, ok)
	require.Equal(t, endwell.MayEnd, c.End)
	require.Nil(t, c.Raw)
}
