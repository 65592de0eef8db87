package dialects

import (
	"testing"

	"github.com/stretchr/testify/require"
)

var frameKinds = map[frameKind]string{
	frameEmpty: "empty", frameData: "data", frameError: "error", frameBare: "bare", frameJunk: "junk",
}

// cutUp renders the frames of a body that comes in the given parts, one after the
// other, and checks that their raw bytes are the body.
func cutUp(t testing.TB, fr framer, word func(*frame) string, parts ...string) (words []string) {
	t.Helper()
	var f frame
	var b []byte
	for i := range max(len(parts), 1) {
		last := i >= len(parts)-1
		if i < len(parts) {
			b = append(b, parts[i]...)
		}
		for fr.next(b, last, &f) {
			require.NotEmpty(t, f.raw)
			require.Equal(t, string(b[:len(f.raw)]), string(f.raw))
			if w := word(&f); w != "" {
				words = append(words, w)
			}
			b = b[len(f.raw):]
		}
	}
	require.Empty(t, string(b), "bytes are left")
	return words
}

// pieces cuts a body in parts of that size.
func pieces(body string, size int) (parts []string) {
	for ; len(body) > size; body = body[size:] {
		parts = append(parts, body[:size])
	}
	return append(parts, body)
}
