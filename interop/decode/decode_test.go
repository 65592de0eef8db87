package decode_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell/interop/decode"
)

// read reads a body with a reader and returns its text and in how many pieces it came.
func read(b *decode.Body, with decode.Reader) (text string, pieces int, err error) {
	var s strings.Builder
	err = with(b.Open(nil), func(t string) {
		s.WriteString(t)
		pieces++
	})
	return s.String(), pieces, err
}

func TestBothSidesSeeTheSameText(t *testing.T) {
	for _, p := range decode.Pairs() {
		for name, size := range map[string]decode.Size{"long": decode.Long, "short": decode.Short} {
			t.Run(p.Dialect+"/"+name, func(t *testing.T) {
				b := p.Body(120, size)
				for side, with := range map[string]decode.Reader{"endwell": p.Endwell(), "sdk": p.Read} {
					text, pieces, err := read(b, with)
					require.NoError(t, err, side)
					require.Equal(t, b.Text, text, side)
					require.Equal(t, b.Frames, pieces, side)
				}
			})
		}
	}
}
