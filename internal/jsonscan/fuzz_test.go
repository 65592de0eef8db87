package jsonscan

import (
	"encoding/json"
	"errors"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// FuzzCursor holds verdicts and values against encoding/json.
func FuzzCursor(f *testing.F) {
	for _, row := range documents {
		if len(row.doc) < 1000 {
			f.Add([]byte(row.doc))
		}
	}
	f.Add([]byte(nested(130)))
	f.Add([]byte(`{"a":{"b":1},"a":{"c":2},"\u0061":"\ud800\udc00\ud800"}`))
	f.Fuzz(func(t *testing.T, doc []byte) {
		before := string(doc)
		judge(t, doc)
		got, err := rebuild(doc)
		require.Equal(t, check(doc), err)
		if err == nil && utf8.Valid(doc) {
			require.Equal(t, unmarshal(t, doc), got)
		}
		require.Equal(t, before, string(doc), "the document is not written to")
	})
}

// FuzzPrefix: what a valid document begins with is cut, and what follows a
// fault cannot repair it.
func FuzzPrefix(f *testing.F) {
	for _, row := range documents {
		if len(row.doc) < 1000 {
			f.Add([]byte(row.doc), []byte(`"]}`))
		}
	}
	f.Add([]byte(`{"a":"\`), []byte(`""}`))
	f.Fuzz(func(t *testing.T, doc, suffix []byte) {
		if len(doc) > 400 {
			return // the cost is quadratic
		}
		err := check(doc)
		if errors.Is(err, ErrUnexpectedEnd) {
			rest, ok := completion(doc)
			require.True(t, ok, "%q has no completion", doc)
			doc, err = append(doc[:len(doc):len(doc)], rest...), nil
		}
		if err != nil {
			extended := append(doc[:len(doc):len(doc)], suffix...)
			require.False(t, json.Valid(extended), "%v on %q, repaired by %q", err, doc, suffix)
			require.Equal(t, err, check(extended))
			return
		}
		for n := range doc {
			if prefix := doc[:n]; !json.Valid(prefix) {
				require.Equal(t, ErrUnexpectedEnd, check(prefix), "%q of %q", prefix, doc)
			}
		}
	})
}

// FuzzBalance: splits make no difference, and valid containers are open until
// their last byte.
func FuzzBalance(f *testing.F) {
	for _, row := range documents {
		if len(row.doc) < 1000 {
			f.Add([]byte(row.doc), uint64(0x5555))
		}
	}
	f.Add([]byte(`{"a":"\\\"}"} {`), ^uint64(0))
	f.Fuzz(func(t *testing.T, doc []byte, cuts uint64) {
		var whole, pieces, strings Balance
		whole.Feed(doc)
		start := 0
		for i := range doc {
			if cuts>>(i%64)&1 == 1 {
				pieces.Feed(doc[start:i])
				strings.FeedString(string(doc[start:i]))
				start = i
			}
		}
		pieces.Feed(doc[start:])
		strings.FeedString(string(doc[start:]))
		require.Equal(t, whole, pieces)
		require.Equal(t, whole, strings)
		require.Equal(t, naive(doc), whole)
		require.False(t, whole.Open() && whole.Whole())
		if json.Valid(doc) {
			balanced(t, doc)
		}
	})
}

// balanced requires of a valid document what Balance promises for it.
func balanced(t *testing.T, doc []byte) {
	var b Balance
	container, quoted := false, false
	var c Cursor
	c.Reset(doc)
	container = c.Kind() == '{' || c.Kind() == '['
	quoted = c.Kind() == '"'
	begin := c.pos
	c.Skip()
	for i := range doc {
		require.Equal(t, i > begin, b.Started())
		require.Equal(t, container && i >= c.pos, b.Whole())
		require.Equal(t, (container || quoted) && i > begin && i < c.pos, b.Open(), "%q", doc[:i])
		b.Feed(doc[i : i+1])
	}
	require.True(t, b.Started())
	require.Equal(t, container, b.Whole())
	require.False(t, b.Open())
	require.False(t, b.Extra())
}

// naive is Balance a byte at a time and without a state machine's shortcuts.
func naive(doc []byte) (b Balance) {
	for _, c := range doc {
		switch {
		case b.in == before && isSpace(c), b.in == bare, b.in == after && isSpace(c):
		case b.in == after:
			b.extra = true
		case b.in == escape:
			b.in = text
		case b.in == text && c == '\\':
			b.in = escape
		case b.in == text && c == '"' && b.depth > 0:
			b.in = between
		case b.in == text && c == '"':
			b.in = after
		case b.in == text:
		case c == '"':
			b.in = text
		case c == '{' || c == '[':
			b.in = between
			b.depth++
		case b.in == before:
			b.in = bare
		case c == '}' || c == ']':
			if b.depth--; b.depth == 0 {
				b.in, b.whole = after, true
			}
		}
	}
	return b
}
