package jsonscan

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAllocations(t *testing.T) {
	var c Cursor
	doc, nest := []byte(chunk), []byte(nested(64))
	reused := []byte(`{"\u0065rror":` + nested(MaxDepth-1) + `}`)
	escaped := str(t, `"a\n\u00e9\ud83d\ude00`+strings.Repeat(`\"`, 500)+`"`)
	text := escaped.String()
	buf := make([]byte, 0, len(escaped.Raw))
	var sink string
	rows := []struct {
		name string
		want float64
		run  func()
	}{
		{"a cursor for one chunk", 0, func() {
			var c Cursor
			var f fields
			_ = f.read(&c, doc)
		}},
		{"nesting up to 64", 0, func() {
			var c Cursor
			c.Reset(nest)
			_ = c.End()
		}},
		{"deep nesting and an escaped name, again", 0, func() {
			c.Reset(reused)
			c.Object()
			c.Key()
			_ = c.End()
		}},
		{"a cut document", 0, func() {
			c.Reset(doc[:100])
			_ = c.End()
		}},
		{"text without escapes", 1, func() { sink = Str{Raw: doc}.String() }},
		{"text with escapes", 1, func() { sink = escaped.String() }},
		{"appended text", 0, func() { buf = escaped.AppendTo(buf[:0]) }},
		{"comparison", 0, func() { _ = escaped.Equal(text) }},
		{"integer", 0, func() { _, _ = Int([]byte("12.5e1")) }},
		{"balance", 0, func() {
			var b Balance
			b.FeedString(chunk)
			b.Feed(doc)
		}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			require.Equal(t, row.want, testing.AllocsPerRun(100, row.run))
		})
	}
	require.NotEmpty(t, sink)
}

// What deep nesting costs is bounded and kept for reuse.
func TestDeepNestingIsCheap(t *testing.T) {
	var c Cursor
	doc := []byte(strings.Repeat("[", 1_000_000))
	for range 10 {
		c.Reset(doc)
		require.Equal(t, ErrDepth, c.End())
		c.Reset(doc[:MaxDepth])
		require.Equal(t, ErrUnexpectedEnd, c.End())
		c.Reset(doc[:MaxDepth])
		for c.Array() && c.Elem() {
			continue // and leave it there
		}
	}
	require.LessOrEqual(t, cap(c.spilled)*8, 2048)
}
