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

// FuzzBalance: splits make no difference, valid containers are open until their
// last byte, and broken ones are from where nothing completes them.
func FuzzBalance(f *testing.F) {
	for _, row := range documents {
		if len(row.doc) < 1000 {
			f.Add([]byte(row.doc), uint64(0x5555))
		}
	}
	f.Add([]byte(`{"a":"\\\"}"} {`), ^uint64(0))
	f.Add([]byte(nested(70)), uint64(1))
	f.Add([]byte(`{"size":"5" screen"}`), uint64(7))
	f.Add([]byte(`[-0.5e+10,1E5,00,{"\u00e9\u00g":tru,"b":[nul]}]`), ^uint64(0))
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
		tolerant(t, doc)
		if len(doc) < 2000 {
			broken(t, doc)
		}
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
		require.False(t, b.Broken(), "%q", doc[:i])
		b.Feed(doc[i : i+1])
	}
	require.True(t, b.Started())
	require.Equal(t, container, b.Whole())
	require.False(t, b.Open())
	require.False(t, b.Extra())
	require.False(t, b.Broken())
}

// naive is the tolerant part of Balance, a byte at a time and without shortcuts.
type naive struct {
	depth                         int
	in, escaped, done, text, bare bool
	extra                         bool
}

func (n *naive) feed(doc []byte) {
	for _, c := range doc {
		switch {
		case n.bare:
		case n.done:
			n.extra = n.extra || !isSpace(c)
		case n.escaped:
			n.escaped = false
		case n.in:
			n.escaped, n.in = c == '\\', c != '"'
			n.done = !n.in && n.depth == 0
		case n.depth == 0 && isSpace(c):
		case c == '"':
			n.in = true
			n.text = n.depth == 0
		case c == '{' || c == '[':
			n.depth++
		case n.depth == 0:
			n.bare = true
		case c == '}' || c == ']':
			n.depth--
			n.done = n.depth == 0
		}
	}
}

// tolerant requires of any text what Balance promises for it without its grammar.
func tolerant(t testing.TB, doc []byte) {
	var b Balance
	var n naive
	b.Feed(doc)
	n.feed(doc)
	unfinished := n.depth > 0 || n.in || n.escaped
	require.Equal(t, n.bare || n.done || unfinished, b.Started(), "Started")
	require.Equal(t, n.done && !n.text, b.Whole(), "Whole")
	require.Equal(t, n.extra, b.Extra(), "Extra")
	require.Equal(t, unfinished && !b.Broken(), b.Open(), "Open")
}

// broken holds Broken against encoding/json: nothing completes a text that is, and
// something completes one that is open, unless the error is one of the two that
// Broken lets pass.
func broken(t testing.TB, doc []byte) {
	var b Balance
	for i := range doc {
		if b.Whole() || b.in == after {
			doc = doc[:i] // what follows the first value does not count
			break
		}
		b.Feed(doc[i : i+1])
	}
	rest, completable := completion(doc)
	if b.Broken() {
		require.False(t, completable, "%q is completed by %q", doc, rest)
		require.ErrorIs(t, check(doc), ErrSyntax)
	}
	if b.in == before || b.in == bare {
		require.False(t, b.Broken())
		return
	}
	if err := check(mended(doc)); !errors.Is(err, ErrDepth) && b.due != dueUnjudged {
		require.Equal(t, errors.Is(err, ErrSyntax), b.Broken(), "%v on %q", err, doc)
	}
}

// mended is doc without the control characters in its strings.
func mended(doc []byte) []byte {
	var out []byte
	in, escaped := false, false
	for _, c := range doc {
		switch {
		case escaped:
			escaped = false
		case in:
			escaped, in = c == '\\', c != '"'
			if c < ' ' {
				c = ' '
			}
		default:
			in = c == '"'
		}
		out = append(out, c)
	}
	return out
}
