package scan

import (
	"bytes"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell/internal/jsonscan"
)

// What to do with a value that is due.
const (
	ask   = iota // for what it is, after all that it is not
	raw          // Raw
	skip         // Skip
	leave        // nothing
	stop         // nothing, and never go on
	choices
)

// walk leads a cursor through a document, of which jsontext knows what is there.
type walk struct {
	c       *jsonscan.Cursor
	doc     []byte
	choice  func() int
	spans   []jsonscan.Span // what the cursor has to record
	stopped bool
}

// value has the cursor pass the value that is due.
func (w *walk) value(t testing.TB, n *node) {
	c := w.c
	if n.kind == 0 || c.Err() != nil {
		return
	}
	require.Equal(t, n.kind, c.Kind(), "%q", w.doc)
	switch w.choice() {
	case ask:
		w.ask(t, n)
	case raw:
		if got := c.Raw(); n.whole {
			require.Equal(t, string(w.doc[n.from:n.to]), string(got))
			require.Len(t, got, cap(got))
		} else {
			require.Nil(t, got)
		}
	case skip:
		c.Skip()
		w.unread(n)
		require.Equal(t, n.whole, c.Err() == nil, "%q", w.doc)
	case stop:
		w.stopped = true
		w.unread(n)
	default:
		w.unread(n)
	}
}

// ask asks for a value of each kind in turn.
func (w *walk) ask(t testing.TB, n *node) {
	c := w.c
	s, isStr := c.Str()
	num, isNum := c.Num()
	v, isBool := c.Bool()
	isNull := c.Null()
	require.NoError(t, c.Err(), "%q", w.doc)
	require.Equal(t, n.kind == '"', isStr)
	require.Equal(t, n.kind == '0', isNum)
	require.Equal(t, n.kind == 't' || n.kind == 'f', isBool)
	require.Equal(t, n.kind == 't', v)
	require.Equal(t, n.kind == 'n', isNull)
	switch n.kind {
	case '"':
		w.str(t, n, s)
	case '0':
		require.Equal(t, string(w.doc[n.from:n.to]), string(num))
		require.Equal(t, n.to, jsonscan.NumberEnd(w.doc, n.from))
		requireInt(t, num)
	case '[':
		w.array(t, n)
	case '{':
		w.object(t, n)
	}
}

func (w *walk) str(t testing.TB, n *node, s jsonscan.Str) {
	from, to := n.from+1, n.to-1
	w.spans = append(w.spans, jsonscan.Span{From: from, To: to, Kind: jsonscan.ReadString})
	require.Equal(t, string(w.doc[from:to]), string(s.Raw))
	require.Equal(t, n.escaped, s.Escaped)
	requireText(t, n.text, s.String())
	require.Equal(t, s.String(), string(s.AppendTo(nil)))
	require.True(t, s.Equal(s.String()))
	end, escaped := jsonscan.TextEnd(w.doc, from)
	require.Equal(t, to, end)
	require.Equal(t, n.escaped, escaped)
	if plain := jsonscan.Plain(w.doc, from); !escaped {
		require.Equal(t, to, plain)
	} else {
		require.Equal(t, from+bytes.IndexByte(s.Raw, '\\'), plain)
	}
}

// requireText holds a text against that of jsontext, which replaces what is not UTF-8.
func requireText(t testing.TB, want, got string) {
	require.Equal(t, want, string([]rune(got)))
}

// requireInt holds Int against strconv, as far as that goes.
func requireInt(t testing.TB, num []byte) {
	if bytes.ContainsAny(num, ".eE") {
		return
	}
	want, err := strconv.ParseInt(string(num), 10, 64)
	got, ok := jsonscan.Int(num)
	require.Equal(t, err == nil, ok, "%s", num)
	if ok {
		require.Equal(t, want, got)
	}
}

func (w *walk) array(t testing.TB, n *node) {
	c := w.c
	require.False(t, c.Object())
	require.True(t, c.Array())
	for i := range n.sub {
		if !c.Elem() {
			require.Error(t, c.Err(), "%q", w.doc)
			return
		}
		if w.value(t, &n.sub[i]); w.stopped {
			w.rest(n, i+1)
			return
		}
	}
	if n.whole {
		require.False(t, c.Elem(), "%q", w.doc)
		require.NoError(t, c.Err(), "%q", w.doc)
	}
}

func (w *walk) object(t testing.TB, n *node) {
	c := w.c
	require.False(t, c.Array())
	require.True(t, c.Object())
	for i := range n.sub {
		key, ok := c.Key()
		if !ok {
			require.Error(t, c.Err(), "%q", w.doc)
			return
		}
		requireText(t, n.sub[i].name, string(key))
		if w.value(t, &n.sub[i]); w.stopped {
			w.rest(n, i+1)
			return
		}
	}
	if n.whole {
		_, ok := c.Key()
		require.False(t, ok, "%q", w.doc)
		require.NoError(t, c.Err(), "%q", w.doc)
	}
}

// unread notes the spans of a value that nobody asks for.
func (w *walk) unread(n *node) {
	switch n.kind {
	case '"':
		w.spans = append(w.spans, jsonscan.Span{From: n.from + 1, To: n.to - 1, Kind: jsonscan.UnreadString})
	case '0':
		w.spans = append(w.spans, jsonscan.Span{From: n.from, To: n.to, Kind: jsonscan.UnreadNumber})
	}
	w.rest(n, 0)
}

func (w *walk) rest(n *node, from int) {
	for i := range n.sub[from:] {
		w.unread(&n.sub[from+i])
	}
}

// walks holds a walk with those choices against jsontext.
func walks(t testing.TB, doc, moves []byte) {
	n, want := parse(doc)
	var c jsonscan.Cursor
	var spans jsonscan.Spans
	c.Record(&spans)
	c.Reset(doc)
	w := walk{c: &c, doc: doc, choice: func() int {
		if len(moves) == 0 {
			return ask
		}
		move := moves[0]
		moves = moves[1:]
		return int(move) % choices
	}}
	w.value(t, &n)
	requireVerdict(t, doc, want, c.End())
	if want == valid {
		require.Equal(t, w.spans, append([]jsonscan.Span(nil), spans.List...), "%q", doc)
	}
}
