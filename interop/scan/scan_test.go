package scan

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell/internal/jsonscan"
)

// A cursor that skips everything says what jsontext does, and so does one that reads
// everything, as far as jsontext came.
func verdicts(t testing.TB, doc []byte) {
	n, want := parse(doc)
	var c jsonscan.Cursor
	c.Reset(doc)
	requireVerdict(t, doc, want, c.End())
	c.Reset(doc)
	w := walk{c: &c, doc: doc, choice: func() int { return ask }}
	w.value(t, &n)
	requireVerdict(t, doc, want, c.End())
	tolerant(t, doc, &n, want)
}

func requireVerdict(t testing.TB, doc []byte, want verdict, err error) {
	switch want {
	case valid:
		require.NoError(t, err, "%q", doc)
	case cut:
		require.Equal(t, jsonscan.ErrUnexpectedEnd, err, "%q", doc)
	default:
		require.Error(t, err, "%q", doc)
		require.NotEqual(t, jsonscan.ErrUnexpectedEnd, err, "%q", doc)
	}
}

// tolerant requires of a Balance what it promises of a document.
func tolerant(t testing.TB, doc []byte, n *node, want verdict) {
	container := n.kind == '{' || n.kind == '['
	var b jsonscan.Balance
	for i := range doc {
		if want == valid {
			inside := n.from < i && i < n.to
			require.Equal(t, inside && (container || n.kind == '"'), b.Open(), "%q", doc[:i])
			require.Equal(t, container && i >= n.to, b.Whole(), "%q", doc[:i])
			require.False(t, b.Broken(), "%q", doc[:i])
		}
		b.Feed(doc[i : i+1])
	}
	switch {
	case want == valid:
		require.Equal(t, container, b.Whole(), "%q", doc)
		require.False(t, b.Open() || b.Broken() || b.Extra(), "%q", doc)
	case want == cut:
		first := bytes.TrimLeft(doc, " \t\r\n")
		require.Equal(t, len(first) > 0 && bytes.IndexByte([]byte(`{["`), first[0]) >= 0, b.Open(), "%q", doc)
		require.False(t, b.Whole() || b.Broken(), "%q", doc)
	}
}

func TestSeeds(t *testing.T) {
	var count [3]int
	for _, doc := range seeds {
		_, v := parse([]byte(doc))
		count[v]++
	}
	for v, n := range count {
		require.Greater(t, n, 15, "seeds of verdict %d", v)
	}
}

// Each byte of each seed is replaced by those that matter, left out, and doubled.
func TestNeighbours(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, seed := range seeds {
		if len(seed) > 64 {
			continue
		}
		for i := range len(seed) {
			for _, b := range []string{"", seed[i:i+1] + seed[i:i+1], "{", "}", "[", "]", ":", ",", `"`, `\`, " ", "\n", "0", "-", ".", "e", "n", "x", "\x01", "\xff"} {
				doc := []byte(seed[:i] + b + seed[i+1:])
				verdicts(t, doc)
				walks(t, doc, moves(rng))
				ends(t, doc)
			}
		}
	}
}

func moves(rng *rand.Rand) []byte {
	m := make([]byte, 8)
	for i := range m {
		m[i] = byte(rng.IntN(choices))
	}
	return m
}

// Both refuse what is nested deeper than 10,000, and nothing that is not.
func TestDepth(t *testing.T) {
	for _, n := range []int{jsonscan.MaxDepth - 1, jsonscan.MaxDepth, jsonscan.MaxDepth + 1} {
		for _, pair := range [][2]string{{"[", "]"}, {`{"a":`, "}"}} {
			doc := []byte(strings.Repeat(pair[0], n) + "1" + strings.Repeat(pair[1], n))
			_, want := parse(doc)
			require.Equal(t, n > jsonscan.MaxDepth, want == broken)
			var c jsonscan.Cursor
			c.Reset(doc)
			requireVerdict(t, doc, want, c.End())
		}
	}
}
