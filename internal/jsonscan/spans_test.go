package jsonscan

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSpans(t *testing.T) {
	doc := []byte(`{"a":"read","b":"unread","c":[1,{"d":"in"},true],"e":2,"f":{"g":"raw"},"h":"last"}`)
	var c Cursor
	var s Spans
	c.Record(&s)
	for range 2 { // the second Reset begins anew
		c.Reset(doc)
		require.True(t, c.Object())
		for key, ok := c.Key(); ok; key, ok = c.Key() {
			switch string(key) {
			case "a":
				_, _ = c.Str()
			case "e":
				_, _ = c.Num()
			case "f":
				_ = c.Raw()
			}
		}
		require.NoError(t, c.End())
		var got []string
		for _, span := range s.List {
			got = append(got, [...]string{"read ", "string ", "number "}[span.Kind]+string(doc[span.From:span.To]))
		}
		require.Equal(t, []string{"read read", "string unread", "number 1", "string in", "string last"}, got)
	}
	c.Record(nil)
	c.Reset(doc)
	require.NoError(t, c.End())
	require.Len(t, s.List, 5, "nothing is recorded any more")
}

// TextEnd and NumberEnd accept what a Cursor accepts, and tell a value that is cut
// from one that is wrong, and where.
func TestEnds(t *testing.T) {
	alphabet := []string{`"`, `\`, `\"`, `\n`, `\u00e9`, "\x01", "a", "é", "\xff", "01234567", "0", "-", "1", ".", "e", "+", ",", " "}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200_000 {
		value := []byte{'"'}
		if rng.IntN(2) == 0 {
			value = []byte{"-0123456789"[rng.IntN(11)]}
		}
		for range rng.IntN(12) {
			value = append(value, alphabet[rng.IntN(len(alphabet))]...)
		}
		requireEnd(t, value)
	}
}

func requireEnd(t *testing.T, value []byte) {
	t.Helper()
	var c Cursor
	c.Reset(value)
	if value[0] == '"' {
		s, ok := c.Str()
		end, escaped := TextEnd(value, 1)
		switch {
		case ok:
			require.Equal(t, 1+len(s.Raw), end, "%q", value)
			require.Equal(t, s.Escaped, escaped, "%q", value)
		case c.Err() == ErrUnexpectedEnd:
			require.Equal(t, len(value), end, "%q", value)
		default:
			require.Equal(t, &SyntaxError{Offset: ^end}, c.Err(), "%q", value)
		}
		return
	}
	raw, ok := c.Num()
	switch end := NumberEnd(value, 0); {
	case ok:
		require.Equal(t, len(raw), end, "%q", value)
	case c.Err() == ErrUnexpectedEnd:
		require.Equal(t, len(value), end, "%q", value)
	default:
		require.Equal(t, &SyntaxError{Offset: ^end}, c.Err(), "%q", value)
	}
}
